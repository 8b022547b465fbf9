import { sql } from 'kysely'
import { RETURN_DAYS } from '#contract/order/money/release-rules.ts'
import { daysAfter } from '#server/features/money/orders/deadline-times.ts'
import { lockOrder, moveOrder } from '#server/features/money/orders/orders.ts'
import type { Db } from '#server/platform/database/database.ts'
import { isMove } from './moves.ts'

/* An order is closed when it cannot come back and its money is where it belongs. An open core alone does not keep it. */

/** Delivered orders `o` that nothing is open of. */
const isClosable = (now: Date) => sql`
  o.state = 'delivered' and coalesce(o.return_until, o.delivered_at + make_interval(days => ${RETURN_DAYS})) <= ${now}
  and o.held_at is null and not o.disputed and o.open_returns = 0
  and not exists (select from order_refund r where r.order_id = o.id and r.state in ('requested', 'pending'))
  and not exists (select from order_step s where s.order_id = o.id and s.state = 'wanted' and ${isMove})
  and coalesce((select sum(e.amount_cents) from ledger_entry e where e.order_id = o.id and e.account = 'held'), 0) = 0`

export async function listClosable(db: Db, now: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select o.id from part_order o
    where ${isClosable(now)} and o.delivered_at < ${daysAfter(now, -1)} order by o.delivered_at limit ${limit}`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

export async function closeOrder(trx: Db, orderId: string, now: Date): Promise<void> {
  const order = await lockOrder(trx, orderId)
  const { rows } = await sql`select from part_order o where o.id = ${orderId} and ${isClosable(now)}`.execute(
    trx,
  )
  if (rows.length > 0) await moveOrder(trx, order, 'close', { side: 'clock', now, set: { act_at: null } })
}
