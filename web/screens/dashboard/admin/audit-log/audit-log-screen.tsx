import {
  Button,
  Group,
  NativeSelect,
  SimpleGrid,
  Skeleton,
  Stack,
  Table,
  Text,
  TextInput,
} from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { adminPeopleEndpoints } from '#contract/admin-people.ts'
import type { Answer } from '#contract/endpoint.ts'
import { call } from '#web/api/client.ts'
import emptyDrawing from '#web/artwork/empty.svg?raw'
import classes from '#web/components/admin/records.module.css'
import {
  type FilterValues,
  type ListControls,
  useListState,
} from '#web/components/listing-filters/list-state.ts'
import { SearchInput } from '#web/components/listing-filters/search-input.tsx'
import { EmptyState } from '#web/components/page/empty-state.tsx'
import { LoadError } from '#web/components/page/load-error.tsx'
import { Page } from '#web/components/page/page.tsx'
import { momentWords } from '#web/components/time-words.ts'

export function Component() {
  const list = useListState(noFilters)
  const audit = useAudit(list.filters)
  return (
    <Page title="Audit Log" lead="Who did what, when and from where, newest first.">
      <AuditFilterBar list={list} actions={audit.data?.pages[0]?.actions ?? []} />
      {audit.isError && !audit.data ? (
        <LoadError
          message="Unable to load the audit log"
          onRetry={() => void audit.refetch()}
          retrying={audit.isFetching}
        />
      ) : (
        <Entries list={list} audit={audit} />
      )}
    </Page>
  )
}

type EntriesProps = { list: AuditControls; audit: ReturnType<typeof useAudit> }

function Entries({ list, audit }: EntriesProps) {
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage, isPlaceholderData } = audit
  if (!data) return <Loading />
  const entries = data.pages.flatMap(({ items }) => items)
  if (entries.length === 0) {
    return list.isFiltered ? (
      <EmptyState
        title="Nothing in the log matches these filters."
        text="Try another action, more days, or part of a name or e-mail address."
        action={<Button onClick={list.clear}>Clear filters</Button>}
        drawing={emptyDrawing}
      />
    ) : (
      <EmptyState
        title="Nothing is logged yet."
        text="Sign-ins, changes of roles, bulk saves and the like stand here."
        drawing={emptyDrawing}
      />
    )
  }
  return (
    <Stack gap="md">
      <AuditTable entries={entries} turning={isPlaceholderData} />
      {hasNextPage && (
        <Group justify="center">
          <Button variant="default" onClick={() => void fetchNextPage()} loading={isFetchingNextPage}>
            Load More
          </Button>
        </Group>
      )}
    </Stack>
  )
}

const Loading = () => (
  <Stack gap={1} role="status" aria-label="Loading the audit log…">
    {Array.from({ length: 10 }, (_, line) => line).map((line) => (
      <Skeleton key={line} height={44} radius={0} />
    ))}
  </Stack>
)

type AuditFilterBarProps = { list: AuditControls; actions: readonly string[] }

function AuditFilterBar({ list: { filters, change, clear, isFiltered }, actions }: AuditFilterBarProps) {
  // One that the address names is shown also before the list of them is there.
  const known =
    filters.action === '' || actions.includes(filters.action) ? actions : [filters.action, ...actions]
  return (
    <Stack gap="sm" mb="lg">
      <SimpleGrid cols={{ base: 2, lg: 5 }} spacing="sm">
        <NativeSelect
          label="Action"
          data={[
            { value: '', label: 'All actions' },
            ...known.map((action) => ({ value: action, label: actionWords(action) })),
          ]}
          value={filters.action}
          onChange={(event) => change({ action: event.currentTarget.value })}
        />
        <SearchInput
          label="Who"
          placeholder="name or e-mail"
          value={filters.who}
          onSearch={(who) => change({ who }, { typing: true })}
        />
        <SearchInput
          label="Target"
          placeholder="id"
          value={filters.target}
          onSearch={(target) => change({ target }, { typing: true })}
        />
        <TextInput
          type="date"
          label="From"
          value={filters.from}
          max={filters.to || undefined}
          onChange={(event) => change({ from: event.currentTarget.value })}
        />
        <TextInput
          type="date"
          label="To"
          value={filters.to}
          min={filters.from || undefined}
          onChange={(event) => change({ to: event.currentTarget.value })}
        />
      </SimpleGrid>
      {isFiltered && (
        <Button variant="subtle" onClick={clear} style={{ alignSelf: 'flex-start' }}>
          Clear filters
        </Button>
      )}
    </Stack>
  )
}

function AuditTable({ entries, turning }: { entries: readonly AuditEntry[]; turning: boolean }) {
  return (
    <div className={classes.frame} aria-busy={turning}>
      <Table className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>When</Table.Th>
            <Table.Th>What</Table.Th>
            <Table.Th>Who</Table.Th>
            <Table.Th>Target and details</Table.Th>
            <Table.Th>From</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}

function Entry({ entry: { at, action, by, target, detail, ip } }: { entry: AuditEntry }) {
  return (
    <Table.Tr>
      <Table.Td className={classes.moment}>
        <time dateTime={at} title={at}>
          {momentWords(at)}
        </time>
      </Table.Td>
      <Table.Td className={classes.what}>{actionWords(action)}</Table.Td>
      <Table.Td className={classes.person}>
        {by === null ? (
          <span className="second">the program</span>
        ) : (
          <>
            {by.name}
            <Text size="sm" className="second">
              {by.email}
            </Text>
          </>
        )}
      </Table.Td>
      <Table.Td className={classes.details}>
        {target !== null && <code className={classes.code}>{target}</code>}
        {detailLines(detail).map((line) => (
          <Text key={line} size="sm" className="second">
            {line}
          </Text>
        ))}
      </Table.Td>
      <Table.Td data-label="From" className={classes.exact}>
        {ip ?? <span className="second">–</span>}
      </Table.Td>
    </Table.Tr>
  )
}

const noFilters = { action: '', who: '', target: '', from: '', to: '' } as const
type AuditControls = ListControls<typeof noFilters>
type AuditEntry = Answer<typeof adminPeopleEndpoints.listAudit>['items'][number]

function useAudit(filters: FilterValues<typeof noFilters>) {
  const query = auditQuery(filters)
  return useInfiniteQuery({
    queryKey: ['audit', query],
    queryFn: ({ pageParam: cursor, signal }) =>
      call(adminPeopleEndpoints.listAudit, {
        query: { ...query, ...(cursor !== undefined && { cursor }) },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  })
}

// Where the word that is kept says too little.
const WORDS: Record<string, string> = {
  'job-enqueued': 'Job started',
  'job-input': 'Line sent to a job',
  'job-input-refused': 'Line to a job refused',
  'job-retried': 'Job run again',
  'jobs-bulk': 'Bulk action on jobs',
}

/** "bulk-saved" reads "Bulk saved". */
export function actionWords(action: string): string {
  const own = WORDS[action]
  if (own !== undefined) return own
  const words = action.replaceAll(/[-_.]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** What is told with an entry, one short line each: "role: 0 → 1" comes as it was kept. */
export function detailLines(detail: Record<string, unknown>): string[] {
  return Object.entries(detail)
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
}

const isDay = (typed: string) => /^\d{4}-\d{2}-\d{2}$/.test(typed) && !Number.isNaN(Date.parse(typed))

type AuditFilters = { action: string; who: string; target: string; from: string; to: string }

/** What the server takes: filters that say something; a day that is none would refuse the whole list. */
export function auditQuery({ from, to, ...words }: AuditFilters): Partial<AuditFilters> {
  const days = Object.entries({ from, to }).filter(([, day]) => isDay(day))
  const said = Object.entries(words).filter(([, text]) => text.trim() !== '')
  return Object.fromEntries([...said, ...days])
}
