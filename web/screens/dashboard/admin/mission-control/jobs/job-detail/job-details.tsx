import { Alert, Skeleton, Stack, Text } from '@mantine/core'
import { ApiError } from '#web/api/failures.ts'
import { JobQuestion } from '#web/components/job-question/job-question.tsx'
import { QuietRetry } from '#web/screens/dashboard/admin/mission-control/quiet-retry.tsx'
import { RunProgress } from '#web/screens/dashboard/admin/mission-control/run-progress.tsx'
import { JobActions } from './job-actions.tsx'
import { JobFacts } from './job-facts.tsx'
import { JobTabs } from './job-tabs.tsx'
import { JobTimeline } from './job-timeline.tsx'
import { type LiveJob, useLiveJob } from './use-live-job.ts'

type JobDetailsProps = { id: string; onChoose: (id: string) => void }

export function JobDetails({ id, onChoose }: JobDetailsProps) {
  const { query, live } = useLiveJob(id)
  const { error, isError } = query
  if (live) return <Details live={live} onChoose={onChoose} />
  if (!isError) return <Skeleton height={420} radius="lg" role="status" aria-label="Loading the job…" />
  if (error instanceof ApiError && [400, 404].includes(error.status)) {
    return <Text className="second">There is no such job, or it went with age.</Text>
  }
  return <QuietRetry query={query} fallback="Failed to load" />
}

type DetailsProps = { live: LiveJob; onChoose: (id: string) => void }

function Details({ live, onChoose }: DetailsProps) {
  const { job, progress, isLive } = live
  const { question } = job
  return (
    <Stack gap="lg" pb="lg">
      <JobActions job={job} onChoose={onChoose} />
      {question && job.status === 'waiting-manual' && <JobQuestion jobId={job.id} question={question} />}
      {job.error !== null && (
        <Alert color="bad" radius="lg" title="Error" role="note">
          <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{job.error}</Text>
        </Alert>
      )}
      {progress && <RunProgress progress={progress} isMoving={job.status === 'running'} />}
      <JobFacts job={job} isLive={isLive} />
      <JobTimeline job={job} />
      <JobTabs live={live} />
    </Stack>
  )
}
