import { sql } from 'kysely'
import { isEnded, isPaid, type OrderState } from '#contract/order/order-steps.ts'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import { changeListing, lockListing } from '#server/features/market/listings/write-queries.ts'
import type { Db } from '#server/platform/database/database.ts'

/* Orders and holds in states that only a payment brings about. */

export type MadeOrder = { id: string; number: string }

type OrderOf = {
  listingId: string
  state: OrderState
  quantity?: number
  email?: string
  /** When an unpaid hold ends. */
  until?: Date
}

/**
 * An order of one part in a state, with its line and, if the state has one, its hold. From `confirmed` on, nothing is held:
 * the part itself is what the test made of it.
 */
export async function makeOrder(
  db: Db,
  { listingId, state, quantity = 1, email = 'pat@buyer.example', until }: OrderOf,
): Promise<MadeOrder> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<MadeOrder>`
      insert into part_order (seller_id, state, mode, email, name, delivery, line1, city, region, zip, royalty_percent,
                              royalty_floor_cents, days_to_ship, time_zone, expires_at)
      select seller_id, ${state}, 'confirm', ${email}, 'Pat Buyer', 'ship', '1 Main St', 'Tulsa', 'OK', '74103', 10,
             100, 2, 'America/Chicago', ${state === 'pending' ? (until ?? null) : null}
      from listing where id = ${listingId} returning id, number
    `.execute(trx)
    const [order] = rows
    if (!order) throw new Error('an order needs a listing')
    await sql`
      insert into order_line (order_id, listing_id, quantity, price_cents, facts)
      select ${order.id}, id, ${quantity}, price_cents, '{}' from listing where id = ${listingId}
    `.execute(trx)
    if (state !== 'quoting' && !isEnded(state) && !isPaid(state)) {
      await sql`
        insert into part_hold (listing_id, seller_id, order_id, quantity, kind, expires_at, created_at)
        select id, seller_id, ${order.id}, ${quantity}, ${state === 'pending' ? 'cart' : 'pending'},
               ${state === 'pending' ? (until ?? null) : null}, now()
        from listing where id = ${listingId}
      `.execute(trx)
      await sql`select note_hold(${listingId})`.execute(trx)
    }
    return order
  })
}

/** Ends the holds of an order, as when it was not paid in time. */
export async function endHolds(db: Db, orderId: string): Promise<void> {
  await sql`
    with ended as (
      update part_hold set ended_at = now(), ending = 'released' where order_id = ${orderId} and ended_at is null
      returning listing_id
    )
    select note_hold(listing_id) from ended
  `.execute(db)
}

/** Ends a part in the name of an order, as confirming does. */
export async function sellHere(db: Db, listingId: string, at = new Date()): Promise<void> {
  await withChangeSet(db, { actorKind: 'system', reason: 'sell part' }, async (trx, changeSetId) => {
    await sql`select set_config('partharbor.ordering', 'on', true)`.execute(trx)
    await sql`
      update part_hold set ended_at = ${at}, ending = 'sold' where listing_id = ${listingId} and ended_at is null
    `.execute(trx)
    const before = await lockListing(trx, listingId)
    if (before)
      await changeListing(trx, before, { changeSetId, columns: { ended_at: at, ended_reason: 'sold-here' } })
  })
}
