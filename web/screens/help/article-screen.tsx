import { Divider, Group } from '@mantine/core'
import { useParams } from 'react-router'
import lost from '#web/artwork/lost.svg?raw'
import { ButtonLink, TextLink } from '#web/components/links.tsx'
import { EmptyState } from '#web/components/page/empty-state.tsx'
import { Page, Trail } from '#web/components/page/page.tsx'
import { Prose } from '#web/components/page/prose.tsx'
import { paths } from '#web/paths.ts'
import { articles } from './articles.ts'

export function Component() {
  const { article: name } = useParams()
  const index = articles.findIndex((article) => article.name === name)
  const article = articles[index]
  if (!article) return <NoArticle />
  const { title, summary, Body } = article
  const next = articles[(index + 1) % articles.length]
  return (
    <Page title={title} lead={summary} width="text">
      <Trail links={[{ to: paths.help, label: 'Support articles' }]} here={title} />
      <Prose>
        <Body />
      </Prose>
      <Divider my="lg" />
      <Group justify="space-between">
        <TextLink to={paths.support}>Still have questions? Ask technical support</TextLink>
        {next && <TextLink to={paths.helpArticle(next.name)}>Next: {next.title}</TextLink>}
      </Group>
    </Page>
  )
}

function NoArticle() {
  return (
    <Page title="Article not found" width="text">
      <EmptyState
        drawing={lost}
        title="We couldn’t find that article"
        action={<ButtonLink to={paths.help}>See all articles</ButtonLink>}
      />
    </Page>
  )
}
