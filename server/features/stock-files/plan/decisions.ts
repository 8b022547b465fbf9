import {
  MOST_NEW_NAME_ROWS,
  MOST_NEW_NAMES,
  type NewNameFigures,
  tooManyNew,
} from '#server/features/lookups/new-names.ts'
import { ingestQueue } from '#server/features/stock-files/queues.ts'
import type { Caller } from '#server/features/stock-files/store/staging-path.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import { findPromotionOfImport } from './planned-rows.ts'
import {
  approvePlan,
  canConfirm,
  clearReview,
  isJobAlive,
  lockPromotion,
  type PromotionRow,
  type ReviewReason,
  setIngestJob,
} from './promotions.ts'

/* Whether a plan needs a review, and how an administrator approves it or its seller confirms it. */

/** The numbers of a plan that decide whether it needs a review. */
export type PlanFigures = NewNameFigures & {
  readonly toEnd: number
  /** The seller's live parts that came from files. */
  readonly liveSourced: number
  /** Rows of the file whose part cannot be identified. */
  readonly unreadRows: number
}

const MAX_ENDED_SHARE = 0.2

const number = (value: number) => value.toLocaleString('en-US')
const percent = (part: number, of: number) => `${((100 * part) / of).toFixed(1).replace(/\.0$/, '')}%`

/** Why this plan needs a review; empty if it does not. */
export function reviewReasons(plan: PlanFigures): ReviewReason[] {
  const { rows, newNames, rowsWithNewNames, toEnd, liveSourced, unreadRows } = plan
  const reasons: ReviewReason[] = []
  const tooMany = tooManyNew(plan)
  if (tooMany.names) {
    reasons.push({
      code: 'new-names',
      message: `${number(newNames)} names of categories, manufacturers or models are new. Imports with more than ${MOST_NEW_NAMES} new names are reviewed by an administrator.`,
    })
  }
  if (tooMany.rows) {
    reasons.push({
      code: 'new-name-rows',
      message: `${number(rowsWithNewNames)} of ${number(rows)} rows (${percent(rowsWithNewNames, rows)}) have a new category, manufacturer or model. Imports with more than ${MOST_NEW_NAME_ROWS}% are reviewed by an administrator.`,
    })
  }
  if (toEnd > liveSourced * MAX_ENDED_SHARE) {
    reasons.push({
      code: 'endings',
      message: `${number(toEnd)} of ${number(liveSourced)} live parts (${percent(toEnd, liveSourced)}) are not in this file and would end as sold elsewhere; more than 20% need a second look.`,
    })
  } else if (toEnd > 0 && unreadRows > 0) {
    reasons.push({
      code: 'endings',
      message: `${number(toEnd)} live parts are not in this file and would end as sold elsewhere, but ${number(unreadRows)} of its rows could not be read, and may be some of those parts.`,
    })
  }
  return reasons
}

type Approval = {
  /** It was approved before this plan was made. */
  readonly approved: boolean
  /** Endings of the plan that was approved; 0 if there was none. */
  readonly endingsSeen: number
  /** The seller is trusted, or imports are not reviewed on this server. */
  readonly byItself: boolean
}

/** Whether a new plan goes live, waits for an administrator, or needs a review. */
export function afterPlanning(
  reasons: readonly ReviewReason[],
  toEnd: number,
  approval: Approval,
): 'apply' | 'wait' | 'review' {
  const endsMoreThanSeen = reasons.some(({ code }) => code === 'endings') && toEnd > approval.endingsSeen
  if (approval.approved) return endsMoreThanSeen ? 'review' : 'apply'
  if (reasons.length > 0) return 'review'
  return approval.byItself ? 'apply' : 'wait'
}

/**
 * Approves a locked promotion and returns the job that applies it; a promotion that is already approved returns its
 * current job. `planId` is the plan the user saw.
 * @throws AppError STALE if another plan was seen, CONFLICT while it is being undone or if its endings were not seen
 */
export async function approvePromotion(
  trx: Db,
  promotion: PromotionRow,
  { userId, planId }: { userId: string; planId: string | undefined },
): Promise<string> {
  if (planId !== undefined && planId !== promotion.planId) {
    throw new AppError('STALE', 'The plan changed since you saw it. Review it again, then promote.')
  }
  if (promotion.state === 'undoing') {
    throw new AppError('CONFLICT', 'This import is being undone. Promote it when that is done.')
  }
  const { ingestJobId } = promotion
  const isApproved = promotion.approvedAt !== null
  if (isApproved && ingestJobId && (promotion.state === 'applied' || (await isJobAlive(trx, ingestJobId)))) {
    return ingestJobId
  }
  const endings = promotion.review.find(({ code }) => code === 'endings')
  if (endings && planId === undefined) {
    throw new AppError('CONFLICT', `${endings.message} Send the planId of the plan you saw to continue.`)
  }
  if (!isApproved) await approvePlan(trx, promotion.id, userId)
  const jobId = await enqueueJob(trx, {
    queue: ingestQueue,
    payload: { dataset: promotion.dataset, promotionId: promotion.id },
    sellerId: promotion.sellerId,
    createdBy: userId,
  })
  await setIngestJob(trx, promotion.id, jobId)
  return jobId
}

/**
 * The seller confirms the endings of a plan. An import that needs no administrator goes live; any other waits for one, who
 * is not asked about the endings again.
 * @throws AppError STALE if another plan was seen, CONFLICT if there is nothing for the seller to confirm
 */
export function confirmEndings(
  db: Db,
  confirmed: Caller & { readonly importId: string; readonly planId: string },
): Promise<void> {
  return inTransaction(db, async (trx) => {
    const found = await findPromotionOfImport(trx, confirmed.importId)
    const promotion = found && (await lockPromotion(trx, found.id))
    if (!promotion)
      throw new AppError('CONFLICT', 'This import has no plan yet. Wait until the upload is complete.')
    if (confirmed.planId !== promotion.planId) {
      throw new AppError('STALE', 'The plan changed since you saw it. Review it again, then confirm.')
    }
    // The button was clicked twice.
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
  if (state === 'planning') return 'The plan of this import is still being made. Confirm it when it is ready.'
  if (state === 'review' || state === 'planned')
    return 'An administrator reviews this import before it goes live.'
  if (state === 'undone') return 'There is nothing to confirm: this import was undone.'
  return 'There is nothing to confirm: this import was already confirmed.'
}
