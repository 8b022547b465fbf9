import { deletePagesOfGone } from '#server/features/landing/page-queries.ts'
import { mergePendingRows } from '#server/features/listings/search-queries.ts'
import { foldTally } from '#server/features/listings/tally-queries.ts'
import type { Db } from '#server/platform/database/database.ts'
import { untilNone } from '#server/platform/processes/concurrency.ts'
import {
  deleteStrays,
  dropPartition,
  emptyPastAudit,
  ensureMonthPartitions,
  listPastPartitions,
  SPLIT_TABLES,
} from './partition-queries.ts'
import {
  type DeleteSome,
  deleteEndedSessions,
  deleteHandledEvents,
  deleteOldJobEvents,
  deleteOldJobs,
  deleteOldMails,
  deleteOldRateWindows,
  deleteOldReplies,
  deleteOldResets,
  deleteOldThrottles,
} from './queries.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

// Time enough to look into what went wrong last month, and to show a seller what was mailed.
const RECORDS_MS = 90 * DAY_MS

const AT_ONCE = 5_000
// Every deleted job is looked for in the others (as the one they repeat), and takes its artifacts along.
const JOBS_AT_ONCE = 100

/** What goes, in this order, and how long after it came to its end. */
const PAST: readonly { what: keyof Deleted; deleteSome: DeleteSome; keptMs: number; atOnce?: number }[] = [
  { what: 'sessions', deleteSome: deleteEndedSessions, keptMs: 0 },
  // A forgotten failure counts for a day.
  { what: 'throttles', deleteSome: deleteOldThrottles, keptMs: 48 * HOUR_MS },
  // The longest window is an hour.
  { what: 'rateWindows', deleteSome: deleteOldRateWindows, keptMs: 24 * HOUR_MS },
  // A client that has not heard for two days what became of its request has given up.
  { what: 'replies', deleteSome: deleteOldReplies, keptMs: 48 * HOUR_MS },
  // How many were mailed is asked for an hour back.
  { what: 'resets', deleteSome: deleteOldResets, keptMs: 24 * HOUR_MS },
  { what: 'jobEvents', deleteSome: deleteOldJobEvents, keptMs: RECORDS_MS },
  { what: 'jobs', deleteSome: deleteOldJobs, keptMs: RECORDS_MS, atOnce: JOBS_AT_ONCE },
  { what: 'mails', deleteSome: deleteOldMails, keptMs: RECORDS_MS },
  // Far longer than the provider repeats a delivery: one that comes again is known to be handled.
  { what: 'providerEvents', deleteSome: deleteHandledEvents, keptMs: RECORDS_MS },
]

const NOTHING = {
  sessions: 0,
  throttles: 0,
  rateWindows: 0,
  replies: 0,
  resets: 0,
  jobEvents: 0,
  jobs: 0,
  mails: 0,
  providerEvents: 0,
}
type Deleted = typeof NOTHING

export type Tidied = Deleted & {
  /** Dropped, or emptied. */
  partitions: string[]
  /** Rows of months that had no partition. */
  strays: number
}

/** One round of housekeeping; safe to repeat and to break off anywhere. */
export async function tidyDatabase(
  db: Db,
  { now, signal }: { now: Date; signal: AbortSignal },
): Promise<Tidied> {
  await foldTally(db)
  await mergePendingRows(db)
  await deletePagesOfGone(db)
  await ensureMonthPartitions(db)
  const partitions = await dropPastPartitions(db)
  let strays = 0
  for (const split of SPLIT_TABLES) {
    strays += await untilNone(signal, AT_ONCE, (limit) => deleteStrays(db, split, limit))
  }
  const deleted: Deleted = { ...NOTHING }
  for (const { what, deleteSome, keptMs, atOnce = AT_ONCE } of PAST) {
    const before = new Date(now.getTime() - keptMs)
    deleted[what] = await untilNone(signal, atOnce, (limit) => deleteSome(db, before, limit))
  }
  return { partitions, strays, ...deleted }
}

async function dropPastPartitions(db: Db): Promise<string[]> {
  const partitions = await listPastPartitions(db)
  for (const partition of partitions) await dropPartition(db, partition)
  return (await emptyPastAudit(db)) ? [...partitions, 'audit_entry_rest'] : partitions
}
