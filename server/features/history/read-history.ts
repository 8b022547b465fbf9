import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { type ChangedField, categoriesIn, changedFields } from './change-fields.ts'
import { findCreation, listCategoryNames, listChanges, type PastChange } from './queries.ts'

export type History = {
  items: (Omit<PastChange, 'changes'> & { fields: ChangedField[] })[]
  /** Ask again with this as `before`; null at the end. */
  nextBefore: number | null
  created: { at: Date; how: string }
}

const CHANGES_A_PAGE = 20

/** @throws AppError NOT_FOUND */
export async function readHistory(db: Db, listingId: string, before: number | undefined): Promise<History> {
  const created = await findCreation(db, listingId)
  if (!created) throw new AppError('NOT_FOUND', 'There is no such listing.')
  const found = await listChanges(db, listingId, { before, limit: CHANGES_A_PAGE + 1 })
  const page = found.slice(0, CHANGES_A_PAGE)
  const names = await listCategoryNames(db, categoriesIn(page.map(({ changes }) => changes)))
  const nameOf = (id: string) => names.get(id) ?? 'a category that is gone'
  return {
    items: page.map(({ changes, ...change }) => ({ ...change, fields: changedFields(changes, nameOf) })),
    nextBefore: found.length > CHANGES_A_PAGE ? (page.at(-1)?.version ?? null) : null,
    created,
  }
}
