import { Link, useParams } from 'react-router'
import lost from '#web/artwork/lost.svg?raw'
import { paths } from '#web/paths.ts'
import { ButtonLink } from '#web/site/button.tsx'
import { Head, useSiteFacts } from '#web/site/head.tsx'
import { Empty, Page, Prose, Trail } from '#web/site/page.tsx'
import { breadcrumbList } from '#web/site/structured-data.ts'
import { type Article, articles } from './articles.ts'
import classes from './help.module.css'

export function Component() {
  const { article: name } = useParams()
  const index = articles.findIndex((article) => article.name === name)
  const article = articles[index]
  const next = articles[(index + 1) % articles.length]
  return article && next ? <ArticlePage article={article} next={next} /> : <NoArticle />
}

const above = { to: paths.help, label: 'Support articles' }

function ArticlePage({ article: { name, title, summary, Body }, next }: { article: Article; next: Article }) {
  const { origin } = useSiteFacts()
  const path = paths.helpArticle(name)
  return (
    <Page heading={title} lead={summary} width="text" trail={<Trail links={[above]} here={title} />}>
      <Head
        title={title}
        description={summary}
        canonical={path}
        things={[breadcrumbList(origin, [above, { to: path, label: title }])]}
      />
      <Prose>
        <Body />
      </Prose>
      <div className={classes.next}>
        <Link to={paths.support}>Still have questions? Ask technical support</Link>
        <Link to={paths.helpArticle(next.name)}>Next: {next.title}</Link>
      </div>
    </Page>
  )
}

function NoArticle() {
  return (
    <Page heading="Article not found" width="text">
      <Head title="Article not found" noindex />
      <Empty
        drawing={lost}
        title="We couldn’t find that article"
        action={<ButtonLink to={paths.help}>See all articles</ButtonLink>}
      />
    </Page>
  )
}
