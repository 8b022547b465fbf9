import { withChangeSet } from '#server/features/history/with-change-set.ts'
import { AppError } from '#server/platform/app-error.ts'
import { writeAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database.ts'
import { isWriteConflict } from '#server/platform/write-conflict.ts'
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

/**
 * Deletes a lookup that nothing uses, with its aliases.
 * @throws AppError NOT_FOUND, CONFLICT with how many use it
 */
export async function deleteLookup(db: Db, change: LookupChange): Promise<void> {
  const { kind, id } = change
  try {
    await withChangeSet(db, changeSource(change, 'delete'), async (trx, changeSetId) => {
      await beginLookupChange(trx)
      // The lock keeps new listings from pointing to it until this ends.
      const lookup = (await lockLookups(trx, kind, [id])).get(id)
      if (!lookup || lookup.mergedInto) throw lookupNotFound(kind)
      refuseUsed(kind, lookup, await getUsage(trx, kind, id))
      await releaseDeletedListings(trx, { kind, id, changeSetId })
      await deleteLookupRow(trx, kind, id)
      const changes = { name: [lookup.name, null] as [string, null] }
      await insertLookupChange(trx, { changeSetId, kind, lookupId: id, changes })
      const detail = { kind, name: lookup.name }
      await writeAudit(trx, { action: 'lookup-deleted', target: id, detail, ...change.by })
    })
  } catch (error) {
    if (!isWriteConflict(error)) throw error
    const sentence = `Something began to use this ${nounOf(kind)} at the same moment. Look at it again.`
    throw new AppError('CONFLICT', sentence, { cause: error })
  }
}

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
