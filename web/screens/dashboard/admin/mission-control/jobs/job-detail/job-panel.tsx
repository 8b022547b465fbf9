import { ActionIcon, Alert, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconX } from '@tabler/icons-react'
import { ApiError } from '#web/api/failures.ts'
import { SideDrawer, useLastChosen } from '#web/components/admin/records.tsx'
import { JobQuestion } from '#web/components/job-question/job-question.tsx'
import classes from '#web/screens/dashboard/admin/mission-control/jobs/jobs.module.css'
import { QuietRetry, RunProgress } from '#web/screens/dashboard/admin/mission-control/run-feedback.tsx'
import { JobActions } from './job-actions.tsx'
import { JobFacts, JobTimeline } from './job-facts.tsx'
import { JobTabs } from './job-tabs.tsx'
import { type LiveJob, useLiveJob } from './live-job.ts'

type JobPanelProps = {
  id: string | undefined
  onChoose: (id: string) => void
  onClose: () => void
}

export function JobPanel({ id, onChoose, onClose }: JobPanelProps) {
  const hasRoom = useMediaQuery('(min-width: 80em)', undefined, { getInitialValueInEffect: false })
  const last = useLastChosen(id)
  if (!hasRoom) {
    return (
      <SideDrawer opened={id !== undefined} onClose={onClose} title="Job Detail">
        {last !== undefined && <JobDetails key={last} id={last} onChoose={onChoose} />}
      </SideDrawer>
    )
  }
  return (
    <aside className={classes.panel} aria-labelledby="job-detail">
      <Group justify="space-between" mb="sm" wrap="nowrap">
        <Title order={2} id="job-detail" tabIndex={-1}>
          Job Detail
        </Title>
        {id !== undefined && (
          <ActionIcon variant="subtle" color="gray" size="lg" onClick={onClose} aria-label="Close job detail">
            <IconX size={20} />
          </ActionIcon>
        )}
      </Group>
      {id === undefined ? (
        <Text className="second">No job selected</Text>
      ) : (
        <JobDetails key={id} id={id} onChoose={onChoose} />
      )}
    </aside>
  )
}

function JobDetails({ id, onChoose }: { id: string; onChoose: (id: string) => void }) {
  const { query, live } = useLiveJob(id)
  const { error, isError } = query
  if (live) return <Details live={live} onChoose={onChoose} />
  if (!isError) return <Skeleton height={420} radius="lg" role="status" aria-label="Loading the job…" />
  if (error instanceof ApiError && [400, 404].includes(error.status)) {
    return <Text className="second">This job does not exist or was deleted after its retention period.</Text>
  }
  return <QuietRetry query={query} fallback="Failed to load" />
}

function Details({ live, onChoose }: { live: LiveJob; onChoose: (id: string) => void }) {
  const { job, progress, isLive, isOffline } = live
  const { question } = job
  return (
    <Stack gap="lg" pb="lg">
      {isOffline && (
        <Alert color="bad" radius="lg" role="status" title="No connection">
          This is the last known state. It updates as soon as the server responds.
        </Alert>
      )}
      <JobActions job={job} onChoose={onChoose} />
      {question && job.status === 'waiting-manual' && <JobQuestion jobId={job.id} question={question} />}
      {job.error !== null && (
        <Alert color="bad" radius="lg" title="Error" role="note">
          <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{job.error}</Text>
        </Alert>
      )}
      {progress && <RunProgress progress={progress} isMoving={!isOffline && job.status === 'running'} />}
      <JobFacts job={job} isLive={isLive} />
      <JobTimeline job={job} />
      <JobTabs live={live} />
    </Stack>
  )
}
