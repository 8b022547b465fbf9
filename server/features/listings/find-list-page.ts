import type { Db } from '#server/platform/database/database.ts'
import type { BackgroundTasks, GatheredReads, Reads } from '#server/platform/database/reads.ts'
import {
  buildCheckpoints,
  type CheckpointPage,
  countGrowth,
  readPagesFromCheckpoints,
} from './checkpoint-queries.ts'
import { NEAR_THE_TOP, onlyRow, readPageFromTop, type Span, type WholeList } from './list-queries.ts'
import type { ReadListing } from './listing-queries.ts'
import type { Tally } from './tally-queries.ts'

// Counting off from the top takes 15 ms here; as long as checkpoints are older than the data that is the way to be exact.
const EXACT_TO = 20_000
// While listings come in, checkpoints are always a little old; making them for a million rows takes half a second.
const REBUILT_EVERY_MS = 5_000

type Asked = {
  list: WholeList
  span: Span
  tasks: BackgroundTasks
  /** Deep pages of a list by where they begin. */
  gather: GatheredReads<number, CheckpointPage>
}
type FoundPage = Tally & { items: ReadListing[] }

/**
 * Finds one page of a whole list, however deep, to its very end. While checkpoints are older than the data, pages beyond
 * EXACT_TO count in what came on top since, and are as exact as the list below it is unchanged. `reads` may be a replica:
 * checkpoints are made where is written.
 */
export async function findListPage(
  { db, reads }: { db: Db; reads: Reads },
  { list, span, tasks, gather }: Asked,
): Promise<FoundPage> {
  if (span.offset + span.limit <= NEAR_THE_TOP) return reads((from) => readPageFromTop(from, list, span))
  const { offset, limit } = span
  const found = await gather(`${limit} of ${list.key}`, offset, (offsets) =>
    reads((from) => readPagesFromCheckpoints(from, list, { offsets, limit, mustBeFresh: true })),
  )
  if (found.fresh || span.offset >= found[list.count]) return found
  const rebuild = () =>
    tasks.run(`checkpoints of ${list.key}`, () => buildCheckpoints(db, list, REBUILT_EVERY_MS))
  const isDeep = span.offset > EXACT_TO
  // Nobody has been so deep before: better wait once than count off half a million.
  if (found.fresh === null && isDeep) await rebuild()
  else if (found.ageMs === null || found.ageMs > REBUILT_EVERY_MS) void rebuild()
  return reads(
    async (from) =>
      (isDeep && (await readFromOldCheckpoint(from, list, span))) || readPageFromTop(from, list, span),
  )
}

/** Undefined where another process makes the first checkpoints just now. */
async function readFromOldCheckpoint(db: Db, list: WholeList, span: Span): Promise<FoundPage | undefined> {
  const offset = span.offset - (await countGrowth(db, list))
  const { limit } = span
  const found = onlyRow(
    await readPagesFromCheckpoints(db, list, { offsets: [offset], limit, mustBeFresh: false }),
  )
  return found.fresh === null ? undefined : found
}
