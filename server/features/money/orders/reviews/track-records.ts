import { type RawBuilder, sql } from 'kysely'
import { DAY_MS } from '#contract/order/order-steps.ts'
import {
  averageStars,
  hasBadge,
  RECORD_DAYS,
  recordLines,
  type TrackRecord,
} from '#contract/pages/track-record.ts'
import type { Db } from '#server/platform/database/database.ts'

/* What yards did with their orders, and what buyers said: counted by a job and read by pages (docs/decisions/0120). */

/** A row of `yard_record`. */
export type RecordRow = {
  reviews: number
  stars: number
  confirm_of: number
  confirmed: number
  ship_of: number
  shipped: number
  deliver_of: number
  came_back: number
}

const NOTHING: RecordRow = {
  reviews: 0,
  stars: 0,
  confirm_of: 0,
  confirmed: 0,
  ship_of: 0,
  shipped: 0,
  deliver_of: 0,
  came_back: 0,
}

/** Of `yard_review`: buyers see it. */
export const isPublished = sql`(published_at is not null and hidden_at is null)`

type Standing = { reviews: number; stars: number | null; record: { badge: boolean; lines: string[] } }

/** As everybody sees it; null for a yard that nothing was counted of. */
export function presentRecord(row: RecordRow | null): Standing {
  const { reviews, stars, ...counted } = row ?? NOTHING
  const record: TrackRecord = {
    confirmed: { count: counted.confirmed, of: counted.confirm_of },
    shipped: { count: counted.shipped, of: counted.ship_of },
    cameBack: { count: counted.came_back, of: counted.deliver_of },
  }
  return {
    reviews,
    stars: averageStars({ reviews, stars }),
    record: { badge: hasBadge(record), lines: recordLines(record) },
  }
}

export async function readRecord(db: Db, sellerId: string): Promise<Standing> {
  const { rows } = await sql<RecordRow>`select * from yard_record where seller_id = ${sellerId}`.execute(db)
  return presentRecord(rows[0] ?? null)
}

/**
 * Whether the yard had to look for the part of order `o` and its buyer did not cancel meanwhile; and whether it confirmed it.
 * A part sold at once and then not found counts against it, too.
 */
const hadToConfirm = sql`(e.confirmed or e.missing or e.missed)`
const didConfirm = sql`(e.confirmed and not e.missing)`

const sentAt = sql`coalesce(o.shipped_at, o.ready_at)`

/** Sent, or not although the day is over or the money went back. A buyer who asked to cancel, or a hold, is no fault of the yard. */
const hadToShip = (now: Date) => sql`(o.ship_by is not null and (${sentAt} is not null or (
  o.captured_cents > 0 and o.cancel_asked_at is null and o.held_at is null
  and (o.state in ('refunded', 'not-found') or o.ship_by < ${now}))))`

/** Sent back or refunded in full. Money for a scratch that the buyer accepted is neither. */
const cameBack = sql`(o.state = 'refunded'
  or exists (select from order_line l where l.order_id = o.id and l.state = 'returned'))`

/** Counts all yards, or one. Rows that say the same are not written, so that no page is made again for nothing. */
export async function countRecords(db: Db, now: Date, sellerId?: string): Promise<void> {
  const since = new Date(now.getTime() - RECORD_DAYS * DAY_MS)
  const of = (column: RawBuilder<unknown>) =>
    sellerId === undefined ? sql`true` : sql`${column} = ${sellerId}`
  await sql`
    with counted as (
      select o.seller_id,
             count(*) filter (where ${hadToConfirm}) as confirm_of,
             count(*) filter (where ${hadToConfirm} and ${didConfirm}) as confirmed,
             count(*) filter (where ${hadToShip(now)}) as ship_of,
             count(*) filter (where ${hadToShip(now)} and ${sentAt} <= o.ship_by) as shipped,
             count(*) filter (where o.delivered_at is not null) as deliver_of,
             count(*) filter (where o.delivered_at is not null and ${cameBack}) as came_back
      from part_order o
      cross join lateral (
        select coalesce(bool_or(kind in ('confirm', 'take')), false) as confirmed,
               coalesce(bool_or(kind = 'not-found'), false) as missing, coalesce(bool_or(kind = 'miss'), false) as missed
        from order_event where order_id = o.id
      ) e
      where o.created_at > ${since} and ${of(sql`o.seller_id`)}
      group by o.seller_id
    ), reviewed as (
      select seller_id, count(*) as reviews, sum(stars) as stars from yard_review
      where ${isPublished} and ${of(sql`seller_id`)} group by seller_id
    ), yard as (
      select seller_id from counted union select seller_id from reviewed
      union select seller_id from yard_record where ${of(sql`seller_id`)}
    )
    insert into yard_record as r (seller_id, reviews, stars, confirm_of, confirmed, ship_of, shipped, deliver_of, came_back)
    select yard.seller_id, coalesce(reviews, 0), coalesce(stars, 0), coalesce(confirm_of, 0), coalesce(confirmed, 0),
           coalesce(ship_of, 0), coalesce(shipped, 0), coalesce(deliver_of, 0), coalesce(came_back, 0)
    from yard left join counted using (seller_id) left join reviewed using (seller_id)
    on conflict (seller_id) do update set
      reviews = excluded.reviews, stars = excluded.stars, confirm_of = excluded.confirm_of, confirmed = excluded.confirmed,
      ship_of = excluded.ship_of, shipped = excluded.shipped, deliver_of = excluded.deliver_of, came_back = excluded.came_back
    where r is distinct from excluded`.execute(db)
}
