import { type RawBuilder, sql } from 'kysely'
import type { OwnFigures } from '#contract/listings.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Log } from '#server/platform/log.ts'

// Views come in bursts and a lost one matters little: one statement every few seconds instead of a write per view.
const FLUSH_MS = 3_000

export type ViewCounter = { count(listingId: string): void; close(): Promise<void> }

/** Counts views in memory and writes them together. A crash loses at most a few seconds of them. */
export function openViewCounter(db: Db, log: Log): ViewCounter {
  let pending = new Map<string, number>()
  let flushing = Promise.resolve()
  const writePending = async () => {
    if (pending.size === 0) return
    const batch = pending
    pending = new Map()
    await addViews(db, batch).catch((error: unknown) => {
      log.warn({ err: error, listings: batch.size }, 'views not written, kept for the next try')
      for (const [id, views] of batch) pending.set(id, (pending.get(id) ?? 0) + views)
    })
  }
  // One after another, so that close() ends after all of them.
  const flush = () => {
    flushing = flushing.then(writePending)
    return flushing
  }
  const timer = setInterval(() => void flush(), FLUSH_MS)
  timer.unref()
  return {
    count: (listingId) => void pending.set(listingId, (pending.get(listingId) ?? 0) + 1),
    close: async () => {
      clearInterval(timer)
      await flush()
    },
  }
}

/**
 * The day is in the seller's time zone, since the seller reads it. Rows are written in key order and sums before single
 * views, so that two processes flushing the same listings cannot deadlock.
 */
async function addViews(db: Db, batch: ReadonlyMap<string, number>): Promise<void> {
  await sql`
    with looked as materialized (
      select l.id, l.seller_id, l.category_id, (now() at time zone s.time_zone)::date as day, t.views
      from unnest(${[...batch.keys()]}::uuid[], ${[...batch.values()]}::int[]) as t(id, views)
      join listing l on l.id = t.id
      join seller s on s.id = l.seller_id
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

/** Views of the last 30 days and messages of a page of listings, by listing id. */
export async function countOwnFigures(
  db: Db,
  ids: readonly string[],
  now: Date,
): Promise<Record<string, OwnFigures>> {
  if (ids.length === 0) return {}
  const { rows } = await sql<OwnFigures & { id: string }>`
    select asked.id, coalesce(seen.views, 0)::int as views, written.messages, written.unanswered
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
