import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import type { EnqueueScheduled } from '#server/platform/jobs/schedules.ts'
import { checkNewJob, type Queues } from './new-job.ts'

/** How the clock enqueues: the payload is judged again, since a later version may have other rules for it. */
export function enqueueScheduled(queues: Queues): EnqueueScheduled {
  return async (trx, { queue, payload, options, createdBy }) => {
    const checked = checkNewJob(queues, { queue, payload, options })
    return enqueueJob(trx, { ...checked, ...(createdBy !== null && { createdBy }) })
  }
}
