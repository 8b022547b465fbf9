import { joinChangeSet } from '#server/features/history/join-change-set.ts'
import { withChangeSet } from '#server/features/history/with-change-set.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import { type Db, inTransaction, isWriteConflict } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { insertLookupChange, type LookupRow, lockLookups } from './change-queries.ts'
import { changeSource, type LookupChange, lookupNotFound } from './lookup-change.ts'
import { type LookupKind, nounOf } from './lookup-kind.ts'
import { beginLookupChange } from './lookup-version-queries.ts'
import {
  deleteLookupRow,
  getUsage,
  type LookupUsage,
  MOST_COUNTED,
  releaseDeletedListings,
} from './usage-queries.ts'

// A taken-back import of a whole yard may have left hundreds of thousands of deleted listings behind a name.
const LISTINGS_A_PAGE = 1_000
/** Before whoever waits for the answer gives up, and before the server stops for a deployment. */
const MOST_MS = 15_000

/**
 * Deletes a lookup that nothing uses, with its aliases. Deleted listings let go of it first, page by page, so that nobody
 * waits behind them; stopped in between, the next call goes on.
 * @throws AppError NOT_FOUND, CONFLICT with how many use it, BUSY where too many have to let go for one call
 */
export async function deleteLookup(db: Db, change: LookupChange): Promise<void> {
  const { kind } = change
  const giveUpAt = Date.now() + MOST_MS
  try {
    const { changeSetId, released } = await withChangeSet(
      db,
      changeSource(change, 'delete'),
      async (trx, id) => ({
        changeSetId: id,
        released: await releasePage(trx, change, id),
      }),
    )
    const goOn = <T>(work: (trx: Db) => Promise<T>) =>
      inTransaction(db, async (trx) => {
        await joinChangeSet(trx, changeSetId)
        return work(trx)
      })
    for (let last = released; last === LISTINGS_A_PAGE; ) {
      if (Date.now() > giveUpAt) throw goesOn(kind)
      last = await goOn((trx) => releasePage(trx, change, changeSetId))
    }
    await goOn((trx) => deleteUnused(trx, change, changeSetId))
  } catch (error) {
    if (!isWriteConflict(error)) throw error
    const sentence = `Something began to use this ${nounOf(kind)} at the same moment. Look at it again.`
    throw new AppError('CONFLICT', sentence, { cause: error })
  }
}

async function releasePage(trx: Db, change: LookupChange, changeSetId: string): Promise<number> {
  await lockUnused(trx, change)
  const { kind, id } = change
  return releaseDeletedListings(trx, { kind, id, changeSetId, limit: LISTINGS_A_PAGE })
}

/** The lock keeps new listings from pointing to it until the transaction ends. */
async function lockUnused(trx: Db, { kind, id }: LookupChange): Promise<LookupRow> {
  const lookup = (await lockLookups(trx, kind, [id])).get(id)
  if (!lookup || lookup.mergedInto) throw lookupNotFound(kind)
  refuseUsed(kind, lookup, await getUsage(trx, kind, id))
  return lookup
}

async function deleteUnused(trx: Db, change: LookupChange, changeSetId: string): Promise<void> {
  const { kind, id } = change
  await beginLookupChange(trx)
  const { name } = await lockUnused(trx, change)
  // Those that were deleted since the last page.
  await releaseDeletedListings(trx, { kind, id, changeSetId, limit: LISTINGS_A_PAGE })
  await deleteLookupRow(trx, kind, id)
  const changes = { name: [name, null] as [string, null] }
  await insertLookupChange(trx, { changeSetId, kind, lookupId: id, changes })
  await writeAudit(trx, { action: 'lookup-deleted', target: id, detail: { kind, name }, ...change.by })
}

const goesOn = (kind: LookupKind) =>
  new AppError(
    'BUSY',
    `Very many deleted listings had this ${nounOf(kind)}, and not all have let go of it yet. Delete it again to go on.`,
    { retryAfterSeconds: 1 },
  )

function refuseUsed(
  kind: LookupKind,
  { name }: LookupRow,
  { listings, models, isMerging }: LookupUsage,
): void {
  const noun = nounOf(kind)
  const refused = (sentence: string) => new AppError('CONFLICT', sentence)
  if (isMerging) throw refused(`Another ${noun} is being merged into “${name}”. Wait until that is done.`)
  if (listings > 0) {
    throw refused(`${amount(listings)} “${name}”. Merge it into another ${noun}, or change those first.`)
  }
  if (models === 0) return
  const many = models === 1 ? '1 car model belongs' : `${models} car models belong`
  throw refused(`${many} to “${name}”. Delete or merge those first, or merge it into another ${noun}.`)
}

function amount(listings: number): string {
  if (listings === 1) return '1 listing uses'
  if (listings > MOST_COUNTED) return `More than ${MOST_COUNTED.toLocaleString('en-US')} listings use`
  return `${listings.toLocaleString('en-US')} listings use`
}
