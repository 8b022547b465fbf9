import { sql } from 'kysely'
import type { YardDispute } from '#contract/order/disputes/dispute-views.ts'
import { type DisputeState, disputeReason, isOpenDispute } from '#contract/order/disputes/dispute-words.ts'
import type { Cents } from '#server/features/money/orders/money/refund-rows.ts'
import type { Order } from '#server/features/money/orders/orders.ts'
import type { Db } from '#server/platform/database/database.ts'

/* Stored disputes. */

/** A row of `order_dispute`. Amounts are cents. */
export type DisputeRow = {
  readonly id: string
  readonly orderId: string
  readonly providerId: string
  readonly reason: string
  readonly amountCents: number
  readonly state: DisputeState
  readonly dueAt: Date | null
  /** What was set aside of the order for it. */
  readonly cents: Cents
  readonly takenCents: number
  readonly feeCents: number
  readonly feeIsYards: boolean
  readonly answer: string | null
  /** Of the yard's answer. */
  readonly answerPhotoIds: readonly string[]
  readonly evidence: Readonly<Record<string, string>> | null
  /** As an administrator chose them; null if nobody did. */
  readonly photoIds: readonly string[] | null
  readonly submittedAt: Date | null
  readonly createdAt: Date
}

/** Of several orders, oldest first. An order has one open dispute at most. */
export async function listDisputes(db: Db, orderIds: readonly string[]): Promise<DisputeRow[]> {
  const { rows } = await sql<DisputeRow>`
    select id, order_id as "orderId", provider_id as "providerId", reason, amount_cents::float8 as "amountCents", state,
           due_at as "dueAt", taken_cents::float8 as "takenCents", fee_cents::float8 as "feeCents",
           fee_is_yards as "feeIsYards", answer,
           coalesce((select array_agg(p.id order by p.id) from order_photo p where p.dispute_id = d.id), '{}') as "answerPhotoIds", evidence, photo_ids as "photoIds", submitted_at as "submittedAt", created_at as "createdAt",
           jsonb_build_object('part', part_cents, 'shipping', shipping_cents, 'core', core_cents, 'tax', tax_cents) as cents
    from order_dispute d where order_id = any(${[...orderIds]}::uuid[]) order by created_at, id`.execute(db)
  return rows
}

/** As the yard and administrators see it. */
export function showToYard(row: DisputeRow, { timeZone }: Pick<Order, 'timeZone'>): YardDispute {
  return {
    state: row.state,
    amount: row.amountCents / 100,
    openedAt: row.createdAt.toISOString(),
    reason: disputeReason(row.reason),
    dueBy: isOpenDispute(row.state) ? (row.dueAt?.toISOString() ?? null) : null,
    zone: timeZone,
    answer: row.answer ?? '',
    photoIds: [...row.answerPhotoIds],
    canAnswer: isOpenDispute(row.state) && row.submittedAt === null,
  }
}

/** The one that matters: the newest. */
export async function findNewestDispute(db: Db, orderId: string): Promise<DisputeRow | undefined> {
  return (await listDisputes(db, [orderId])).at(-1)
}

/** Neither won nor lost, and nobody has answered the bank. */
export const needsEvidence = ({ state, submittedAt }: DisputeRow): boolean =>
  state === 'needs-response' && submittedAt === null

/** The same of an order `o`, in a statement. */
export const waitsForEvidence = sql`exists (
  select from order_dispute d where d.order_id = o.id and d.state = 'needs-response' and d.submitted_at is null)`

/** The yard has not said what happened; of an order `o`. */
export const waitsForYard = sql`exists (
  select from order_dispute d where d.order_id = o.id and d.state in ('needs-response', 'under-review')
    and d.submitted_at is null and d.answer is null)`
