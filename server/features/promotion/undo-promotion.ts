import type { Actor } from '#server/platform/actor.ts'
import { AppError } from '#server/platform/app-error.ts'
import { writeAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database.ts'
import { inTransaction } from '#server/platform/in-transaction.ts'
import { requestCancel } from '#server/platform/jobs/cancel-job.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import { isJobAlive, lockPromotion, type PromotionRow, setUndoing, setUndoJob } from './promotion-queries.ts'
import { undoPromotionQueue } from './promotion-queues.ts'
import { canUndo, UNDO_DAYS } from './promotion-state.ts'
import { findPromotionOfImport } from './queries.ts'

/**
 * Begins to take an import back: whatever is still going live stops, and a job returns what is. Asking again while it runs
 * changes nothing.
 * @throws AppError CONFLICT where there is nothing (more) that can be taken back
 */
export function undoPromotion(
  db: Db,
  undo: { importId: string; actor: Actor; now?: Date; requestId?: string },
): Promise<void> {
  return inTransaction(db, async (trx) => {
    const found = await findPromotionOfImport(trx, undo.importId)
    const promotion = found && (await lockPromotion(trx, found.id))
    const isUndoing = promotion?.state === 'undoing'
    if (isUndoing && (await isJobAlive(trx, promotion.undoJobId))) return
    if (!promotion || !(isUndoing || canUndo(promotion, undo.now ?? new Date()))) {
      throw new AppError('CONFLICT', whyNot(promotion))
    }
    await setUndoing(trx, promotion.id)
    if (promotion.ingestJobId) await requestCancel(trx, promotion.ingestJobId)
    const jobId = await enqueueJob(trx, {
      queue: undoPromotionQueue,
      payload: { promotionId: promotion.id },
      sellerId: promotion.sellerId,
      createdBy: undo.actor.userId,
    })
    await setUndoJob(trx, promotion.id, jobId)
    await writeAudit(trx, {
      action: 'import-undone',
      actorUserId: undo.actor.userId,
      target: undo.importId,
      ...(undo.requestId && { requestId: undo.requestId }),
      detail: { promotionId: promotion.id },
    })
  })
}

function whyNot(promotion: PromotionRow | undefined): string {
  if (promotion?.state === 'undone') return 'This import was taken back already.'
  if (!promotion?.applied) return 'Nothing of this import is live, so there is nothing to take back.'
  return `An import can be taken back for ${UNDO_DAYS} days; this one is older.`
}
