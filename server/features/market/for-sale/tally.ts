import { type RawBuilder, sql } from 'kysely'
import { type Db, HIGHEST_ID, LOWEST_ID, onlyRow } from '#server/platform/database/database.ts'
import { whyGone } from './for-sale.ts'

/** Exact counts of a seller's listings, or of all, and the version of the data. */
export type Tally = {
  /** Listings for sale; excludes those of gone sellers. */
  live: number
  /** Neither ended nor deleted, including hidden ones. */
  running: number
  ended: number
  /** All listings that are not deleted. */
  kept: number
  /** Grows with every change of what is public: lists read at the same number are the same. */
  writes: number
  /** Change rows of all sellers that are not folded into the tally yet. */
  changes: number
}

/** The tally as arguments of json_build_object. */
export const tallyFields = sql<Tally>`
  'live', head.live, 'running', head.running, 'ended', head.ended, 'kept', head.kept,
  'writes', head.writes, 'changes', head.changes`

/** The seller id of the tally of all sellers. */
const EVERYBODY = LOWEST_ID

/** A select of one row, the `Tally` as of its statement's snapshot. */
export function tallyOf(sellerId: string | undefined): RawBuilder<Tally> {
  const ofSeller = sellerId === undefined ? sql`` : sql`filter (where seller_id = ${sellerId})`
  // Sellers keep their own lists, gone or not.
  const ofOpen = sellerId === undefined ? sql`filter (where seller_id not in (${goneSellers}))` : ofSeller
  const ofGone = sellerId === undefined ? sql`- ${foldedLiveOfGone}` : sql``
  return sql<Tally>`
    select coalesce(t.live, 0) + c.live ${ofGone} as live, coalesce(t.running, 0) + c.running as running,
           coalesce(t.ended, 0) + c.ended as ended,
           coalesce(t.running + t.ended, 0) + c.running + c.ended as kept,
           coalesce(t.writes, 0) + c.writes as writes, c.changes
    from (
      select coalesce(sum(live) ${ofOpen}, 0) as live, coalesce(sum(running) ${ofSeller}, 0) as running,
             coalesce(sum(ended) ${ofSeller}, 0) as ended, coalesce(sum(writes) ${ofSeller}, 0) as writes,
             count(*) as changes
      from listing_tally_change
    ) c left join listing_tally t on t.seller_id = ${sellerId ?? EVERYBODY}
  `
}

const goneSellers = sql`select seller_id from gone_seller`

/**
 * Counted by seller, so that nobody has to count a yard's million parts when its seller is disabled or enabled. The
 * offset makes it one lookup for each gone seller, instead of reading the tallies of all.
 */
const foldedLiveOfGone = sql`(
  select coalesce(sum(t.live), 0)::bigint from gone_seller g
  cross join lateral (select live from listing_tally t where t.seller_id = g.seller_id offset 0) t
)`

/** The listings for sale of the seller in a column, for a select over sellers; none if the seller is gone. */
export const liveListingsOf = (sellerId: RawBuilder<unknown>): RawBuilder<number> => sql<number>`(
  case when ${whyGone(sellerId)} is not null then 0 else ${liveListingsIfEnabled(sellerId)} end)`

/** The same, but for a gone seller the listings that would be for sale again. */
export const liveListingsIfEnabled = (sellerId: RawBuilder<unknown>): RawBuilder<number> => sql<number>`(
  coalesce((select live from listing_tally where seller_id = ${sellerId}), 0)
  + coalesce((select sum(live) from listing_tally_change where seller_id = ${sellerId}), 0)
)::bigint`

/** A select of `seller_id` and `live`: all sellers with listings for sale, and how many. */
export const liveBySeller: RawBuilder<unknown> = sql`
  select seller_id, sum(live) as live
  from (
    select seller_id, live from listing_tally where seller_id <> ${EVERYBODY}
    union all
    select seller_id, live from listing_tally_change
  ) counted
  where seller_id not in (${goneSellers})
  group by seller_id having sum(live) > 0
`

export async function readTally(db: Db): Promise<Tally> {
  const { rows } = await sql<Tally>`/* prepared */ ${tallyOf(undefined)}`.execute(db)
  return onlyRow(rows)
}

// Limits one statement, no matter how long ago the last fold was.
const FOLDED_AT_ONCE = 5_000

/**
 * Folds changes into the tally and returns how many. Two at once share the rows; only they ever lock a tally, in the order
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

/** Moves the version of the data on, for a change of what is public that no trigger sees. */
export async function noteChange(trx: Db): Promise<void> {
  await sql`insert into listing_tally_change values (${NOBODY}, 0, 0, 0, 1)`.execute(trx)
}

/** The seller id of changes that do not belong to a seller (`note_public_change` in the database). */
const NOBODY = HIGHEST_ID
