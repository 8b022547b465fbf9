import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { ReportedReview, ReviewDecision } from '#contract/order/review-calls.ts'
import type { Actor } from '#server/platform/actor.ts'
import { type AuditActor, writeAudit } from '#server/platform/database/audit.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { networkOf } from '#server/platform/net/addresses.ts'
import { presentReview, readReviews } from './reviews.ts'
import { countRecords, isPublished } from './track-records.ts'

/* Reports about reviews, and what administrators decide. A review changes by its buyer or is hidden, never edited by us. */

type Filed = {
  reviewId: string
  reason: string
  text: string
  actor: Actor | undefined
  ip: string
  now: Date
}

/**
 * Gets the review that a visitor reports: one that is published, or of the visitor's own yard.
 * @throws AppError NOT_FOUND
 */
export async function requireReportable(db: Db, id: string, actor: Actor | undefined): Promise<void> {
  const ofYard = actor ? sql`seller_id = ${actor.sellerId}` : sql`false`
  const { rows } = await sql`
    select from yard_review where id = ${id} and hidden_at is null and (${isPublished} or ${ofYard})`.execute(
    db,
  )
  if (rows.length === 0) throw noReview()
}

const noReview = () => new AppError('NOT_FOUND', 'There is no such review.')

/** Files a report. The same visitor's next one about the same review is ignored, so that nobody can fill the queue. */
export async function reportReview(db: Db, { reviewId, reason, text, actor, ip, now }: Filed): Promise<void> {
  const visitor = createHash('sha256')
    .update(`${reviewId}\n${actor ? `user:${actor.userId}` : `ip:${networkOf(ip)}`}`)
    .digest()
  await sql`
    insert into review_report (review_id, reason, note, visitor, created_at)
    values (${reviewId}, ${reason}, ${text}, ${visitor}, ${now}) on conflict do nothing`.execute(db)
}

/** @throws AppError NOT_FOUND */
export async function requireReview(db: Db, id: string): Promise<void> {
  const { rows } = await sql`select from yard_review where id = ${id}`.execute(db)
  if (rows.length === 0) throw noReview()
}

type State = 'open' | 'closed'
const inState = (state: State) => (state === 'open' ? sql`p.closed_at is null` : sql`p.closed_at is not null`)

type ReportRow = ReportedReview['reports'][number] & { reviewId: string }

/** Lists reported reviews, most recently reported first. */
export async function listReportedReviews(
  db: Db,
  { state, page, perPage }: { state: State; page: number; perPage: number },
): Promise<{ items: ReportedReview[]; total: number; open: number }> {
  const [{ rows: reported }, { rows: counted }] = await Promise.all([
    sql<{ id: string }>`
      select p.review_id as id from review_report p where ${inState(state)}
      group by p.review_id order by max(p.created_at) desc, p.review_id limit ${perPage} offset ${(page - 1) * perPage}
    `.execute(db),
    sql<{ total: number; open: number }>`
      select count(distinct review_id) filter (where ${inState(state)})::int as total,
             count(distinct review_id) filter (where p.closed_at is null)::int as open
      from review_report p`.execute(db),
  ])
  const ids = reported.map(({ id }) => id)
  const [reviews, reports] = await Promise.all([
    readReviews(db, sql`r.id = any(${ids}::uuid[])`),
    listReports(db, ids, state),
  ])
  const byId = new Map(reviews.map((review) => [review.id, review]))
  const items = ids.flatMap((id) => {
    const review = byId.get(id)
    if (!review) return []
    return {
      ...presentReview(review, 'admin'),
      id,
      order: { id: review.orderId, number: review.number },
      part: review.part ?? '',
      yard: { id: review.sellerId, name: review.yard },
      reports: reports.filter(({ reviewId }) => reviewId === id),
    }
  })
  return { items, total: counted[0]?.total ?? 0, open: counted[0]?.open ?? 0 }
}

async function listReports(db: Db, ids: readonly string[], state: State): Promise<ReportRow[]> {
  const { rows } = await sql<Omit<ReportRow, 'createdAt'> & { createdAt: Date }>`
    select p.id, p.review_id as "reviewId", p.reason, p.note as text, p.created_at as "createdAt", p.outcome, u.name as "closedBy"
    from review_report p left join app_user u on u.id = p.closed_by
    where p.review_id = any(${[...ids]}::uuid[]) and ${inState(state)} order by p.id desc`.execute(db)
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }))
}

type Decided = { id: string; decision: ReviewDecision; note: string; by: AuditActor; now: Date }

const actions = { hide: 'review-hidden', keep: 'review-kept', restore: 'review-restored' } as const

/**
 * Decides about a review and closes its open reports. Hidden, it counts for nothing, and its buyer and the yard read why.
 * @throws AppError NOT_FOUND, CONFLICT if there is nothing to decide
 */
export function decideReview(db: Db, decided: Decided): Promise<void> {
  const { id, decision, by, now } = decided
  return inTransaction(db, async (trx) => {
    const { rows } = await sql<{ sellerId: string }>`
      select seller_id as "sellerId" from yard_review where id = ${id} for update`.execute(trx)
    const [review] = rows
    if (!review) throw noReview()
    const isChanged = decision !== 'keep' && (await setHidden(trx, decided))
    const reports = await closeReports(trx, decided)
    if (!isChanged && reports === 0) {
      throw new AppError('CONFLICT', 'Someone else has already decided about this review.')
    }
    await writeAudit(trx, { action: actions[decision], target: id, detail: { reports }, ...by })
    await countRecords(trx, now, review.sellerId)
  })
}

/** Hides or restores it; returns whether it was not like that already. */
async function setHidden(trx: Db, { id, decision, note, now }: Decided): Promise<boolean> {
  const [hiddenAt, hiddenNote] = decision === 'hide' ? [now, note] : [null, null]
  const { rows } = await sql`
    update yard_review set hidden_at = ${hiddenAt}, hidden_note = ${hiddenNote}
    where id = ${id} and (hidden_at is null) = ${decision === 'hide'} returning id`.execute(trx)
  return rows.length > 0
}

/** Returns how many were open. */
async function closeReports(trx: Db, { id, decision, by, now }: Decided): Promise<number> {
  const { rows } = await sql`
    update review_report
    set closed_at = ${now}, closed_by = ${by.actorUserId}, outcome = ${decision === 'hide' ? 'hidden' : 'kept'}
    where review_id = ${id} and closed_at is null returning id`.execute(trx)
  return rows.length
}
