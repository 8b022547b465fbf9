import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { type ReadListing, readPage } from './listing-queries.ts'
import { type Tally, tallyOf } from './tally-queries.ts'

export type Span = { offset: number; limit: number }
/** The ids of a page's listings, in order, and what was counted in the same moment. */
export type FoundIds = Tally & { ids: string[] }

/** Public listings `l`: active, not ended, not deleted. The partial indexes have these very conditions. */
export const isLive = sql`l.status = 'ACTIVE' and l.ended_at is null and l.deleted_at is null`

/** Each order can begin anywhere: at the row `start`, which a checkpoint remembers. */
const orders = {
  newest: { by: sql`l.id desc`, from: sql`l.id <= start.listing_id` },
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

/** By what listings `l` are sorted. */
export const orderBy = (sort: SortOrder): RawBuilder<unknown> => orders[sort].by

/** A list that is shown whole, to its very end; an index has it in its order. */
export type WholeList = {
  /** Under which its checkpoints stand. */
  key: string
  /** Whose it is; undefined for the public list. */
  sellerId: string | undefined
  /** What its tally calls its length. */
  count: 'live' | 'running' | 'ended' | 'kept'
  sort: SortOrder
  /** What is walked, as `l`. */
  table: RawBuilder<unknown>
  where: RawBuilder<unknown>
  by: RawBuilder<unknown>
  from: RawBuilder<unknown>
}

export function liveList(sort: SortOrder): WholeList {
  const key = sort === 'newest' ? 'live' : `live:${sort}`
  return { key, sellerId: undefined, count: 'live', sort, table: listings, where: isLive, ...orders[sort] }
}

const listings = sql`listing l`

/** Everybody's listings, hidden and ended ones too, newest first; deleted ones have no search row. */
export const everyList: WholeList = {
  key: 'every',
  sellerId: undefined,
  count: 'kept',
  sort: 'newest',
  table: sql`(select listing_id as id from listing_search) l`,
  where: sql`true`,
  ...orders.newest,
}

/** A seller's own listings, newest first: running ones, hidden included, or ended ones; never deleted ones. */
export function sellerList(sellerId: string, state: 'active' | 'sold'): WholeList {
  const ended = state === 'sold'
  return {
    key: `seller:${sellerId}${ended ? ':ended' : ''}`,
    sellerId,
    count: ended ? 'ended' : 'running',
    sort: 'newest',
    table: listings,
    where: sql`l.seller_id = ${sellerId} and l.deleted_at is null and ${endedIs(ended)}`,
    ...orders.newest,
  }
}

/** Whether listings `l` are ended. */
export const endedIs = (ended: boolean): RawBuilder<unknown> =>
  ended ? sql`l.ended_at is not null` : sql`l.ended_at is null`

/** What every page tells beside its listings. */
export const tallyTold = sql`
  'live', head.live, 'running', head.running, 'ended', head.ended, 'kept', head.kept,
  'writes', head.writes, 'changes', head.changes`

/** How deep a page can end that is counted off from the top in under a millisecond. */
export const NEAR_THE_TOP = 2_100

// The first page as it is mostly asked for (12 rows read instead of 48 are a tenth of its time) and of any size that
// people choose, a few more, and all the others.
const nearTheTop = [
  { rows: 12, limit: sql`12` },
  { rows: 48, limit: sql`48` },
  { rows: 200, limit: sql`200` },
  { rows: NEAR_THE_TOP, limit: sql`2100` },
]

/** An end of a walk that is written out in the statement. */
export type Reach = { rows: number; limit: RawBuilder<unknown> }

/**
 * The ids of a page as an array: `walk` goes to the first end at or beyond the page's, and is cut to the page. A limit
 * that is a parameter would have the statement planned every time: for an unknown one the planner takes a tenth of the
 * table, and never believes in its own plan.
 */
export function idsOfPage(walk: RawBuilder<unknown>, { offset, limit }: Span, reaches: readonly Reach[]) {
  const reach = reaches.find(({ rows }) => offset + limit <= rows)
  if (!reach) return sql`array(${walk} limit ${limit} offset ${offset})`
  return sql`(array(${walk} limit ${reach.limit}))[${offset}::int + 1 : ${offset}::int + ${limit}::int]`
}

/** A page of a list, counted off from its top. */
export async function readPageFromTop(
  db: Db,
  list: WholeList,
  span: Span,
): Promise<Tally & { items: ReadListing[] }> {
  const walk = sql`select l.id from ${list.table} where ${list.where} order by ${list.by}`
  const { head, items } = await readPage<Tally>(db, {
    head: sql`
      select tally.*, ${idsOfPage(walk, span, nearTheTop)} as ids from (${tallyOf(list.sellerId)}) tally`,
    told: tallyTold,
  })
  return { ...head, items }
}

/** Of a statement that always answers one row. */
export function onlyRow<T>(rows: readonly T[]): T {
  const [row] = rows
  if (row === undefined) throw new Error('a statement of one row answered none')
  return row
}
