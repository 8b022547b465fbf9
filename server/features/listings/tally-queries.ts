import { type RawBuilder, sql } from 'kysely'
import { LOWEST_ID } from '#server/platform/database/cursors.ts'
import type { Db } from '#server/platform/database/database.ts'

/** Exact counts of a seller's listings, or of all, and the version of the data they belong to. */
export type Tally = {
  /** Public ones. */
  live: number
  /** Neither ended nor deleted, hidden ones too. */
  running: number
  ended: number
  /** Running and ended ones, which is all that are not deleted. */
  kept: number
  /** Grows with every write to a listing: lists read at the same number are the same. */
  writes: number
  /** Rows that wait to be folded into the tally, of all sellers. */
  changes: number
}

/** Under this id the tally counts all sellers together. */
const EVERYBODY = LOWEST_ID

/** A select of one row, the `Tally` as of its statement's snapshot. */
export function tallyOf(sellerId: string | undefined): RawBuilder<Tally> {
  const ofSeller = sellerId === undefined ? sql`` : sql`filter (where seller_id = ${sellerId})`
  return sql<Tally>`
    select coalesce(t.live, 0) + c.live as live, coalesce(t.running, 0) + c.running as running,
           coalesce(t.ended, 0) + c.ended as ended,
           coalesce(t.running + t.ended, 0) + c.running + c.ended as kept,
           coalesce(t.writes, 0) + c.writes as writes, c.changes
    from (
      select coalesce(sum(live) ${ofSeller}, 0) as live, coalesce(sum(running) ${ofSeller}, 0) as running,
             coalesce(sum(ended) ${ofSeller}, 0) as ended, coalesce(sum(writes) ${ofSeller}, 0) as writes,
             count(*) as changes
      from listing_tally_change
    ) c left join listing_tally t on t.seller_id = ${sellerId ?? EVERYBODY}
  `
}

/** The public listings of the seller that a column names, for a select over sellers. */
export const liveListingsOf = (sellerId: RawBuilder<unknown>): RawBuilder<number> => sql<number>`(
  coalesce((select live from listing_tally where seller_id = ${sellerId}), 0)
  + coalesce((select sum(live) from listing_tally_change where seller_id = ${sellerId}), 0)
)::bigint`

/** A select of one number: sellers who have something public. */
export const sellersListing: RawBuilder<unknown> = sql`
  select count(*) from (
    select from (
      select seller_id, live from listing_tally where seller_id <> ${EVERYBODY}
      union all
      select seller_id, live from listing_tally_change
    ) counted
    group by seller_id having sum(live) > 0
  ) sellers
`

export async function readTally(db: Db): Promise<Tally> {
  const { rows } = await sql<Tally>`/* prepared */ ${tallyOf(undefined)}`.execute(db)
  const [tally] = rows
  if (!tally) throw new Error('the tally of all listings is missing')
  return tally
}

// Bounds one statement, however long nobody folded.
const FOLDED_AT_ONCE = 5_000

/**
 * Folds changes into the tally and answers how many. Two at once share the rows; only they ever lock a tally, in the order
 * of its key.
 */
export async function foldTally(db: Db): Promise<number> {
  const { rows } = await sql<{ folded: number }>`
    with taken as (
      delete from listing_tally_change where ctid = any(array(
        select ctid from listing_tally_change limit ${FOLDED_AT_ONCE} for update skip locked
      ))
      returning *
    ), folded as (
      insert into listing_tally as t (seller_id, live, running, ended, writes)
      select coalesce(seller_id, ${EVERYBODY}), sum(live), sum(running), sum(ended), sum(writes)
      from taken group by rollup (seller_id) having count(*) > 0
      order by 1
      on conflict (seller_id) do update
        set live = t.live + excluded.live, running = t.running + excluded.running,
            ended = t.ended + excluded.ended, writes = t.writes + excluded.writes
    )
    select count(*) as folded from taken
  `.execute(db)
  return rows[0]?.folded ?? 0
}
