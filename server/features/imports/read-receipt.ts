import type { ImportReceipt } from '#contract/imports.ts'
import { leftOutOfFile } from '#server/features/promotion/left-out-row.ts'
import { wasWithdrawn } from '#server/features/promotion/promotion-state.ts'
import { findPromotionOfImport, listLeft, listLeftOut } from '#server/features/promotion/summary-queries.ts'
import { AppError } from '#server/platform/app-error.ts'
import type { Db } from '#server/platform/database.ts'
import type { FoundImport } from './queries.ts'

// More than anybody reads through; the number says how many there are.
const LEFT_SHOWN = 200
// As many as of the rows that a check refuses.
const LEFT_OUT_SHOWN = 50

/**
 * What an import did, and what taking it back left.
 * @throws AppError CONFLICT while nothing of it is live
 */
export async function readReceipt(db: Db, found: FoundImport): Promise<ImportReceipt> {
  const promotion = await findPromotionOfImport(db, found.id)
  const isOver = promotion?.state === 'applied' || promotion?.state === 'undone'
  if (!promotion?.plan || wasWithdrawn(promotion) || (!isOver && promotion.applied === 0)) {
    throw new AppError('CONFLICT', 'There is no receipt: nothing of this import went live.')
  }
  // Of the version that was promoted: an edited file may have other rows than were sent.
  const { create: toCreate, update: toUpdate, unchanged, merged, refused } = promotion.plan
  const left = await listLeft(db, promotion.id, LEFT_SHOWN)
  const leftOut = await listLeftOut(db, promotion.id)
  return {
    importId: found.id,
    fileName: found.fileName,
    mode: found.mode,
    state: promotion.state,
    appliedAt: promotion.appliedAt?.toISOString() ?? null,
    approvedBy: promotion.approvedByName,
    total: found.rejected + refused + merged + toCreate + toUpdate + unchanged,
    created: promotion.created,
    updated: promotion.updated,
    // With the rows of the plan whose listings said the same already when they went live.
    unchanged: promotion.appliedAt
      ? toCreate + toUpdate + unchanged - promotion.created - promotion.updated
      : unchanged,
    ended: promotion.ended,
    merged,
    rejected: found.rejected + refused,
    refused,
    leftOut: leftOut.slice(0, LEFT_OUT_SHOWN).map(leftOutOfFile),
    undone: promotion.undone,
    leftAsIs: promotion.leftAsIs,
    left: left.map(({ id, slug, title, reason }) => ({ id, partslug: slug, title, reason })),
  }
}
