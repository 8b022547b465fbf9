import { type RawBuilder, sql } from 'kysely'
import type { Search, SortOrder } from '#server/features/finding/search/query/search.ts'
import { isForSale } from '#server/features/market/for-sale/for-sale.ts'
import { type Tally, tallyFields, tallyOf } from '#server/features/market/for-sale/tally.ts'
import { readPage, type Shape } from '#server/features/market/listings/shown/shapes.ts'
import type { Db } from '#server/platform/database/database.ts'

/* Whole lists of listings, in an order that an index has. */

export type Span = { offset: number; limit: number }
/** The ids of a page's listings in order, and the tally of the same snapshot. */
export type FoundIds = Tally & { ids: string[] }

type Orders = Record<SortOrder, RawBuilder<unknown>>

/** Sellers see their own prices. */
const ownOrders: Orders = {
  newest: sql`l.id desc`,
  oldest: sql`l.id`,
  'price-low': sql`l.price_cents, l.id`,
  'price-high': sql`l.price_cents desc, l.id desc`,
}

/**
 * Listings `l` with what a buyer pays. The planner sees through it to the two indexes on these expressions: one alone, read
 * backward, would begin with what is quoted.
 */
export const pricedListings = sql`
  (select *, shipping_kind = 'quote' as is_quoted, price_cents + coalesce(shipping_cents, 0) as total_cents
   from listing) l`

/** A price without its shipping is no bargain. What the seller quotes is unknown, so such parts come last. */
const publicOrders: Orders = {
  ...ownOrders,
  'price-low': sql`l.is_quoted, l.total_cents, l.id`,
  'price-high': sql`l.is_quoted, l.total_cents desc, l.id desc`,
}

/** The columns of `pricedListings` that orders read. */
export const orderedColumns = sql`l.id, l.price_cents, l.is_quoted, l.total_cents`

/** The order of a search's `pricedListings`. */
export const orderBy = ({ seller }: Pick<Search, 'seller'>, sort: SortOrder): RawBuilder<unknown> =>
  (seller ? ownOrders : publicOrders)[sort]

/** A list whose pages are read from its top. */
export type OrderedList = {
  /** Names the list and its order. */
  key: string
  /** Undefined for lists of all sellers. */
  sellerId: string | undefined
  /** The tally's field with its length. */
  count: 'live' | 'running' | 'ended' | 'kept'
  /** The source of its rows, as `l`. */
  table: RawBuilder<unknown>
  where: RawBuilder<unknown>
  by: RawBuilder<unknown>
}

export function liveList(sort: SortOrder): OrderedList {
  const by = publicOrders[sort]
  return {
    key: `live:${sort}`,
    sellerId: undefined,
    count: 'live',
    table: pricedListings,
    where: isForSale,
    by,
  }
}

const listings = sql`listing l`

/** All sellers' listings including hidden and ended ones, newest first; deleted ones have no search row. */
export const everyList: OrderedList = {
  key: 'every',
  sellerId: undefined,
  count: 'kept',
  table: sql`(select listing_id as id from listing_search) l`,
  where: sql`true`,
  by: ownOrders.newest,
}

/**
 * A seller's own listings: running ones (including hidden ones) or ended ones, never deleted ones. Only the newest and the
 * oldest are in an index's order; by price, a seller's rows are sorted (30,000 take 40 ms).
 */
export function sellerList(
  sellerId: string,
  state: 'active' | 'sold',
  sort: SortOrder = 'newest',
): OrderedList {
  const ended = state === 'sold'
  return {
    key: `seller:${sellerId}:${state}:${sort}`,
    sellerId,
    count: ended ? 'ended' : 'running',
    table: listings,
    where: sql`l.seller_id = ${sellerId} and l.deleted_at is null and ${endedCondition(ended)}`,
    by: ownOrders[sort],
  }
}

/** Whether listings `l` are ended. */
export const endedCondition = (ended: boolean): RawBuilder<unknown> =>
  ended ? sql`l.ended_at is not null` : sql`l.ended_at is null`

// Further down a page is read by OFFSET: 40,000 rows of an index take 15 ms, and the statement is planned every time.
const NEAR_THE_TOP = 2_100

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
  { list, span, shape }: { list: OrderedList; span: Span; shape: Shape<Item> },
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

/** The maximum number of matches that are counted and can be paged through. */
export const MATCHES_SHOWN = 10_000

export const isMany = ({ matches }: { matches: number }): boolean => matches > MATCHES_SHOWN
