import { type ChangeSource, withChangeSet } from '#server/features/history/with-change-set.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import { type Db, violatesUnique } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { findNameHolder, insertLookupChange } from './change-queries.ts'
import { type LookupKind, nounOf } from './lookup-kind.ts'
import { holdLookups } from './lookup-version-queries.ts'

type NewLookup<T> = {
  source: Required<Pick<ChangeSource, 'actorUserId' | 'requestId'>> & { ip: string }
  kind: LookupKind
  /** The request's field that holds the name. */
  field: string
  name: string
  /** Of a model. */
  manufacturerId?: string
  insert: (trx: Db) => Promise<T>
}

/**
 * Adds a lookup. Whether its name is free is the unique constraint's to say (ignoring case and spaces), so that of two
 * admins at once exactly one succeeds. Nor may it be another name of one that is there.
 * @throws AppError CONFLICT, naming the field
 */
export async function createLookup<T extends { id: string }>(db: Db, lookup: NewLookup<T>): Promise<T> {
  const { kind, field, name, manufacturerId = null } = lookup
  const noun = nounOf(kind)
  const refused = (sentence: string) => new AppError('CONFLICT', sentence, { fields: { [field]: sentence } })
  const { ip, ...by } = lookup.source
  const source = { ...by, actorKind: 'user', reason: `create ${noun}` } as const
  try {
    return await withChangeSet(db, source, async (trx, changeSetId) => {
      await holdLookups(trx)
      const holder = await findNameHolder(trx, { kind, name, manufacturerId })
      if (holder?.isAlias) throw refused(`“${name}” is another name of the ${noun} “${holder.name}”`)
      const made = await lookup.insert(trx)
      await insertLookupChange(trx, { changeSetId, kind, lookupId: made.id, changes: { name: [null, name] } })
      await writeAudit(trx, { action: 'lookup-created', target: made.id, ...by, ip, detail: { kind, name } })
      return made
    })
  } catch (error) {
    if (!violatesUnique(error, `${kind}_name_unique`)) throw error
    throw refused(`There is already a ${noun} named “${name}”`)
  }
}
