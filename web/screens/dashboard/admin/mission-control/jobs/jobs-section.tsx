import { Anchor, Button, Checkbox, Group, Progress, Text, Title } from '@mantine/core'
import type { MouseEvent, ReactNode } from 'react'
import emptyDrawing from '#web/artwork/empty.svg?url'
import { type Column, RecordsList } from '#web/components/records-list.tsx'
import { momentWords } from '#web/components/time-words.ts'
import { QuietRetry } from '#web/screens/dashboard/admin/mission-control/run-feedback.tsx'
import { Empty } from '#web/site/page.tsx'
import type { JobFilterControls } from './job-filters.ts'
import { jobName, percentOf, type useJobs, withJob } from './job-lists.ts'
import { attemptWords, durationOf, reasonOf } from './job-progress.ts'
import classes from './jobs.module.css'
import '@mantine/core/styles/Progress.layer.css'
import { Link, useSearchParams } from 'react-router'
import type { Job } from '#contract/admin/automation.ts'
import { Moment } from '#web/components/admin/records.tsx'
import { type JobSelection, SelectedJobs, useJobSelection } from './selected-jobs.tsx'
import { StatusBadge } from './status-badge.tsx'

type JobsSectionProps = {
  jobs: ReturnType<typeof useJobs>
  controls: JobFilterControls
  chosen: string | undefined
  onChoose: (id: string) => void
  onEnqueue: () => void
  actions: ReactNode
}

export function JobsSection({ jobs, controls, chosen, onChoose, onEnqueue, actions }: JobsSectionProps) {
  const { data, isError, isLoading } = jobs
  const [params] = useSearchParams()
  const loaded = data?.pages.flatMap((page) => page.items)
  // An unknown status disables the query: nothing loads, and nothing matches.
  const items = loaded ?? (isError || isLoading ? undefined : [])
  const selection = useJobSelection(loaded ?? [])
  // Keyboards use the row's link; a click elsewhere in the row does the same, unless it selects text.
  const click = (event: MouseEvent, id: string) => {
    if (event.target instanceof Element && event.target.closest('a, input, label')) return
    if (window.getSelection()?.isCollapsed !== false) onChoose(id)
  }
  return (
    <section aria-labelledby="jobs" className={classes.section}>
      <div className={classes.head}>
        <Title order={2} id="jobs">
          Jobs
        </Title>
        {loaded && loaded.length > 0 && (
          <Group gap="sm">
            {selection.jobs.length > 0 && <SelectedJobs selection={selection} />}
            {actions}
          </Group>
        )}
      </div>
      {isError && <QuietRetry query={jobs} fallback="Failed to load jobs" />}
      <RecordsList
        query={jobs}
        items={items}
        loading="Loading jobs…"
        skeleton={{ rows: 10, height: 44 }}
        columns={jobColumns({ params, chosen, selection })}
        rowProps={({ id }) => ({
          className: classes.row,
          'data-chosen': id === chosen || undefined,
          onClick: (event) => click(event, id),
        })}
        empty={<Nothing jobs={jobs} controls={controls} onEnqueue={onEnqueue} />}
        footer={<More jobs={jobs} searches={controls.filters.search !== ''} />}
      />
    </section>
  )
}

/** The next page; a search shows how far back it has looked. */
function More({ jobs, searches }: { jobs: JobsSectionProps['jobs']; searches: boolean }) {
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = jobs
  const backTo = data?.pages.at(-1)?.pageInfo.searchedBackTo
  if (!hasNextPage && !searches) return null
  return (
    <Group justify="center" gap="md">
      {searches && (
        <Text className="second" role="status">
          {hasNextPage && backTo ? `Searched back to ${momentWords(backTo)}` : 'All jobs searched'}
        </Text>
      )}
      {hasNextPage && (
        <Button variant="default" onClick={() => void fetchNextPage()} loading={isFetchingNextPage}>
          {searches ? 'Search further back' : 'Load more'}
        </Button>
      )}
    </Group>
  )
}

function Nothing({ jobs, controls, onEnqueue }: Pick<JobsSectionProps, 'jobs' | 'controls' | 'onEnqueue'>) {
  if (!controls.isFiltered) {
    return (
      <Empty
        title="No jobs yet."
        text="Background work appears here: imports, scripts, email, and pictures."
        action={<Button onClick={onEnqueue}>Enqueue job</Button>}
        drawing={emptyDrawing}
      />
    )
  }
  return (
    <Empty
      title="No jobs match these filters."
      text={
        jobs.hasNextPage
          ? 'None so far. Older jobs have not been searched yet.'
          : 'Try another queue or status, or part of an id, payload, or log line.'
      }
      action={
        <Button variant="default" onClick={controls.clear}>
          Clear filters
        </Button>
      }
      drawing={emptyDrawing}
    />
  )
}

type ColumnsOptions = {
  params: URLSearchParams
  chosen: string | undefined
  selection: JobSelection
}

const jobColumns = ({ params, chosen, selection }: ColumnsOptions): readonly Column<Job>[] => [
  {
    header: 'Select',
    hideHeader: true,
    className: classes.check,
    cell: (job) => (
      <Checkbox
        aria-label={`Select ${jobName(job)}`}
        checked={selection.ids.has(job.id)}
        onChange={(event) => selection.select(job.id, event.currentTarget.checked)}
      />
    ),
  },
  {
    header: 'Status',
    cell: (job) => (
      <>
        <span className={classes.status}>
          <StatusBadge status={job.status} />
          <Text span size="sm" className="second" title="Attempt and maximum attempts">
            {attemptWords(job)}
          </Text>
        </span>
        <RowProgress job={job} />
      </>
    ),
  },
  { header: 'Queue', cell: (job) => <QueueCell job={job} params={params} chosen={chosen} /> },
  {
    header: 'Script',
    labeled: true,
    cell: ({ scriptId }) => scriptId ?? <span className="second">–</span>,
  },
  {
    header: 'Duration',
    labeled: true,
    numeric: true,
    cell: (job) => durationOf(job, new Date()) ?? <span className="second">–</span>,
  },
  { header: 'Attempts', labeled: true, numeric: true, cell: attemptWords },
  countColumn('Events', ({ _count }) => _count.events),
  countColumn('Artifacts', ({ _count }) => _count.artifacts),
  { header: 'Created', labeled: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
]

type QueueCellProps = Pick<ColumnsOptions, 'params' | 'chosen'> & { job: Job }

/** The queue, and why the job is where it is. */
function QueueCell({ job, params, chosen }: QueueCellProps) {
  const { id, queueKey } = job
  const reason = reasonOf(job)
  return (
    <>
      <Anchor
        component={Link}
        to={{ search: withJob(params, id).toString() }}
        preventScrollReset
        className={classes.plain}
        aria-current={id === chosen ? 'true' : undefined}
        title={id}
        data-job={id}
      >
        {queueKey}
      </Anchor>
      {reason !== undefined && (
        <Text
          size="xs"
          className={`second ${classes.reason}`}
          title={reason}
          data-failed={job.status === 'failed' || undefined}
        >
          {reason}
        </Text>
      )}
    </>
  )
}

const countColumn = (header: string, count: (job: Job) => number): Column<Job> => ({
  header,
  labeled: true,
  numeric: true,
  cell: (job) => count(job).toLocaleString('en-US'),
})

function RowProgress({ job: { status, progress } }: { job: Job }) {
  const percent = percentOf(progress)
  if (status !== 'running' || percent === undefined) return null
  return (
    <Progress value={percent} color="sea" size="sm" mt={6} maw="8rem" aria-label={`${percent} percent`} />
  )
}
