import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import sheet from '#web/artwork/sheet.svg?raw'
import { EmptyState } from '#web/components/empty-state.tsx'
import { useLeaveGuard } from '#web/components/leave-guard.ts'
import { LoadError } from '#web/components/load-error.tsx'
import { Page } from '#web/components/page.tsx'
import { readInbox } from './inbox-view.ts'
import { LeadList, leadLinkId } from './lead-list.tsx'
import { LeadPane } from './lead-pane.tsx'
import classes from './leads.module.css'
import { useLeadList } from './use-leads.ts'
import { ViewTabs } from './view-tabs.tsx'

const unsent = {
  title: 'Leave without sending?',
  text: 'An answer that you began has not been sent yet.',
  confirm: 'Leave page',
}

/** The inbox: messages on the left, the open one beside them; on a phone one step after the other. */
export function Component() {
  const [params] = useSearchParams()
  const inbox = readInbox(params)
  const { leadId } = inbox
  const list = useLeadList(inbox)
  // Going to another message and back keeps what was begun.
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
          {list.isError && !list.data ? (
            <LoadError
              message="Unable to load your messages"
              onRetry={() => void list.refetch()}
              retrying={list.isFetching}
            />
          ) : (
            <LeadList inbox={inbox} found={list.data} turning={list.isPlaceholderData} />
          )}
        </div>
        <div className={classes.pane}>
          {leadId === undefined ? (
            <EmptyState
              drawing={sheet}
              title="Choose a message"
              text="It opens here, with the ways to reach the buyer."
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

/** Closing a message leads back to its line in the list. */
function useFocusBackInList(leadId: string | undefined): void {
  const open = useRef(leadId)
  useEffect(() => {
    const closed = leadId === undefined ? open.current : undefined
    open.current = leadId
    if (closed !== undefined) document.getElementById(leadLinkId(closed))?.focus()
  }, [leadId])
}
