import { type RawBuilder, sql } from 'kysely'
import type { Facets } from '#contract/search/parts-search.ts'
import { type SampleShare, sampleShares } from '#server/features/listings/find/fact-marks.ts'
import { MATCHES_SHOWN, type Search } from '#server/features/listings/find/list-queries.ts'
import { matchingRows } from '#server/features/listings/find/search-queries.ts'
import { type Db, onlyRow } from '#server/platform/database/database.ts'
import type { KnownResults } from './known-results.ts'

/*
 * How many matches there would be for each value of each filter. A filter is counted among the matches without it, so that
 * a buyer sees what choosing another value would find.
 */

/** In dollars, from cheap trim to engines; the last range has no end. */
const priceRanges = [0, 25, 50, 100, 250, 500, 1_000]

const facetNames = [
  'category',
  'make',
  'model',
  'year',
  'side',
  'grade',
  'price',
  'shipping',
  'picture',
] as const
type FacetName = (typeof facetNames)[number]

const withFact = (search: Search, facts: Partial<Search['facts']>): Search => ({
  ...search,
  facts: { ...search.facts, ...facts },
})

/** The same search without a facet's own filter. */
const without: Record<FacetName, (search: Search) => Search> = {
  category: (search) => ({ ...search, categoryId: undefined }),
  // Another make has other models.
  make: (search) => ({ ...search, manufacturerId: undefined, carModelId: undefined }),
  model: (search) => ({ ...search, carModelId: undefined }),
  year: (search) => withFact(search, { year: undefined }),
  side: (search) => withFact(search, { side: undefined }),
  grade: (search) => withFact(search, { grades: undefined }),
  shipping: (search) => withFact(search, { shipping: undefined }),
  picture: (search) => withFact(search, { hasPicture: undefined }),
  price: (search) => ({ ...search, limits: { ...search.limits, minCents: undefined, maxCents: undefined } }),
}

/** The value of a facet for a match `m`; null counts nowhere. */
const valueIn: Record<Exclude<FacetName, 'year'>, RawBuilder<unknown>> = {
  category: sql`m.category_id`,
  make: sql`m.manufacturer_id`,
  model: sql`m.car_model_id`,
  side: sql`m.side`,
  grade: sql`m.grade`,
  price: sql`m.price_range`,
  shipping: sql`m.shipping_kind`,
  picture: sql`m.has_picture`,
}

const rangeStarts = priceRanges.map((dollars) => dollars * 100)

/** Matches with their values. The marks are from `fact-marks.ts`. */
const matchedValues = sql`
  select t.category_id, t.manufacturer_id, t.car_model_id, l.grade, l.shipping_kind, l.year_from, l.year_to,
         case when ts_match_vq(t.document, '''=left''') then 'left'
              when ts_match_vq(t.document, '''=right''') then 'right' end as side,
         case when ts_match_vq(t.document, '''=picture''') then 'yes' end as has_picture,
         width_bucket(l.price_cents, ${rangeStarts}::bigint[]) as price_range
  from matched t join listing l on l.id = t.listing_id`

/** Names come with the counts of lookups. */
type Counted = { facet: FacetName; value: string; count: number; name: string | null; group: string | null }

/** Selects of facet, value and count. */
function countsOf(names: readonly FacetName[]): RawBuilder<unknown> {
  const grouped = names.filter((name) => name !== 'year')
  const facet = grouped.map((name) => sql`when grouping(${valueIn[name]}) = 0 then ${name}::text`)
  const value = grouped.map((name) => sql`${valueIn[name]}::text`)
  const byYear = sql`
    select 'year', year::text, count(*) from m cross join generate_series(m.year_from::int, m.year_to::int) year group by year`
  const byOthers = sql`
    select case ${sql.join(facet, sql` `)} end, coalesce(${sql.join(value)}), count(*)
    from m group by grouping sets (${sql.join(grouped.map((name) => sql`(${valueIn[name]})`))})`
  const selects = [...(names.includes('year') ? [byYear] : []), ...(grouped.length > 0 ? [byOthers] : [])]
  return sql.join(selects, sql` union all `)
}

type Asked = { search: Search; names: readonly FacetName[] }
type Share = SampleShare | undefined

/** Undefined if there are more matches than `most`. */
async function countIn(
  db: Db,
  { search, names }: Asked,
  { share, most }: { share: Share; most: number },
): Promise<{ total: number; counted: Counted[] } | undefined> {
  const { rows } = await sql<{ total: number; counted: Counted[] | null }>`
    with matched as materialized (${matchingRows(search, share)} limit ${most + 1}),
    m as materialized (${matchedValues} where (select count(*) from matched) <= ${most}),
    counted (facet, value, count) as (${countsOf(names)}),
    named as (
      select n.*,
             case n.facet
               when 'category' then (select c.name from category c where c.id = n.value::uuid)
               when 'make' then (select f.name from manufacturer f where f.id = n.value::uuid)
               when 'model' then (select v.name from car_model v where v.id = n.value::uuid)
             end as name,
             case n.facet
               when 'category' then (
                 select g.name from category c join category_group g on g.id = c.group_id where c.id = n.value::uuid)
             end as group
      from counted n
      where n.value is not null
    )
    select (select count(*) from matched) as total, (select json_agg(named) from named) as counted
  `.execute(db)
  const found = onlyRow(rows)
  return found.total > most ? undefined : { total: found.total, counted: found.counted ?? [] }
}

// Reading more takes longer than the page itself; more are counted in a sample.
const COUNTED_AT_MOST = 1_000
// The smallest sample has no other to fall back on; of ten million listings it has 20,000.
const SAMPLED_AT_MOST = 1_000_000
// Fewer say little about the others.
const SAMPLED_AT_LEAST = 60

const shares: readonly Share[] = [undefined, ...sampleShares]

/** The index of the sample share in which to count this many matches. */
function placeFor(expected: number): number {
  if (expected <= COUNTED_AT_MOST) return 0
  const fits = shares.findIndex((share) => expected / (share ?? 1) <= COUNTED_AT_MOST / 2)
  return fits < 0 ? shares.length - 1 : fits
}

/** Counts, and in which share of all matches. */
export type CountedIn = { share: Share; counted: Counted[] }

/** In the share at this place, or in another if that has too many or too few matches. */
async function countValues(db: Db, asked: Asked, at: number, tooFew?: CountedIn): Promise<CountedIn> {
  const share = shares[at]
  const most = at === shares.length - 1 ? SAMPLED_AT_MOST : COUNTED_AT_MOST
  const found = await countIn(db, asked, { share, most })
  if (!found) return tooFew ?? countValues(db, asked, at + 1)
  const counted = found.counted.map((one) => ({ ...one, count: one.count * (share ?? 1) }))
  if (at === 0 || found.total >= SAMPLED_AT_LEAST) return { share, counted }
  return countValues(db, asked, at - 1, { share, counted })
}

/** How many matches the planner expects: enough to choose a sample, in a third of a millisecond. */
async function estimateMatches(db: Db, search: Search): Promise<number> {
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>`
    explain (format json) ${matchingRows(search, undefined)}
  `.execute(db)
  return onlyRow(rows)['QUERY PLAN'][0].Plan['Plan Rows']
}

/** A search whose page was read, at a version of the data (`Tally`). */
export type Counting = { search: Search; total: number; writes: number }

/**
 * The counts of all facets; of models only within a make. Counts without a filter are `known` to all searches that differ in
 * that filter alone: who looks at one category after the other has its neighbors counted once.
 */
export async function countFacets(
  db: Db,
  { search: asked, total, writes }: Counting,
  known: KnownResults<CountedIn>,
): Promise<Facets> {
  const hasMake = asked.manufacturerId !== undefined || asked.meant?.vehicle !== undefined
  const names = facetNames.filter((name) => name !== 'model' || hasMake)
  // The order changes no count.
  const keyOf = (search: Search) => JSON.stringify({ ...search, sort: undefined })
  const bySearch = Map.groupBy(names, (name) => keyOf(without[name](asked)))
  const count = async (searchKey: string, its: readonly FacetName[]) => {
    const key = `${its} ${searchKey}`
    const recalled = known.recall(key)
    if (recalled?.writes === writes) return recalled.value
    const search = without[its[0] ?? 'category'](asked)
    const isCounted = searchKey === keyOf(asked) && total < MATCHES_SHOWN
    const expected = isCounted ? total : await estimateMatches(db, search)
    const counted = await countValues(db, { search, names: its }, placeFor(expected))
    known.remember(key, writes, counted)
    return counted
  }
  const found = await Promise.all(Array.from(bySearch, ([key, its]) => count(key, its)))
  return presentFacets(
    found.flatMap(({ counted }) => counted),
    found.some(({ share }) => share !== undefined),
  )
}

/** Where nothing is found. */
export const noFacets = (): Facets => presentFacets([], false)

const before = (a: string, b: string) => (a < b ? -1 : 1)

function presentFacets(counted: readonly Counted[], isAbout: boolean): Facets {
  const of = (facet: FacetName) => counted.filter((one) => one.facet === facet)
  const named = (facet: FacetName) =>
    of(facet)
      .map(({ value, name, count }) => ({ id: value, name: name ?? '', count }))
      .sort((a, b) => b.count - a.count || before(a.name, b.name))
  const valued = (facet: FacetName) =>
    of(facet)
      .map(({ value, count }) => ({ value, count }))
      .sort((a, b) => before(a.value, b.value))
  const groups = new Map(of('category').map(({ value, group }) => [value, group]))
  const prices = new Map(of('price').map(({ value, count }) => [Number(value), count]))
  return {
    categories: named('category').map((one) => ({ ...one, group: groups.get(one.id) ?? null })),
    makes: named('make'),
    models: named('model'),
    years: valued('year').reverse(),
    sides: valued('side'),
    grades: valued('grade'),
    prices: priceRanges.map((from, at) => ({
      from,
      to: priceRanges[at + 1] ?? null,
      count: prices.get(at + 1) ?? 0,
    })),
    // Buyers cannot filter by "on request".
    shipping: valued('shipping').filter(({ value }) => value !== 'quote'),
    withPicture: of('picture')[0]?.count ?? 0,
    ...(isAbout && { about: true as const }),
  }
}
