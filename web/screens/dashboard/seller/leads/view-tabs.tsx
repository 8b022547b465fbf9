import { Link } from 'react-router'
import type { LeadState } from '#contract/leads.ts'
import tabs from '#web/components/tabs.module.css'
import { countIn, type Inbox, inboxQuery, inboxViews, viewNames } from './inbox-view.ts'
import classes from './leads.module.css'

type ViewTabsProps = { inbox: Inbox; counts: Record<LeadState, number> | undefined }

export function ViewTabs({ inbox, counts }: ViewTabsProps) {
  return (
    <nav aria-label="Messages by state" className={tabs.bar}>
      {inboxViews.map((view) => (
        <Link
          key={view}
          className={tabs.tab}
          to={{ search: inboxQuery({ view, page: 1, leadId: undefined }) }}
          preventScrollReset
          aria-current={view === inbox.view ? 'page' : undefined}
        >
          {viewNames[view]}{' '}
          <span className={classes.count}>{counts ? countIn(view, counts).toLocaleString('en-US') : ''}</span>
        </Link>
      ))}
    </nav>
  )
}
