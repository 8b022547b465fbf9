import { Skeleton } from '@mantine/core'
import { IconChevronLeft } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { Lead, LeadState } from '#contract/leads.ts'
import { ApiError } from '#web/api/failures.ts'
import sheet from '#web/artwork/sheet.svg?url'
import { useLeaveGuard } from '#web/components/form/leave-guard.ts'
import { ButtonLink, TextLink } from '#web/components/links.tsx'
import { Loaded } from '#web/components/page/load-error.tsx'
import { Page } from '#web/components/page/page.tsx'
import tabs from '#web/components/page/tabs.module.css'
import { Empty } from '#web/site/page.tsx'
import { LeadDetail } from './lead-detail.tsx'
import { LeadList, ListSkeleton, leadLinkId } from './lead-list.tsx'
import classes from './leads.module.css'
import {
  countIn,
  type Inbox,
  inboxQuery,
  inboxViews,
  readInbox,
  useLead,
  useLeadList,
  viewNames,
} from './leads.ts'

const unsent = {
  title: 'Leave without sending?',
  text: 'You have an unsent reply.',
  confirm: 'Leave page',
}

/** The inbox: the list with the open message beside it. On a phone, one at a time. */
export function Component() {
  const [params] = useSearchParams()
  const inbox = readInbox(params)
  const { leadId } = inbox
  const list = useLeadList(inbox)
  // Drafts by message, so that switching messages keeps them.
  const [drafts, setDrafts] = useState<Record<string, string>>({})
  useLeaveGuard(
    Object.values(drafts).some((text) => text.trim() !== ''),
    unsent,
  )
  useFocusBackInList(leadId)

  return (
    <Page title="Messages" lead="What buyers wrote about your parts, newest first.">
      <div className={classes.tabs} data-open={leadId !== undefined || undefined}>
        <ViewTabs inbox={inbox} counts={list.data?.counts} />
      </div>
      <div
        className={classes.desk}
        data-open={leadId !== undefined || undefined}
        data-empty={(leadId === undefined && !list.data?.items.length) || undefined}
      >
        <div className={classes.list}>
          <Loaded query={list} failure="Unable to load your messages" waiting={<ListSkeleton />}>
            {(found) => <LeadList inbox={inbox} found={found} turning={list.isPlaceholderData} />}
          </Loaded>
        </div>
        <div className={classes.pane}>
          {leadId === undefined ? (
            <Empty
              drawing={sheet}
              title="Choose a message"
              text="It opens here with the buyer’s contact details."
            />
          ) : (
            <LeadPane
              key={leadId}
              inbox={{ ...inbox, leadId }}
              listed={list.data?.items.find(({ id }) => id === leadId)}
              draft={drafts[leadId] ?? ''}
              onDraft={(text) => setDrafts((before) => ({ ...before, [leadId]: text }))}
            />
          )}
        </div>
      </div>
    </Page>
  )
}

/** Closing a message returns focus to its line in the list. */
function useFocusBackInList(leadId: string | undefined): void {
  const open = useRef(leadId)
  useEffect(() => {
    const closed = leadId === undefined ? open.current : undefined
    open.current = leadId
    if (closed !== undefined) document.getElementById(leadLinkId(closed))?.focus()
  }, [leadId])
}

type ViewTabsProps = { inbox: Inbox; counts: Record<LeadState, number> | undefined }

function ViewTabs({ inbox, counts }: ViewTabsProps) {
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

type LeadPaneProps = {
  inbox: Inbox & { leadId: string }
  listed: Lead | undefined
  draft: string
  onDraft: (text: string) => void
}

function LeadPane({ inbox, listed, draft, onDraft }: LeadPaneProps) {
  const lead = useLead(inbox.leadId, listed)
  const listPath = { search: inboxQuery({ ...inbox, leadId: undefined }) }
  return (
    <>
      <TextLink to={listPath} className={classes.back}>
        <IconChevronLeft size={18} aria-hidden />
        {viewNames[inbox.view]} messages
      </TextLink>
      {!lead.data && isMissing(lead.error) ? (
        <Empty
          title="This message is not in your inbox"
          text="It belongs to another account or was deleted."
          action={
            <ButtonLink
              variant="default"
              to={{ search: inboxQuery({ view: 'all', page: 1, leadId: undefined }) }}
            >
              See all messages
            </ButtonLink>
          }
        />
      ) : (
        <Loaded
          query={lead}
          failure="Unable to load this message"
          waiting={<Skeleton height={320} radius="lg" role="status" aria-label="Loading the message…" />}
        >
          {(loaded) => <LeadDetail lead={loaded} draft={draft} onDraft={onDraft} />}
        </Loaded>
      )}
    </>
  )
}

/** A malformed id (400) is also "not found" to the user. */
const isMissing = (error: unknown) =>
  error instanceof ApiError && (error.status === 404 || error.status === 400)
