import type { Db } from '#server/platform/database/database.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import type { RepeatedJob } from './job-queries.ts'
import type { CheckedJob } from './new-job.ts'

type Repetition = { original: RepeatedJob; checked: CheckedJob; createdBy: string | null }

/** Enqueues a job that repeats another, for the same seller and under the same key; answers its id. */
export function repeatJob(trx: Db, { original, checked, createdBy }: Repetition): Promise<string> {
  const { id: retryOf, sellerId, concurrencyKey } = original
  // A queue that makes its keys from payloads makes one for an edited payload, too.
  const key = checked.queue.keyOf ? null : concurrencyKey
  return enqueueJob(trx, {
    ...checked,
    retryOf,
    ...(createdBy !== null && { createdBy }),
    ...(sellerId !== null && { sellerId }),
    ...(key !== null && { concurrencyKey: key }),
  })
}
