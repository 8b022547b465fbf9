import type { Caller } from '#server/features/staging/write-refused-path.ts'
import { AppError } from '#server/platform/app-error.ts'
import { writeAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database.ts'
import { inTransaction } from '#server/platform/in-transaction.ts'
import { approvePromotion } from './approve-promotion.ts'
import { clearReview, lockPromotion } from './promotion-queries.ts'
import { canConfirm } from './promotion-state.ts'
import { findPromotionOfImport } from './summary-queries.ts'

/**
 * The seller's answer to a plan that asked whether so many parts shall end. An import that needs no administrator goes
 * live with it; any other waits for one, who is not asked again.
 * @throws AppError STALE where another plan was seen, CONFLICT where there is nothing for the seller to confirm
 */
export function confirmEndings(
  db: Db,
  confirmed: Caller & { readonly importId: string; readonly planId: string },
): Promise<void> {
  return inTransaction(db, async (trx) => {
    const found = await findPromotionOfImport(trx, confirmed.importId)
    const promotion = found && (await lockPromotion(trx, found.id))
    if (!promotion) throw new AppError('CONFLICT', 'This import has no plan yet. Wait until all of it is in.')
    if (confirmed.planId !== promotion.planId) {
      throw new AppError('STALE', 'The plan was made anew since you saw it. Look at it again, then confirm.')
    }
    // A second press of the button.
    if (promotion.approvedAt) return
    if (!canConfirm(promotion)) throw new AppError('CONFLICT', nothingToConfirm(promotion.state))
    if (promotion.byItself) {
      await approvePromotion(trx, promotion, { userId: confirmed.actor.userId, planId: confirmed.planId })
    } else {
      await clearReview(trx, promotion.id)
    }
    await writeAudit(trx, {
      action: 'import-confirmed',
      actorUserId: confirmed.actor.userId,
      target: confirmed.importId,
      ip: confirmed.ip,
      requestId: confirmed.requestId,
      detail: { promotionId: promotion.id, endings: promotion.toEnd },
    })
  })
}

function nothingToConfirm(state: string): string {
  if (state === 'planning') return 'The plan of this import is still being made. Confirm it when it is there.'
  if (state === 'review' || state === 'planned')
    return 'An administrator looks at this import before it goes live.'
  if (state === 'undone') return 'There is nothing to confirm: this import was taken back.'
  return 'There is nothing to confirm: this import has gone on already.'
}
