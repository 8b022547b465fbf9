import { Anchor, Button, Skeleton } from '@mantine/core'
import { IconChevronLeft } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { Lead } from '#contract/leads.ts'
import { ApiError } from '#web/api/failures.ts'
import { EmptyState } from '#web/components/empty-state.tsx'
import { LoadError } from '#web/components/load-error.tsx'
import { type Inbox, inboxQuery, viewNames } from './inbox-view.ts'
import { LeadDetail } from './lead-detail.tsx'
import classes from './leads.module.css'
import { useLead } from './use-leads.ts'

type LeadPaneProps = {
  inbox: Inbox & { leadId: string }
  listed: Lead | undefined
  draft: string
  onDraft: (text: string) => void
}

/** The open message, or why it cannot be shown. */
export function LeadPane({ inbox, listed, draft, onDraft }: LeadPaneProps) {
  const lead = useLead(inbox.leadId, listed)
  const listPath = { search: inboxQuery({ ...inbox, leadId: undefined }) }
  return (
    <>
      <Anchor component={Link} to={listPath} className={classes.back}>
        <IconChevronLeft size={18} aria-hidden />
        {viewNames[inbox.view]} messages
      </Anchor>
      {lead.data && <LeadDetail lead={lead.data} draft={draft} onDraft={onDraft} />}
      {lead.isPending && (
        <Skeleton height={320} radius="lg" role="status" aria-label="Loading the message…" />
      )}
      {lead.isError && !lead.data && (
        <Failure error={lead.error} onRetry={() => void lead.refetch()} retrying={lead.isFetching} />
      )}
    </>
  )
}

type FailureProps = { error: unknown; onRetry: () => void; retrying: boolean }

function Failure({ error, onRetry, retrying }: FailureProps) {
  // An address that never was an id is no message either.
  if (error instanceof ApiError && (error.status === 404 || error.status === 400)) {
    return (
      <EmptyState
        title="This message is not in your inbox"
        text="It belongs to another account, or is gone."
        action={
          <Button
            variant="default"
            component={Link}
            to={{ search: inboxQuery({ view: 'all', page: 1, leadId: undefined }) }}
          >
            See all messages
          </Button>
        }
      />
    )
  }
  return <LoadError message="Unable to load this message" onRetry={onRetry} retrying={retrying} />
}
