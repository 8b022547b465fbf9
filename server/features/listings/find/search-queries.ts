import { type RawBuilder, sql } from 'kysely'
import { type ReadListing, readPage } from '#server/features/listings/listing-queries.ts'
import { HIGHEST_ID } from '#server/platform/database/cursors.ts'
import { type Db, onlyRow } from '#server/platform/database/database.ts'
import {
  type Everybody,
  endedIs,
  type FoundIds,
  idsOfPage,
  isLive,
  type ModelWords,
  orderBy,
  type Search,
  type Span,
  type Tally,
  tallyFields,
  tallyOf,
} from './list-queries.ts'

/*
 * The scope of a search as conditions on its rows `t`, in two forms: one that is planned with its values, so that an index
 * can be used, and one with the same text for all searches, for rows that are checked one by one.
 */

function indexScope({ seller, publicSeller, everybody }: Search): RawBuilder<unknown> {
  if (seller) return sql`t.seller_id = ${seller.id}`
  if (publicSeller !== undefined) return sql`t.live and t.seller_id = ${publicSeller}`
  if (!everybody) return sql`t.live`
  const { status, model, sellers, dealer } = everybody
  const conditions = [
    status && sql`t.hidden = ${status === 'HIDDEN'}`,
    model && ofModel(model),
    sellers && sql`t.seller_id = any(${[...sellers]}::uuid[])`,
    dealer && sql`t.listing_id in (select id from listing where lower(dealer_name) like ${dealer})`,
  ].filter((condition) => typeof condition === 'object')
  return conditions.length > 0 ? sql`(${sql.join(conditions, sql` and `)})` : sql`true`
}

function rowScope({ seller, publicSeller, everybody }: Search): RawBuilder<unknown> {
  if (seller) return sql`true`
  if (publicSeller !== undefined) return sql`t.live and t.seller_id = ${publicSeller}`
  if (!everybody) return sql`t.live`
  const { status, model, sellers, dealer } = everybody
  const hidden = sql`(select ${status ? status === 'HIDDEN' : null}::boolean)`
  const patterns = sql`${model?.patterns ?? null}::text[]`
  const words = sql`(select ${model?.query || null}::tsquery)`
  const ids = sql`${sellers ? [...sellers] : null}::uuid[]`
  const dealerName = sql`(select ${dealer ?? null}::text)`
  return sql`
    (${hidden} is null or t.hidden = ${hidden})
    and (${ids} is null or t.seller_id = any(${ids}))
    and (${dealerName} is null
         or (select lower(m.dealer_name) like ${dealerName} from listing m where m.id = t.listing_id))
    and (${patterns} is null or t.car_model_id = any(${modelIds(patterns)})
         or (t.car_model_id is null and ts_match_vq(t.document, ${words}) and ${namesModel(patterns)}))`
}

/** A listing whose model is not a lookup has it as text only, and its words in the document. */
function ofModel({ patterns: words, query }: ModelWords): RawBuilder<unknown> {
  const patterns = sql`${words}::text[]`
  const listed = sql`t.car_model_id = any(${modelIds(patterns)})`
  if (query === '') return listed
  return sql`(${listed}
    or (t.car_model_id is null and t.document @@ ${query}::tsquery and ${namesModel(patterns)}))`
}

const modelIds = (patterns: RawBuilder<unknown>) =>
  sql`array(select id from car_model where words like all (${patterns}))`

// Not "exists": that may be hashed, which reads every listing.
const namesModel = (patterns: RawBuilder<unknown>) =>
  sql`(select model_words(m.model_name) like all (${patterns}) from listing m where m.id = t.listing_id)`

/** The rows that a walk through all listings visits. */
const walkedRows = (everybody: Everybody | undefined): RawBuilder<unknown> =>
  everybody?.status === 'HIDDEN' ? sql`hidden` : sql`true`

// One more than MATCHES_SHOWN.
const COUNTED_AT_MOST = sql`10001`

// A walk checks this many of the newest listings (35 ms); if the page is not full by then, the matches are old.
const WALKED_AT_MOST = sql`50000`

// Few, since each is a statement of its own, and a prepared one takes 0.5 MB of every connection.
const pageEnds = [
  { rows: 12, limit: sql`12` },
  { rows: 24, limit: sql`24` },
  { rows: 100, limit: sql`100` },
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
    ${matching(search, sql`${search.query}::tsquery`)}
    select tally.*, (select count(*) from matching) as matches, ${idsOfPage(inOrder(search), span, pageEnds)} as ids
    from (${tallyOf(search.seller?.id)}) tally
  `.execute(db)
  return onlyRow(rows)
}

/**
 * The same for words that are known to match few, with details and planned once: for a query in a subselect the planner
 * always assumes a thousandth of the table and uses the index.
 */
export async function readFewMatches(
  db: Db,
  search: Search,
  span: Span,
): Promise<Tally & { matches: number; items: ReadListing[] }> {
  const { head, items } = await readPage<Tally & { matches: number }>(db, {
    head: sql`
      ${matching(search, sql`(select ${search.query}::tsquery)`)}
      select tally.*, (select count(*) from matching) as matches, ${idsOfPage(inOrder(search), span, pageEnds)} as ids
      from (${tallyOf(search.seller?.id)}) tally`,
    fields: sql`${tallyFields}, 'matches', head.matches`,
  })
  return { ...head, items }
}

const matching = (search: Search, query: RawBuilder<unknown>) => sql`
  with matching as materialized (
    select t.listing_id from ${searched(search)}
    where ${indexCondition(search, sql`t.document @@ ${query}`)} limit ${COUNTED_AT_MOST}
  )`

/** A select of the ids of all matches as `listing_id`, no matter how many. */
export const matchingIds = (search: Search): RawBuilder<unknown> => sql`
  select t.listing_id from ${searched(search)}
  where ${indexCondition(search, sql`t.document @@ ${search.query}::tsquery`)}`

/** A page of all matches, no matter how many. */
export async function sortMatches(db: Db, search: Search, span: Span): Promise<FoundIds> {
  const { rows } = await sql<FoundIds>`
    with matching as materialized (${matchingIds(search)})
    select tally.*, ${idsOfPage(inOrder(search), span, pageEnds)} as ids from (${tallyOf(search.seller?.id)}) tally
  `.execute(db)
  return onlyRow(rows)
}

/**
 * A page of frequent matches, found by walking the list in order, from `newest` on if nothing above it is known to match.
 * Ends after WALKED_AT_MOST, so a page that is not full may be incomplete.
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
    fields: tallyFields,
  })
  return { ...head, items }
}

/**
 * The inner limit ends the walk, not the matches; it also fixes the plan. The start is a subselect: with a visible value
 * the planner would find its generic plan more expensive and plan the statement every time, half of a page's time.
 */
function walk(search: Search, newest = HIGHEST_ID): RawBuilder<unknown> {
  const along = walkedAlong(search)
  if (!along) {
    return sql`
      select t.listing_id
      from (
        select * from listing_search where ${walkedRows(search.everybody)} and listing_id <= (select ${newest}::uuid)
        order by listing_id desc limit ${WALKED_AT_MOST}
      ) t
      where ${rowCondition(search)} order by t.listing_id desc`
  }
  const order = orderBy(search.sort)
  const from = search.sort === 'newest' ? sql`and l.id <= (select ${newest}::uuid)` : sql``
  return sql`
    select l.id
    from (
      select l.id, l.price_cents from listing l where ${along} ${from} order by ${order} limit ${WALKED_AT_MOST}
    ) l
    cross join lateral (select from listing_search t where t.listing_id = l.id and ${rowCondition(search)} offset 0) t
    order by ${order}`
}

/** The part of the listings that an index has in the search's order; undefined means all of them, newest first. */
function walkedAlong(search: Search): RawBuilder<unknown> | undefined {
  const { seller, sort, carModelId, categoryId, manufacturerId } = search
  if (seller)
    return sql`l.seller_id = ${seller.id} and l.deleted_at is null and ${endedIs(seller.state === 'sold')}`
  if (search.everybody) return undefined
  if (sort !== 'newest') return isLive
  // The narrowest first: there are more models than categories, and more categories than manufacturers.
  if (carModelId) return sql`l.car_model_id = (select ${carModelId}::uuid) and ${isLive}`
  if (categoryId) return sql`l.category_id = (select ${categoryId}::uuid) and ${isLive}`
  if (manufacturerId) return sql`l.manufacturer_id = (select ${manufacturerId}::uuid) and ${isLive}`
  return undefined
}

/** The index does not distinguish a seller's ended listings from running ones. */
function searched({ seller }: Search): RawBuilder<unknown> {
  if (!seller) return sql`listing_search t`
  return sql`listing_search t join listing l on l.id = t.listing_id and ${endedIs(seller.state === 'sold')}`
}

/** The conditions on a search row `t`; one index covers all but `live`. */
function indexCondition(search: Search, words: RawBuilder<unknown>): RawBuilder<unknown> {
  const conditions = [
    indexScope(search),
    search.query !== '' && words,
    search.categoryId && sql`t.category_id = ${search.categoryId}`,
    search.manufacturerId && sql`t.manufacturer_id = ${search.manufacturerId}`,
    search.carModelId && sql`t.car_model_id = ${search.carModelId}`,
  ]
  return sql.join(
    conditions.filter((one) => typeof one === 'object'),
    sql` and `,
  )
}

/**
 * The same for a row that is checked, with one text for all searches. Values are subselects and the words a function's
 * argument: all searches cost the planner's estimate the same, so that it plans the statement once.
 */
export function rowCondition(search: Search): RawBuilder<unknown> {
  const { query, categoryId, manufacturerId, carModelId } = search
  const words = sql`(select ${query === '' ? null : query}::tsquery)`
  const matchesId = (column: RawBuilder<unknown>, id: string | undefined) => {
    const wanted = sql`(select ${id ?? null}::uuid)`
    return sql`(${wanted} is null or ${column} = ${wanted})`
  }
  return sql`
    ${rowScope(search)} and (${words} is null or ts_match_vq(t.document, ${words}))
    and ${matchesId(sql`t.category_id`, categoryId)} and ${matchesId(sql`t.manufacturer_id`, manufacturerId)}
    and ${matchesId(sql`t.car_model_id`, carModelId)}`
}

function inOrder({ sort }: Search): RawBuilder<unknown> {
  if (sort === 'newest') return sql`select listing_id from matching order by listing_id desc`
  return sql`select l.id from matching join listing l on l.id = matching.listing_id order by ${orderBy(sort)}`
}

/** Merges recent writes into the index, so that searches need not read them separately. */
export async function mergePendingRows(db: Db): Promise<void> {
  await sql`select gin_clean_pending_list('listing_search_all')`.execute(db)
}
