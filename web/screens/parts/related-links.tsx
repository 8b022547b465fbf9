import type { PageLink } from '#contract/landing.ts'
import { landingPath } from '#contract/pages/landing-addresses.ts'
import { paths } from '#web/paths.ts'
import { Link } from '#web/site/link.tsx'
import classes from './landing.module.css'

export function RelatedLinks({ links }: { links: readonly PageLink[] }) {
  if (links.length === 0) return null
  return (
    <nav aria-labelledby="related" className={classes.related}>
      <h2 id="related">Related</h2>
      <ul className={classes.links}>
        {links.map(({ kind, slug, anchor }) => (
          <li key={`${kind}/${slug}`}>
            <Link to={kind === 'listing' ? paths.part(slug) : landingPath(kind, slug)}>{anchor}</Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
