import { sql } from 'kysely'
import type { Answer } from '#contract/endpoint.ts'
import type { bookEndpoints } from '#contract/order/money/book-calls.ts'
import { DAY_MS } from '#contract/order/order-steps.ts'
import type { Db } from '#server/platform/database/database.ts'

type Sales = Answer<typeof bookEndpoints.readSales>

/** What a yard sold here in the last days, and in as many before: by when the money was taken. */
export async function readSales(
  db: Db,
  { sellerId, days, now }: { sellerId: string; days: number; now: Date },
): Promise<Sales> {
  const [from, before] = [days, 2 * days].map((back) => new Date(now.getTime() - back * DAY_MS))
  const { rows } = await sql<{ enabled: boolean; recent: boolean; orders: number; cents: number }>`
    select s.sells_online as enabled, coalesce(e.at > ${from}, false) as recent, count(e.order_id)::int as orders,
           coalesce(sum(e.amount_cents), 0)::float8 as cents
    from seller s left join (
      select o.seller_id, e.order_id, e.at, e.amount_cents from ledger_entry e join part_order o on o.id = e.order_id
      where o.seller_id = ${sellerId} and e.why = 'captured' and e.account = 'provider' and e.at > ${before}
    ) e on e.seller_id = s.id
    where s.id = ${sellerId} group by 1, 2`.execute(db)
  const sumsOf = (recent: boolean) => {
    const row = rows.find((found) => found.recent === recent)
    return { orders: row?.orders ?? 0, gross: (row?.cents ?? 0) / 100 }
  }
  return { enabled: rows[0]?.enabled === true, days, totals: sumsOf(true), previous: sumsOf(false) }
}
