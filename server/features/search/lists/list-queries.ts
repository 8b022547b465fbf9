import { type RawBuilder, sql } from 'kysely'
import type { ListingGap } from '#contract/listing/seller-check.ts'
import type { Listing } from '#contract/listings.ts'
import { readPage, type Shape } from '#server/features/listings/listing-queries.ts'
import { type Facts, type SampleShare, withFacts } from '#server/features/listings/search-row/fact-marks.ts'
import { type MeantVehicle, vehicleQuery } from '#server/features/listings/search-row/fitment-marks.ts'
import { LOWEST_ID } from '#server/platform/database/cursors.ts'
import { type Db, onlyRow } from '#server/platform/database/database.ts'

export type Span = { offset: number; limit: number }
/** The ids of a page's listings in order, and the tally of the same snapshot. */
export type FoundIds = Tally & { ids: string[] }

/** Public listings `l`: active, not ended, not deleted. The partial indexes have these very conditions. */
export const isLive = sql`l.status = 'ACTIVE' and l.ended_at is null and l.deleted_at is null`

/** Each order can begin at any row `start`, taken from a checkpoint. */
const orders = {
  newest: { by: sql`l.id desc`, from: sql`l.id <= start.listing_id` },
  oldest: { by: sql`l.id`, from: sql`l.id >= start.listing_id` },
  'price-low': {
    by: sql`l.price_cents, l.id`,
    from: sql`(l.price_cents, l.id) >= (start.price_cents, start.listing_id)`,
  },
  'price-high': {
    by: sql`l.price_cents desc, l.id desc`,
    from: sql`(l.price_cents, l.id) <= (start.price_cents, start.listing_id)`,
  },
} as const
export type SortOrder = keyof typeof orders

/** The sort columns of listings `l`. */
export const orderBy = (sort: SortOrder): RawBuilder<unknown> => orders[sort].by

/** A list that people can page through to its end; an index has it in order. */
export type PagedList = {
  /** The key of its checkpoints. */
  key: string
  /** Undefined for the public list. */
  sellerId: string | undefined
  /** The tally's field with its length. */
  count: 'live' | 'running' | 'ended' | 'kept'
  sort: SortOrder
  /** The source of its rows, as `l`. */
  table: RawBuilder<unknown>
  where: RawBuilder<unknown>
  by: RawBuilder<unknown>
  from: RawBuilder<unknown>
}

export function liveList(sort: SortOrder): PagedList {
  const key = sort === 'newest' ? 'live' : `live:${sort}`
  return { key, sellerId: undefined, count: 'live', sort, table: listings, where: isLive, ...orders[sort] }
}

const listings = sql`listing l`

/** All sellers' listings including hidden and ended ones, newest first; deleted ones have no search row. */
export const everyList: PagedList = {
  key: 'every',
  sellerId: undefined,
  count: 'kept',
  sort: 'newest',
  table: sql`(select listing_id as id from listing_search) l`,
  where: sql`true`,
  ...orders.newest,
}

/**
 * A seller's own listings: running ones (including hidden ones) or ended ones, never deleted ones. Only the newest and the
 * oldest are in an index's order; by price, a seller's rows are sorted (30,000 take 40 ms).
 */
export function sellerList(
  sellerId: string,
  state: 'active' | 'sold',
  sort: SortOrder = 'newest',
): PagedList {
  const ended = state === 'sold'
  return {
    key: `seller:${sellerId}${ended ? ':ended' : ''}${sort === 'newest' ? '' : `:${sort}`}`,
    sellerId,
    count: ended ? 'ended' : 'running',
    sort,
    table: listings,
    where: sql`l.seller_id = ${sellerId} and l.deleted_at is null and ${endedIs(ended)}`,
    ...orders[sort],
  }
}

/** Whether listings `l` are ended. */
export const endedIs = (ended: boolean): RawBuilder<unknown> =>
  ended ? sql`l.ended_at is not null` : sql`l.ended_at is null`

/** The tally as arguments of json_build_object. */
export const tallyFields = sql<Tally>`
  'live', head.live, 'running', head.running, 'ended', head.ended, 'kept', head.kept,
  'writes', head.writes, 'changes', head.changes`

/** A page that ends above this row is read from the top in under a millisecond. */
export const NEAR_THE_TOP = 2_100

// The usual first page (12 rows instead of 48 save a tenth of its time), one of any page size, a few more, and all others.
const nearTheTop = [
  { rows: 12, limit: sql`12` },
  { rows: 48, limit: sql`48` },
  { rows: 200, limit: sql`200` },
  { rows: NEAR_THE_TOP, limit: sql`2100` },
]

/** A limit of a walk as a literal of the statement. */
export type Reach = { rows: number; limit: RawBuilder<unknown> }

/**
 * The ids of a page as an array: `walk` stops at the first reach that covers the page and is cut to it. With a limit as a
 * parameter the statement would be planned every time: the planner assumes a tenth of the table for an unknown limit and
 * rejects its generic plan.
 */
export function idsOfPage(walk: RawBuilder<unknown>, { offset, limit }: Span, reaches: readonly Reach[]) {
  const reach = reaches.find(({ rows }) => offset + limit <= rows)
  if (!reach) return sql`array(${walk} limit ${limit} offset ${offset})`
  return sql`(array(${walk} limit ${reach.limit}))[${offset}::int + 1 : ${offset}::int + ${limit}::int]`
}

/** A page of a list, read from its top. */
export async function readPageFromTop<Item extends { id: string }>(
  db: Db,
  { list, span, shape }: { list: PagedList; span: Span; shape: Shape<Item> },
): Promise<Tally & { items: Item[] }> {
  const walk = sql`select l.id from ${list.table} where ${list.where} order by ${list.by}`
  const { head, items } = await readPage<Tally, Item>(db, shape, {
    head: sql`
      select tally.*, ${idsOfPage(walk, span, nearTheTop)} as ids from (${tallyOf(list.sellerId)}) tally`,
    fields: tallyFields,
  })
  return { ...head, items }
}

/** Listings by their ids, in this order, and the tally of the same snapshot: whether they are still those of a list. */
export async function readWithTally<Item extends { id: string }>(
  db: Db,
  shape: Shape<Item>,
  ids: readonly string[],
): Promise<Tally & { items: Item[] }> {
  const { head, items } = await readPage<Tally, Item>(db, shape, {
    head: sql`select tally.*, ${[...ids]}::uuid[] as ids from (${tallyOf(undefined)}) tally`,
    fields: tallyFields,
  })
  return { ...head, items }
}

/** Exact counts of a seller's listings, or of all, and the version of the data. */
export type Tally = {
  /** Public ones. */
  live: number
  /** Neither ended nor deleted, including hidden ones. */
  running: number
  ended: number
  /** All that are not deleted. */
  kept: number
  /** Grows with every write to a listing: lists read at the same number are the same. */
  writes: number
  /** Change rows of all sellers that are not folded into the tally yet. */
  changes: number
}

/** The seller id of the tally of all sellers. */
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

/** A select of one number: sellers with public listings. */
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

/** Words of a model's name, as beginnings of words. */
export type ModelWords = {
  /** Patterns of LIKE for `model_words()`; all must be met. */
  patterns: readonly string[]
  /** Text of a tsquery that every listing of such a model meets; '' if its words are all stop words. */
  query: string
}

/** Among everybody's listings, whatever their status, ended ones too. */
export type AdminConditions = {
  status: Listing['status'] | undefined
  model: ModelWords | undefined
  /** Ids. */
  sellers: readonly string[] | undefined
  /** A pattern of LIKE for the dealer's name in lower case. */
  dealer: string | undefined
}

/** What a buyer asks besides words and facts. */
export type Limits = {
  /** The id of a seller whose public listings are searched. */
  sellerId?: string | undefined
  minCents?: number | undefined
  maxCents?: number | undefined
  milesMax?: number | undefined
  /** A place, and how many miles around it; undefined for any distance. */
  near?: { place: number; miles: number | undefined } | undefined
}

/** What the words of a search were understood as. */
export type Meant = {
  /** Any of these categories; undefined for any at all. */
  categoryIds: readonly string[] | undefined
  vehicle: MeantVehicle | undefined
}

/** A search in the public listings, one seller's, or everybody's. */
export type Search = {
  /** Text of a tsquery, from `toQuery`; '' for any words. */
  words: string
  facts: Facts
  limits: Limits
  categoryId: string | undefined
  manufacturerId: string | undefined
  carModelId: string | undefined
  meant?: Meant
  seller: { id: string; state: 'active' | 'sold' } | undefined
  /** What a seller's own listings lack. */
  gap?: ListingGap | undefined
  everybody?: AdminConditions
  /** The nearest first only with `limits.near`. */
  sort: SortOrder | 'nearest'
}

/** Text of the tsquery for words, facts and vehicles, in all listings or in a sample; '' for any. */
export function queryOf(search: Search, sample?: SampleShare): string {
  const { words, facts, manufacturerId, carModelId, meant } = search
  const asked = { manufacturerId, carModelId, year: facts.year, meant: meant?.vehicle }
  const vehicle = isByFitment(search) ? vehicleQuery(asked) : ''
  // The vehicle's mark has the year.
  const others = withFacts(
    words,
    vehicle === '' || meant?.vehicle?.years ? facts : { ...facts, year: undefined },
    sample,
  )
  return [others, vehicle].filter((one) => one !== '').join(' & ')
}

/** Buyers look for what fits a vehicle; sellers and administrators for what came from it. */
export const isByFitment = ({ seller, everybody }: Search): boolean => !seller && !everybody

/** The maximum number of matches that are counted and can be paged through. */
export const MATCHES_SHOWN = 10_000

export const isMany = ({ matches }: { matches: number }): boolean => matches > MATCHES_SHOWN
