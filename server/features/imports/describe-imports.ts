import type { ImportRecord } from '#contract/imports.ts'
import { findPromotionsOfImports } from '#server/features/promotion/queries.ts'
import type { Db } from '#server/platform/database.ts'
import { presentImport } from './present-import.ts'
import { type FoundImport, listMissingChunks } from './queries.ts'

const MISSING_SHOWN = 20

/** Imports as the API shows them, each with what became of its rows. */
export async function describeImports(
  db: Db,
  found: readonly FoundImport[],
  now: Date,
): Promise<ImportRecord[]> {
  const promotions = await findPromotionsOfImports(
    db,
    found.map(({ id }) => id),
  )
  return Promise.all(
    found.map(async (item) => {
      const { id, chunkCount } = item
      const isWaiting = item.state === 'receiving'
      const missing = isWaiting ? await listMissingChunks(db, { id, chunkCount, limit: MISSING_SHOWN }) : []
      return presentImport(item, { promotion: promotions.get(id), missing, now })
    }),
  )
}
