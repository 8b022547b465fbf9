import { Anchor, Text } from '@mantine/core'
import { Link, useSearchParams } from 'react-router'
import type { JobDetail } from '#contract/automation.ts'
import { withJob } from '#web/screens/dashboard/admin/mission-control/jobs/use-chosen-job.ts'
import { useQueues } from '#web/screens/dashboard/admin/mission-control/jobs/use-job-lists.ts'

/** Why a job does not start, where that is something a person can do something about. */
export function WaitingReason({ job }: { job: JobDetail }) {
  const [params] = useSearchParams()
  const queue = useQueues().data?.queues.find(({ key }) => key === job.queueKey)
  const holder = job.state.keyHeldBy
  if (queue && queue.pausedAt !== null) {
    return <Text size="sm">It waits because the queue {queue.name} is paused.</Text>
  }
  if (typeof holder !== 'string') return null
  return (
    <Text size="sm">
      It waits for{' '}
      <Anchor component={Link} inherit to={{ search: withJob(params, holder).toString() }}>
        another run
      </Anchor>{' '}
      to end, since only one may run at a time.
    </Text>
  )
}
