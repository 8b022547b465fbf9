import { type RawBuilder, sql } from 'kysely'
import {
  hasNoConditions,
  isByFitment,
  type Limits,
  type ModelWords,
  queriesOf,
  queryOf,
  type Search,
} from '#server/features/finding/search/query/search.ts'
import { isForSale, isOffered, isRowForSale } from '#server/features/market/for-sale/for-sale.ts'
import { type SampleShare, withFacts } from '#server/features/market/listings/search-row/fact-marks.ts'
import { endedCondition } from './ordered-lists.ts'

/*
 * The scope of a search as conditions on its rows `t`, in two forms: one that is planned with its values, so that an index
 * can be used, and one with the same text for all searches, for rows that are checked one by one.
 */

function indexScope({ seller, everybody }: Search): RawBuilder<unknown> {
  if (seller) return sql`t.seller_id = ${seller.id}`
  if (!everybody) return isRowForSale
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
  if (!everybody) return isRowForSale
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

/** The part of the listings that an index has in the search's order; undefined means all of them, newest first. */
export function orderedPart(search: Search): RawBuilder<unknown> | undefined {
  const { seller, sort, categoryId, gap } = search
  if (seller) {
    const lacks = gap ? sql`and ${gap.lacks}` : sql``
    return sql`l.seller_id = ${seller.id} and l.deleted_at is null and ${endedCondition(seller.state === 'sold')} ${lacks}`
  }
  if (search.everybody) return undefined
  if (sort !== 'newest') return isForSale
  if (categoryId) return sql`l.category_id = (select ${categoryId}::uuid) and ${isForSale}`
  return undefined
}

/** A seller's listings with missing data: all conditions are on their own rows, which are indexed by seller. */
const isGapAlone = (search: Search): boolean =>
  search.gap !== undefined && hasNoConditions({ ...search, gap: undefined })

/** The index does not distinguish a seller's ended listings from running ones. */
export function searched(search: Search): RawBuilder<unknown> {
  const { seller } = search
  if (!seller) return sql`listing_search t`
  if (isGapAlone(search)) return sql`listing l cross join lateral (select l.id as listing_id) t`
  return sql`listing_search t join listing l on l.id = t.listing_id and ${endedCondition(seller.state === 'sold')}`
}

/** The conditions on a search row `t`; one index covers all but `live`. */
export function indexCondition(search: Search, sample?: SampleShare): RawBuilder<unknown> {
  const { gap, excluded, excludedNames, nameWords } = search
  if (isGapAlone(search)) return sql`${orderedPart(search)}`
  const conditions = [
    indexScope(search),
    gap?.lacks,
    hasAnyOf(queriesOf(search, sample)),
    excluded && sql`not t.document @@ ${excluded}::tsquery`,
    excludedNames && sql`not ${hasInName(sql`${excludedNames}::tsquery`)}`,
    nameWords && isNamed(sql`${nameWords}::tsquery`),
    search.names && isCalled(sql`${[...search.names]}::text[]`),
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

function hasAnyOf(queries: readonly string[]): RawBuilder<unknown> | undefined {
  if (queries.length === 0) return undefined
  return sql`(${sql.join(
    queries.map((query) => sql`t.document @@ ${query}::tsquery`),
    sql` or `,
  )})`
}

function limitConditions({ sellerId, excludedSellerIds, minCents, maxCents, milesMax, near }: Limits) {
  const ofListing = [
    minCents !== undefined && sql`f.price_cents >= ${minCents}`,
    maxCents !== undefined && sql`f.price_cents <= ${maxCents}`,
    milesMax !== undefined && sql`f.miles <= ${milesMax}`,
  ].filter((one) => typeof one === 'object')
  return [
    sellerId !== undefined && sql`t.seller_id = ${sellerId}`,
    excludedSellerIds && sql`t.seller_id <> all(${[...excludedSellerIds]}::uuid[])`,
    near?.miles !== undefined && nearCondition(near.place, near.miles, near.orShips),
    ofListing.length > 0 &&
      sql`t.listing_id in (select f.id from listing f
          where ${isOffered('f')} and ${sql.join(ofListing, sql` and `)})`,
  ]
}

/** Text of a tsquery for parts that ship: all except pickup only. */
const SHIPS = withFacts('', { shipping: ['free', 'flat', 'quote'] })

/** Whether row `t` ships. Its plan does not depend on the search. */
export const ships = sql`ts_match_vq(t.document, (select ${SHIPS}::tsquery))`

function nearCondition(place: number, miles: number, orShips: true | undefined): RawBuilder<unknown> {
  const isNear = sql`t.place = any(${placesAround(sql`${place}`, sql`${miles}`)})`
  return orShips ? sql`(${isNear} or t.document @@ ${SHIPS}::tsquery)` : isNear
}

/** The distance is computed for each place that listings have, not for each listing. */
const placesAround = (here: RawBuilder<unknown>, miles: RawBuilder<unknown>) =>
  sql`array(select p.place from listing_place p where miles_between(p.place, ${here}::integer) <= ${miles}::float8)`

/**
 * The same for a row that is checked, with one text for all searches. Values are subselects and the words a function's
 * argument: all searches cost the planner's estimate the same, so that it plans the statement once.
 */
export const rowCondition = (search: Search): RawBuilder<unknown> =>
  sql`${rowScope(search)} and ${isCalledAny(search)} and ${meets(valuesOf(search))}`

function isCalledAny({ names }: Search): RawBuilder<unknown> {
  const keys = sql`${names ? [...names] : null}::text[]`
  return sql`(${keys} is null or ${isCalled(keys)})`
}

/** Whether the listing's own name has the words, and not only its texts. */
const isNamed = (query: RawBuilder<unknown>) =>
  sql`(select to_tsvector('english', m.name) @@ ${query} from listing m where m.id = t.listing_id)`

/**
 * Whether the words, and sizes as documents have them ("2.4L" is 24l), are in the listing's name, trim or body. These are read
 * of listings that have the words anywhere.
 */
const hasInName = (query: RawBuilder<unknown>) => sql`
  (ts_match_vq(t.document, ${query}) and (
    select to_tsvector('english', said.it) || array_to_tsvector(array_remove(
             regexp_split_to_array(regexp_replace(lower(said.it), '[-./]', '', 'g'), '[^a-z0-9]+'), '')) @@ ${query}
    from listing m, concat_ws(' ', m.name, m.trim_name, m.body_style) as said(it) where m.id = t.listing_id))`

/** Whether nothing but one of these is the listing's name. */
const isCalled = (names: RawBuilder<unknown>) => sql`
  (select regexp_replace(lower(m.name), '[^a-z0-9]', '', 'g') = any(${names}) from listing m where m.id = t.listing_id)`

/** The conditions of a search as SQL values, null for any: parameters, or the columns of stored searches. */
export type SearchValues = Record<
  | 'words'
  | 'nameWords'
  | 'excludedNames'
  | 'categoryId'
  | 'manufacturerId'
  | 'carModelId'
  | 'meantCategoryIds'
  | 'meantManufacturerIds'
  | 'meantModelIds'
  | 'meantModelWords'
  | 'sellerId'
  | 'excludedSellerIds'
  | 'minCents'
  | 'maxCents'
  | 'mostMiles'
  /** Whether the row's place is near enough, or the search also takes parts that ship. */
  | 'isNear',
  RawBuilder<unknown>
>

/**
 * The values of a search, without its scope and its order. The buyer's vehicle is part of the words; searches stored
 * before parts had fitment have it in columns.
 */
export function searchColumnsOf(search: Search) {
  const { limits, meant } = search
  const isOfCar = !isByFitment(search)
  return {
    words: withoutExcluded(search) || null,
    nameWords: search.nameWords ?? null,
    excludedNames: search.excludedNames ?? null,
    categoryId: search.categoryId ?? null,
    manufacturerId: isOfCar ? (search.manufacturerId ?? null) : null,
    carModelId: isOfCar ? (search.carModelId ?? null) : null,
    meantCategoryIds: arrayOf(meant?.categoryIds),
    meantManufacturerIds: null,
    meantModelIds: null,
    meantModelWords: null,
    sellerId: limits.sellerId ?? null,
    excludedSellerIds: arrayOf(limits.excludedSellerIds),
    minCents: limits.minCents ?? null,
    maxCents: limits.maxCents ?? null,
    mostMiles: limits.milesMax ?? null,
    place: limits.near?.place ?? null,
    radius: limits.near?.miles ?? null,
    orShips: limits.near?.orShips ?? false,
  }
}

const arrayOf = (ids: readonly string[] | undefined) => (ids ? [...ids] : null)

const withoutExcluded = (search: Search): string =>
  [queryOf(search), search.excluded && `!(${search.excluded})`].filter(Boolean).join(' & ')

function valuesOf(search: Search): SearchValues {
  const { place, radius, orShips, ...values } = searchColumnsOf(search)
  const miles = sql`(select ${radius}::float8)`
  return {
    words: sql`(select ${values.words}::tsquery)`,
    nameWords: sql`(select ${values.nameWords}::tsquery)`,
    excludedNames: sql`(select ${values.excludedNames}::tsquery)`,
    categoryId: sql`(select ${values.categoryId}::uuid)`,
    manufacturerId: sql`(select ${values.manufacturerId}::uuid)`,
    carModelId: sql`(select ${values.carModelId}::uuid)`,
    meantCategoryIds: sql`(select ${values.meantCategoryIds}::uuid[])`,
    meantManufacturerIds: sql`(select ${values.meantManufacturerIds}::uuid[])`,
    meantModelIds: sql`(select ${values.meantModelIds}::uuid[])`,
    meantModelWords: sql`(select ${values.meantModelWords}::tsquery)`,
    sellerId: sql`(select ${values.sellerId}::uuid)`,
    excludedSellerIds: sql`(select ${values.excludedSellerIds}::uuid[])`,
    minCents: sql`(select ${values.minCents}::bigint)`,
    maxCents: sql`(select ${values.maxCents}::bigint)`,
    mostMiles: sql`(select ${values.mostMiles}::integer)`,
    isNear: sql`(${miles} is null or t.place = any(${placesAround(sql`${place}`, miles)})
      or ((select ${orShips}::boolean) and ${ships}))`,
  }
}

// Read only if a limit needs it.
const ownRow = sql`listing f where f.id = t.listing_id`

/** Whether row `t` has all that a search asks for. `offer` is where its price and miles are, as `f`. */
export const meets = (values: SearchValues, offer: RawBuilder<unknown> = ownRow): RawBuilder<unknown> => sql`
  (${values.words} is null or ts_match_vq(t.document, ${values.words}))
  and (${values.categoryId} is null or t.category_id = ${values.categoryId})
  and (${values.manufacturerId} is null or t.manufacturer_id = ${values.manufacturerId})
  and (${values.carModelId} is null or t.car_model_id = ${values.carModelId})
  and (${values.sellerId} is null or t.seller_id = ${values.sellerId})
  and (${values.excludedSellerIds} is null or t.seller_id <> all(${values.excludedSellerIds}::uuid[]))
  and (${values.nameWords} is null or ${isNamed(values.nameWords)})
  and (${values.excludedNames} is null or not ${hasInName(values.excludedNames)})
  and ${values.isNear}
  and (coalesce(${values.minCents}, ${values.maxCents}, ${values.mostMiles}) is null
       or (select (${values.minCents} is null or f.price_cents >= ${values.minCents})
                  and (${values.maxCents} is null or f.price_cents <= ${values.maxCents})
                  and (${values.mostMiles} is null or f.miles <= ${values.mostMiles})
           from ${offer}))
  and (${values.meantCategoryIds} is null or t.category_id = any(${values.meantCategoryIds}::uuid[]))
  and (${values.meantManufacturerIds} is null or t.manufacturer_id = any(${values.meantManufacturerIds}::uuid[])
       or t.car_model_id = any(${values.meantModelIds}::uuid[])
       or (t.car_model_id is null and ts_match_vq(t.document, ${values.meantModelWords})))`
