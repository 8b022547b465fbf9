import { Badge, Button, Group, Skeleton, Stack } from '@mantine/core'
import { Link, useNavigate } from 'react-router'
import type { Answer } from '#contract/endpoint.ts'
import type { Lead, leadEndpoints } from '#contract/leads.ts'
import empty from '#web/artwork/empty.svg?url'
import { ButtonLink } from '#web/components/links.tsx'
import { Pager } from '#web/components/pager.tsx'
import { momentWords, timeAgo } from '#web/components/time-words.ts'
import { paths } from '#web/paths.ts'
import { Empty } from '#web/site/page.tsx'
import classes from './leads.module.css'
import {
  countIn,
  emptyWords,
  excerptOf,
  type Inbox,
  inboxQuery,
  partOf,
  stateColors,
  viewNames,
} from './leads.ts'

type LeadPage = Answer<typeof leadEndpoints.listLeads>
type LeadListProps = { inbox: Inbox; found: LeadPage; turning: boolean }

export const leadLinkId = (id: string) => `lead-${id}`

export function LeadList({ inbox, found, turning }: LeadListProps) {
  const navigate = useNavigate()
  if (found.total === 0) return <Nothing inbox={inbox} found={found} />
  const pageCount = Math.ceil(found.total / found.perPage)
  const turnTo = (page: number) =>
    void navigate({ search: inboxQuery({ ...inbox, page, leadId: undefined }) })
  return (
    <>
      <ul className={classes.lines} aria-label={`${viewNames[inbox.view]} messages`} aria-busy={turning}>
        {found.items.map((lead) => (
          <Line key={lead.id} lead={lead} inbox={inbox} />
        ))}
      </ul>
      {found.items.length === 0 && (
        <Empty
          title={`There is no page ${inbox.page}`}
          text="That page no longer exists."
          action={<Button onClick={() => turnTo(1)}>Go to the first page</Button>}
        />
      )}
      <Group justify="flex-end" mt="md">
        <Pager page={inbox.page} pageCount={pageCount} onChange={turnTo} />
      </Group>
    </>
  )
}

function Line({ lead, inbox }: { lead: Lead; inbox: Inbox }) {
  const { id, state, name, wroteAt } = lead
  return (
    <li className={classes.line} data-new={state === 'new' || undefined}>
      <Link
        id={leadLinkId(id)}
        to={{ search: inboxQuery({ ...inbox, leadId: id }) }}
        preventScrollReset
        aria-current={id === inbox.leadId || undefined}
      >
        <span className={classes.head}>
          <span className={classes.name}>{name}</span>
          {inbox.view === 'all' && (
            <Badge component="span" size="md" color={stateColors[state]}>
              {viewNames[state]}
            </Badge>
          )}
          <time dateTime={wroteAt} title={momentWords(wroteAt)} className={classes.time}>
            {timeAgo(wroteAt, new Date())}
          </time>
        </span>
        <span className={classes.part}>{partOf(lead)}</span>
        <span className={classes.excerpt}>{excerptOf(lead)}</span>
      </Link>
    </li>
  )
}

function Nothing({ inbox, found: { counts } }: { inbox: Inbox; found: LeadPage }) {
  const words = emptyWords(inbox.view, counts)
  const none = countIn('all', counts) === 0
  const elsewhere = (['answered', 'closed', 'new'] as const).find((view) => counts[view] > 0)
  return (
    <Empty
      {...words}
      {...(none && { drawing: empty })}
      action={
        none ? (
          <ButtonLink to={paths.createListing}>Create a listing</ButtonLink>
        ) : (
          elsewhere && (
            <ButtonLink
              variant="default"
              to={{ search: inboxQuery({ view: elsewhere, page: 1, leadId: undefined }) }}
            >
              See {viewNames[elsewhere].toLowerCase()} messages
            </ButtonLink>
          )
        )
      }
    />
  )
}

export function ListSkeleton() {
  return (
    <Stack gap={1} role="status" aria-label="Loading messages…">
      {[0, 1, 2, 3, 4].map((line) => (
        <Skeleton key={line} height={104} radius={0} />
      ))}
    </Stack>
  )
}
