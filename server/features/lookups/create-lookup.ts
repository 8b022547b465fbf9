import { type ChangeSource, withChangeSet } from '#server/features/history/with-change-set.ts'
import { AppError } from '#server/platform/app-error.ts'
import type { Db } from '#server/platform/database.ts'
import { violatesUnique } from '#server/platform/unique-violation.ts'
import { insertLookupChange, type LookupKind } from './lookup-queries.ts'

type NewLookup<T> = {
  source: Omit<ChangeSource, 'actorKind' | 'reason'>
  kind: LookupKind
  /** The request's field that holds the name. */
  field: string
  name: string
  insert: (trx: Db) => Promise<T>
}

/**
 * Adds a lookup. Whether its name is free is the unique constraint's to say (ignoring case and spaces), so that of two
 * admins at once exactly one succeeds.
 * @throws AppError CONFLICT, naming the field
 */
export async function createLookup<T extends { id: string }>(db: Db, lookup: NewLookup<T>): Promise<T> {
  const { kind, field, name } = lookup
  const noun = kind.replace('_', ' ')
  const source = { ...lookup.source, actorKind: 'user', reason: `create ${noun}` } as const
  try {
    return await withChangeSet(db, source, async (trx, changeSetId) => {
      const made = await lookup.insert(trx)
      await insertLookupChange(trx, { changeSetId, kind, lookupId: made.id, name })
      return made
    })
  } catch (error) {
    if (!violatesUnique(error, `${kind}_name_unique`)) throw error
    const sentence = `There is already a ${noun} named “${name}”`
    throw new AppError('CONFLICT', sentence, { fields: { [field]: sentence } })
  }
}
