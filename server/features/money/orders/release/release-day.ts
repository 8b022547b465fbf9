import { sql } from 'kysely'
import { releaseTime, SALES_COUNTED_DAYS, type SalesRecord } from '#contract/order/money/release-rules.ts'
import { daysAfter } from '#server/features/money/orders/deadline-times.ts'
import type { Order, OrderChanges } from '#server/features/money/orders/orders.ts'
import { type Db, onlyRow } from '#server/platform/database/database.ts'

/* From when on a yard's share of an order may be transferred. */

/** What became of a yard's delivered orders of the last year, by its own orders alone. */
export async function readSalesRecord(db: Db, sellerId: string, now: Date): Promise<SalesRecord> {
  const { rows } = await sql<SalesRecord>`
    select count(*)::int as delivered,
           (count(*) filter (where o.disputed or o.open_returns > 0 or exists (
              select from order_refund r where r.order_id = o.id and r.part_cents > 0 and r.state <> 'failed')))::int as troubled
    from part_order o
    where o.seller_id = ${sellerId} and o.delivered_at > ${daysAfter(now, -SALES_COUNTED_DAYS)}`.execute(db)
  return onlyRow(rows)
}

/** What delivery sets: the yard's day, by its sales before this one. */
export async function deliveredNow(trx: Db, { sellerId }: Order, now: Date): Promise<OrderChanges> {
  const record = await readSalesRecord(trx, sellerId, now)
  return { delivered_at: now, act_at: null, release_at: releaseTime(now, record) }
}
