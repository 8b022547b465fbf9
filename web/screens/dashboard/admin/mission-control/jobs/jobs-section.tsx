import { Anchor, Button, Group, Progress, Skeleton, Stack, Table, Text, Title } from '@mantine/core'
import type { MouseEvent, ReactNode } from 'react'
import emptyDrawing from '#web/artwork/empty.svg?raw'
import { EmptyState } from '#web/components/page/empty-state.tsx'
import { momentWords } from '#web/components/time-words.ts'
import { QuietRetry } from '#web/screens/dashboard/admin/mission-control/run-feedback.tsx'
import type { FilterControls } from './job-filters.ts'
import { percentOf, type useJobs, withJob } from './job-lists.ts'
import classes from './jobs.module.css'
import '@mantine/core/styles/Progress.layer.css'
import { Link, useSearchParams } from 'react-router'
import type { Job } from '#contract/automation.ts'
import records from '#web/components/admin/records.module.css'
import { Moment } from '#web/components/admin/records.tsx'
import { StatusBadge } from './status-badge.tsx'

type JobsSectionProps = {
  jobs: ReturnType<typeof useJobs>
  controls: FilterControls
  chosen: string | undefined
  onChoose: (id: string) => void
  onEnqueue: () => void
  /** What can be done with all jobs of the filter. */
  actions: ReactNode
}

export function JobsSection({ jobs, controls, chosen, onChoose, onEnqueue, actions }: JobsSectionProps) {
  const { data, isError } = jobs
  const items = data?.pages.flatMap((page) => page.items) ?? []
  return (
    <section aria-labelledby="jobs" className={classes.section}>
      <div className={classes.head}>
        <Title order={2} id="jobs">
          Jobs
        </Title>
        {items.length > 0 && actions}
      </div>
      {isError && <QuietRetry query={jobs} fallback="Failed to load jobs" />}
      {jobs.isLoading && <Loading />}
      {!data && !isError && !jobs.isLoading && (
        <Nothing jobs={jobs} controls={controls} onEnqueue={onEnqueue} />
      )}
      {data && (
        <Stack gap="md">
          {items.length > 0 ? (
            <JobsTable jobs={items} turning={jobs.isPlaceholderData} chosen={chosen} onChoose={onChoose} />
          ) : (
            <Nothing jobs={jobs} controls={controls} onEnqueue={onEnqueue} />
          )}
          <More jobs={jobs} searches={controls.filters.search !== ''} />
        </Stack>
      )}
    </section>
  )
}

/** The next page; a search says how far back it has looked, and goes on when asked. */
function More({ jobs, searches }: { jobs: JobsSectionProps['jobs']; searches: boolean }) {
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = jobs
  const backTo = data?.pages.at(-1)?.pageInfo.searchedBackTo
  if (!hasNextPage && !searches) return null
  return (
    <Group justify="center" gap="md">
      {searches && (
        <Text className="second" role="status">
          {hasNextPage && backTo ? `Searched back to ${momentWords(backTo)}` : 'Everything is searched'}
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
      <EmptyState
        title="No jobs yet."
        text="What runs in the background stands here: imports going live, scripts, mail, pictures."
        action={<Button onClick={onEnqueue}>Enqueue job</Button>}
        drawing={emptyDrawing}
      />
    )
  }
  return (
    <EmptyState
      title="No jobs match these filters."
      text={
        jobs.hasNextPage
          ? 'None so far; older ones are not searched yet.'
          : 'Try another queue or status, or part of an id, a payload or a log line.'
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

const Loading = () => (
  <Stack gap={1} role="status" aria-label="Loading jobs…">
    {Array.from({ length: 10 }, (_, line) => line).map((line) => (
      <Skeleton key={line} height={44} radius={0} />
    ))}
  </Stack>
)

type JobsTableProps = {
  jobs: readonly Job[]
  turning: boolean
  chosen: string | undefined
  onChoose: (id: string) => void
}

function JobsTable({ jobs, turning, chosen, onChoose }: JobsTableProps) {
  return (
    <div className={records.frame} aria-busy={turning}>
      <Table className={records.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Status</Table.Th>
            <Table.Th>Queue</Table.Th>
            <Table.Th>Script</Table.Th>
            <Table.Th className={records.number}>Attempts</Table.Th>
            <Table.Th className={records.number}>Events</Table.Th>
            <Table.Th className={records.number}>Artifacts</Table.Th>
            <Table.Th>Created</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {jobs.map((job) => (
            <JobRow key={job.id} job={job} chosen={job.id === chosen} onChoose={onChoose} />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}

type JobRowProps = { job: Job; chosen: boolean; onChoose: (id: string) => void }

function JobRow({ job, chosen, onChoose }: JobRowProps) {
  const [params] = useSearchParams()
  const { id, status, queueKey, scriptId, attempts, maxAttempts, _count, createdAt } = job
  // The link in the row is the way of the keys; a click beside it means the same, unless it marks text.
  const click = (event: MouseEvent) => {
    if (event.target instanceof Element && event.target.closest('a')) return
    if (window.getSelection()?.isCollapsed !== false) onChoose(id)
  }
  return (
    <Table.Tr className={classes.row} data-chosen={chosen || undefined} onClick={click}>
      <Table.Td>
        <span className={classes.status}>
          <StatusBadge status={status} />
          <Text
            span
            size="sm"
            className="second"
            title={`${attempts} of ${maxAttempts} attempts are used up`}
          >
            {attempts}/{maxAttempts}
          </Text>
        </span>
        <RowProgress job={job} />
      </Table.Td>
      <Table.Td>
        <Anchor
          component={Link}
          to={{ search: withJob(params, id).toString() }}
          preventScrollReset
          className={classes.plain}
          aria-current={chosen ? 'true' : undefined}
          title={id}
          data-job={id}
        >
          {queueKey}
        </Anchor>
      </Table.Td>
      <Table.Td data-label="Script">{scriptId ?? <span className="second">–</span>}</Table.Td>
      <Table.Td data-label="Attempts" className={records.number}>
        {attempts.toLocaleString('en-US')}
      </Table.Td>
      <Table.Td data-label="Events" className={records.number}>
        {_count.events.toLocaleString('en-US')}
      </Table.Td>
      <Table.Td data-label="Artifacts" className={records.number}>
        {_count.artifacts.toLocaleString('en-US')}
      </Table.Td>
      <Table.Td data-label="Created">
        <Moment at={createdAt} />
      </Table.Td>
    </Table.Tr>
  )
}

function RowProgress({ job: { status, progress } }: { job: Job }) {
  const percent = percentOf(progress)
  if (status !== 'running' || percent === undefined) return null
  return (
    <Progress value={percent} color="sea" size="sm" mt={6} maw="8rem" aria-label={`${percent} percent`} />
  )
}
