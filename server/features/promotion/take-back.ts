import { AppError } from '#server/platform/app-error.ts'
import type { Db } from '#server/platform/database.ts'
import { requestCancel } from '#server/platform/jobs/cancel-job.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import { findPromotionRow, isJobAlive, lockPromotion, type PromotionRow } from './promotion-queries.ts'
import { undoPromotionQueue } from './promotion-queues.ts'
import { canUndo, canWithdraw, UNDO_DAYS, wasWithdrawn } from './promotion-state.ts'
import { setUndoing, setUndoJob, withdrawPromotions } from './undo-queries.ts'

export type TakeBack = {
  /** Undefined where there is none. */
  readonly promotionId: string | undefined
  readonly userId: string
  readonly now: Date
  /** What it is called in sentences. */
  readonly what: 'import' | 'file'
}

/** `again`: it is being taken back already, and nothing was done. */
export type TakenBack = {
  readonly did: 'withdrawn' | 'undone' | 'again'
  /** Null where it was over at once. */
  readonly jobId: string | null
  readonly promotion: PromotionRow
}

/**
 * Begins to take a promotion back: whatever is still going live stops, and a job returns what is. Where nothing of it is
 * live it is withdrawn, at once, with all others of its file that wait.
 * @throws AppError CONFLICT where there is nothing (more) that can be taken back
 */
export async function takeBack(trx: Db, { promotionId, userId, now, what }: TakeBack): Promise<TakenBack> {
  const promotion = promotionId === undefined ? undefined : await stopAndLock(trx, promotionId)
  if (promotion && canWithdraw(promotion)) {
    await withdrawPromotions(trx, promotion.fileId, now)
    return { did: 'withdrawn', jobId: null, promotion }
  }
  const isUndoing = promotion?.state === 'undoing'
  if (isUndoing && (await isJobAlive(trx, promotion.undoJobId))) {
    return { did: 'again', jobId: promotion.undoJobId, promotion }
  }
  if (!promotion || !(isUndoing || canUndo(promotion, now))) {
    throw new AppError('CONFLICT', whyNot(promotion, what))
  }
  await setUndoing(trx, promotion.id)
  const jobId = await enqueueJob(trx, {
    queue: undoPromotionQueue,
    payload: { promotionId: promotion.id },
    sellerId: promotion.sellerId,
    createdBy: userId,
  })
  await setUndoJob(trx, promotion.id, jobId)
  return { did: 'undone', jobId, promotion }
}

/**
 * Stops the jobs that plan it or make it live, and holds it. In this order, as those jobs lock their own rows and then the
 * promotion. A job that comes only now finds that the promotion has moved on.
 */
async function stopAndLock(trx: Db, promotionId: string): Promise<PromotionRow | undefined> {
  const row = await findPromotionRow(trx, promotionId)
  if (!row) return undefined
  for (const jobId of [row.planJobId, row.ingestJobId]) if (jobId) await requestCancel(trx, jobId)
  return lockPromotion(trx, row.id)
}

function whyNot(promotion: PromotionRow | undefined, what: TakeBack['what']): string {
  if (promotion && wasWithdrawn(promotion)) return `This ${what} was withdrawn already.`
  if (promotion?.state === 'undone') return `This ${what} was taken back already.`
  if (!promotion?.applied) return `Nothing of this ${what} is live, so there is nothing to take back.`
  const one = what === 'import' ? 'An import' : 'A file'
  return `${one} can be taken back for ${UNDO_DAYS} days; this one is older.`
}
