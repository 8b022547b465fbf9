import { type ChangeSource, withChangeSet } from '#server/features/history/with-change-set.ts'
import { AppError } from '#server/platform/app-error.ts'
import type { Db } from '#server/platform/database.ts'
import { violatesUnique } from '#server/platform/unique-violation.ts'

type NewLookup<T> = {
  source: Omit<ChangeSource, 'actorKind' | 'reason'>
  /** For the sentence: "category", "manufacturer", "car model". */
  noun: string
  /** The request's field that holds the name. */
  field: string
  name: string
  /** The unique constraint on the name. */
  constraint: string
  insert: (trx: Db) => Promise<T>
}

/**
 * Adds a lookup. Whether its name is free is the unique constraint's to say (ignoring case and spaces), so that of two
 * admins at once exactly one succeeds.
 * @throws AppError CONFLICT, naming the field
 */
export async function createLookup<T>(db: Db, lookup: NewLookup<T>): Promise<T> {
  try {
    return await withChangeSet(
      db,
      { ...lookup.source, actorKind: 'user', reason: `create ${lookup.noun}` },
      lookup.insert,
    )
  } catch (error) {
    if (!violatesUnique(error, lookup.constraint)) throw error
    const sentence = `There is already a ${lookup.noun} named “${lookup.name}”`
    throw new AppError('CONFLICT', sentence, { fields: { [lookup.field]: sentence } })
  }
}
