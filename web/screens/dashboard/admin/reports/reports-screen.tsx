import { Alert, Anchor, Badge, Button, Card, Group, Stack, Tabs, Text, Title } from '@mantine/core'
import '@mantine/core/styles/Tabs.layer.css'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { reportReasons } from '#contract/pages/report-reasons.ts'
import { type ReportedListing, reportEndpoints, type reportStates } from '#contract/reports.ts'
import { interchangeEndpoints } from '#contract/search/interchange.ts'
import { call } from '#web/api/client.ts'
import emptyDrawing from '#web/artwork/empty.svg?url'
import { Moment } from '#web/components/admin/records.tsx'
import { formatCount } from '#web/components/imports/import-words.ts'
import { Page } from '#web/components/page/page.tsx'
import { Pager } from '#web/components/pager.tsx'
import { RecordsList } from '#web/components/records-list.tsx'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'
import { paths } from '#web/paths.ts'
import { Empty } from '#web/site/page.tsx'
import { DecisionButtons, type OnDecided, PublishRestButton, whenHidden } from './report-decisions.tsx'
import { ReportedReviews, useReportedReviews } from './reported-reviews.tsx'

type State = (typeof reportStates)[number]

const views = ['open', 'closed', 'reviews'] as const

/** What visitors reported: hide the listing, restore it, or answer. */
export function Component() {
  const [search, setSearch] = useSearchParams()
  const view = views.find((name) => name === search.get('state')) ?? 'open'
  const state: State = view === 'closed' ? 'closed' : 'open'
  const page = Math.max(1, Number.parseInt(search.get('page') ?? '1', 10) || 1)
  const reports = useReports(state, page)
  const open = reports.data?.open
  // The report is decided but stays in place, so that a mistake can be undone.
  const [hidden, setHidden] = useState<ReportedListing>()
  const onDone: OnDecided = (item, decision) => setHidden(decision === 'hide' ? whenHidden(item) : undefined)
  const reviews = useReportedReviews(view === 'reviews' ? page : 1).data?.open
  const goTo = (next: { state: (typeof views)[number]; page: number }) =>
    setSearch({
      ...(next.state !== 'open' && { state: next.state }),
      ...(next.page > 1 && { page: String(next.page) }),
    })
  return (
    <Page title="Reports" lead="Listings and reviews that visitors reported, most recently reported first.">
      <Tabs
        value={view}
        onChange={(value) => goTo({ state: views.find((name) => name === value) ?? 'open', page: 1 })}
      >
        <Tabs.List aria-label="Reports" mb="md">
          <Tabs.Tab value="open">Open{open === undefined ? '' : ` (${formatCount(open)})`}</Tabs.Tab>
          <Tabs.Tab value="closed">Closed</Tabs.Tab>
          <Tabs.Tab value="reviews">
            Reviews{reviews === undefined ? '' : ` (${formatCount(reviews)})`}
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="reviews">
          {view === 'reviews' && (
            <ReportedReviews page={page} onPage={(next) => goTo({ state: 'reviews', page: next })} />
          )}
        </Tabs.Panel>
        <Tabs.Panel value={state}>
          {hidden && state === 'open' && (
            <Alert color="sea" variant="light" mb="md" title={`${hidden.title} is hidden.`}>
              <DecisionButtons item={hidden} onDone={onDone} />
            </Alert>
          )}
          <RecordsList
            query={reports}
            items={reports.data?.items}
            failed="Unable to load the reports"
            loading="Loading the reports…"
            skeleton={{ rows: 4, height: 160 }}
            empty={<NoReports state={state} />}
            footer={
              reports.data && (
                <Pager
                  page={page}
                  pageCount={Math.ceil(reports.data.total / reports.data.perPage)}
                  onChange={(next) => goTo({ state, page: next })}
                  label="Pages of reports"
                />
              )
            }
          >
            {(items) => (
              <Stack gap="md">
                {items.map((item) => (
                  <Reported key={item.id} item={item} onDone={onDone} />
                ))}
              </Stack>
            )}
          </RecordsList>
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}

function useReports(state: State, page: number) {
  return useQuery({
    queryKey: ['reports', state, page],
    queryFn: ({ signal }) => call(reportEndpoints.listReports, { query: { state, page }, signal }),
    placeholderData: keepPreviousData,
  })
}

function NoReports({ state }: { state: State }) {
  return (
    <Empty
      title={state === 'open' ? 'No open reports.' : 'No closed reports yet.'}
      text="“Report this listing” is on every part page. Reports appear here."
      drawing={emptyDrawing}
    />
  )
}

function Reported({ item, onDone }: { item: ReportedListing; onDone: OnDecided }) {
  const { id, title, partslug, seller, status, isGone, reports } = item
  return (
    <Card component="section" aria-labelledby={`reported-${id}`}>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start" gap="sm">
          <div>
            <Title order={2} size="h4" id={`reported-${id}`}>
              <Anchor component={Link} inherit to={paths.manageListing(partslug)}>
                {title}
              </Anchor>
            </Title>
            <Text size="sm" className="second">
              {seller.name} ·{' '}
              <Anchor component={Link} inherit to={paths.part(partslug)}>
                Part page
              </Anchor>
            </Text>
          </div>
          <Group gap="xs">
            {status === 'HIDDEN' && <Badge color="warning">Hidden</Badge>}
            {isGone && <Badge color="gray">Ended</Badge>}
            <Badge color="gray">{reports.length === 1 ? '1 report' : `${reports.length} reports`}</Badge>
          </Group>
        </Group>
        {item.import && <OfImport of={item.import} />}
        <Stack component="ul" gap="xs" m={0} pl="md">
          {reports.map((report) => (
            <Report key={report.id} report={report} />
          ))}
        </Stack>
        {item.claims.length > 0 && <Claims claims={item.claims} />}
        <DecisionButtons item={item} onDone={onDone} />
      </Stack>
    </Card>
  )
}

const reasonInWords = (reason: string): string =>
  Object.entries(reportReasons).find(([name]) => name === reason)?.[1] ?? reason

const outcomeWords = { hidden: 'Hidden', answered: 'Answered' } as const

type DecisionProps = { did: string; by: string | null; at: string | null; text: string }

const Decision = ({ did, by, at, text }: DecisionProps) => (
  <Text size="sm" className="second">
    {did} by {by ?? 'an administrator'} {at && <Moment at={at} />}
    {text && `: “${text}”`}
  </Text>
)

function Report({ report }: { report: ReportedListing['reports'][number] }) {
  const { reason, text, email, confirmed, createdAt, outcome, answer, restoreAnswer } = report
  // A report that arrived while the listing was hidden is still undecided.
  const before = outcome === 'restored' ? (report.closedBy || answer) && 'hidden' : outcome
  return (
    <li>
      <Text fw={600}>{reasonInWords(reason)}</Text>
      {text && <Text style={{ whiteSpace: 'pre-line' }}>{text}</Text>}
      <Text size="sm" className="second">
        <Moment at={createdAt} />
        {email === null ? ' · no email address' : ` · ${email}`}
        {confirmed ? ' · confirmed' : ' · not confirmed'}
      </Text>
      {before && (
        <Decision did={outcomeWords[before]} by={report.closedBy} at={report.closedAt} text={answer} />
      )}
      {outcome === 'restored' && (
        <Decision did="Restored" by={report.restoredBy} at={report.restoredAt} text={restoreAnswer} />
      )}
    </li>
  )
}

/** Sellers' statements about the part's number, with a Remove button: the report is probably about one of them. */
function Claims({ claims }: Pick<ReportedListing, 'claims'>) {
  const queryClient = useQueryClient()
  const removing = useMutation({
    mutationFn: (id: string) => call(interchangeEndpoints.removeNumberClaim, { params: { id } }),
    onSuccess: () => notifyDone('Statement removed'),
    onError: (error) => notifyError(error, 'The statement could not be removed. Try again.'),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['reports'] }),
  })
  return (
    <Stack component="ul" gap="xs" m={0} pl="md" aria-label="Stated part numbers">
      {claims.map(({ id, kind, number, other, seller }) => {
        const words = `${number} ${kind === 'same' ? 'is the same part as' : 'replaces'} ${other}`
        return (
          <li key={id}>
            <Group gap="sm">
              <Text>
                {words}, according to {seller}
              </Text>
              <Button
                size="compact-sm"
                variant="default"
                loading={removing.isPending && removing.variables === id}
                onClick={() => removing.mutate(id)}
                aria-label={`Remove: ${words}`}
              >
                Remove
              </Button>
            </Group>
          </li>
        )
      })}
    </Stack>
  )
}

/** The import that created the listing: more reports than usual point at its file. */
function OfImport({ of }: { of: NonNullable<ReportedListing['import']> }) {
  const facts = `${formatCount(of.reported)} of the ${formatCount(of.parts)} parts of ${of.fileName || 'this import'} are reported.`
  if (!of.isUnusual && of.waiting === 0) {
    return (
      <Text size="sm" className="second">
        {facts}
      </Text>
    )
  }
  return (
    <Alert color="warning" variant="light" title={of.isUnusual ? 'More reports than usual' : undefined}>
      <Stack gap="xs" align="flex-start">
        <Text>
          {facts}
          {of.waiting > 0 &&
            ` ${formatCount(of.waiting)} changes of this seller’s first import ${of.heldAt ? 'are on hold' : 'are waiting'}.`}
        </Text>
        {of.waiting > 0 && <PublishRestButton importId={of.id} waiting={of.waiting} />}
      </Stack>
    </Alert>
  )
}
