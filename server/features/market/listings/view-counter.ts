import { createHmac, randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { OwnFigures } from '#contract/listings.ts'
import { isOpen, orderStates } from '#contract/order/order-steps.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Log } from '#server/platform/log.ts'
import { networkOf } from '#server/platform/net/addresses.ts'

// Views come in bursts and a lost one matters little: one statement every few seconds instead of a write per view.
const FLUSH_MS = 3_000
// While the database is down, later views are lost: a few MB are enough to remember.
const MOST_PENDING = 50_000
// Longer than any browser's.
const LONGEST_AGENT = 300

/** Identifies a visitor. */
type Visitor = { ip: string; userAgent: string | undefined }

export type ViewCounter = { count(listingId: string, visitor: Visitor): void; close(): Promise<void> }

/**
 * Counts the visitors of each listing; repeated visits on the same day count once. Views are collected in memory and
 * written together; a crash loses at most a few seconds of them.
 */
export function openViewCounter(db: Db, log: Log): ViewCounter {
  let pending = new Set<string>()
  let flushing = Promise.resolve()
  const writePending = async () => {
    if (pending.size === 0) return
    const batch = pending
    pending = new Set()
    await addViews(db, [...batch]).catch((error: unknown) => {
      log.warn({ err: error, views: batch.size }, 'views not written, kept for the next try')
      for (const view of batch) pending.add(view)
    })
  }
  // One flush at a time, so that close() waits for all of them.
  const flush = () => {
    flushing = flushing.then(writePending)
    return flushing
  }
  const timer = setInterval(() => void flush(), FLUSH_MS)
  timer.unref()
  return {
    count(listingId, { ip, userAgent = '' }) {
      if (pending.size >= MOST_PENDING) return
      pending.add(`${listingId} ${networkOf(ip)} ${userAgent.slice(0, LONGEST_AGENT)}`)
    },
    close: async () => {
      clearInterval(timer)
      await flush()
    },
  }
}

const UUID_LENGTH = 36

/** @param views the listing's id and the visitor, as collected above; not stored or logged in this form */
async function addViews(db: Db, views: readonly string[]): Promise<void> {
  const { day, salt } = (await findSalt(db)) ?? (await beginDay(db))
  const marks = views.map((view) => createHmac('sha256', salt).update(view).digest('hex').slice(0, 32))
  const ids = views.map((view) => view.slice(0, UUID_LENGTH))
  await insertViews(db, { day, marks, ids })
}

type Salt = { day: string; salt: Buffer }

const today = sql`(now() at time zone 'utc')::date`

async function findSalt(db: Db): Promise<Salt | undefined> {
  const { rows } = await sql<Salt>`select day::text, salt from view_salt where day = ${today}`.execute(db)
  return rows[0]
}

/** The first process to count on a day creates its salt and deletes the earlier ones. */
async function beginDay(db: Db): Promise<Salt> {
  await sql`delete from view_salt where day < ${today}`.execute(db)
  await sql`
    insert into view_salt (day, salt) values (${today}, ${randomBytes(32)}) on conflict do nothing
  `.execute(db)
  const salt = await findSalt(db)
  if (!salt) throw new Error('the day ended while it began')
  return salt
}

/**
 * A count's day is in the seller's time zone. Rows are written in key order, and marks before sums before single views,
 * so that two processes flushing the same listings cannot deadlock.
 */
async function insertViews(
  db: Db,
  { day, marks, ids }: { day: string; marks: readonly string[]; ids: readonly string[] },
): Promise<void> {
  await sql`
    with sent as (
      select * from unnest(${marks}::uuid[], ${ids}::uuid[]) as t(mark, id)
    ), fresh as (
      insert into view_mark (day, mark) select ${day}::date, mark from sent order by mark
      on conflict do nothing
      returning mark
    ), looked as materialized (
      select l.id, l.seller_id, l.category_id, (now() at time zone s.time_zone)::date as day, count(*)::int as views
      from fresh join sent using (mark) join listing l on l.id = sent.id join seller s on s.id = l.seller_id
      group by l.id, s.time_zone
    ), summed as (
      insert into seller_day as d (seller_id, day, category_id, views)
      select seller_id, day, category_id, sum(views) from looked group by 1, 2, 3 order by 1, 2, 3
      on conflict (seller_id, day, category_id) do update set views = d.views + excluded.views
      returning 1
    )
    insert into listing_view as v (listing_id, seller_id, day, views)
    select id, seller_id, day, views
    from looked where (select count(*) from summed) > 0
    order by id
    on conflict (listing_id, day) do update set views = v.views + excluded.views
  `.execute(db)
}

const DAYS_SHOWN = 30

/** The first of the last 30 days, today included. */
export const firstDayShown = (now: Date): RawBuilder<unknown> =>
  sql`${now}::timestamptz::date - ${DAYS_SHOWN - 1}::int`

const openOrderStates = orderStates.filter(isOpen)

/** Views of the last 30 days and messages of a page of listings, by listing id. */
export async function countOwnFigures(
  db: Db,
  ids: readonly string[],
  now: Date,
): Promise<Record<string, OwnFigures>> {
  if (ids.length === 0) return {}
  const { rows } = await sql<OwnFigures & { id: string }>`
    select asked.id, coalesce(seen.views, 0)::int as views, written.messages, written.unanswered,
           (select json_build_object('id', o.id, 'number', o.number, 'state', o.state)
            from order_line i join part_order o on o.id = i.order_id
            where i.listing_id = asked.id and o.state = any(${openOrderStates})
            order by o.id desc limit 1) as "order"
    from unnest(${[...ids]}::uuid[]) as asked(id)
    cross join lateral (
      select sum(v.views) as views from listing_view v
      where v.listing_id = asked.id and v.day >= ${firstDayShown(now)}
    ) seen
    cross join lateral (
      select count(*)::int as messages, count(*) filter (where l.state = 'new')::int as unanswered
      from lead l where l.listing_id = asked.id
    ) written
  `.execute(db)
  return Object.fromEntries(rows.map(({ id, ...figures }) => [id, figures]))
}
