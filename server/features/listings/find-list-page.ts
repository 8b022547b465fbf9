import type { Db } from '#server/platform/database.ts'
import type { BackgroundTasks } from './background-tasks.ts'
import { buildCheckpoints, readPageFromCheckpoint } from './checkpoint-queries.ts'
import { NEAR_THE_TOP, readPageFromTop, type Span, type WholeList } from './list-queries.ts'
import type { ReadListing } from './listing-queries.ts'
import type { Tally } from './tally-queries.ts'

// Counting off from the top takes 15 ms here; as long as checkpoints are older than the data that is the way to be exact.
const EXACT_TO = 20_000
// While listings come in, checkpoints are always a little old; making them for a million rows takes half a second.
const REBUILT_EVERY_MS = 5_000

type Asked = { list: WholeList; span: Span; tasks: BackgroundTasks }

/** Finds one page of a whole list, however deep, to its very end. */
export async function findListPage(
  db: Db,
  { list, span, tasks }: Asked,
): Promise<Tally & { items: ReadListing[] }> {
  if (span.offset + span.limit <= NEAR_THE_TOP) return readPageFromTop(db, list, span)
  const rebuild = () => tasks.run(`checkpoints of ${list.key}`, () => buildCheckpoints(db, list))
  const exactly = span.offset <= EXACT_TO
  const found = await readPageFromCheckpoint(db, list, { ...span, exactly })
  if (found.fresh || span.offset >= found[list.count]) return found
  if (found.fresh === null && !exactly) {
    // Nobody has been here before: better wait once than count off half a million.
    await rebuild()
    const second = await readPageFromCheckpoint(db, list, { ...span, exactly })
    return second.fresh === null ? readPageFromTop(db, list, span) : second
  }
  if (found.ageMs === null || found.ageMs > REBUILT_EVERY_MS) void rebuild()
  return exactly ? readPageFromTop(db, list, span) : found
}
