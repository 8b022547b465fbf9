import type { ComponentType, ReactNode } from 'react'
import { Link } from 'react-router'
import type { HelpArticle } from '#contract/pages/site-paths.ts'
import { paths } from '#web/paths.ts'
import { Head, useSiteFacts } from '#web/site/head.tsx'
import { Page, Prose, Trail } from '#web/site/page.tsx'
import { breadcrumbList } from '#web/site/structured-data.ts'
import { articleTexts } from './article-texts.ts'
import { type Article, articles, shownArticles } from './articles.ts'
import classes from './help.module.css'

/** The screen of an article, with its text. */
export async function loadArticle(name: HelpArticle): Promise<{ element: ReactNode }> {
  const [Body, article] = [await articleTexts[name].load(), articles.find((each) => each.name === name)]
  if (!article) throw new Error(`there is no article ${name}`)
  return { element: <ArticlePage article={article} Body={Body} /> }
}

const above = { to: paths.help, label: 'Support articles' }

type ArticlePageProps = { article: Article; Body: ComponentType }

function ArticlePage({ article: { name, title, summary }, Body }: ArticlePageProps) {
  const { origin, orders } = useSiteFacts()
  const shown = shownArticles(orders)
  const next = shown[(shown.findIndex((each) => each.name === name) + 1) % shown.length]
  const path = paths.helpArticle(name)
  return (
    <Page heading={title} lead={summary} width="text" trail={<Trail links={[above]} here={title} />}>
      <Head
        title={title}
        description={summary}
        canonical={path}
        things={import.meta.env.SSR && (() => [breadcrumbList(origin, [above, { to: path, label: title }])])}
      />
      <Prose>
        <Body />
      </Prose>
      <div className={classes.next}>
        <Link to={paths.support}>Still have questions? Ask technical support</Link>
        {next && <Link to={paths.helpArticle(next.name)}>Next: {next.title}</Link>}
      </div>
    </Page>
  )
}
