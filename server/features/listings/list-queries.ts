import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/platform/database.ts'
import { type Tally, tallyOf } from './tally-queries.ts'

export type Span = { offset: number; limit: number }
/** The ids of a page's listings, in order, and what was counted in the same moment. */
export type FoundIds = Tally & { ids: string[] }

/** Public listings `l`: active, not ended, not deleted. */
export const isLive = sql`l.status = 'ACTIVE' and l.ended_at is null and l.deleted_at is null`

/** Each order can begin anywhere: at the row `start`, which a checkpoint remembers. */
const orders = {
  newest: { by: sql`l.id desc`, from: sql`l.id <= (select listing_id from start)` },
  'price-low': {
    by: sql`l.price_cents, l.id`,
    from: sql`(l.price_cents, l.id) >= ((select price_cents from start), (select listing_id from start))`,
  },
  'price-high': {
    by: sql`l.price_cents desc, l.id desc`,
    from: sql`(l.price_cents, l.id) <= ((select price_cents from start), (select listing_id from start))`,
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
  count: 'live' | 'running' | 'ended'
  sort: SortOrder
  where: RawBuilder<unknown>
  by: RawBuilder<unknown>
  from: RawBuilder<unknown>
}

export function liveList(sort: SortOrder): WholeList {
  const key = sort === 'newest' ? 'live' : `live:${sort}`
  return { key, sellerId: undefined, count: 'live', sort, where: isLive, ...orders[sort] }
}

/** A seller's own listings, newest first: running ones, hidden included, or ended ones; never deleted ones. */
export function sellerList(sellerId: string, state: 'active' | 'sold'): WholeList {
  const ended = state === 'sold'
  return {
    key: `seller:${sellerId}${ended ? ':ended' : ''}`,
    sellerId,
    count: ended ? 'ended' : 'running',
    sort: 'newest',
    where: sql`l.seller_id = ${sellerId} and l.deleted_at is null and ${endedIs(ended)}`,
    ...orders.newest,
  }
}

/** Whether listings `l` are ended. */
export const endedIs = (ended: boolean): RawBuilder<unknown> =>
  ended ? sql`l.ended_at is not null` : sql`l.ended_at is null`

/** A part of a list, counted off from its top. */
export async function findIdsFromTop(db: Db, list: WholeList, { offset, limit }: Span): Promise<FoundIds> {
  const { rows } = await sql<FoundIds>`/* prepared */
    with tally as materialized (${tallyOf(list.sellerId)})
    select tally.*, array(
      select l.id from listing l where ${list.where} order by ${list.by} limit ${limit} offset ${offset}
    ) as ids
    from tally
  `.execute(db)
  return onlyRow(rows)
}

/** Of a statement that always answers one row. */
export function onlyRow<T>(rows: readonly T[]): T {
  const [row] = rows
  if (row === undefined) throw new Error('a statement of one row answered none')
  return row
}
