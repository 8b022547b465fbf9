import type { Facets, PartsPage, PartsQuery } from '#contract/search/parts-search.ts'
import {
  liveList,
  MATCHES_SHOWN,
  readWithTally,
  type Search,
} from '#server/features/listings/find/list-queries.ts'
import type { Lists } from '#server/features/listings/find/lists.ts'
import { milesFrom } from '#server/features/listings/find/places.ts'
import { asksNothing } from '#server/features/listings/find/read-search.ts'
import { foldText, wordKey } from '#server/features/listings/find/search-terms.ts'
import { readInShape } from '#server/features/listings/listing-queries.ts'
import type { Db } from '#server/platform/database/database.ts'
import { openBackgroundTasks, type Reads } from '#server/platform/database/reads.ts'
import type { Log } from '#server/platform/log.ts'
import { type Ask, searchOf } from './asked-parts.ts'
import { cardShape, presentCard, type ReadCard } from './cards.ts'
import { noteEmptySearch } from './empty-searches.ts'
import { type CountedIn, countFacets, noFacets } from './facets.ts'
import { type KnownResults, openKnownResults } from './known-results.ts'
import { conditionsOf, toSearch, type Without } from './meant-search.ts'
import { type AnswerRates, openAnswerRates, type ReadRanked, rank } from './rank.ts'
import { relax, tellRelaxed } from './relax.ts'
import type { Reading } from './words/reading.ts'
import { findNumbersNear } from './words/spelling.ts'
import { withoutWords } from './words/understand.ts'

/* What a buyer asks for, in words and by filters: read, searched, ranked, and if nothing has all of it, relaxed. */

type PartsSearchDeps = {
  db: Db
  reads: Reads
  ask: Ask
  cards: Lists<ReadCard>
  ranked: Lists<ReadRanked>
  log: Log
  now: () => Date
}

export type PartsSearch = {
  find(query: PartsQuery, viewer: { isAdmin: boolean }): Promise<PartsPage>
  close(): Promise<void>
}

/** The ids of the best matches of a search, in order. */
type Best = Pick<FoundPage, 'total' | 'totalIsAtLeast'> & { ids: readonly string[] }

type Memory = { best: KnownResults<Best>; facets: KnownResults<Facets>; counts: KnownResults<CountedIn> }

// 30 kB each.
const BEST_KEPT = 500
// 5 kB each.
const FACETS_KEPT = 1_000

export function openPartsSearch(given: PartsSearchDeps): PartsSearch {
  const { db, reads, ask, log, now } = given
  const deps = {
    ...given,
    best: openKnownResults<Best>(BEST_KEPT, now),
    facets: openKnownResults<Facets>(FACETS_KEPT, now),
    counts: openKnownResults<CountedIn>(FACETS_KEPT, now),
  }
  const answerRates = openAnswerRates(now)
  const tasks = openBackgroundTasks(log)
  return {
    async find(query, { isAdmin }) {
      const asked = await reads((from) => ask(from, query))
      if (asked === 'nothing') return present(deps, query, NOTHING)
      const { base, reading } = asked
      if (!reading) {
        const found = await listAll(deps, base, query)
        return present(deps, query, asked.isUnknownVin ? { ...found, relaxed: UNKNOWN_VIN } : found)
      }
      const answers = await reads(answerRates)
      const found = await findMeant({ ...deps, answers }, { base, query, reading })
      if (found.isMissed && asksNothing(base)) {
        void tasks.run(`note “${reading.meant.typed.join(' ')}”`, () =>
          noteEmptySearch(db, reading.meant.typed),
        )
      }
      return present(deps, query, found, { reading, isAdmin })
    },
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
  /** What was searched for, and at which version of the data; for facets. */
  search?: Search
  writes?: number
  /** Why each is where it is, by id. */
  why?: ReadonlyMap<string, readonly string[]>
}

const NOTHING: FoundPage = { items: [], total: 0, lastPage: 1 }

async function listAll({ cards }: PartsSearchDeps, search: Search, query: PartsQuery): Promise<FoundPage> {
  const list = liveList(search.sort === 'nearest' ? 'newest' : search.sort)
  const asked = asksNothing(search) && search.sort !== 'nearest' ? 'everything' : search
  return { ...(await cards.find(asked, list, query)), search }
}

type Request = { base: Search; query: PartsQuery; reading: Reading }
type SearchDeps = PartsSearchDeps & Memory & { answers: AnswerRates }

type FoundMeant = FoundPage & {
  /** Nothing had all that was asked. */
  isMissed: boolean
  relaxed?: NonNullable<PartsPage['relaxed']>
  near?: { sentence: string; items: readonly ReadCard[] }
}

async function findMeant(deps: SearchDeps, request: Request): Promise<FoundMeant> {
  const { base, reading } = request
  const search = searchOf(request)
  if (!search) return { ...NOTHING, isMissed: true }
  const found = await readPage(deps, request, { search, without: { dropped: [] } })
  if (found.total > 0) return { ...found, isMissed: false, ...(await nearby(deps, request, found)) }
  const numbers = await nearNumbers(deps, request)
  if (numbers) return { ...numbers, isMissed: true }
  const relaxed = await deps.reads((from) => relax(from, base, reading))
  if (!relaxed) return { ...NOTHING, isMissed: true }
  const others = await readPage(deps, request, relaxed)
  const total = `${others.total.toLocaleString('en-US')}${others.totalIsAtLeast ? '+' : ''}`
  const told = tellRelaxed(relaxed.without, { meant: reading.meant, total })
  return { ...others, isMissed: true, ...(told && { relaxed: told }) }
}

// Only this many of the newest are ranked, which takes 3 ms however many match; the rest follow by age.
const RANKED = 500

async function readPage(
  deps: SearchDeps,
  { query, reading }: Request,
  { search, without }: { search: Search; without: Without },
): Promise<FoundPage> {
  const { page, perPage, explain } = query
  if (asksNothing(search) || (query.sort && query.sort !== 'relevance')) return listAll(deps, search, query)
  const window = Math.floor(RANKED / perPage) * perPage
  if (page * perPage > window) return listAll(deps, search, query)
  const { meant } = reading
  const key = JSON.stringify([search, without, meant.typed, window])
  const known = explain ? undefined : await readKnown(deps, key, query)
  if (known) return { ...known, search }
  const found = await deps.ranked.find(search, liveList('newest'), { page: 1, perPage: window })
  const ranked = rank(found.items, { meant, without, answers: deps.answers })
  const { total, totalIsAtLeast, writes } = found
  const best = { total, ...(totalIsAtLeast && { totalIsAtLeast }), ids: ranked.map(({ id }) => id) }
  if (writes !== undefined) deps.best.remember(key, writes, best)
  const ids = idsOfPage(best, query)
  return {
    ...pageOf(best, query, await deps.reads((from) => readInShape(from, cardShape, ids))),
    search,
    ...(writes !== undefined && { writes }),
    why: new Map(ranked.map(({ id, why }) => [id, why])),
  }
}

/** The page of a search that was ranked before, if nothing was written since. */
async function readKnown(deps: SearchDeps, key: string, query: PartsQuery): Promise<FoundPage | undefined> {
  const known = deps.best.recall(key)
  if (!known) return undefined
  const ids = idsOfPage(known.value, query)
  const { items, writes } = await deps.reads((from) => readWithTally(from, cardShape, ids))
  return writes === known.writes ? { ...pageOf(known.value, query, items), writes } : undefined
}

const idsOfPage = ({ ids }: Best, { page, perPage }: PartsQuery) =>
  ids.slice((page - 1) * perPage, page * perPage)

const pageOf = ({ total, totalIsAtLeast }: Best, { perPage }: PartsQuery, items: ReadCard[]): FoundPage => ({
  items,
  total,
  ...(totalIsAtLeast && { totalIsAtLeast }),
  lastPage: Math.max(1, Math.ceil(Math.min(total, MATCHES_SHOWN) / perPage)),
})

/** The counts of all filters. */
async function readFacets(
  { reads, counts, facets }: PartsSearchDeps & Memory,
  { search, writes, total }: FoundPage,
): Promise<Facets> {
  if (!search || writes === undefined) return noFacets()
  // The order changes no count.
  const key = JSON.stringify({ ...search, sort: undefined })
  const known = facets.recall(key)
  if (known?.writes === writes) return known.value
  const counted = await reads((from) => countFacets(from, { search, total, writes }, counts))
  facets.remember(key, writes, counted)
  return counted
}

// Below this a page looks empty; a row of cards is shown besides.
const FEW = 4
const SIMILAR_SHOWN = 8

/** Parts like the few that were found: of other years, then of other models. */
async function nearby(
  deps: SearchDeps,
  { base, query, reading }: Request,
  found: FoundPage,
): Promise<Pick<FoundMeant, 'near'>> {
  if (found.total >= FEW || query.page > 1) return {}
  const has = conditionsOf(reading.meant)
  if (!has.includes('part')) return {}
  const less = has.filter((kind) => kind !== 'part' && kind !== 'make' && kind !== 'model')
  for (const dropped of [less, [...less, 'model' as const], [...less, 'model' as const, 'make' as const]]) {
    const without = { dropped }
    const search = toSearch(base, reading, without)
    if (!search) continue
    const others = await readPage(
      deps,
      { base, query: { ...query, page: 1, perPage: SIMILAR_SHOWN + FEW, sort: undefined }, reading },
      { search, without },
    )
    const items = others.items.filter(({ id }) => !found.items.some((one) => one.id === id))
    if (items.length > 0) return { near: { sentence: 'Similar parts', items: items.slice(0, SIMILAR_SHOWN) } }
  }
  return {}
}

/** Parts whose numbers differ from the typed one in one character. */
async function nearNumbers(
  { cards, reads }: SearchDeps,
  { base, query, reading }: Request,
): Promise<(FoundPage & Pick<FoundMeant, 'relaxed'>) | undefined> {
  const [typed] = reading.meant.numbers
  if (typed === undefined) return undefined
  const keys = await reads((from) => findNumbersNear(from, wordKey(typed)))
  if (keys.length === 0) return undefined
  const near = `(${keys.map((key) => `'${wordKey(foldText(key))}'`).join(' | ')})`
  const search = { ...base, words: near }
  const found = await cards.find(search, liveList('newest'), query)
  if (found.total === 0) return undefined
  const sentence = `No part number ${typed.toUpperCase()}; ${found.total} with one other character.`
  return { ...found, search, relaxed: { sentence, dropped: ['number'] } }
}

async function present(
  deps: PartsSearchDeps & Memory,
  query: PartsQuery,
  found: FoundPage & Partial<FoundMeant>,
  read?: { reading: Reading; isAdmin: boolean },
): Promise<PartsPage> {
  const { page, perPage, zip } = query
  const ids = [...found.items, ...(found.near?.items ?? [])].map(({ id }) => id)
  const { reads } = deps
  const miles = zip ? await reads((from) => milesFrom(from, zip, ids)) : undefined
  const toCard = (row: ReadCard) => {
    const distanceMiles = miles?.get(row.id)
    return { ...presentCard(row), ...(distanceMiles !== undefined && { distanceMiles }) }
  }
  const { total, totalIsAtLeast, lastPage, relaxed, near } = found
  return {
    items: found.items.map(toCard),
    total,
    ...(totalIsAtLeast && { totalIsAtLeast }),
    lastPage,
    page,
    perPage,
    understood: read ? chipsOf(query, read.reading) : [],
    ...(read?.reading.corrected && { corrected: read.reading.corrected }),
    ...(relaxed && { relaxed }),
    ...(near && { near: { sentence: near.sentence, items: near.items.map(toCard) } }),
    ...(query.facets && { facets: await readFacets(deps, found) }),
    ...(query.explain && read?.isAdmin && { explain: explained(found) }),
  }
}

const explained = ({ items, why }: FoundPage) =>
  Object.fromEntries(items.map(({ id }) => [id, [...(why?.get(id) ?? ['newest first'])]]))

function chipsOf(query: PartsQuery, { meant }: Reading): PartsPage['understood'] {
  return meant.recognized.map(({ kind, label, at }) => ({
    kind,
    label,
    without: queryString({ ...query, q: withoutWords(meant.typed, at) }),
  }))
}

/** As in an address, without what a new search begins with. */
function queryString({ page: _, perPage, explain: __, ...query }: PartsQuery): string {
  const all = Object.entries({ ...query, ...(perPage !== USUAL && { perPage }) })
  const address = new URLSearchParams()
  for (const [name, value] of all) {
    if (value !== undefined && value !== '') address.set(name, value === true ? '1' : String(value))
  }
  return address.toString()
}

const USUAL = 12
