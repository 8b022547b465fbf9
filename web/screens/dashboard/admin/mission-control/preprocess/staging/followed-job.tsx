import { Group, Text } from '@mantine/core'
import { useEffect, useEffectEvent } from 'react'
import { useJobStream } from '#web/components/job-stream/use-job-stream.ts'
import { StatusBadge } from '#web/screens/dashboard/admin/mission-control/jobs/status-badge.tsx'
import { RunProgress } from '#web/screens/dashboard/admin/mission-control/run-progress.tsx'

type FollowedJobProps = { jobId: string; label: string; onEnd: () => void }

/** How far a job is that was started here; tells when it has ended. */
export function FollowedJob({ jobId, label, onEnd }: FollowedJobProps) {
  const { progress, status, hasEnded, lines } = useJobStream(jobId)
  const ended = useEffectEvent(onEnd)
  useEffect(() => {
    if (hasEnded) ended()
  }, [hasEnded])
  const last = lines.at(-1)
  // What it did is shown by what it was about.
  if (status === 'completed') return null
  return (
    <section aria-label={label}>
      <Group gap="sm" mb="xs">
        <Text size="sm" fw={650}>
          {label}
        </Text>
        <StatusBadge status={status ?? 'queued'} />
        {last && (
          <Text size="sm" className="second">
            {last.text}
          </Text>
        )}
      </Group>
      {progress && <RunProgress progress={progress} isMoving={status === 'running'} />}
    </section>
  )
}
