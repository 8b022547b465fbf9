import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useLocation } from 'react-router'
import { Link } from '#web/site/link.tsx'
import classes from './page-links.module.css'

type PageLinksProps = {
  page: number
  lastPage: number
}

/** Links to the other pages of the list at this address; nothing if there is only one. */
export function PageLinks({ page, lastPage }: PageLinksProps) {
  const { pathname, search } = useLocation()
  if (lastPage <= 1) return null
  const to = (target: number) => `${pathname}${withPage(search, target)}`
  return (
    <nav aria-label="Pages" className={classes.pages}>
      <Step to={page > 1 ? to(page - 1) : undefined} label="Previous page" rel="prev">
        <IconChevronLeft size={20} aria-hidden />
      </Step>
      <ol className={classes.numbers}>
        {pagesAround(page, lastPage).map((each, place) =>
          each === undefined ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: gaps differ by their place only
            <li key={`gap ${place}`} aria-hidden="true">
              …
            </li>
          ) : (
            <li key={each}>
              <Link
                to={to(each)}
                aria-label={`Page ${each.toLocaleString('en-US')}`}
                {...(each === page && { 'aria-current': 'page' as const })}
              >
                {each.toLocaleString('en-US')}
              </Link>
            </li>
          ),
        )}
      </ol>
      {/* Thumb-sized numbers do not fit in one line on a phone. */}
      <span className={classes.place}>
        Page {page.toLocaleString('en-US')} of {lastPage.toLocaleString('en-US')}
      </span>
      <Step to={page < lastPage ? to(page + 1) : undefined} label="Next page" rel="next">
        <IconChevronRight size={20} aria-hidden />
      </Step>
    </nav>
  )
}

type StepProps = { to: string | undefined; label: string; rel: string; children: React.ReactNode }

function Step({ to, label, rel, children }: StepProps) {
  if (to === undefined) {
    return (
      <span className={classes.step} aria-hidden="true">
        {children}
      </span>
    )
  }
  return (
    <Link to={to} className={classes.step} aria-label={label} rel={rel}>
      {children}
    </Link>
  )
}

/** The query with another page; page 1 has no `page` parameter. */
export function withPage(search: string, page: number): string {
  const query = new URLSearchParams(search)
  if (page === 1) query.delete('page')
  else query.set('page', String(page))
  return query.size > 0 ? `?${query}` : ''
}

/** The first, the last and those beside the current page; undefined for a gap. */
export function pagesAround(page: number, lastPage: number): (number | undefined)[] {
  const shown = [1, page - 1, page, page + 1, lastPage].filter((each) => each >= 1 && each <= lastPage)
  const pages = [...new Set(shown)].sort((a, b) => a - b)
  return pages.flatMap((each, place) => {
    const before = pages[place - 1]
    if (before === undefined || each === before + 1) return [each]
    // A gap of one page would be as wide as its number.
    return each === before + 2 ? [each - 1, each] : [undefined, each]
  })
}
