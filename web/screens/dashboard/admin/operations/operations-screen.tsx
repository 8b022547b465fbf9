import { Alert, Anchor, Badge, Group, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { Link } from 'react-router'
import { type Operations, operationsEndpoints, type QueueAge } from '#contract/admin/operations.ts'
import { call } from '#web/api/client.ts'
import { Moment } from '#web/components/admin/records.tsx'
import { formatCount } from '#web/components/imports/import-words.ts'
import { LoadError } from '#web/components/page/load-error.tsx'
import { Page } from '#web/components/page/page.tsx'
import classes from '#web/components/records-list.module.css'
import { type Column, RecordsList } from '#web/components/records-list.tsx'
import { paths } from '#web/paths.ts'

// Often enough to watch a queue get shorter.
const REFRESH_MS = 30_000

/** The operator's daily overview. */
export function Component() {
  const operations = useQuery({
    queryKey: ['operations'],
    queryFn: ({ signal }) => call(operationsEndpoints.readOperations, { signal }),
    refetchInterval: REFRESH_MS,
  })
  const { data } = operations
  return (
    <Page
      title="Operations"
      lead="Jobs, mail, imports, and searches that need attention, and the last backup."
    >
      {!data && operations.isError ? (
        <LoadError
          message="Unable to load the operations"
          onRetry={() => void operations.refetch()}
          retrying={operations.isFetching}
        />
      ) : (
        <Stack gap="xl">
          {data && <Notices {...data} />}
          <Section title="Backup">{data && <Backup {...data.backup} />}</Section>
          <Section title="Jobs by age" link={{ label: 'Mission Control', to: paths.missionControl }}>
            <RecordsList
              query={operations}
              items={data?.queues.map((queue) => ({ ...queue, id: queue.queue }))}
              loading="Loading jobs…"
              skeleton={{ rows: 3, height: 44 }}
              columns={queueColumns}
              empty="No jobs are waiting or running, and none failed in the last day."
            />
          </Section>
          <Section title={titleOf('Mail that failed, last 7 days', data?.failedMails)}>
            <RecordsList
              query={operations}
              items={data?.failedMails.items}
              loading="Loading mail…"
              skeleton={{ rows: 3, height: 44 }}
              columns={mailColumns}
              empty="All mail was accepted."
            />
          </Section>
          <Section
            title={titleOf('Reported imports', data?.reportedImports)}
            link={{ label: 'Reports', to: paths.reports }}
          >
            <RecordsList
              query={operations}
              items={data?.reportedImports.items}
              loading="Loading imports…"
              skeleton={{ rows: 3, height: 44 }}
              columns={importColumns}
              empty="No open reports about imported parts."
            />
          </Section>
          <Section
            title={titleOf('Searches without a result', data?.emptySearches)}
            link={{ label: 'Search Words', to: `${paths.searchWords}?tab=empty` }}
          >
            <RecordsList
              query={operations}
              items={data?.emptySearches.items.map((search) => ({ ...search, id: search.words }))}
              loading="Loading searches…"
              skeleton={{ rows: 3, height: 44 }}
              columns={searchColumns}
              empty="Every search found something."
            />
          </Section>
        </Stack>
      )}
    </Page>
  )
}

const titleOf = (title: string, list: { total: number } | undefined) =>
  list && list.total > 0 ? `${title} (${formatCount(list.total)})` : title

type SectionProps = { title: string; link?: { label: string; to: string }; children: ReactNode }

function Section({ title, link, children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4" id={id}>
          {title}
        </Title>
        {link && (
          <Anchor component={Link} to={link.to}>
            {link.label}
          </Anchor>
        )}
      </Group>
      {children}
    </section>
  )
}

function Notices({ isWorkerAlive, backup: { isLate, last } }: Operations) {
  return (
    <>
      {!isWorkerAlive && (
        <Alert color="red" title="No worker is running">
          No jobs start and no mail is sent until a worker runs. The command “doctor” shows what to do.
        </Alert>
      )}
      {isLate && (
        <Alert color="red" title={last ? 'The last backup is too old' : 'There is no backup yet'}>
          Check the job “Back up” in Mission Control, or the schedule that runs the backup command.
        </Alert>
      )}
    </>
  )
}

const GIGABYTE = 1_000_000_000
const sizeInWords = (bytes: number) =>
  bytes < GIGABYTE / 10 ? `${(bytes / 1_000_000).toFixed(1)} MB` : `${(bytes / GIGABYTE).toFixed(1)} GB`

function Backup({ last, at }: Operations['backup']) {
  const schedule = at === null ? 'No nightly backup is scheduled (BACKUP_AT).' : `Every night at ${at} UTC.`
  if (!last) return `No backup yet. ${schedule}`
  return (
    <>
      <Moment at={last.at} />: {formatCount(last.rows)} rows, {formatCount(last.files)} files,{' '}
      {sizeInWords(last.bytes)}. {schedule}
    </>
  )
}

const since = (number: number, at: string | null) =>
  at === null ? (
    formatCount(number)
  ) : (
    <>
      {formatCount(number)}, oldest <Moment at={at} />
    </>
  )

const queueColumns: readonly Column<QueueAge>[] = [
  {
    header: 'Queue',
    className: classes.what,
    cell: ({ title, isPaused }) => (
      <>
        {title} {isPaused && <Badge variant="light">Paused</Badge>}
      </>
    ),
  },
  { header: 'Waiting', labeled: true, cell: ({ waiting, waitingSince }) => since(waiting, waitingSince) },
  { header: 'Running', labeled: true, cell: ({ running, runningSince }) => since(running, runningSince) },
  { header: 'Asking', labeled: true, numeric: true, cell: ({ asking }) => formatCount(asking) },
  { header: 'Failed, last day', labeled: true, numeric: true, cell: ({ failed }) => formatCount(failed) },
]

const mailColumns: readonly Column<Operations['failedMails']['items'][number]>[] = [
  { header: 'To', className: classes.what, cell: ({ to }) => to },
  { header: 'Subject', labeled: true, cell: ({ subject }) => subject },
  { header: 'Reason', labeled: true, cell: ({ error }) => error },
  { header: 'Written', labeled: true, cell: ({ at }) => <Moment at={at} /> },
]

const importColumns: readonly Column<Operations['reportedImports']['items'][number]>[] = [
  { header: 'Import', className: classes.what, cell: ({ fileName }) => fileName || 'Import' },
  { header: 'Seller', labeled: true, cell: ({ seller }) => seller },
  {
    header: 'Reported parts',
    labeled: true,
    numeric: true,
    cell: ({ reported }) => formatCount(reported),
  },
  { header: 'Last report', labeled: true, cell: ({ lastAt }) => <Moment at={lastAt} /> },
]

const searchColumns: readonly Column<Operations['emptySearches']['items'][number]>[] = [
  { header: 'Search', className: classes.what, cell: ({ words }) => words },
  { header: 'Times', labeled: true, numeric: true, cell: ({ times }) => formatCount(times) },
  { header: 'Last searched', labeled: true, cell: ({ lastAt }) => <Moment at={lastAt} /> },
]
