import { Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import emptyDrawing from '#web/artwork/empty.svg?raw'
import { EmptyState } from '#web/components/empty-state.tsx'
import { momentWords } from '#web/components/time-words.ts'
import { QuietRetry } from '#web/screens/dashboard/admin/mission-control/quiet-retry.tsx'
import classes from './jobs.module.css'
import { JobsTable } from './jobs-table.tsx'
import type { FilterControls } from './use-job-filters.ts'
import type { useJobs } from './use-job-lists.ts'

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
