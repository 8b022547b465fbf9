import { type RawBuilder, sql } from 'kysely'
import { gapNames, type ListingGap } from '#contract/listing/seller-check.ts'
import { readPage, type Shape } from '#server/features/listings/listing-queries.ts'
import type { SampleShare } from '#server/features/listings/search-row/fact-marks.ts'
import {
  type AdminConditions,
  endedIs,
  type FoundIds,
  idsOfPage,
  isByFitment,
  isLive,
  type Limits,
  type ModelWords,
  orderBy,
  type PagedList,
  queryOf,
  type Search,
  type SortOrder,
  type Span,
  type Tally,
  tallyFields,
  tallyOf,
} from '#server/features/search/lists/list-queries.ts'
import { asksNothing } from '#server/features/search/query/read-query.ts'
import { HIGHEST_ID } from '#server/platform/database/cursors.ts'
import { type Db, onlyRow } from '#server/platform/database/database.ts'
import { gapConditions, picturesOf } from './gaps.ts'

/*
 * The scope of a search as conditions on its rows `t`, in two forms: one that is planned with its values, so that an index
 * can be used, and one with the same text for all searches, for rows that are checked one by one.
 */

function indexScope({ seller, everybody }: Search): RawBuilder<unknown> {
  if (seller) return sql`t.seller_id = ${seller.id}`
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

function rowScope({ seller, everybody }: Search): RawBuilder<unknown> {
  if (seller) return sql`true`
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
const walkedRows = (everybody: AdminConditions | undefined): RawBuilder<unknown> =>
  everybody?.status === 'HIDDEN' ? sql`hidden` : sql`true`

// One more than MATCHES_SHOWN.
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
    ${matching(search, sql`${queryOf(search)}::tsquery`)}
    select tally.*, (select count(*) from matching) as matches, ${idsOfPage(inOrder(search), span, pageEnds)} as ids
    from (${tallyOf(search.seller?.id)}) tally
  `.execute(db)
  return onlyRow(rows)
}

/**
 * The same for words that are known to match few, with details and planned once: for a query in a subselect the planner
 * always assumes a thousandth of the table and uses the index.
 */
export async function readFewMatches<Item extends { id: string }>(
  db: Db,
  { search, span, shape }: { search: Search; span: Span; shape: Shape<Item> },
): Promise<Tally & { matches: number; items: Item[] }> {
  const { head, items } = await readPage<Tally & { matches: number }, Item>(db, shape, {
    head: sql`
      ${matching(search, sql`(select ${queryOf(search)}::tsquery)`)}
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
  where ${indexCondition(search, sql`t.document @@ ${queryOf(search)}::tsquery`)}`

/** A select of columns of the search rows `t` of all matches, or of those in a sample. */
export const matchingRows = (
  search: Search,
  sample: SampleShare | undefined,
  columns: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  select ${columns} from ${searched(search)}
  where ${indexCondition(search, sql`t.document @@ ${queryOf(search, sample)}::tsquery`, sample)}`

// Miles around a buyer within which a page of many matches is looked for first.
const RINGS = [25, 100, 400]

// 300,000 listings took 9 s on a busy machine, most of it for their pictures.
const COUNTED_LISTINGS = 50_000

type GapCounts = { counts: Record<ListingGap, number>; isPartial: boolean }

/** How many of a seller's newest listings lack each thing, of those that a search finds. Reads each of them once. */
export async function countGaps(
  db: Db,
  { where }: PagedList,
  search: Search | 'everything' | 'nothing',
): Promise<GapCounts> {
  const found = {
    everything: sql`true`,
    nothing: sql`false`,
  }
  const isFound = typeof search === 'string' ? found[search] : sql`l.id in (${matchingIds(search)})`
  const conditions = Object.values(gapConditions(sql`pictures`))
  const { rows } = await sql<{ counts: number[]; looked: number }>`
    select array[${sql.join(conditions.map((lacks) => sql`count(*) filter (where ${lacks})`))}]::int[] as counts,
           count(*)::int as looked
    from (
      select l.*, ${picturesOf} as pictures from listing l
      where ${where} and ${isFound} order by l.id desc limit ${COUNTED_LISTINGS}
    ) l
  `.execute(db)
  const { counts, looked } = onlyRow(rows)
  const byGap = gapNames.map((gap, at) => [gap, counts[at] ?? 0])
  return { counts: Object.fromEntries(byGap), isPartial: looked === COUNTED_LISTINGS }
}

/** A page of all matches, no matter how many. */
export async function sortMatches(db: Db, search: Search, span: Span): Promise<FoundIds> {
  const { near, ...limits } = search.limits
  for (const miles of search.sort === 'nearest' && near ? RINGS : []) {
    if (!near || miles >= (near.miles ?? Number.POSITIVE_INFINITY)) break
    const nearby = { ...search, limits: { ...limits, near: { ...near, miles } } }
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

/** No index has the nearest first. */
type WalkedSearch = Search & { sort: SortOrder }

type Walk<Item extends { id: string }> = {
  search: WalkedSearch
  span: Span
  shape: Shape<Item>
  newest: string | undefined
}

/**
 * A page of frequent matches, found by walking the list in order, from `newest` on if nothing above it is known to match.
 * Ends after WALKED_AT_MOST, so a page that is not full may be incomplete.
 */
export async function walkMatches<Item extends { id: string }>(
  db: Db,
  { search, span, shape, newest }: Walk<Item>,
): Promise<Tally & { items: Item[] }> {
  const { head, items } = await readPage<Tally, Item>(db, shape, {
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
function walk(search: WalkedSearch, newest = HIGHEST_ID): RawBuilder<unknown> {
  const along = orderedPart(search)
  if (!along) {
    return sql`
      select t.listing_id
      from (
        select * from listing_search where ${walkedRows(search.everybody)} and listing_id <= (select ${newest}::uuid)
        order by listing_id desc limit ${walks.atMost}
      ) t
      where ${rowCondition(search)} order by t.listing_id desc`
  }
  const order = orderBy(search.sort)
  const from = search.sort === 'newest' ? sql`and l.id <= (select ${newest}::uuid)` : sql``
  return sql`
    select l.id
    from (
      select l.id, l.price_cents from listing l where ${along} ${from} order by ${order} limit ${walks.atMost}
    ) l
    cross join lateral (select from listing_search t where t.listing_id = l.id and ${rowCondition(search)} offset 0) t
    order by ${order}`
}

/** The part of the listings that an index has in the search's order; undefined means all of them, newest first. */
function orderedPart(search: Search): RawBuilder<unknown> | undefined {
  const { seller, sort, categoryId, gap } = search
  if (seller) {
    const lacks = gap ? sql`and ${gapConditions()[gap]}` : sql``
    return sql`l.seller_id = ${seller.id} and l.deleted_at is null and ${endedIs(seller.state === 'sold')} ${lacks}`
  }
  if (search.everybody) return undefined
  if (sort !== 'newest') return isLive
  if (categoryId) return sql`l.category_id = (select ${categoryId}::uuid) and ${isLive}`
  return undefined
}

/** A seller's listings that lack something: all that is asked for is in their own rows, which an index has by seller. */
const isGapAlone = (search: Search): boolean =>
  search.gap !== undefined && asksNothing({ ...search, gap: undefined })

/** The index does not distinguish a seller's ended listings from running ones. */
function searched(search: Search): RawBuilder<unknown> {
  const { seller } = search
  if (!seller) return sql`listing_search t`
  if (isGapAlone(search)) return sql`listing l cross join lateral (select l.id as listing_id) t`
  return sql`listing_search t join listing l on l.id = t.listing_id and ${endedIs(seller.state === 'sold')}`
}

/** The conditions on a search row `t`; one index covers all but `live`. */
function indexCondition(
  search: Search,
  words: RawBuilder<unknown>,
  sample?: SampleShare,
): RawBuilder<unknown> {
  const { gap } = search
  if (isGapAlone(search)) return sql`${orderedPart(search)}`
  const conditions = [
    indexScope(search),
    gap && gapConditions()[gap],
    queryOf(search, sample) !== '' && words,
    search.categoryId && sql`t.category_id = ${search.categoryId}`,
    !isByFitment(search) && search.manufacturerId && sql`t.manufacturer_id = ${search.manufacturerId}`,
    !isByFitment(search) && search.carModelId && sql`t.car_model_id = ${search.carModelId}`,
    search.meant?.categoryIds && sql`t.category_id = any(${[...search.meant.categoryIds]}::uuid[])`,
    ...limitConditions(search.limits),
  ]
  return sql.join(
    conditions.filter((one) => typeof one === 'object'),
    sql` and `,
  )
}

function limitConditions({ sellerId, minCents, maxCents, milesMax, near }: Limits) {
  const ofListing = [
    minCents !== undefined && sql`f.price_cents >= ${minCents}`,
    maxCents !== undefined && sql`f.price_cents <= ${maxCents}`,
    milesMax !== undefined && sql`f.miles <= ${milesMax}`,
  ].filter((one) => typeof one === 'object')
  return [
    sellerId !== undefined && sql`t.seller_id = ${sellerId}`,
    near?.miles !== undefined && sql`t.place = any(${placesAround(sql`${near.place}`, sql`${near.miles}`)})`,
    ofListing.length > 0 &&
      sql`t.listing_id in (select f.id from listing f
          where f.status = 'ACTIVE' and f.ended_at is null and f.deleted_at is null and ${sql.join(ofListing, sql` and `)})`,
  ]
}

/** The distance is computed for each place that listings have, not for each listing. */
const placesAround = (here: RawBuilder<unknown>, miles: RawBuilder<unknown>) =>
  sql`array(select p.place from listing_place p where miles_between(p.place, ${here}::integer) <= ${miles}::float8)`

/**
 * The same for a row that is checked, with one text for all searches. Values are subselects and the words a function's
 * argument: all searches cost the planner's estimate the same, so that it plans the statement once.
 */
export const rowCondition = (search: Search): RawBuilder<unknown> =>
  sql`${rowScope(search)} and ${meets(valuesOf(search))}`

/** What a search asks for, each as a value of SQL, null for anything: parameters, or the columns of stored searches. */
export type SearchValues = Record<
  | 'words'
  | 'categoryId'
  | 'manufacturerId'
  | 'carModelId'
  | 'meantCategoryIds'
  | 'meantManufacturerIds'
  | 'meantModelIds'
  | 'meantModelWords'
  | 'sellerId'
  | 'minCents'
  | 'maxCents'
  | 'mostMiles'
  /** Whether the row's place is near enough. */
  | 'isNear',
  RawBuilder<unknown>
>

/**
 * The values of a search, without its scope and its order. What a buyer's vehicle is, is among the words; searches that were
 * stored before parts had fitment have it in columns.
 */
export function searchColumnsOf(search: Search) {
  const { limits, meant } = search
  const isOfCar = !isByFitment(search)
  return {
    words: queryOf(search) || null,
    categoryId: search.categoryId ?? null,
    manufacturerId: isOfCar ? (search.manufacturerId ?? null) : null,
    carModelId: isOfCar ? (search.carModelId ?? null) : null,
    meantCategoryIds: meant?.categoryIds ? [...meant.categoryIds] : null,
    meantManufacturerIds: null,
    meantModelIds: null,
    meantModelWords: null,
    sellerId: limits.sellerId ?? null,
    minCents: limits.minCents ?? null,
    maxCents: limits.maxCents ?? null,
    mostMiles: limits.milesMax ?? null,
    place: limits.near?.place ?? null,
    radius: limits.near?.miles ?? null,
  }
}

function valuesOf(search: Search): SearchValues {
  const { place, radius, ...values } = searchColumnsOf(search)
  const miles = sql`(select ${radius}::float8)`
  return {
    words: sql`(select ${values.words}::tsquery)`,
    categoryId: sql`(select ${values.categoryId}::uuid)`,
    manufacturerId: sql`(select ${values.manufacturerId}::uuid)`,
    carModelId: sql`(select ${values.carModelId}::uuid)`,
    meantCategoryIds: sql`(select ${values.meantCategoryIds}::uuid[])`,
    meantManufacturerIds: sql`(select ${values.meantManufacturerIds}::uuid[])`,
    meantModelIds: sql`(select ${values.meantModelIds}::uuid[])`,
    meantModelWords: sql`(select ${values.meantModelWords}::tsquery)`,
    sellerId: sql`(select ${values.sellerId}::uuid)`,
    minCents: sql`(select ${values.minCents}::bigint)`,
    maxCents: sql`(select ${values.maxCents}::bigint)`,
    mostMiles: sql`(select ${values.mostMiles}::integer)`,
    isNear: sql`(${miles} is null or t.place = any(${placesAround(sql`${place}`, miles)}))`,
  }
}

// Read only if a limit needs it.
const ownRow = sql`listing f where f.id = t.listing_id`

/** Whether row `t` has all that is asked for. `offer` is where its price and miles are, as `f`. */
export const meets = (asked: SearchValues, offer: RawBuilder<unknown> = ownRow): RawBuilder<unknown> => sql`
  (${asked.words} is null or ts_match_vq(t.document, ${asked.words}))
  and (${asked.categoryId} is null or t.category_id = ${asked.categoryId})
  and (${asked.manufacturerId} is null or t.manufacturer_id = ${asked.manufacturerId})
  and (${asked.carModelId} is null or t.car_model_id = ${asked.carModelId})
  and (${asked.sellerId} is null or t.seller_id = ${asked.sellerId})
  and ${asked.isNear}
  and (coalesce(${asked.minCents}, ${asked.maxCents}, ${asked.mostMiles}) is null
       or (select (${asked.minCents} is null or f.price_cents >= ${asked.minCents})
                  and (${asked.maxCents} is null or f.price_cents <= ${asked.maxCents})
                  and (${asked.mostMiles} is null or f.miles <= ${asked.mostMiles})
           from ${offer}))
  and (${asked.meantCategoryIds} is null or t.category_id = any(${asked.meantCategoryIds}::uuid[]))
  and (${asked.meantManufacturerIds} is null or t.manufacturer_id = any(${asked.meantManufacturerIds}::uuid[])
       or t.car_model_id = any(${asked.meantModelIds}::uuid[])
       or (t.car_model_id is null and ts_match_vq(t.document, ${asked.meantModelWords})))`

function inOrder({ sort, limits }: Search): RawBuilder<unknown> {
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
  return sql`select l.id from matching join listing l on l.id = matching.listing_id order by ${orderBy(sort)}`
}

/** Merges recent writes into the index, so that searches need not read them separately. Costs nothing if there are none. */
export async function mergePendingRows(db: Db): Promise<void> {
  await sql`select gin_clean_pending_list('listing_search_all')`.execute(db)
}
