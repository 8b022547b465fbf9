import { sql } from 'kysely'
import { type FirstImport, findAllowance } from '#server/features/stock-files/plan/decisions.ts'
import {
  type ImportLetterhead,
  mailAboutImport,
} from '#server/features/stock-files/promotion/import-mails.ts'
import {
  findPromotionRow,
  lockPromotion,
  type PromotionRow,
  setApplyJob,
} from '#server/features/stock-files/promotion/promotions.ts'
import { applyQueue } from '#server/features/stock-files/stock-file-queues.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import { type Db, onlyRow } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'

/*
 * The first imports of a new seller: some parts go live at once, the rest after a while without a report from a buyer.
 * The promotion stays in the state `applying`, with a delayed job for the rest, so that a restart loses nothing and the
 * seller can undo it at any time.
 */

/**
 * Decides, when a promotion starts to go live, how far it may go before the rest waits, and returns that row or null.
 * Updates and endings do not count, but wait if they come after the last part that may go live.
 */
export async function limitFirstImport(
  trx: Db,
  promotion: PromotionRow,
  firstImport: FirstImport,
): Promise<number | null> {
  const { id: promotionId, sellerId, importId, byItself } = promotion
  if (!byItself || importId === null) return null
  const allowance = await findAllowance(trx, { sellerId, promotionId }, firstImport)
  if (allowance === null) return null
  const { rows } = await sql<{ liveThrough: number }>`
    update promotion p set live_through = first_over.row_no - 1
    from (
      select row_no from promotion_action where promotion_id = ${promotionId} and action = 'create'
      order by row_no offset ${allowance} limit 1
    ) first_over
    where p.id = ${promotionId}
    returning live_through as "liveThrough"
  `.execute(trx)
  return rows[0]?.liveThrough ?? null
}

/** Delays the remaining rows once the first parts are live, and enqueues the job that publishes them. */
export async function delayRest(
  trx: Db,
  promotionId: string,
  { firstImport, letterhead }: { firstImport: FirstImport; letterhead: ImportLetterhead },
): Promise<void> {
  const seconds = firstImport.waitMinutes * 60
  const { rows } = await sql<{ restAt: Date }>`
    update promotion
    set rest_at = greatest(now() + make_interval(secs => ${seconds}), rest_held_at + make_interval(hours => ${HOLD_HOURS}))
    where id = ${promotionId} and state = 'applying' and live_through is not null
    returning rest_at as "restAt"
  `.execute(trx)
  const promotion = rows[0] && (await findPromotionRow(trx, promotionId))
  if (!promotion) return
  await enqueueRest(trx, promotion, rows[0]?.restAt)
  // A report that came while the first parts went live already sent its own.
  if (!promotion.restHeldAt) await mailAboutImport(trx, promotion, { news: 'first-parts', letterhead })
}

async function enqueueRest(trx: Db, promotion: PromotionRow, runAfter?: Date): Promise<string> {
  const jobId = await enqueueJob(trx, {
    queue: applyQueue,
    payload: { dataset: promotion.dataset, promotionId: promotion.id },
    sellerId: promotion.sellerId,
    ...(runAfter && { runAfter }),
  })
  await setApplyJob(trx, promotion.id, jobId)
  return jobId
}

/**
 * Whether this job may publish now: if a rest waits, only its own job. After a hold, the job may publish, unless an
 * administrator hid a reported listing meanwhile; then the rest waits for an administrator.
 */
export async function mayApply(
  trx: Db,
  { sellerId, restAt, restHeldAt, applyJobId }: PromotionRow,
  jobId: string,
): Promise<boolean> {
  if (restAt === null) return true
  if (applyJobId !== jobId) return false
  if (restHeldAt === null) return true
  const { rows } = await sql`
    select from listing_report where seller_id = ${sellerId} and outcome = 'hidden' and closed_at > ${restHeldAt} limit 1
  `.execute(trx)
  return rows.length === 0
}

/** Ends the wait, so that the rest can go live. */
async function releaseRest(trx: Db, promotionId: string): Promise<void> {
  await sql`
    update promotion set live_through = null, rest_at = null, rest_held_at = null where id = ${promotionId}
  `.execute(trx)
}

/** Ends the wait because its time is over. If it was a hold, notifies the seller and the administrators. */
export async function endRest(trx: Db, promotion: PromotionRow, letterhead: ImportLetterhead): Promise<void> {
  await releaseRest(trx, promotion.id)
  if (promotion.restHeldAt) await mailAboutImport(trx, promotion, { news: 'hold-over', letterhead })
}

/** Locks the seller's imports with a rest that waits and isn't held. Call it before anything that locks a listing. */
export async function lockRests(trx: Db, sellerId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from promotion
    where seller_id = ${sellerId} and state = 'applying' and live_through is not null and rest_held_at is null
    order by id for update
  `.execute(trx)
  return rows.map(({ id }) => id)
}

// One angry person or competitor with a second address is no reason to stop a yard.
const HOLD = { reporters: 3, listings: 3 }
/** A report without a decision by then is no reason, either. */
const HOLD_HOURS = 24

/**
 * If enough people with a confirmed address reported enough of the seller's listings, holds the rests for a day, or until an
 * administrator publishes them. Emails the seller and the administrators once per import.
 */
export async function holdRests(
  trx: Db,
  sellerId: string,
  { rests, letterhead }: { rests: readonly string[]; letterhead: ImportLetterhead },
): Promise<void> {
  if (rests.length === 0 || !(await isReportedEnough(trx, sellerId))) return
  for (const id of rests) {
    const { rows } = await sql<{ restAt: Date | null }>`
      update promotion
      set rest_held_at = now(), rest_at = greatest(rest_at, now() + make_interval(hours => ${HOLD_HOURS}))
      where id = ${id} and rest_at is not null returning rest_at as "restAt"
    `.execute(trx)
    // If the first parts are not live yet, their job delays the rest (`delayRest`).
    const [held] = rows
    if (!held) await sql`update promotion set rest_held_at = now() where id = ${id}`.execute(trx)
    const promotion = await findPromotionRow(trx, id)
    if (!promotion) continue
    if (held?.restAt) await enqueueRest(trx, promotion, held.restAt)
    await mailAboutImport(trx, promotion, { news: 'held', letterhead })
  }
}

async function isReportedEnough(db: Db, sellerId: string): Promise<boolean> {
  const { rows } = await sql<{ isEnough: boolean }>`
    select count(distinct reporter) >= ${HOLD.reporters} and count(distinct listing_id) >= ${HOLD.listings} as "isEnough"
    from listing_report
    where seller_id = ${sellerId} and confirmed_at is not null and outcome is distinct from 'answered'
      and outcome is distinct from 'restored'
  `.execute(db)
  return onlyRow(rows).isEnough
}

/**
 * Publishes the waiting rest of an import for an administrator, reported or not.
 * @throws AppError CONFLICT if nothing waits
 */
export async function publishRest(
  trx: Db,
  importId: string,
  by: { actorUserId: string; ip: string; requestId: string },
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from promotion where import_id = ${importId} and state = 'applying' and rest_at is not null
  `.execute(trx)
  const promotion = rows[0] && (await lockPromotion(trx, rows[0].id))
  if (promotion?.state !== 'applying' || promotion.restAt === null)
    throw new AppError('CONFLICT', 'No parts of this import are waiting.')
  const wasHeld = promotion.restHeldAt !== null
  await releaseRest(trx, promotion.id)
  await enqueueRest(trx, promotion)
  await writeAudit(trx, {
    action: 'import-rest-published',
    target: importId,
    detail: { promotionId: promotion.id, wasHeld },
    ...by,
  })
}
