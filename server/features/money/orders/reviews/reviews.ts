import { type RawBuilder, sql } from 'kysely'
import { DAY_MS } from '#contract/order/order-steps.ts'
import type { OrderReview } from '#contract/order/order-views.ts'
import type { OwnReview } from '#contract/order/review-calls.ts'
import type { PublicReview } from '#contract/pages/sellers.ts'
import { findProfanity } from '#server/features/market/writing/profanity.ts'
import { mailReview } from '#server/features/money/orders/letters/review-mails.ts'
import type { OrderSite } from '#server/features/money/orders/letters/telling.ts'
import { lockOrder, type Order } from '#server/features/money/orders/orders.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { countRecords, isPublished } from './track-records.ts'

/*
 * What buyers say about yards: from an order, after delivery, once. For 14 days only the yard sees it, and the buyer does
 * not see the yard's answer, so that neither writes for revenge. Then a job publishes both.
 */

const BLIND_DAYS = 14

export type Review = {
  readonly id: string
  readonly orderId: string
  readonly sellerId: string
  readonly stars: number
  readonly text: string
  readonly writtenAt: Date
  readonly publishAt: Date
  readonly publishedAt: Date | null
  readonly answer: string | null
  readonly answeredAt: Date | null
  readonly hiddenAt: Date | null
  readonly hiddenNote: string | null
}

const columns = sql`
  r.id, r.order_id as "orderId", r.seller_id as "sellerId", r.stars, r.body as text, r.written_at as "writtenAt",
  r.publish_at as "publishAt", r.published_at as "publishedAt", r.answer, r.answered_at as "answeredAt",
  r.hidden_at as "hiddenAt", r.hidden_note as "hiddenNote"`

/** Of the first part of order `o`, as it was bought: "title" and the "yard". */
const bought = (fact: string) =>
  sql`(select l.facts ->> ${fact} from order_line l where l.order_id = o.id order by l.id limit 1)`

type Listed = Review & { number: string; part: string | null; reported: boolean; yard: string }

/** Reviews `r` of orders `o`, with what lists show beside them. */
export async function readReviews(
  db: Db,
  condition: RawBuilder<unknown>,
  rest: RawBuilder<unknown> = sql``,
): Promise<Listed[]> {
  const { rows } = await sql<Listed>`
    select ${columns}, o.number, ${bought('title')} as part, coalesce(${bought('yard')}, s.name) as yard,
           exists (select from review_report p where p.review_id = r.id and p.closed_at is null) as reported
    from yard_review r join part_order o on o.id = r.order_id join seller s on s.id = r.seller_id
    where ${condition} ${rest}`.execute(db)
  return rows
}

/** The reviews of these orders, by order. */
export async function reviewsOf(db: Db, orderIds: readonly string[]): Promise<Map<string, Review>> {
  const { rows } = await sql<Review>`
    select ${columns} from yard_review r where r.order_id = any(${[...orderIds]}::uuid[])`.execute(db)
  return new Map(rows.map((review) => [review.orderId, review]))
}

function stateOf({ publishedAt, hiddenAt }: Review): OrderReview['state'] {
  if (hiddenAt !== null) return 'hidden'
  return publishedAt === null ? 'waiting' : 'published'
}

/** The buyer does not see the answer before the review is published. */
export function presentReview(review: Review, reader: 'buyer' | 'seller' | 'admin'): OrderReview {
  const { stars, text, writtenAt, publishAt, publishedAt, hiddenNote } = review
  const seesAnswer = reader !== 'buyer' || publishedAt !== null
  return {
    stars,
    text,
    writtenAt: writtenAt.toISOString(),
    state: stateOf(review),
    publishAt: publishAt.toISOString(),
    hiddenNote,
    answer: seesAnswer ? review.answer : null,
    answeredAt: seesAnswer ? (review.answeredAt?.toISOString() ?? null) : null,
  }
}

/** Of an order; null if its buyer has not written one. */
export const showReview = (review: Review | undefined, reader: 'buyer' | 'seller' | 'admin') =>
  review ? presentReview(review, reader) : null

const showOwnReview = (review: Listed): OwnReview => ({
  ...presentReview(review, 'seller'),
  id: review.id,
  order: { id: review.orderId, number: review.number },
  part: review.part ?? '',
  reported: review.reported,
})

/* The buyer */

/** Why the buyer cannot review now; undefined if they can. */
const whyNot = ({ deliveredAt }: Pick<Order, 'deliveredAt'>, review: Review | undefined) => {
  if (deliveredAt === null) return 'You can review the yard once you have the part.'
  if (review?.hiddenAt) return 'An administrator hid your review, so it can no longer be changed.'
  return review?.publishedAt ? 'Your review is published, so it can no longer be changed.' : undefined
}

export const canReview = (order: Pick<Order, 'deliveredAt'>, review: Review | undefined): boolean =>
  whyNot(order, review) === undefined

/** @throws AppError VALIDATION_FAILED on the field */
function requireClean(field: 'text' | 'answer', text: string): void {
  const word = findProfanity(text)
  if (word === undefined) return
  const sentence = `Please remove inappropriate language (${word}).`
  throw new AppError('VALIDATION_FAILED', sentence, { fields: { [field]: sentence } })
}

type Deps = { now: () => Date; site: OrderSite }

/**
 * Writes the review of an order, or replaces it while it is not published. The yard is told of the first one, and of a
 * change after it has answered.
 * @throws AppError STATE, VALIDATION_FAILED
 */
export function reviewOrder(
  db: Db,
  { orderId, stars, text }: { orderId: string; stars: number; text: string },
  { now, site }: Deps,
): Promise<Order> {
  requireClean('text', text)
  return inTransaction(db, async (trx) => {
    const order = await lockOrder(trx, orderId)
    const before = (await reviewsOf(trx, [orderId])).get(orderId)
    const problem = whyNot(order, before)
    if (problem !== undefined) throw new AppError('STATE', problem)
    if (before?.stars === stars && before.text === text) return order
    const publishAt = new Date(now().getTime() + BLIND_DAYS * DAY_MS)
    await sql`
      insert into yard_review (order_id, seller_id, stars, body, written_at, publish_at)
      values (${orderId}, ${order.sellerId}, ${stars}, ${text}, ${now()}, ${publishAt})
      on conflict (order_id) do update set stars = excluded.stars, body = excluded.body`.execute(trx)
    if (!before || before.answer !== null) {
      await mailReview(trx, order, { stars, text, isChange: before !== undefined }, site)
    }
    return order
  })
}

/* The yard */

export async function listOwnReviews(
  db: Db,
  sellerId: string,
  { page, perPage }: { page: number; perPage: number },
): Promise<{ items: OwnReview[]; total: number }> {
  const isOwn = sql`r.seller_id = ${sellerId}`
  const [found, counted] = await Promise.all([
    readReviews(db, isOwn, sql`order by r.id desc limit ${perPage} offset ${(page - 1) * perPage}`),
    sql<{ total: number }>`select count(*)::int as total from yard_review r where ${isOwn}`.execute(db),
  ])
  return { items: found.map(showOwnReview), total: counted.rows[0]?.total ?? 0 }
}

const noReview = () => new AppError('NOT_FOUND', 'There is no such review.')

/** @throws AppError NOT_FOUND for the review of another yard */
export async function getOwnReview(db: Db, sellerId: string, id: string): Promise<Listed> {
  const [found] = await readReviews(db, sql`r.id = ${id} and r.seller_id = ${sellerId}`)
  if (!found) throw noReview()
  return found
}

/** @throws AppError STATE for a hidden review, VALIDATION_FAILED */
export async function answerReview(
  db: Db,
  { sellerId, id, answer }: { sellerId: string; id: string; answer: string },
  now: Date,
): Promise<OwnReview> {
  requireClean('answer', answer)
  const { rows } = await sql`
    update yard_review set answer = ${answer}, answered_at = ${now}
    where id = ${id} and seller_id = ${sellerId} and hidden_at is null returning id`.execute(db)
  if (rows.length === 0) throw new AppError('STATE', 'This review is hidden, so nobody would see an answer.')
  return showOwnReview(await getOwnReview(db, sellerId, id))
}

/* Everybody */

// What a visitor reads; the figures are of all.
const NEWEST = 20

export async function listPublished(db: Db, sellerId: string): Promise<PublicReview[]> {
  const found = await readReviews(
    db,
    sql`r.seller_id = ${sellerId} and ${isPublished}`,
    sql`order by r.published_at desc, r.id desc limit ${NEWEST}`,
  )
  return found.map(({ id, stars, text, part, writtenAt, answer }) => ({
    id,
    stars,
    text,
    part: part ?? '',
    at: writtenAt.toISOString(),
    answer,
  }))
}

/** Publishes what has waited long enough, and counts again: nothing on a page begins by the clock alone. */
export async function publishReviews(db: Db, now: Date): Promise<{ published: number }> {
  return inTransaction(db, async (trx) => {
    const { rows } = await sql`
      update yard_review set published_at = ${now} where published_at is null and publish_at <= ${now} returning id
    `.execute(trx)
    await countRecords(trx, now)
    return { published: rows.length }
  })
}
