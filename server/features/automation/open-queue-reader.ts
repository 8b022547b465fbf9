import type { Queue } from '#contract/automation.ts'
import type { Db } from '#server/platform/database/database.ts'
import { openSharedReads } from '#server/platform/database/reads.ts'
import { isWorkerAlive } from '#server/platform/jobs/direct-connection.ts'
import type { Queues } from './new-job.ts'
import { describeQueues, queueWarnings } from './queue-overview.ts'
import {
  countEnded,
  countLateFailures,
  countUnfinished,
  listPauses,
  type QueueCount,
} from './queue-queries.ts'

export type QueueReader = (db: Db) => Promise<{ queues: Queue[]; warnings: string[] }>

// Where counting is as quick as anything else nothing is remembered.
const CHEAP_MS = 50
// A twentieth of a core may go into counting, however many people look.
const SHARE = 20
// However busy the machine is.
const LONGEST_MS = 10_000

/**
 * Reads all queues, for everybody who asks at the time at once. Among a million jobs the ended ones are counted every few
 * seconds only: what waits and runs is always true, what has ended may be told a moment late.
 */
export function openQueueReader(queues: Queues): QueueReader {
  const share = openSharedReads()
  let kept: { counts: QueueCount[]; until: number } | undefined
  const ended = async (db: Db): Promise<QueueCount[]> => {
    const began = performance.now()
    if (kept && began < kept.until) return kept.counts
    const counts = await countEnded(db)
    const now = performance.now()
    kept = { counts, until: now + keptFor(now - began) }
    return counts
  }
  const read: QueueReader = async (db) => {
    // One after the other: jobs and other people need the connections as well.
    const facts = {
      counts: [...(await ended(db)), ...(await countUnfinished(db))],
      pauses: await listPauses(db),
      lateFailures: await countLateFailures(db),
      workerAlive: await isWorkerAlive(db),
    }
    return { queues: describeQueues(queues, facts), warnings: queueWarnings(queues, facts, new Date()) }
  }
  return (db) => share('queues', () => read(db))
}

const keptFor = (tookMs: number) => (tookMs > CHEAP_MS ? Math.min(tookMs * SHARE, LONGEST_MS) : 0)
