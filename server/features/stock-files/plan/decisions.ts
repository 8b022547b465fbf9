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

/** What a plan found, as far as it decides whether somebody has to look. */
export type PlanFigures = NewNameFigures & {
  readonly toEnd: number
  /** The seller's parts that came from files and are live. */
  readonly liveSourced: number
  /** Rows of the file of which nobody can say which part they are. */
  readonly unreadRows: number
}

const MOST_ENDINGS = 0.2

const number = (value: number) => value.toLocaleString('en-US')
const percent = (part: number, of: number) => `${((100 * part) / of).toFixed(1).replace(/\.0$/, '')} %`

/** Why this plan waits for somebody; none when it may go on. */
export function reviewReasons(plan: PlanFigures): ReviewReason[] {
  const { rows, newNames, rowsWithNewNames, toEnd, liveSourced, unreadRows } = plan
  const reasons: ReviewReason[] = []
  const tooMany = tooManyNew(plan)
  if (tooMany.names) {
    reasons.push({
      code: 'new-names',
      message: `${number(newNames)} names of categories, manufacturers or models are new; an administrator looks at more than ${MOST_NEW_NAMES}.`,
    })
  }
  if (tooMany.rows) {
    reasons.push({
      code: 'new-name-rows',
      message: `${number(rowsWithNewNames)} of ${number(rows)} rows (${percent(rowsWithNewNames, rows)}) have a category, manufacturer or model that is new; an administrator looks at more than ${MOST_NEW_NAME_ROWS} %.`,
    })
  }
  if (toEnd > liveSourced * MOST_ENDINGS) {
    reasons.push({
      code: 'endings',
      message: `${number(toEnd)} of ${number(liveSourced)} live parts (${percent(toEnd, liveSourced)}) are not in this file and would end as sold elsewhere; more than 20 % need a second look.`,
    })
  } else if (toEnd > 0 && unreadRows > 0) {
    reasons.push({
      code: 'endings',
      message: `${number(toEnd)} live parts are not in this file and would end as sold elsewhere, but ${number(unreadRows)} of its rows could not be read: those parts may be among them.`,
    })
  }
  return reasons
}

export type Approval = {
  /** Somebody let it through before this plan was made. */
  readonly approved: boolean
  /** Endings of the plan that they had seen; 0 where there was none. */
  readonly endingsSeen: number
  /** The seller is trusted, or nobody reviews imports here. */
  readonly byItself: boolean
}

/** Whether a plan that was just made goes live, waits for an administrator, or asks a question. */
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

type ApprovePromotionApproval = {
  userId: string
  /** The plan that was seen. */
  planId: string | undefined
}

/**
 * Lets a locked promotion go live and answers the job that makes it so; one that is on its way or live already answers its
 * job again.
 * @throws AppError STALE where another plan was seen, CONFLICT while it is taken back or where its endings were not seen
 */
export async function approvePromotion(
  trx: Db,
  promotion: PromotionRow,
  { userId, planId }: ApprovePromotionApproval,
): Promise<string> {
  if (planId !== undefined && planId !== promotion.planId) {
    throw new AppError('STALE', 'The plan was made anew since you saw it. Look at it again, then promote.')
  }
  if (promotion.state === 'undoing') {
    throw new AppError('CONFLICT', 'This import is being taken back. Promote it when that is done.')
  }
  const { ingestJobId } = promotion
  const isApproved = promotion.approvedAt !== null
  if (isApproved && ingestJobId && (promotion.state === 'applied' || (await isJobAlive(trx, ingestJobId)))) {
    return ingestJobId
  }
  const endings = promotion.review.find(({ code }) => code === 'endings')
  if (endings && planId === undefined) {
    throw new AppError('CONFLICT', `${endings.message} Send the planId of the plan you saw to go on.`)
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
