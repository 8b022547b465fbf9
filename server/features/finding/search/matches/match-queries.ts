import { type RawBuilder, sql } from 'kysely'
import type { AdminConditions, Search, SortOrder } from '#server/features/finding/search/query/search.ts'
import { type Tally, tallyFields, tallyOf } from '#server/features/market/for-sale/tally.ts'
import type { SampleShare } from '#server/features/market/listings/search-row/fact-marks.ts'
import { readPage, type Shape } from '#server/features/market/listings/shown/shapes.ts'
import { type Db, onlyRow } from '#server/platform/database/database.ts'
import { indexCondition, orderedPart, rowCondition, searched } from './match-conditions.ts'
import {
  type FoundIds,
  idsOfPage,
  orderBy,
  orderedColumns,
  pricedListings,
  type Span,
} from './ordered-lists.ts'

/* The matches of a search: gathered by the index of the words, or found by walking a list in its order. */

/** The rows that a walk through all listings visits. */
const walkedRows = (everybody: AdminConditions | undefined): RawBuilder<unknown> =>
  everybody?.status === 'HIDDEN' ? sql`hidden` : sql`true`

// MATCHES_SHOWN plus one.
const COUNTED_AT_MOST = sql`10001`

/**
 * A walk checks this many of the newest listings (35 ms); if the page is not full by then, the matches are old. A test
 * walks less, to need fewer listings.
 */
export const walks = { atMost: sql`50000` }

// Few, since each is a statement of its own, and a prepared one takes 0.5 MB of every connection.
const pageEnds = [
  { rows: 12, limit: sql`12` },
  { rows: 24, limit: sql`24` },
  { rows: 100, limit: sql`100` },
  { rows: 500, limit: sql`500` },
]

/**
 * All matches by the index, if there are few enough to show: their number and a page of them. If `matches` is above
 * MATCHES_SHOWN, the ids are wrong. Planned with its values every time: a generic plan is wrong for most words.
 */
export async function gatherMatches(
  db: Db,
  search: Search,
  span: Span,
): Promise<FoundIds & { matches: number }> {
  const { rows } = await sql<FoundIds & { matches: number }>`
    with matching as materialized (${matchingIds(search)} limit ${COUNTED_AT_MOST})
    select tally.*, (select count(*) from matching) as matches, ${idsOfPage(inOrder(search), span, pageEnds)} as ids
    from (${tallyOf(search.seller?.id)}) tally
  `.execute(db)
  return onlyRow(rows)
}

/** The number of all matches: 0.2 s for a million. */
export async function countMatches(db: Db, search: Search): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (${matchingIds(search)}) matching
  `.execute(db)
  return onlyRow(rows).count
}

/** A select of the ids of all matches as `listing_id`, no matter how many. */
export const matchingIds = (search: Search): RawBuilder<unknown> => sql`
  select t.listing_id from ${searched(search)}
  where ${indexCondition(search)}`

/** A select of columns of the search rows `t` of all matches, or of those in a sample. */
export const matchingRows = (
  search: Search,
  sample: SampleShare | undefined,
  columns: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  select ${columns} from ${searched(search)}
  where ${indexCondition(search, sample)}`

// Miles around a buyer within which a page of many matches is looked for first.
const RINGS = [25, 100, 400]

/** A page of all matches, no matter how many. */
export async function sortMatches(db: Db, search: Search, span: Span): Promise<FoundIds> {
  const { near, ...limits } = search.limits
  for (const miles of search.sort === 'nearest' && near ? RINGS : []) {
    if (!near || miles >= (near.miles ?? Number.POSITIVE_INFINITY)) break
    const nearby = { ...search, limits: { ...limits, near: { place: near.place, miles } } }
    const found = await sortAllMatches(db, nearby, span)
    if (found.ids.length === span.limit) return found
  }
  return sortAllMatches(db, search, span)
}

async function sortAllMatches(db: Db, search: Search, span: Span): Promise<FoundIds> {
  const { rows } = await sql<FoundIds>`
    with matching as materialized (${matchingIds(search)})
    select tally.*, ${idsOfPage(inOrder(search), span, pageEnds)} as ids from (${tallyOf(search.seller?.id)}) tally
  `.execute(db)
  return onlyRow(rows)
}

/** No index is ordered by distance. */
type WalkedSearch = Search & { sort: SortOrder }

/** A page of frequent matches, found by walking the list in order; one that is not full may be incomplete. */
export async function walkMatches<Item extends { id: string }>(
  db: Db,
  { search, span, shape }: { search: WalkedSearch; span: Span; shape: Shape<Item> },
): Promise<Tally & { items: Item[] }> {
  const { head, items } = await readPage<Tally, Item>(db, shape, {
    head: sql`
      select tally.*, ${idsOfPage(walk(search), span, pageEnds)} as ids
      from (${tallyOf(search.seller?.id)}) tally`,
    fields: tallyFields,
  })
  return { ...head, items }
}

/** The inner limit ends the walk, not the matches; it also fixes the plan. */
function walk(search: WalkedSearch): RawBuilder<unknown> {
  const along = orderedPart(search)
  if (!along) {
    return sql`
      select t.listing_id
      from (
        select * from listing_search where ${walkedRows(search.everybody)}
        order by listing_id desc limit ${walks.atMost}
      ) t
      where ${rowCondition(search)} order by t.listing_id desc`
  }
  const order = orderBy(search, search.sort)
  return sql`
    select l.id
    from (select ${orderedColumns} from ${pricedListings} where ${along} order by ${order} limit ${walks.atMost}) l
    cross join lateral (select from listing_search t where t.listing_id = l.id and ${rowCondition(search)} offset 0) t
    order by ${order}`
}

function inOrder(search: Search): RawBuilder<unknown> {
  const { sort, limits } = search
  if (sort === 'newest') return sql`select listing_id from matching order by listing_id desc`
  if (sort === 'nearest') {
    return sql`
      select t.listing_id
      from matching join listing_search t using (listing_id)
      left join (
        select place, miles_between(place, ${limits.near?.place ?? null}) as miles from listing_place
      ) far on far.place = t.place
      order by far.miles, t.listing_id desc`
  }
  return sql`
    select l.id from matching join ${pricedListings} on l.id = matching.listing_id order by ${orderBy(search, sort)}`
}

/** Merges recent writes into the index, so that searches need not read them separately. Costs nothing if there are none. */
export async function mergePendingRows(db: Db): Promise<void> {
  await sql`select gin_clean_pending_list('listing_search_all')`.execute(db)
}
