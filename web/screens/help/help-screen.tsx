import { Link } from 'react-router'
import { paths } from '#web/paths.ts'
import { ButtonLink } from '#web/site/button.tsx'
import { Head, useSiteFacts } from '#web/site/head.tsx'
import { Page } from '#web/site/page.tsx'
import { shownArticles } from './articles.ts'
import classes from './help.module.css'

export function Component() {
  const { orders } = useSiteFacts()
  const about = orders ? 'buying and selling' : 'selling'
  return (
    <Page
      heading="How To Support Articles"
      lead={`Short guides to ${about} on this site. Each takes less than five minutes.`}
      actions={<ButtonLink to={paths.support}>Ask technical support</ButtonLink>}
    >
      <Head
        title="How To Support Articles"
        description="How to list a part, grade it, import your inventory, reply to buyers and get paid. Each takes less than five minutes."
        canonical={paths.help}
      />
      <div className={classes.articles}>
        {shownArticles(orders).map(({ name, title, summary }) => (
          <article key={name} className={classes.card}>
            <h2>
              <Link to={paths.helpArticle(name)}>{title}</Link>
            </h2>
            <p className="second">{summary}</p>
          </article>
        ))}
      </div>
    </Page>
  )
}
