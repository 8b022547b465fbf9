import { withChangeSet } from '#server/features/history/with-change-set.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { insertLookupChange, lockLookups, setConfirmed } from './change-queries.ts'
import { changeSource, type LookupChange, lookupNotFound } from './lookup-change.ts'

/**
 * Makes a name that a file brought one for everybody. Confirming twice changes nothing.
 * @throws AppError NOT_FOUND, CONFLICT for a model whose manufacturer is provisional itself
 */
export function confirmLookup(db: Db, change: LookupChange): Promise<void> {
  const { kind, id } = change
  return withChangeSet(db, changeSource(change, 'confirm'), async (trx, changeSetId) => {
    const lookup = (await lockLookups(trx, kind, [id])).get(id)
    if (!lookup || lookup.mergedInto) throw lookupNotFound(kind)
    if (lookup.confirmed) return
    if (lookup.manufacturerId) await requireConfirmed(trx, lookup.manufacturerId)
    await setConfirmed(trx, kind, id)
    await insertLookupChange(trx, { changeSetId, kind, lookupId: id, changes: { confirmed: [false, true] } })
    const detail = { kind, name: lookup.name }
    await writeAudit(trx, { action: 'lookup-confirmed', target: id, detail, ...change.by })
  })
}

/** A model of a provisional manufacturer would stay out of sight. */
async function requireConfirmed(trx: Db, manufacturerId: string): Promise<void> {
  const manufacturer = (await lockLookups(trx, 'manufacturer', [manufacturerId])).get(manufacturerId)
  if (!manufacturer || manufacturer.confirmed) return
  throw new AppError(
    'CONFLICT',
    `Its manufacturer “${manufacturer.name}” is provisional too. Confirm or merge that one first.`,
  )
}
