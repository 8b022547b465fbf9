import { sql } from 'kysely'
import type { ImportReceipt } from '#contract/imports.ts'
import { LISTING_TITLE } from '#server/features/market/listings/titles.ts'
import type { Db } from '#server/platform/database/database.ts'

/*
 * Parts of a file that buyers have ordered. A file ends none of them: what it says is a question to the seller, in the
 * import's receipt. The order's “Confirm” or “Not found” answers it.
 */

/** How long a file may still list a part that was sold here before the seller is asked. */
const SOLD_DAYS = 30

/**
 * Takes the endings of ordered parts out of a plan, and notes which those are. From `confirmed` on, an order has ended its
 * part itself, so that a file without it agrees.
 */
export async function keepOrderedParts(trx: Db, sellerId: string): Promise<void> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from part_hold where seller_id = ${sellerId} and ended_at is null)
        or exists (select from part_order where seller_id = ${sellerId}) as has
  `.execute(trx)
  if (!rows[0]?.has) return
  await sql`create temp table plan_ordered (listing_id uuid, why text) on commit drop`.execute(trx)
  await sql`
    with kept as (
      delete from plan_action a using part_hold h
      where a.action = 'end' and h.seller_id = ${sellerId} and h.ended_at is null and h.listing_id = a.listing_id
      returning a.listing_id
    )
    insert into plan_ordered select distinct listing_id, 'missing' from kept`.execute(trx)
  await sql`
    insert into plan_ordered
    select distinct a.listing_id, 'still-listed'
    from part_order o join order_line i on i.order_id = o.id join plan_action a on a.listing_id = i.listing_id
    join listing l on l.id = i.listing_id
    where o.seller_id = ${sellerId} and o.state in ('confirmed', 'ready', 'shipped', 'delivered', 'closed')
      and a.action in ('same', 'update') and l.ended_reason = 'sold-here'
      and l.ended_at < now() - make_interval(days => ${SOLD_DAYS})
  `.execute(trx)
}

/** Stores what a plan noted, in place of an earlier plan's. */
export async function storeOrderedParts(trx: Db, promotionId: string): Promise<void> {
  await sql`delete from promotion_ordered_part where promotion_id = ${promotionId}`.execute(trx)
  const { rows } = await sql<{ has: boolean }>`
    select to_regclass('pg_temp.plan_ordered') is not null as has`.execute(trx)
  if (!rows[0]?.has) return
  await sql`
    insert into promotion_ordered_part (promotion_id, listing_id, why)
    select ${promotionId}::uuid, listing_id, why from plan_ordered
  `.execute(trx)
}

/** Notes parts that were ordered after the plan was made. */
export async function noteOrderedParts(
  trx: Db,
  promotionId: string,
  parts: readonly { listingId: string; why: 'missing' | 'fewer' }[],
): Promise<void> {
  if (parts.length === 0) return
  await sql`
    insert into promotion_ordered_part (promotion_id, listing_id, why)
    select ${promotionId}::uuid, id, why
    from unnest(${parts.map(({ listingId }) => listingId)}::uuid[], ${parts.map(({ why }) => why)}::text[]) as noted(id, why)
    on conflict do nothing
  `.execute(trx)
}

/** The questions about ordered parts: how many there are, and the first `limit`. */
export async function listOrderedParts(
  db: Db,
  promotionId: string,
  limit: number,
): Promise<ImportReceipt['ordered']> {
  const { rows } = await sql<{
    id: string
    partslug: string
    title: string
    why: 'missing' | 'fewer' | 'still-listed'
    order: { id: string; number: string } | null
    total: number
  }>`
    select l.id, l.slug as partslug, ${LISTING_TITLE} as title, p.why, count(*) over ()::integer as total,
           (select json_build_object('id', o.id, 'number', o.number)
            from order_line i join part_order o on o.id = i.order_id
            where i.listing_id = l.id and o.state not in ('quoting', 'expired', 'canceled', 'not-found', 'refunded')
            order by o.id desc limit 1) as "order"
    from promotion_ordered_part p join listing l on l.id = p.listing_id
    where p.promotion_id = ${promotionId} order by l.id limit ${limit}
  `.execute(db)
  return {
    total: rows[0]?.total ?? 0,
    rows: rows.map(({ why, order, total: _, ...listing }) => ({
      listing,
      order,
      reason: questions[why](order?.number),
    })),
  }
}

const questions = {
  missing: (number: string | undefined) =>
    number === undefined
      ? 'Your file says that it’s gone. A buyer wanted it at the time, so it stays listed. End the listing if you no longer have it.'
      : `Your file says that it’s gone, but order ${number} needs it, so it stays listed. Do you still have it? Answer in the order.`,
  fewer: (number: string | undefined) =>
    `Your file has fewer pieces than buyers ordered, so the quantity stays.${number === undefined ? '' : ` Do you have enough for order ${number}?`}`,
  'still-listed': (number: string | undefined) =>
    `It was sold here more than ${SOLD_DAYS} days ago${number === undefined ? '' : ` in order ${number}`}, and your file still lists it. Do you have another one? Then put it back on sale.`,
} as const
