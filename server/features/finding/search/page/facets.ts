import { type RawBuilder, sql } from 'kysely'
import type { Facets } from '#contract/search/parts-search.ts'
import { eachYear } from '#contract/trade-language/years.ts'
import { matchingRows } from '#server/features/finding/search/matches/match-queries.ts'
import { MATCHES_SHOWN } from '#server/features/finding/search/matches/ordered-lists.ts'
import type { Search } from '#server/features/finding/search/query/search.ts'
import { sideOf } from '#server/features/finding/vocabulary/built-in.ts'
import { tallyOf } from '#server/features/market/for-sale/tally.ts'
import {
  placeMark,
  type SampleShare,
  sampleShares,
} from '#server/features/market/listings/search-row/fact-marks.ts'
import { readNameSlugs } from '#server/features/market/lookups/name-slugs.ts'
import { type Db, onlyRow } from '#server/platform/database/database.ts'
import { quotedLexeme } from '#server/platform/database/quoted-text.ts'
import type { Reads } from '#server/platform/database/reads.ts'
import { RecentValues } from '#server/platform/recent-values.ts'

/*
 * The number of matches for each value of each filter. A filter is counted among the matches without it, so that
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

const ANY_MODEL = { carModelId: undefined, carModelIds: undefined }

/** The same search without a facet's own filter. */
const without: Record<FacetName, (search: Search) => Search> = {
  category: (search) => ({ ...search, categoryId: undefined }),
  // Another make has other models.
  make: (search) => ({ ...search, manufacturerId: undefined, ...ANY_MODEL }),
  model: (search) => ({ ...search, ...ANY_MODEL }),
  year: (search) => withFact(search, { year: undefined }),
  side: (search) => withFact(search, { side: undefined }),
  grade: (search) => withFact(search, { grades: undefined }),
  shipping: (search) => withFact(search, { shipping: undefined }),
  picture: (search) => withFact(search, { hasPicture: undefined }),
  price: (search) => ({ ...search, limits: { ...search.limits, minCents: undefined, maxCents: undefined } }),
}

/** Named by a lookup, and columns of the search rows themselves: nothing else is read to count them. */
const lookupFacets = ['category', 'make', 'model'] as const
type LookupFacet = (typeof lookupFacets)[number]

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

/** Columns of search rows `t`, without their long documents. The marks are from `fact-marks.ts`. */
const matchedColumns = sql`
  t.listing_id, t.category_id, t.manufacturer_id, t.car_model_id,
  case when ts_match_vq(t.document, ${quotedLexeme(placeMark('left'))}) then 'left'
       when ts_match_vq(t.document, ${quotedLexeme(placeMark('right'))}) then 'right' end as side,
  case when ts_match_vq(t.document, '''=picture''') then 'yes' end as has_picture`
const lookupColumns = sql`t.category_id, t.manufacturer_id, t.car_model_id`

const matchedValues = sql`
  select t.*, l.grade, l.shipping_kind, l.year_from, l.year_to,
         width_bucket(l.price_cents, ${rangeStarts}::bigint[]) as price_range
  from matched t join listing l on l.id = t.listing_id`

/** Number of matches with a value. */
type Counted = { facet: FacetName; value: string; count: number }

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

/** These facets, counted among the matches of a search. */
type Counts = { search: Search; names: readonly FacetName[] }
type Share = SampleShare | undefined
/** At a version of the data (`Tally`). */
type Counting = { counted: Counted[]; writes: number }

/** Undefined if there are more matches than `most`. */
async function countIn(
  db: Db,
  { search, names }: Counts,
  { share, most }: { share: Share; most: number },
): Promise<(Counting & { total: number }) | undefined> {
  const isNarrow = names.every((name) => lookupFacets.some((one) => one === name))
  const { rows } = await sql<Counting & { total: number }>`
    with matched as materialized (
      ${matchingRows(search, share, isNarrow ? lookupColumns : matchedColumns)} limit ${most + 1}
    ),
    m as ${isNarrow ? sql`` : sql`materialized`} (
      ${isNarrow ? sql`select * from matched` : matchedValues} where (select count(*) from matched) <= ${most}
    ),
    counted (facet, value, count) as (${countsOf(names)})
    select tally.writes, (select count(*) from matched) as total,
           (select coalesce(json_agg(c), '[]') from counted c where c.value is not null) as counted
    from (${tallyOf(undefined)}) tally
  `.execute(db)
  const found = onlyRow(rows)
  return found.total > most ? undefined : found
}

// Reading these takes a few times as long as the page itself, once for each change; more are counted in a sample.
const COUNTED_AT_MOST = 6_000
const SAMPLED_AT_MOST = 2_000
// The smallest sample has no other to fall back on; of ten million listings it has 20,000.
const SMALLEST_SAMPLE_AT_MOST = 1_000_000
// Fewer say little about the others.
const SAMPLED_AT_LEAST = 60

const shares: readonly Share[] = [undefined, ...sampleShares]

/** The index of the sample share in which to count this many matches. */
function placeFor(expected: number): number {
  if (expected <= COUNTED_AT_MOST) return 0
  // The planner may be off by a quarter before they have to be counted a second time.
  const fits = shares.findIndex(
    (share) => share !== undefined && 1.25 * (expected / share) <= SAMPLED_AT_MOST,
  )
  return fits < 0 ? shares.length - 1 : fits
}

function mostIn(at: number): number {
  if (at === 0) return COUNTED_AT_MOST
  return at === shares.length - 1 ? SMALLEST_SAMPLE_AT_MOST : SAMPLED_AT_MOST
}

/** Counts, and in which share of all matches. */
type CountedIn = Counting & { share: Share }

/** In the share at this place, or in another if that has too many or too few matches. */
async function countValues(db: Db, wanted: Counts, at: number, tooFew?: CountedIn): Promise<CountedIn> {
  const share = shares[at]
  const found = await countIn(db, wanted, { share, most: mostIn(at) })
  if (!found) return tooFew ?? countValues(db, wanted, at + 1)
  const counted = found.counted.map((one) => ({ ...one, count: one.count * (share ?? 1) }))
  const { writes } = found
  if (at === 0 || found.total >= SAMPLED_AT_LEAST) return { share, counted, writes }
  return countValues(db, wanted, at - 1, { share, counted, writes })
}

/** How many matches the planner expects: enough to choose a sample, in a third of a millisecond. */
async function estimateMatches(db: Db, search: Search): Promise<number> {
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>`
    explain (format json) ${matchingRows(search, undefined, sql`t.listing_id`)}
  `.execute(db)
  return onlyRow(rows)['QUERY PLAN'][0].Plan['Plan Rows']
}

/* Matches that were read to rank them are counted here, without the database. */

/** The values of a listing that facets count. */
export type CountedListing = {
  name: string
  categoryId: string | null
  manufacturerId: string | null
  carModelId: string | null
  yearFrom: number | null
  yearTo: number | null
  grade: string | null
  priceCents: number
  shippingKind: string
  hasPicture: boolean
}

const valuesOf: Record<FacetName, (listing: CountedListing) => readonly (string | null | undefined)[]> = {
  category: ({ categoryId }) => [categoryId],
  make: ({ manufacturerId }) => [manufacturerId],
  model: ({ carModelId }) => [carModelId],
  year: ({ yearFrom, yearTo }) => eachYear({ from: yearFrom, to: yearTo }).map(String),
  side: ({ name }) => [sideOf(name)],
  grade: ({ grade }) => [grade],
  price: ({ priceCents }) => [String(rangeStarts.findLastIndex((start) => priceCents >= start) + 1)],
  shipping: ({ shippingKind }) => [shippingKind],
  picture: ({ hasPicture }) => [hasPicture ? 'yes' : undefined],
}

function countListings(listings: readonly CountedListing[], names: readonly FacetName[]): Counted[] {
  return names.flatMap((facet) => {
    const counts = new Map<string, number>()
    for (const listing of listings) {
      for (const value of valuesOf[facet](listing)) {
        if (value) counts.set(value, (counts.get(value) ?? 0) + 1)
      }
    }
    return Array.from(counts, ([value, count]) => ({ facet, value, count }))
  })
}

/* What a page shows */

/** A search whose page was read, at a version of the data (`Tally`). */
type Listed = {
  search: Search
  total: number
  writes: number
  /** All matches, if they were read. */
  matches?: readonly CountedListing[] | undefined
}

export type FacetCounter = {
  /** Starts what needs no page: counts of other values of the filters in use. */
  begin(search: Search): void
  count(listed: Listed): Promise<Facets>
  /** Where nothing is found. */
  countNothing(chosen: Chosen): Promise<Facets>
}

// Up to 40 kB each for a make or for any part, and a search has a few: 24 MB at most.
const PASSES_KEPT = 600

/**
 * The counts of all facets; of models only within a make. Counts without a filter are known to all searches that differ in
 * that filter alone: browsing one category after another counts the facets once.
 */
export function openFacets(reads: Reads): FacetCounter {
  // Cached from the moment a count starts, so that no other request starts the same one.
  const counts = new RecentValues<Promise<CountedIn>>(PASSES_KEPT / 2)
  const nameAll = openNames(reads)
  const start = ({ key, search, names }: Pass, at?: number): Promise<CountedIn> => {
    const counting = reads(async (from) => {
      const place = at ?? placeFor(await estimateMatches(from, search))
      return countValues(from, { search, names }, place)
    })
    counts.set(key, counting)
    return counting
  }
  const countPass = async (pass: Pass, { search, total, writes, matches }: Listed): Promise<CountedIn> => {
    const isOwn = pass.searchKey === keyOf(search)
    if (isOwn && matches) {
      const counted: CountedIn = { share: undefined, counted: countListings(matches, pass.names), writes }
      counts.set(pass.key, Promise.resolve(counted))
      return counted
    }
    const before = await counts.get(pass.key)?.catch(() => undefined)
    if (before && before.writes >= writes) return before
    // The share of an older version is still a good guess.
    if (before) return start(pass, shares.indexOf(before.share))
    return start(pass, isOwn && total < MATCHES_SHOWN ? placeFor(total) : undefined)
  }
  return {
    begin(search) {
      for (const pass of passesOf(search)) {
        if (pass.searchKey === keyOf(search) || counts.get(pass.key) !== undefined) continue
        // Tried again, and then reported, by `count`.
        start(pass).catch(() => undefined)
      }
    },
    async count(listed) {
      const { search, writes } = listed
      const found = await Promise.all(passesOf(search).map((pass) => countPass(pass, listed)))
      const counted = withChosen(
        found.flatMap((one) => one.counted),
        search,
      )
      const isAbout = found.some(({ share }) => share !== undefined)
      return presentFacets(counted, await nameAll(counted, writes), { isAbout })
    },
    async countNothing(chosen) {
      const counted = withChosen([], chosen)
      return presentFacets(counted, await nameAll(counted), { isAbout: false })
    },
  }
}

/** The order changes no count. */
const keyOf = (search: Search) => JSON.stringify({ ...search, sort: undefined })

/** Facets that are counted among the same matches. */
type Pass = { key: string; searchKey: string; search: Search; names: readonly FacetName[] }

function passesOf(chosen: Search): Pass[] {
  const hasMake = chosen.manufacturerId !== undefined || chosen.meant?.vehicle !== undefined
  const names = facetNames.filter((name) => name !== 'model' || hasMake)
  const bySearch = Map.groupBy(names, (name) => keyOf(without[name](chosen)))
  return Array.from(bySearch, ([searchKey, its]) => {
    const search = without[its[0] ?? 'category'](chosen)
    return { key: `${its} ${searchKey}`, searchKey, search, names: its }
  })
}

/** Filters by id. */
type Chosen = {
  categoryId?: string | undefined
  manufacturerId?: string | undefined
  carModelId?: string | undefined
}

/** A chosen lookup is among the values even if nothing is of it: a page names its filters by them. */
function withChosen(counted: readonly Counted[], chosen: Chosen): Counted[] {
  const ids: Record<LookupFacet, string | undefined> = {
    category: chosen.categoryId,
    make: chosen.manufacturerId,
    model: chosen.carModelId,
  }
  const missing = lookupFacets.flatMap((facet): Counted[] => {
    const value = ids[facet]
    const isCounted = counted.some((one) => one.facet === facet && one.value === value)
    return value === undefined || isCounted ? [] : [{ facet, value, count: 0 }]
  })
  return [...counted, ...missing]
}

type Name = { name: string; slug: string; group: string | null }
type Names = ReadonlyMap<string, Name>

/** The names of lookups by their ids, remembered for one version of the data. */
function openNames(reads: Reads): (counted: readonly Counted[], writes?: number) => Promise<Names> {
  let known: { writes: number | undefined; names: Map<string, Name> } = {
    writes: undefined,
    names: new Map(),
  }
  return async (counted, writes) => {
    if (writes === undefined || known.writes !== writes) known = { writes, names: new Map() }
    const { names } = known
    const ids = (facet: LookupFacet) =>
      counted.flatMap((one) => (one.facet === facet && !names.has(one.value) ? one.value : []))
    const unknown = { category: ids('category'), make: ids('make'), model: ids('model') }
    if (Object.values(unknown).every((some) => some.length === 0)) return names
    const read = async (from: Db) => {
      const slugs = await readNameSlugs(from)
      const { rows } = await sql<Omit<Name, 'slug'> & { id: string }>`
        select c.id, c.name, g.name as "group" from category c left join category_group g on g.id = c.group_id
        where c.id = any(${unknown.category}::uuid[])
        union all select id, name, null from manufacturer where id = any(${unknown.make}::uuid[])
        union all select id, name, null from car_model where id = any(${unknown.model}::uuid[])
      `.execute(from)
      return rows.map((row) => ({ ...row, slug: slugs.byId(row.id)?.slug ?? '' }))
    }
    for (const { id, ...name } of await reads(read)) names.set(id, name)
    return names
  }
}

const before = (a: string, b: string) => (a < b ? -1 : 1)

function presentFacets(counted: readonly Counted[], names: Names, { isAbout }: { isAbout: boolean }): Facets {
  const byFacet = Map.groupBy(counted, ({ facet }) => facet)
  const of = (facet: FacetName) => byFacet.get(facet) ?? []
  const named = (facet: LookupFacet) =>
    of(facet)
      .flatMap(({ value, count }) => {
        const name = names.get(value)
        return name ? [{ id: value, slug: name.slug, name: name.name, count, group: name.group }] : []
      })
      .sort((a, b) => b.count - a.count || before(a.name, b.name))
  const valued = (facet: FacetName) =>
    of(facet)
      .map(({ value, count }) => ({ value, count }))
      .sort((a, b) => before(a.value, b.value))
  const prices = new Map(of('price').map(({ value, count }) => [Number(value), count]))
  const withoutGroup = ({ group: _, ...one }: ReturnType<typeof named>[number]) => one
  return {
    categories: named('category'),
    makes: named('make').map(withoutGroup),
    models: named('model').map(withoutGroup),
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
