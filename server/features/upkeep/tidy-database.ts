import type { Db } from '#server/platform/database.ts'
import {
  type DeleteSome,
  deleteEndedSessions,
  deleteOldRateWindows,
  deleteOldReplies,
  deleteOldThrottles,
  dropPartition,
  ensureMonthPartitions,
  listPastPartitions,
} from './queries.ts'

const HOUR_MS = 3_600_000

/** What goes, and how long after it came to its end. */
const PAST: readonly { what: keyof Deleted; deleteSome: DeleteSome; keptMs: number }[] = [
  { what: 'sessions', deleteSome: deleteEndedSessions, keptMs: 0 },
  // A forgotten failure counts for a day.
  { what: 'throttles', deleteSome: deleteOldThrottles, keptMs: 48 * HOUR_MS },
  // The longest window is an hour.
  { what: 'rateWindows', deleteSome: deleteOldRateWindows, keptMs: 24 * HOUR_MS },
  // A client that has not heard for two days what became of its request has given up.
  { what: 'replies', deleteSome: deleteOldReplies, keptMs: 48 * HOUR_MS },
]

const AT_ONCE = 5_000

export type Deleted = { sessions: number; throttles: number; rateWindows: number; replies: number }
export type Tidied = Deleted & { partitions: string[] }

/** One round of housekeeping; safe to repeat and to break off anywhere. */
export async function tidyDatabase(
  db: Db,
  { now, signal }: { now: Date; signal: AbortSignal },
): Promise<Tidied> {
  await ensureMonthPartitions(db)
  const partitions = await listPastPartitions(db)
  for (const partition of partitions) await dropPartition(db, partition)
  const tidied: Tidied = { partitions, sessions: 0, throttles: 0, rateWindows: 0, replies: 0 }
  for (const { what, deleteSome, keptMs } of PAST) {
    const before = new Date(now.getTime() - keptMs)
    for (let deleted = AT_ONCE; deleted === AT_ONCE; tidied[what] += deleted) {
      signal.throwIfAborted()
      deleted = await deleteSome(db, before, AT_ONCE)
    }
  }
  return tidied
}
