import type { Queue } from '#contract/automation.ts'
import type { Db } from '#server/platform/database.ts'
import type { Queues } from './new-job.ts'
import { describeQueues, queueWarnings } from './queue-overview.ts'
import { countByQueue, countLateFailures, isWorkerAlive, listPauses } from './queue-queries.ts'

/** One statement after the other: many tabs may ask, and jobs and people need the connections as well. */
export async function readQueues(db: Db, queues: Queues): Promise<{ queues: Queue[]; warnings: string[] }> {
  const facts = {
    counts: await countByQueue(db),
    pauses: await listPauses(db),
    lateFailures: await countLateFailures(db),
    workerAlive: await isWorkerAlive(db),
  }
  return { queues: describeQueues(queues, facts), warnings: queueWarnings(queues, facts, new Date()) }
}
