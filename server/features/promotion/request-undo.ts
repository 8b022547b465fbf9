import type { Actor } from '#server/platform/actor.ts'
import { AppError } from '#server/platform/app-error.ts'
import { writeAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database.ts'
import { inTransaction } from '#server/platform/in-transaction.ts'
import { requestCancel } from '#server/platform/jobs/cancel-job.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import {
  findPromotionRow,
  isJobAlive,
  lockPromotion,
  type PromotionRow,
  setUndoing,
  setUndoJob,
  withdrawPromotions,
} from './promotion-queries.ts'
import { undoPromotionQueue } from './promotion-queues.ts'
import { canUndo, canWithdraw, UNDO_DAYS, wasWithdrawn } from './promotion-state.ts'
import { findPromotionOfImport } from './queries.ts'

export type UndoRequest = { importId: string; actor: Actor; now?: Date; requestId?: string }

/**
 * Begins to take an import back: whatever is still going live stops, and a job returns what is. One of which nothing is
 * live is withdrawn, at once. Asking again while it runs changes nothing.
 * @throws AppError CONFLICT where there is nothing (more) that can be taken back
 */
export function requestUndo(db: Db, undo: UndoRequest): Promise<void> {
  return inTransaction(db, async (trx) => {
    const now = undo.now ?? new Date()
    const promotion = await stopAndLock(trx, undo.importId)
    if (promotion && canWithdraw(promotion)) {
      await withdrawPromotions(trx, undo.importId, now)
      return audit(trx, undo, { action: 'import-withdrawn', promotion })
    }
    const isUndoing = promotion?.state === 'undoing'
    if (isUndoing && (await isJobAlive(trx, promotion.undoJobId))) return
    if (!promotion || !(isUndoing || canUndo(promotion, now))) {
      throw new AppError('CONFLICT', whyNot(promotion))
    }
    await setUndoing(trx, promotion.id)
    const jobId = await enqueueJob(trx, {
      queue: undoPromotionQueue,
      payload: { promotionId: promotion.id },
      sellerId: promotion.sellerId,
      createdBy: undo.actor.userId,
    })
    await setUndoJob(trx, promotion.id, jobId)
    await audit(trx, undo, { action: 'import-undone', promotion })
  })
}

/**
 * Stops the jobs that plan it or make it live, and holds it. In this order, as those jobs lock their own rows and then the
 * promotion. A job that comes only now finds that the promotion has moved on.
 */
async function stopAndLock(trx: Db, importId: string): Promise<PromotionRow | undefined> {
  const found = await findPromotionOfImport(trx, importId)
  const row = found && (await findPromotionRow(trx, found.id))
  if (!row) return undefined
  for (const jobId of [row.planJobId, row.ingestJobId]) if (jobId) await requestCancel(trx, jobId)
  return lockPromotion(trx, row.id)
}

type Done = { action: 'import-withdrawn' | 'import-undone'; promotion: PromotionRow }

function audit(trx: Db, undo: UndoRequest, { action, promotion }: Done): Promise<void> {
  return writeAudit(trx, {
    action,
    actorUserId: undo.actor.userId,
    target: undo.importId,
    ...(undo.requestId && { requestId: undo.requestId }),
    detail: { promotionId: promotion.id, state: promotion.state },
  })
}

function whyNot(promotion: PromotionRow | undefined): string {
  if (promotion && wasWithdrawn(promotion)) return 'This import was withdrawn already.'
  if (promotion?.state === 'undone') return 'This import was taken back already.'
  if (!promotion?.applied) return 'Nothing of this import is live, so there is nothing to take back.'
  return `An import can be taken back for ${UNDO_DAYS} days; this one is older.`
}
