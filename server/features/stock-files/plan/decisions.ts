import { sql } from 'kysely'
import type { ExpectedGoLive, ImportMode } from '#contract/imports.ts'
import {
  MAX_NEW_NAME_ROWS,
  MAX_NEW_NAMES,
  type NewNameFigures,
  tooManyNew,
} from '#server/features/market/lookups/new-names.ts'
import {
  isJobAlive,
  lockPromotion,
  type PromotionRow,
  type ReviewReason,
  setApplyJob,
} from '#server/features/stock-files/promotion/promotions.ts'
import { canConfirm, findPromotionOfImport } from '#server/features/stock-files/promotion/summaries.ts'
import { applyQueue } from '#server/features/stock-files/stock-file-queues.ts'
import type { Caller } from '#server/features/stock-files/store/staging-path.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'

/* Whether a plan needs a review, and how an administrator approves it or its seller confirms it. */

/** How far the first imports of a new seller go live (`apply/first-import.ts`). */
export type FirstImport = {
  /** Parts that go live at once. */
  readonly live: number
  /** How long the rest waits; 0 if it does not. */
  readonly waitMinutes: number
}

/**
 * How many more parts of a seller may go live at once, or null without a limit. A seller is new until an import has
 * been live for the waiting time; the parts that all imports of a new seller create count together.
 */
export async function findAllowance(
  db: Db,
  { sellerId, promotionId = null }: { sellerId: string; promotionId?: string | null },
  { live, waitMinutes }: FirstImport,
): Promise<number | null> {
  if (waitMinutes === 0) return null
  const { rows } = await sql<{ created: number; isKnown: boolean }>`
    select coalesce(sum(p.created) filter (where p.state <> 'undone'), 0)::integer as created,
           s.trusted or coalesce(bool_or(
             p.state = 'applied' and p.applied_at < now() - make_interval(secs => ${waitMinutes * 60})
           ), false) as "isKnown"
    from seller s left join promotion p on p.seller_id = s.id and p.id is distinct from ${promotionId}::uuid
    where s.id = ${sellerId} group by s.id
  `.execute(db)
  const [found] = rows
  return found && !found.isKnown ? Math.max(live - found.created, 0) : null
}

/** How the server treats sellers' imports. */
export type ImportPolicy = {
  /** Imports go live without an administrator, except those of sellers who are set to review. */
  readonly reviewsNothing: boolean
  readonly firstImport: FirstImport
}

/** Whether a seller's imports need no administrator. An administrator's switch to review them comes first. */
export const needsNoReview = (
  { trusted, reviewImports }: { readonly trusted: boolean; readonly reviewImports: boolean },
  { reviewsNothing }: Pick<ImportPolicy, 'reviewsNothing'>,
): boolean => !reviewImports && (trusted || reviewsNothing)

/**
 * Whether rows with an unsure or new name wait for the seller: in a seller's own import that goes live by itself. An
 * administrator who promotes a file creates its names.
 */
export const holdsRows = (
  promotion: Pick<PromotionRow, 'importId' | 'held' | 'approvedByAdmin' | 'trusted' | 'reviewImports'>,
  policy: Pick<ImportPolicy, 'reviewsNothing'>,
): boolean =>
  promotion.importId !== null &&
  !promotion.held &&
  !promotion.approvedByAdmin &&
  needsNoReview(promotion, policy)

/** Whether a seller is trusted or set to review. */
export async function findStanding(
  db: Db,
  sellerId: string,
): Promise<{ trusted: boolean; reviewImports: boolean }> {
  const { rows } = await sql<{ trusted: boolean; reviewImports: boolean }>`
    select trusted, review_imports as "reviewImports" from seller where id = ${sellerId}
  `.execute(db)
  return rows[0] ?? { trusted: false, reviewImports: false }
}

/** The numbers of a plan that decide whether it needs a review. */
export type PlanFigures = NewNameFigures & {
  readonly mode: ImportMode
  readonly toEnd: number
  /** The seller's live parts that came from files. */
  readonly liveSourced: number
  /** Rows of the file whose part cannot be identified. */
  readonly unreadRows: number
}

const MAX_ENDED_SHARE = 0.2

const number = (value: number) => value.toLocaleString('en-US')
const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1).replace(/\.0$/, '')}%`

/**
 * Why this plan needs a review; empty if it does not. `byItself`: the seller decides; otherwise an administrator does,
 * except about endings.
 */
export function reviewReasons(plan: PlanFigures, byItself: boolean): ReviewReason[] {
  const { rows, newNames, rowsWithNewNames, mode, toEnd, liveSourced, unreadRows } = plan
  const reasons: ReviewReason[] = []
  const tooMany = tooManyNew(plan)
  const reviewed = (limit: string) =>
    byItself
      ? `That is more than ${limit}: check them before they go live.`
      : `Imports with more than ${limit} are reviewed by an administrator.`
  if (tooMany.names) {
    reasons.push({
      code: 'new-names',
      message: `${number(newNames)} names of categories, manufacturers or models are new. ${reviewed(`${MAX_NEW_NAMES} new names`)}`,
    })
  }
  if (tooMany.rows) {
    reasons.push({
      code: 'new-name-rows',
      message: `${number(rowsWithNewNames)} of ${number(rows)} rows (${percent(rowsWithNewNames, rows)}) have a new category, manufacturer or model. ${reviewed(`${MAX_NEW_NAME_ROWS}%`)}`,
    })
  }
  if (toEnd > liveSourced * MAX_ENDED_SHARE) {
    reasons.push({
      code: 'endings',
      message: `${number(toEnd)} of ${number(liveSourced)} live parts (${percent(toEnd, liveSourced)}) ${mode === 'replace' ? 'are not in this file' : 'are not for sale in this file'} and would be taken down; more than 20% need a second look.`,
    })
  } else if (toEnd > 0 && unreadRows > 0) {
    reasons.push({
      code: 'endings',
      message: `${toEnd === 1 ? '1 live part is' : `${number(toEnd)} live parts are`} not in this file and would be taken down, but ${unreadRows === 1 ? '1 of its rows' : `${number(unreadRows)} of its rows`} could not be read, and may be ${toEnd === 1 ? 'that part' : 'some of those parts'}.`,
    })
  }
  return reasons
}

type Approval = {
  /** It was approved before this plan was made. */
  readonly approved: boolean
  /** Endings of the plan that was approved; 0 if there was none. */
  readonly endingsSeen: number
  /** It needs no administrator (`needsNoReview`). */
  readonly byItself: boolean
}

/** Whether a new plan goes live, waits for an administrator, or has to be confirmed first. */
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

/** When an import with these numbers would go live, as a dry run reports it. */
export async function expectGoLive(
  db: Db,
  { sellerId, creates, figures }: { sellerId: string; creates: number; figures: PlanFigures },
  policy: ImportPolicy,
): Promise<ExpectedGoLive> {
  const waitMinutes = policy.firstImport.waitMinutes
  const byItself = needsNoReview(await findStanding(db, sellerId), policy)
  if (!byItself) return { how: 'review', atOnce: 0, later: creates, waitMinutes: 0 }
  const allowance = (await findAllowance(db, { sellerId }, policy.firstImport)) ?? creates
  const atOnce = Math.min(creates, allowance)
  const later = creates - atOnce
  const asks = reviewReasons(figures, byItself).length > 0
  const atFirst = later > 0 ? 'first-parts' : 'now'
  return { how: asks ? 'confirm' : atFirst, atOnce, later, waitMinutes: later > 0 ? waitMinutes : 0 }
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
  const { applyJobId } = promotion
  const isApproved = promotion.approvedAt !== null
  if (isApproved && applyJobId && (promotion.state === 'applied' || (await isJobAlive(trx, applyJobId)))) {
    return applyJobId
  }
  const endings = promotion.review.find(({ code }) => code === 'endings')
  if (endings && planId === undefined) {
    throw new AppError('CONFLICT', `${endings.message} Send the planId of the plan you saw to continue.`)
  }
  if (!isApproved) await approvePlan(trx, promotion.id, userId)
  const jobId = await enqueueJob(trx, {
    queue: applyQueue,
    payload: { dataset: promotion.dataset, promotionId: promotion.id },
    sellerId: promotion.sellerId,
    createdBy: userId,
  })
  await setApplyJob(trx, promotion.id, jobId)
  return jobId
}

/**
 * The seller confirms what is unusual about a plan. An import that needs no administrator goes live; any other waits for
 * one, who is not asked about the endings again.
 * @throws AppError STALE if another plan was seen, CONFLICT if there is nothing for the seller to confirm
 */
export function confirmPlan(
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

/** Approves a plan, or one in progress as soon as it is ready. */
export async function approvePlan(trx: Db, id: string, approvedBy: string): Promise<void> {
  await sql`
    update promotion set state = case when state = 'planning' then state else 'planned' end, review = '[]',
                         approved_by = ${approvedBy}, approved_at = now()
    where id = ${id}
  `.execute(trx)
}

/** Clears the confirmed endings of a plan that still needs an administrator. */
export async function clearReview(trx: Db, id: string): Promise<void> {
  await sql`update promotion set state = 'planned', review = '[]' where id = ${id}`.execute(trx)
}
