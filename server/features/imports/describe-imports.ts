import type { ImportRecord } from '#contract/imports.ts'
import { findPromotionsOfImports } from '#server/features/promotion/summary-queries.ts'
import type { Db } from '#server/platform/database.ts'
import { presentImport } from './present-import.ts'
import { type FoundImport, listMissingChunks } from './queries.ts'

/** Imports as the API shows them, each with what became of its rows. */
export async function describeImports(
  db: Db,
  found: readonly FoundImport[],
  now: Date,
): Promise<ImportRecord[]> {
  const ids = found.map(({ id }) => id)
  const receiving = found.filter(({ state }) => state === 'receiving').map(({ id }) => id)
  const promotions = await findPromotionsOfImports(db, ids)
  const missing = await listMissingChunks(db, receiving)
  return found.map((item) =>
    presentImport(item, { promotion: promotions.get(item.id), missing: missing.get(item.id) ?? [], now }),
  )
}
