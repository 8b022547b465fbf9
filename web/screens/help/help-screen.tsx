import { Card, SimpleGrid, Text, Title } from '@mantine/core'
import { Link } from 'react-router'
import { ButtonLink } from '#web/components/links.tsx'
import { Page } from '#web/components/page/page.tsx'
import { paths } from '#web/paths.ts'
import { articles } from './articles.ts'
import classes from './help.module.css'

export function Component() {
  return (
    <Page
      title="How To Support Articles"
      lead="Short guides to selling on this site. Each takes less than five minutes."
      actions={
        <ButtonLink to={paths.support} variant="default">
          Ask technical support
        </ButtonLink>
      }
    >
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="md">
        {articles.map(({ name, title, summary }) => (
          <Card key={name} component="article" className={classes.card}>
            <Title size="h3" mb="xs">
              <Link to={paths.helpArticle(name)}>{title}</Link>
            </Title>
            <Text className="second">{summary}</Text>
          </Card>
        ))}
      </SimpleGrid>
    </Page>
  )
}
