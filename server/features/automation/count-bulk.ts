import type { Db } from '#server/platform/database/database.ts'
import { bulkChoice } from './bulk-choice.ts'
import type { BulkPayload } from './bulk-queues.ts'
import { findJobs } from './find-jobs.ts'
import { everyId } from './job-filter.ts'
import { countJobs } from './job-list-queries.ts'

// A person waits for the number, and a request must not hold on for much longer.
const COUNTING_MS = 6_000
const A_LOOK = 5_000

export type BulkCount = { matching: number; matchingIsAtLeast: boolean }

/** How many jobs a bulk action would be about. Without words one statement says so; logs are looked through for a while. */
export async function countBulk(db: Db, bulk: Omit<BulkPayload, 'matching'>): Promise<BulkCount> {
  if (bulk.statuses.length === 0) return { matching: 0, matchingIsAtLeast: false }
  const choice = bulkChoice(bulk)
  if (bulk.words === '') return { matching: await countJobs(db, choice, everyId), matchingIsAtLeast: false }
  const until = performance.now() + COUNTING_MS
  let matching = 0
  let { below } = everyId
  for (;;) {
    const walk = { range: { ...everyId, below }, oldestFirst: false, limit: A_LOOK }
    const found = await findJobs(db, { choice, words: bulk.words, walk, until })
    matching += found.ids.length
    if (found.lookedTo === null) return { matching, matchingIsAtLeast: false }
    if (performance.now() > until) return { matching, matchingIsAtLeast: true }
    below = found.lookedTo
  }
}
