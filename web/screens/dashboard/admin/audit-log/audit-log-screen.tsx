import { Anchor, Button, NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { adminPeopleEndpoints } from '#contract/admin/people.ts'
import type { Answer } from '#contract/endpoint.ts'
import { call } from '#web/api/client.ts'
import emptyDrawing from '#web/artwork/empty.svg?url'
import {
  type FilterValues,
  type ListControls,
  useListState,
} from '#web/components/listing-filters/list-state.ts'
import { SearchInput } from '#web/components/listing-filters/search-input.tsx'
import { Page } from '#web/components/page/page.tsx'
import classes from '#web/components/records-list.module.css'
import { type Column, LoadMore, RecordsList } from '#web/components/records-list.tsx'
import { momentWords } from '#web/components/time-words.ts'
import { paths } from '#web/paths.ts'
import { Empty } from '#web/site/page.tsx'

export function Component() {
  const list = useListState(noFilters)
  const audit = useAudit(list.filters)
  return (
    <Page title="Audit Log" lead="Who did what, when, and from where, newest first.">
      <AuditFilterBar list={list} actions={audit.data?.pages[0]?.actions ?? []} />
      <RecordsList
        query={audit}
        items={audit.data?.pages.flatMap(({ items }) => items)}
        failed="Unable to load the audit log"
        loading="Loading the audit log…"
        skeleton={{ rows: 10, height: 44 }}
        columns={columns}
        empty={<NoEntries list={list} />}
        footer={<LoadMore query={audit} />}
      />
    </Page>
  )
}

function NoEntries({ list }: { list: AuditControls }) {
  return list.isFiltered ? (
    <Empty
      title="Nothing in the log matches these filters."
      text="Try another action, more days, or part of a name or email address."
      action={<Button onClick={list.clear}>Clear filters</Button>}
      drawing={emptyDrawing}
    />
  ) : (
    <Empty
      title="Nothing is logged yet."
      text="Sign-ins, role changes, bulk saves, and similar events appear here."
      drawing={emptyDrawing}
    />
  )
}

type AuditFilterBarProps = { list: AuditControls; actions: readonly string[] }

function AuditFilterBar({ list: { filters, change, clear, isFiltered }, actions }: AuditFilterBarProps) {
  // The address may name an action before the list of actions is loaded.
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
          placeholder="name or email"
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

const columns: readonly Column<AuditEntry>[] = [
  {
    header: 'When',
    className: classes.moment,
    cell: ({ at }) => (
      <time dateTime={at} title={at}>
        {momentWords(at)}
      </time>
    ),
  },
  { header: 'What', className: classes.what, cell: ({ action }) => actionWords(action) },
  {
    header: 'Who',
    className: classes.person,
    cell: (entry) => {
      const { name, about } = whoDid(entry)
      return (
        <>
          {name}
          {about !== undefined && (
            <Text size="sm" className="second">
              {about}
            </Text>
          )}
        </>
      )
    },
  },
  {
    header: 'Target and details',
    className: classes.details,
    cell: ({ target, named, detail, names }) => (
      <>
        <Target target={target} named={named} />
        {detailLines(detail, names).map((line) => (
          <Text key={line} size="sm" className="second">
            {line}
          </Text>
        ))}
      </>
    ),
  },
  {
    header: 'From',
    labeled: true,
    className: classes.exact,
    cell: ({ ip }) => ip ?? <span className="second">–</span>,
  },
]

/** By name, with a link to where it is managed; by its id if nothing has that id anymore. */
function Target({ target, named }: Pick<AuditEntry, 'target' | 'named'>) {
  if (target === null) return null
  const to = targetPath(named, target)
  const name = named?.name ?? target.replace(stagedFile, '$<path>')
  if (to === undefined)
    return named ? <span title={target}>{name}</span> : <code className={classes.code}>{name}</code>
  return (
    <Anchor component={Link} to={to} title={target}>
      {name}
    </Anchor>
  )
}

/** A staged file's root and path. */
const stagedFile = /^(?<root>ecomm|datatable|mapdata):(?<path>\/.+)$/

function stagedPath(place: string): string | undefined {
  const { root, path } = stagedFile.exec(place)?.groups ?? {}
  if (root === undefined || path === undefined) return undefined
  return `${paths.missionControl}?${new URLSearchParams({ view: 'preprocess', root, path })}`
}

/** Where a target is managed; undefined if there is no such page. */
export function targetPath(named: AuditEntry['named'], target: string): string | undefined {
  if (named === null) return stagedPath(target)
  const { kind, name, slug } = named
  const search = (path: string, query: string) => `${path}?${new URLSearchParams({ [query]: name })}`
  switch (kind) {
    case 'listing':
      return paths.manageListing(slug ?? '')
    case 'user':
      return search(paths.manageUsers, 'q')
    case 'seller':
      return search(paths.manageProducts, 'seller')
    case 'category':
      return search(paths.manageCategories, 'q')
    case 'manufacturer':
      return search(paths.manageManufacturers, 'q')
    case 'car-model':
      return search(paths.manageCarModels, 'q')
    case 'job':
      return `${paths.missionControl}?${new URLSearchParams({ job: target })}`
    case 'schedule':
      return paths.missionControl
    case 'import':
      return stagedPath(slug ?? '')
    case 'bulk-save':
      return paths.bulkSaves
    case 'search-word':
      return paths.searchWords
    case 'api-token':
    case 'second-step':
    case 'mapping-template':
      return undefined
  }
}

const noFilters = { action: '', who: '', target: '', from: '', to: '' } as const
type AuditControls = ListControls<typeof noFilters>
type AuditFilters = FilterValues<typeof noFilters>
type AuditEntry = Answer<typeof adminPeopleEndpoints.listAudit>['items'][number]

function useAudit(filters: AuditFilters) {
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

// Actions whose stored name is not clear enough.
const ACTION_LABELS: Record<string, string> = {
  'job-enqueued': 'Job started',
  'job-input': 'Input sent to a job',
  'job-input-refused': 'Input to a job refused',
  'job-retried': 'Job run again',
  'jobs-bulk': 'Bulk action on jobs',
  'pro-taken-back': 'Pro revoked',
}

/** "bulk-saved" reads "Bulk saved". */
export function actionWords(action: string): string {
  const own = ACTION_LABELS[action]
  if (own !== undefined) return own
  const words = action.replaceAll(/[-_.]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

type Source = Pick<AuditEntry, 'by' | 'source' | 'script'>

/** Who did it, and a second line about them. */
export function whoDid({ by, source, script }: Source): { name: string; about?: string | undefined } {
  if (source === 'script') {
    return { name: script ?? 'A script', about: by === null ? undefined : `started by ${by.name}` }
  }
  if (by !== null) return { name: by.name, about: by.email }
  return { name: { person: 'A former user', visitor: 'A visitor', system: 'The system' }[source] }
}

/** Ids are shown as the names that they have. */
export function detailLines(detail: Record<string, unknown>, names: AuditEntry['names']): string[] {
  return Object.entries(detail)
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(
      ([name, value]) =>
        `${name}: ${typeof value === 'object' ? JSON.stringify(value) : (names[String(value)] ?? String(value))}`,
    )
}

const isDay = (typed: string) => /^\d{4}-\d{2}-\d{2}$/.test(typed) && !Number.isNaN(Date.parse(typed))

/** The filters that are set; an invalid day would make the server refuse the whole request. */
export function auditQuery({ from, to, ...words }: AuditFilters): Partial<AuditFilters> {
  const days = Object.entries({ from, to }).filter(([, day]) => isDay(day))
  const texts = Object.entries(words).filter(([, text]) => text.trim() !== '')
  return Object.fromEntries([...texts, ...days])
}
