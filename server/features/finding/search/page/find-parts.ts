import { numberKey, readInterchange } from '#contract/listing/interchange.ts'
import { LAST_PAGE } from '#contract/search/list-end.ts'
import type { Facets, PartsPage, PartsQuery } from '#contract/search/parts-search.ts'
import { foldText } from '#contract/trade-language/names.ts'
import {
  liveList,
  MATCHES_SHOWN,
  readWithTally,
} from '#server/features/finding/search/matches/ordered-lists.ts'
import type { PageIds, SearchMemory } from '#server/features/finding/search/matches/search-memory.ts'
import {
  conditionsOf,
  type DroppedConditions,
  toSearch,
} from '#server/features/finding/search/query/conditions.ts'
import type { NamedFilters } from '#server/features/finding/search/query/named-filters.ts'
import { findNumbersNear } from '#server/features/finding/search/query/numbers-near.ts'
import type { Reading, ReadPartsQuery } from '#server/features/finding/search/query/reading.ts'
import {
  nearNumberNotice,
  noResultsNotice,
  relax,
  relaxedNotice,
  sameNumberNotice,
  unreadNotice,
  withoutVehicle,
} from '#server/features/finding/search/query/relax.ts'
import { findSameNumbers } from '#server/features/finding/search/query/same-numbers.ts'
import { hasNoConditions, type Search } from '#server/features/finding/search/query/search.ts'
import { recordEmptySearch } from '#server/features/finding/vocabulary/empty-searches.ts'
import { foldPartTypeChanges, openDataVersions } from '#server/features/market/for-sale/part-type-versions.ts'
import type { Interchange } from '#server/features/market/interchange/number-claims.ts'
import { milesFrom } from '#server/features/market/listings/search-row/places.ts'
import { wordKey } from '#server/features/market/listings/search-row/search-terms.ts'
import { readInShape } from '#server/features/market/listings/shown/shapes.ts'
import { DataScope, type DataVersion } from '#server/platform/data-scope.ts'
import type { Db } from '#server/platform/database/database.ts'
import { quotedLexeme } from '#server/platform/database/quoted-text.ts'
import { openBackgroundTasks, type Reads } from '#server/platform/database/reads.ts'
import type { Log } from '#server/platform/log.ts'
import { cardShape, cardShapeFrom, presentCard, type ReadCard } from './cards.ts'
import { filterChips, titleOf, wordChips } from './chips.ts'
import { type FacetCounter, openFacets } from './facets.ts'
import { placeFeatured } from './featured.ts'
import type { Lists } from './lists.ts'
import { findOffers } from './offers.ts'
import { type AnswerRates, openAnswerRates, type ReadRanked, rank, rankedShape } from './rank.ts'

/*
 * A buyer's query on its way: it is read (`query/reading.ts`), its matches are found and ranked, and one page of them is
 * presented. If nothing has all that it asks for, it is relaxed.
 */

type PartsSearchDeps = {
  db: Db
  reads: Reads
  readQuery: ReadPartsQuery
  cards: Lists<ReadCard>
  ranked: Lists<ReadRanked>
  memory: SearchMemory
  log: Log
  now: () => Date
}

/** `scope` takes the part types that the page was read from. */
type Viewer = { isAdmin: boolean; scope?: DataScope }

export type PartsSearch = {
  find(query: PartsQuery, viewer: Viewer): Promise<PartsPage>
  /** The version of what is public: listings, names, landing pages, sellers. */
  version(): Promise<DataVersion>
  close(): Promise<void>
}

export function openPartsSearch(given: PartsSearchDeps): PartsSearch {
  const { db, reads, readQuery, log, now } = given
  const opened = { ...given, facets: openFacets(reads) }
  const answerRates = openAnswerRates(now)
  const tasks = openBackgroundTasks(log)
  const version = openDataVersions(reads, () => {
    void tasks.run('fold the versions', () => foldPartTypeChanges(db))
  })
  const findPage = async (given: PartsQuery, { isAdmin, scope = new DataScope() }: Viewer) => {
    const deps = { ...opened, scope }
    const { asked, ...read } = await reads((from) => readQuery(from, given))
    const { query } = read
    if (asked === 'nothing') return present(deps, read, NOTHING)
    const { base, words: reading } = asked
    if (!reading) {
      if (query.facets) beginFacets(deps, base)
      const found = await readListed(deps, base, query)
      return present(deps, read, asked.isUnknownVin ? { ...found, relaxed: UNKNOWN_VIN } : found)
    }
    if (reading.isOfStock) scope.addEverything()
    const answers = await reads(answerRates)
    const found = await findByWords({ ...deps, answers }, { base, query, reading })
    if (found.isMissed && hasNoConditions(base)) {
      void tasks.run(`note “${reading.wanted.typed.join(' ')}”`, () =>
        recordEmptySearch(db, reading.wanted.typed),
      )
    }
    return present(deps, read, withUnread(found, reading), { reading, isAdmin })
  }
  return {
    async find(query, viewer) {
      if (query.page <= LAST_PAGE) return findPage(query, viewer)
      const { near: _, ...first } = await findPage({ ...query, page: 1 }, viewer)
      return { ...first, items: [], page: query.page }
    },
    version,
    close: () => tasks.close(),
  }
}

const UNKNOWN_VIN: NonNullable<PartsPage['relaxed']> = {
  sentence:
    'We can’t tell the car from this VIN. Choose its year, make and model; until then, these are all parts.',
  dropped: ['vin'],
}

type FoundPage = {
  items: readonly ReadCard[]
  total: number
  totalIsAtLeast?: true
  lastPage: number
  /** The search and the version of the data, for facets. */
  search?: Search
  writes?: number
  /** All matches, if they were read. */
  matches?: readonly ReadRanked[]
  /** The ids that have a paid place. */
  featured?: ReadonlySet<string>
  /** Why each is where it is, by id. */
  why?: ReadonlyMap<string, readonly string[]>
}

const NOTHING: FoundPage = { items: [], total: 0, lastPage: 1 }

type ReadWords = NonNullable<Exclude<Reading['asked'], 'nothing'>['words']>
type Request = {
  base: Search
  query: PartsQuery
  reading: ReadWords
  /** A list next to the results has no paid places. */
  isBeside?: boolean
}
type Deps = PartsSearchDeps & { facets: FacetCounter; scope: DataScope }
type SearchDeps = Deps & { answers: AnswerRates }

type FoundByWords = FoundPage & {
  /** No part met all conditions. */
  isMissed: boolean
  relaxed?: NonNullable<PartsPage['relaxed']>
  near?: { sentence: string; items: readonly ReadCard[] }
  /** Why a part is shown whose number was pulled from the vehicle, by id. */
  pulled?: ReadonlyMap<string, string>
}

const withUnread = (found: FoundByWords, { unread }: ReadWords): FoundByWords =>
  unread ? { ...found, relaxed: unreadNotice(found.relaxed, unread) } : found

const NOTHING_DROPPED: DroppedConditions = { dropped: [] }

async function findByWords(deps: SearchDeps, request: Request): Promise<FoundByWords> {
  const { base, query, reading } = request
  const search = toSearch(base, reading, NOTHING_DROPPED)
  if (query.facets) beginFacets(deps, search)
  const found = await readPage(deps, request, { search, without: NOTHING_DROPPED })
  if (found.total > 0) return { ...found, isMissed: false, ...(await nearby(deps, request, found)) }
  // Other part types, and why none has what was asked.
  deps.scope.addEverything()
  const numbers = await nearNumbers(deps, request)
  if (numbers) return { ...numbers, isMissed: true }
  const { wanted, vocabulary } = reading
  const same = query.exact ? undefined : await sameNumbers(deps, request)
  if (same) return { ...same, isMissed: true, ...(await nearby(deps, request, same)) }
  const relaxed = query.exact
    ? undefined
    : await deps.reads((from) => relax(from, base, { read: reading, vocabulary }))
  if (!relaxed) return { ...NOTHING, isMissed: true, relaxed: noResultsNotice(wanted) }
  const others = await readPage(deps, request, relaxed)
  const total = `${others.total.toLocaleString('en-US')}${others.totalIsAtLeast ? '+' : ''}`
  const notice = relaxedNotice(relaxed.without, { wanted, vocabulary, total })
  return { ...others, isMissed: true, ...(notice && { relaxed: notice }) }
}

// Only this many of the newest are ranked, which takes 2 ms however many match; the rest follow by age. With 500, two cores can't
// answer 50 searches a second among a million listings.
const RANKED = 240

const windowOf = ({ perPage }: PartsQuery) => Math.floor(RANKED / perPage) * perPage

/** The part types whose changes change what a search finds. */
function addTo(scope: DataScope, { categoryId, meant }: Search): void {
  const ids = categoryId === undefined ? meant?.categoryIds : [categoryId]
  if (ids) scope.add(ids)
  else scope.addEverything()
}

/** Part types are counted without the chosen one. */
function beginFacets({ facets, scope }: Deps, search: Search): void {
  addTo(scope, { ...search, categoryId: undefined })
  facets.begin(search)
}

/** Whether the order is by relevance, on pages whose matches are ranked. */
const isRanked = (query: PartsQuery, search: Search): boolean =>
  !hasNoConditions(search) &&
  (!query.sort || query.sort === 'relevance') &&
  query.page * query.perPage <= windowOf(query)

async function readPage(
  deps: SearchDeps,
  { query, reading, isBeside = false }: Request,
  { search, without }: { search: Search; without: DroppedConditions },
): Promise<FoundPage> {
  addTo(deps.scope, search)
  if (!isRanked(query, search)) return readListed(deps, search, query)
  const { zip, perPage } = query
  const day = deps.now().toISOString().slice(0, 10)
  const key = JSON.stringify([search, without, reading.wanted.typed, perPage, isBeside || day])
  const known = query.explain ? undefined : await readKnown(deps, key, { search, query })
  if (known) return known
  const found = await deps.ranked.find(search, liveList('newest'), { page: 1, perPage: windowOf(query) })
  const candidates = found.items.map(({ id }) => id)
  const away = zip ? await deps.reads((from) => milesFrom(from, zip, candidates)) : undefined
  const { wanted, interchange } = reading
  const ranked = rank(found.items, { wanted, without, answers: deps.answers, interchange, away })
  const { ordered, featured } = isBeside
    ? { ordered: ranked, featured: new Set<string>() }
    : placeFeatured(ranked, { perPage, day })
  const best = noted(deps, key, { ...found, from: 0, ids: ordered.map(({ id }) => id), featured })
  const shown = idsOfPage(best, query)
  return {
    ...pageOf(best, query, await deps.reads((from) => readInShape(from, cardShape, shown))),
    search,
    ...(found.writes !== undefined && { writes: found.writes }),
    ...(found.items.length === found.total && { matches: found.items }),
    why: new Map(ordered.map(({ id, why }) => [id, featured.has(id) ? [FEATURED, ...why] : why])),
  }
}

const FEATURED = 'featured: the paid place of a Pro seller, before parts that match equally well'

/** Remembers the ids of a page that was read. */
function noted(
  { memory }: Deps,
  key: string,
  { total, totalIsAtLeast, from, ids, featured, writes }: PageIds & { writes?: number },
): PageIds {
  const page = { total, ...(totalIsAtLeast && { totalIsAtLeast }), from, ids, ...(featured && { featured }) }
  if (writes !== undefined) memory.notePage(key, writes, page)
  return page
}

/** A page in an order that the database has, or newest first. */
async function readListed(deps: Deps, search: Search, query: PartsQuery): Promise<FoundPage> {
  addTo(deps.scope, search)
  const list = liveList(search.sort === 'nearest' ? 'newest' : search.sort)
  if (hasNoConditions(search) && search.sort !== 'nearest') {
    return { ...(await deps.cards.find('everything', list, query)), search }
  }
  const key = JSON.stringify([search, query.page, query.perPage])
  const known = await readKnown(deps, key, { search, query })
  if (known) return known
  const found = await deps.cards.find(search, list, query)
  const ids = found.items.map(({ id }) => id)
  noted(deps, key, { ...found, from: (query.page - 1) * query.perPage, ids })
  return { ...found, search }
}

/** A page whose ids are known, if nothing was written since. */
async function readKnown(
  { memory, reads }: Deps,
  key: string,
  { search, query }: { search: Search; query: PartsQuery },
): Promise<FoundPage | undefined> {
  const known = memory.page(key)
  if (!known) return undefined
  const shape = cardShapeFrom(search.limits.near?.place)
  const { items, writes } = await reads((from) => readWithTally(from, shape, idsOfPage(known, query)))
  return writes === known.writes ? { ...pageOf(known, query, items), search, writes } : undefined
}

const idsOfPage = ({ from, ids }: PageIds, { page, perPage }: PartsQuery) =>
  ids.slice((page - 1) * perPage - from, page * perPage - from)

const pageOf = (
  { total, totalIsAtLeast, featured }: PageIds,
  { perPage }: PartsQuery,
  items: ReadCard[],
): FoundPage => ({
  items,
  total,
  ...(featured && { featured }),
  ...(totalIsAtLeast && { totalIsAtLeast }),
  lastPage: Math.max(1, Math.ceil(Math.min(total, MATCHES_SHOWN) / perPage)),
})

/** The counts of all filters. */
function readFacets({ facets }: Deps, { ids }: NamedFilters, found: FoundPage): Promise<Facets> {
  const { search, writes, total, matches } = found
  if (search && writes !== undefined) return facets.count({ search, writes, total, matches })
  const { categoryId, manuId, modelIds } = ids
  return facets.countNothing({ categoryId, manufacturerId: manuId, carModelId: modelIds[0] })
}

// Below this a page looks empty; a row of cards is shown besides.
const FEW = 4
const SIMILAR_SHOWN = 8

/** Parts with the same number as a part pulled from the vehicle, which has no match itself. */
async function sameNumbers(
  deps: SearchDeps,
  { base, query, reading }: Request,
): Promise<(FoundPage & Required<Pick<FoundByWords, 'relaxed' | 'pulled'>>) | undefined> {
  const writes = await deps.cards.version()
  const found = await deps.reads((from) => findSameNumbers(from, base, { read: reading, now: deps.now() }))
  if (!found) return undefined
  const { ids, why, search } = found
  const page = { total: ids.length, from: 0, ids: [...ids] }
  const matches = await deps.reads((from) => readInShape(from, rankedShape, page.ids))
  return {
    ...pageOf(page, query, await deps.reads((from) => readInShape(from, cardShape, idsOfPage(page, query)))),
    search,
    writes,
    matches,
    relaxed: sameNumberNotice(reading.wanted, ids.length),
    pulled: why,
  }
}

/** Parts like the few that were found: with a number from the vehicle, then of other years, then of other models. */
async function nearby(
  deps: SearchDeps,
  { base, query, reading }: Request,
  found: FoundPage & Pick<FoundByWords, 'pulled'>,
): Promise<Pick<FoundByWords, 'near' | 'pulled'>> {
  if (found.total >= query.perPage || query.page > 1) return {}
  const isNew = ({ id }: ReadCard) => !found.items.some((one) => one.id === id)
  const universal = withoutVehicle(reading.wanted, reading.vocabulary)
  const ofNone = universal && (await readBeside(deps, { base, query, reading }, universal)).filter(isNew)
  if (ofNone?.length) return { near: { sentence: LISTED_FOR_NONE, items: ofNone.slice(0, SIMILAR_SHOWN) } }
  if (found.total >= FEW) return {}
  const same = found.pulled ? undefined : await sameNumbers(deps, { base, query, reading })
  const first = same?.items.filter(isNew) ?? []
  const has = conditionsOf(reading.wanted)
  if (!has.includes('part')) return {}
  const less = has.filter((kind) => kind !== 'part' && kind !== 'make' && kind !== 'model')
  for (const dropped of [less, [...less, 'model' as const], [...less, 'model' as const, 'make' as const]]) {
    const others = await readBeside(deps, { base, query, reading }, { dropped })
    const items = [...first, ...others.filter((one) => isNew(one) && !same?.pulled?.has(one.id))]
    if (items.length > 0) return similar(items, same)
  }
  return first.length > 0 ? similar(first, same) : {}
}

const LISTED_FOR_NONE = 'Listed without a vehicle; check the size'

async function readBeside(
  deps: SearchDeps,
  { base, query, reading }: Request,
  without: DroppedConditions,
): Promise<readonly ReadCard[]> {
  const beside = { ...query, page: 1, perPage: SIMILAR_SHOWN + FEW, sort: undefined }
  const search = toSearch(base, reading, without)
  return (await readPage(deps, { base, query: beside, reading, isBeside: true }, { search, without })).items
}

const similar = (items: readonly ReadCard[], same: Pick<FoundByWords, 'pulled'> | undefined) => ({
  near: { sentence: 'Similar parts', items: items.slice(0, SIMILAR_SHOWN) },
  ...(same?.pulled && { pulled: same.pulled }),
})

/**
 * Parts whose numbers differ from the typed one in one character, with all else that was asked; else by the number, what the
 * part is and the exclusions alone.
 */
async function nearNumbers(
  { cards, reads }: SearchDeps,
  { base, query, reading }: Request,
): Promise<(FoundPage & Pick<FoundByWords, 'relaxed'>) | undefined> {
  const { wanted } = reading
  const [typed] = wanted.numbers
  if (typed === undefined || query.exact) return undefined
  const keys = await reads((from) => findNumbersNear(from, wordKey(typed)))
  if (keys.length === 0) return undefined
  const near = `(${keys.map((key) => quotedLexeme(wordKey(foldText(key)))).join(' | ')})`
  const more = conditionsOf(wanted).filter((kind) => kind !== 'number' && kind !== 'part')
  for (const others of more.length > 0 ? [[], more] : [[]]) {
    const asked = toSearch(base, reading, { dropped: ['number', ...others] })
    const search = { ...asked, words: [asked.words, near].filter((one) => one !== '').join(' & ') }
    const found = await cards.find(search, liveList('newest'), query)
    if (found.total > 0) return { ...found, search, relaxed: nearNumberNotice(wanted, found.total, others) }
  }
  return undefined
}

async function present(
  deps: Deps,
  { query, said, named }: Omit<Reading, 'asked'>,
  found: FoundPage & Partial<FoundByWords>,
  read?: { reading: ReadWords; isAdmin: boolean },
): Promise<PartsPage> {
  const { page, perPage, zip } = query
  const rows = [...found.items, ...(found.near?.items ?? [])]
  const unknown = zip ? rows.flatMap(({ id, distanceMiles }) => (distanceMiles === undefined ? id : [])) : []
  const miles =
    zip && unknown.length > 0 ? await deps.reads((from) => milesFrom(from, zip, unknown)) : undefined
  const whys = found.relaxed?.dropped.includes('number') ? undefined : read?.reading.interchange
  const toCard = (row: ReadCard) => {
    const interchange = found.pulled?.get(row.id) ?? (whys && interchangeOf(row, whys))
    return {
      ...presentCard(row, row.distanceMiles ?? miles?.get(row.id)),
      ...(interchange !== undefined && { interchange }),
      ...(found.featured?.has(row.id) && { featured: true as const }),
    }
  }
  const { total, totalIsAtLeast, lastPage, near } = found
  return {
    items: found.items.map(toCard),
    total,
    ...(totalIsAtLeast && { totalIsAtLeast }),
    lastPage: Math.min(lastPage, LAST_PAGE),
    page,
    perPage,
    ...(await describeSearch(deps, { query, named }, found, read?.reading)),
    ...(said && { said }),
    ...(near && { near: { sentence: near.sentence, items: near.items.map(toCard) } }),
    ...(query.facets && { facets: await readFacets(deps, named, found) }),
    ...(query.explain && read?.isAdmin && { explain: explained(found) }),
  }
}

/** The search in words and chips, and what can be changed of one that found nothing. */
async function describeSearch(
  deps: Deps,
  { query, named }: { query: PartsQuery; named: NamedFilters },
  { total, relaxed }: FoundPage & Partial<FoundByWords>,
  reading: ReadWords | undefined,
): Promise<Pick<PartsPage, 'title' | 'understood' | 'chosen' | 'offers' | 'corrected' | 'relaxed'>> {
  const filters = filterChips(query, named)
  const title = titleOf(query, reading, named)
  const isEmptied = (total === 0 || relaxed !== undefined) && filters.length > 0
  const offers = isEmptied ? await findOffers(deps, filters) : undefined
  const notice = total === 0 && offers?.length ? undefined : relaxed && withFilters(relaxed, offers)
  return {
    ...(title !== undefined && { title }),
    understood: [...wordChips(query, reading, named), ...filters.map(({ chip }) => chip)],
    ...(named.chosen && { chosen: named.chosen }),
    ...(offers && { offers }),
    ...(reading?.corrected && { corrected: reading.corrected }),
    ...(notice && { relaxed: notice }),
  }
}

/** There would be some without a filter: "With “Toyota” chosen: no alternators for a Civic. Showing 4 …". */
function withFilters(
  relaxed: NonNullable<PartsPage['relaxed']>,
  offers: PartsPage['offers'] = [],
): NonNullable<PartsPage['relaxed']> {
  if (offers.length === 0) return relaxed
  const chosen = offers.map(({ label }) => `“${label}”`).join(' or ')
  const { sentence } = relaxed
  const rest = /^N/.test(sentence) ? `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}` : sentence
  return { ...relaxed, sentence: `With ${chosen} chosen: ${rest}` }
}

/** Why a search for another number finds this part. */
function interchangeOf(
  { partNumber, interchange }: ReadCard,
  { asked, why }: Interchange,
): string | undefined {
  if (numberKey(partNumber ?? '').startsWith(asked)) return undefined
  const stated = readInterchange(interchange ?? '').map(({ number }) => number)
  if (stated.some((number) => numberKey(number) === asked))
    return why(partNumber ?? '') ?? 'Its seller states this number'
  return [partNumber ?? '', ...stated].map(why).find((sentence) => sentence !== undefined)
}

const explained = ({ items, why }: FoundPage) =>
  Object.fromEntries(items.map(({ id }) => [id, [...(why?.get(id) ?? ['newest first'])]]))
