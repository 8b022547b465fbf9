import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/platform/database.ts'
import {
  endedIs,
  type FoundIds,
  idsOfPage,
  isLive,
  onlyRow,
  orderBy,
  type Span,
  tallyColumns,
} from './list-queries.ts'
import { type ReadListing, readPage } from './listing-queries.ts'
import { MATCHES_SHOWN, type Search } from './search.ts'
import { type Tally, tallyOf } from './tally-queries.ts'

// So many of the newest are looked at one by one (35 ms); if a page is not full by then, its words are old ones.
const WALKED_AT_MOST = sql`50000`

/**
 * All matches by the index, if they are few enough to be shown: their number and a page of them. Where `matches` is
 * above MATCHES_SHOWN the ids are not the right ones. Planned with its values every time, as all that use the index: a
 * plan made for any word would read the whole table for a rare one.
 */
export async function gatherMatches(
  db: Db,
  search: Search,
  span: Span,
): Promise<FoundIds & { matches: number }> {
  const { rows } = await sql<FoundIds & { matches: number }>`
    with tally as materialized (${tallyOf(search.seller?.id)}),
    matching as materialized (
      select t.listing_id from ${searched(search)} where ${indexed(search)} limit ${MATCHES_SHOWN + 1}
    )
    select tally.*, (select count(*) from matching) as matches, array(${pageOfMatching(search, span)}) as ids
    from tally
  `.execute(db)
  return onlyRow(rows)
}

/** A page of all matches, however many. */
export async function sortMatches(db: Db, search: Search, span: Span): Promise<FoundIds> {
  const { rows } = await sql<FoundIds>`
    with tally as materialized (${tallyOf(search.seller?.id)}),
    matching as materialized (select t.listing_id from ${searched(search)} where ${indexed(search)})
    select tally.*, array(${pageOfMatching(search, span)}) as ids from tally
  `.execute(db)
  return onlyRow(rows)
}

const pageEnds = [
  { rows: 12, limit: sql`12` },
  { rows: 24, limit: sql`24` },
  { rows: 48, limit: sql`48` },
  { rows: 100, limit: sql`100` },
]

/**
 * A page of matches that are frequent, found by going through the list in its order, from the listing `newest` on where
 * it is known that nothing above it matches. Ends after WALKED_AT_MOST, so a page that is not full may not be all.
 */
export async function walkMatches(
  db: Db,
  search: Search,
  { newest, ...span }: Span & { newest: string | undefined },
): Promise<Tally & { items: ReadListing[] }> {
  const { head, items } = await readPage<Tally>(db, {
    head: sql`
      select tally.*, ${idsOfPage(walk(search, newest), span, pageEnds)} as ids
      from (${tallyOf(search.seller?.id)}) tally`,
    columns: tallyColumns,
  })
  return { ...head, items }
}

/** The limit inside is no condition on matches but an end to the walk; it also keeps the planner on its way. */
function walk(search: Search, newest: string | undefined): RawBuilder<unknown> {
  if (search.sort === 'newest' && !search.seller) {
    const from = newest === undefined ? sql`` : sql`where listing_id <= ${newest}`
    return sql`
      select t.listing_id
      from (select * from listing_search ${from} order by listing_id desc limit ${WALKED_AT_MOST}) t
      where ${looked(search)} order by t.listing_id desc`
  }
  const among = search.seller
    ? sql`l.seller_id = ${search.seller.id} and l.deleted_at is null and ${endedIs(search.seller.state === 'sold')}`
    : isLive
  const order = orderBy(search.sort)
  return sql`
    select l.id
    from (select l.id, l.price_cents from listing l where ${among} order by ${order} limit ${WALKED_AT_MOST}) l
    cross join lateral (select from listing_search t where t.listing_id = l.id and ${looked(search)} offset 0) t
    order by ${order}`
}

/** A seller's ended listings are no others to the index than running ones. */
function searched({ seller }: Search): RawBuilder<unknown> {
  if (!seller) return sql`listing_search t`
  return sql`listing_search t join listing l on l.id = t.listing_id and ${endedIs(seller.state === 'sold')}`
}

/** What is asked of a search row `t`, so that the index answers all of it but `live`. */
function indexed(search: Search): RawBuilder<unknown> {
  return condition(search, sql`t.document @@ ${search.query}::tsquery`)
}

/** The same for a row that is looked at: as a function its cost does not depend on the words, and is planned once. */
function looked(search: Search): RawBuilder<unknown> {
  return condition(search, sql`ts_match_vq(t.document, ${search.query}::tsquery)`)
}

function condition(search: Search, words: RawBuilder<unknown>): RawBuilder<unknown> {
  const asked = [
    search.seller ? sql`t.seller_id = ${search.seller.id}` : sql`t.live`,
    search.query !== '' && words,
    search.categoryId && sql`t.category_id = ${search.categoryId}`,
    search.manufacturerId && sql`t.manufacturer_id = ${search.manufacturerId}`,
    search.carModelId && sql`t.car_model_id = ${search.carModelId}`,
  ]
  return sql.join(
    asked.filter((one) => typeof one === 'object'),
    sql` and `,
  )
}

function pageOfMatching({ sort }: Search, { offset, limit }: Span): RawBuilder<unknown> {
  if (sort === 'newest') {
    return sql`select listing_id from matching order by listing_id desc limit ${limit} offset ${offset}`
  }
  return sql`
    select l.id from matching join listing l on l.id = matching.listing_id
    order by ${orderBy(sort)} limit ${limit} offset ${offset}`
}
