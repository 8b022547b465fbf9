import { sql } from 'kysely'
import type { Suggestion } from '#contract/search/suggestions.ts'
import type { Vocabulary } from '#contract/trade-language/vocabulary.ts'
import { listOf } from '#contract/trade-language/words.ts'
import { isVinLike, plainVin } from '#contract/vehicle/vin-rules.ts'
import type { ReadPartsQuery } from '#server/features/finding/search/query/reading.ts'
import { readVocabulary, wordsVersion } from '#server/features/finding/vocabulary/vocabulary.ts'
import { isForSale } from '#server/features/market/for-sale/for-sale.ts'
import { countPairs, foldStock, readStockCounts } from '#server/features/market/for-sale/stock-counts.ts'
import { liveBySeller, tallyOf } from '#server/features/market/for-sale/tally.ts'
import { catalogVehicle, type Vehicles } from '#server/features/market/vin/vehicles.ts'
import { shownName } from '#server/features/people/yard-names/shown-name.ts'
import { type Db, onlyRow } from '#server/platform/database/database.ts'
import { type BackgroundTasks, openBackgroundTasks, type Reads } from '#server/platform/database/reads.ts'
import { takeTurn } from '#server/platform/http/limits/turns.ts'
import type { Log } from '#server/platform/log.ts'
import {
  buildIndex,
  type CountPairs,
  type LiveCount,
  type ModelNames,
  pairKey,
  type SellerName,
  suggestCar,
  suggestFrom,
} from './suggestion-index.ts'

/* Suggestions from the live stock while a buyer types in the search box. */

export type Suggestions = {
  suggest(typed: string): Promise<Suggestion[]>
  /** Whether words ask for a part without saying of which vehicle, with which number or from whom. */
  isOfAnyVehicle(typed: string): Promise<boolean>
  /** Reads the counts unless they are known. @throws what kept them from being read */
  ready(): Promise<void>
  /** Waits for a running refresh. */
  close(): Promise<void>
}

type Deps = {
  db: Db
  reads: Reads
  readQuery: ReadPartsQuery
  vehicles: Vehicles
  log: Log
  now: () => Date
}

/** Live parts of each part type, make and model by id, as of a fold. */
type Counted = { readonly byId: Map<string, LiveCount>; lastFold: number }

type CurrentIndex = {
  index: ReturnType<typeof buildIndex>
  /** The versions and the number of its names; others need another index. */
  words: string
  size: number
  sellers: readonly SellerName[]
}

// Refreshing uses at most a tenth of one core, however often the stock changes.
const REST_FOR_EACH_MS = 10
const SHORTEST_REST_MS = 1_000
// A refresh ends, even if an import writes as fast as this folds.
const FOLDS_AT_ONCE = 10

/**
 * Keeps the suggestion index of one process. After the stock changes, the next request starts a refresh and gets the
 * current index, so changes show a moment later. A refresh reads the counts that changed, never the listings.
 */
export function openSuggestions({ db, reads, readQuery, vehicles, log, now }: Deps): Suggestions {
  const tasks: BackgroundTasks = openBackgroundTasks(log)
  const counted: Counted = { byId: new Map(), lastFold: -1 }
  let current: CurrentIndex | undefined
  let known: { version: string; checkedAt: number; restMs: number } | undefined
  const refresh = async () => {
    const { version, words } = await reads(readVersion)
    const checkedAt = now().getTime()
    if (known?.version === version) {
      known = { ...known, checkedAt }
      return
    }
    const began = performance.now()
    await tasks.run('count the stock', () => foldAll(db))
    const isBehind = await readCounts(reads, counted)
    current = await reads((from) => refreshIndex(from, { current, counted, words }))
    const restMs = Math.max(SHORTEST_REST_MS, (performance.now() - began) * REST_FOR_EACH_MS)
    // Another process was folding, or the replica lags.
    known = { version: isBehind ? '' : version, checkedAt, restMs }
  }
  const refreshed = async (): Promise<CurrentIndex> => {
    if (!current) await tasks.run('index suggestions', refresh)
    // The first refresh failed and was logged; this one throws the reason.
    if (!current) await refresh()
    const { checkedAt = 0, restMs = 0 } = known ?? {}
    if (now().getTime() - checkedAt > restMs) void tasks.run('index suggestions', refresh)
    return current as CurrentIndex
  }
  const liveOf: CountPairs = async (pairs) => {
    const rows = await reads((from) => countPairs(from, pairs))
    return new Map(rows.map((row) => [pairKey(row), row.live]))
  }
  return {
    async suggest(typed) {
      const { index } = await refreshed()
      await takeTurn()
      if (isVinLike(plainVin(typed))) {
        const car = await reads((from) => findCar(from, vehicles, typed))
        const known = car && suggestCar(index, car)
        return known ? [known] : []
      }
      const [numbers, others] = await Promise.all([
        reads((from) => findNumbers(from, typed)),
        suggestFrom(index, typed, liveOf),
      ])
      // Behind a part number, the beginning of a word is a piece of it.
      const named = numbers.length > 0 ? others.filter(({ count }) => count !== undefined) : others
      return [...numbers, ...named]
    },
    async isOfAnyVehicle(typed) {
      const { asked } = await reads((from) => readQuery(from, { q: typed, page: 1, perPage: 1 }))
      if (asked === 'nothing' || !asked.words) return false
      const { vehicle, years, numbers, sellerId } = asked.words.wanted
      return !vehicle && !years && !sellerId && numbers.length === 0
    },
    async ready() {
      if (!current) await refreshed()
    },
    close: () => tasks.close(),
  }
}

/** The model that a VIN names, and its year. */
async function findCar(
  db: Db,
  vehicles: Vehicles,
  vin: string,
): Promise<{ modelId: string; year: number | undefined } | undefined> {
  const [decoder, catalog] = await Promise.all([vehicles.decoder(), vehicles.catalog(db)])
  const decoded = decoder.decode(plainVin(vin))
  const { model } = catalogVehicle(catalog, decoded)
  return model && { modelId: model.id, year: decoded.car.year?.value }
}

async function foldAll(db: Db): Promise<void> {
  for (let folds = 0; folds < FOLDS_AT_ONCE && (await foldStock(db)) > 0; folds += 1);
}

/** Files add aliases, which change no version of the words. */
const aliasCounts = sql`
  (select count(*) from category_alias), (select count(*) from manufacturer_alias), (select count(*) from car_model_alias)`

async function readVersion(db: Db): Promise<{ version: string; words: string }> {
  const { rows } = await sql<{ words: string; writes: number }>`/* prepared */
    select tally.writes, concat_ws(' ', ${wordsVersion}, ${aliasCounts}) as words from (${tallyOf(undefined)}) tally
  `.execute(db)
  const { words, writes } = onlyRow(rows)
  return { version: `${writes} ${words}`, words }
}

/** Adds what changed since. Returns whether more waits to be folded. */
async function readCounts(reads: Reads, counted: Counted): Promise<boolean> {
  const { counts, isBehind } = await reads((from) => readStockCounts(from, counted.lastFold))
  for (const { id, year, live, changed } of counts) {
    const count = counted.byId.get(id) ?? { live: 0, years: new Map() }
    counted.byId.set(id, count)
    if (year === 0) count.live = live
    else count.years.set(year, live)
    counted.lastFold = Math.max(counted.lastFold, changed)
  }
  return isBehind
}

type Refresh = { current: CurrentIndex | undefined; counted: Counted; words: string }

/** The index has the counts themselves: it is only made again for other names. */
async function refreshIndex(db: Db, { current, counted: { byId }, words }: Refresh): Promise<CurrentIndex> {
  const sellers = await readSellers(db)
  const isOfSameNames = current?.words === words && current.size === byId.size
  if (current && isOfSameNames && hasSameNames(sellers, current.sellers)) {
    for (const [at, { live }] of sellers.entries()) Object.assign(current.sellers[at] ?? {}, { live })
    return current
  }
  const vocabulary = await readVocabulary(db)
  const [named, makes, models] = await Promise.all([
    readNames(db, 'category', { byId, vocabulary }),
    readNames(db, 'manufacturer', { byId, vocabulary }),
    readNames(db, 'car_model', { byId, vocabulary }),
  ])
  const foreign = foreignNames(vocabulary)
  const parts = named.map((part) => ({ ...part, foreignNames: foreign.get(part.id) ?? [] }))
  return { index: buildIndex({ parts, makes, models, sellers }), words, size: byId.size, sellers }
}

/** What part types are called in other languages, by their ids. */
function foreignNames({ language, partTypes }: Vocabulary): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>()
  for (const { words, means } of language.foreign) {
    for (const { id } of partTypes.meaningOfText(means)?.types ?? []) {
      names.set(id, [...(names.get(id) ?? []), ...listOf(words)])
    }
  }
  return names
}

const hasSameNames = (some: readonly SellerName[], others: readonly SellerName[]) =>
  some.length === others.length &&
  some.every(({ slug, name }, at) => slug === others[at]?.slug && name === others[at]?.name)

/** What people say for the names of each table: the kind of a trade word, and how its meaning names a row. */
const tradeWordKinds = {
  category: { kind: 'part', makeId: sql`null`, ofMake: sql`null` },
  manufacturer: { kind: 'make', makeId: sql`null`, ofMake: sql`null` },
  car_model: {
    kind: 'model',
    makeId: sql`n.manufacturer_id`,
    ofMake: sql`(select name from manufacturer where id = n.manufacturer_id)`,
  },
} as const

type Names = { id: string; makeId: string; name: string; ofMake: string | null; aliases: string[] }

async function readNames(
  db: Db,
  table: keyof typeof tradeWordKinds,
  { byId, vocabulary }: { byId: ReadonlyMap<string, LiveCount>; vocabulary: Vocabulary },
): Promise<ModelNames[]> {
  const { kind, makeId, ofMake } = tradeWordKinds[table]
  const said = new Map<string, string[]>()
  for (const { word, kind: of, means } of vocabulary.tradeWords) {
    if (of === kind) for (const name of listOf(means)) said.set(name, [...(said.get(name) ?? []), word])
  }
  const { rows } = await sql<Names>`
    select n.id, ${makeId} as "makeId", n.name, ${ofMake} as "ofMake", array(
             select alias from ${sql.table(`${table}_alias`)} where ${sql.ref(`${table}_id`)} = n.id
           ) as aliases
    from ${sql.table(table)} n
    where n.id = any(${[...byId.keys()]}::uuid[])
  `.execute(db)
  return rows.flatMap(({ ofMake: make, aliases, ...row }) => {
    const count = byId.get(row.id)
    const words = said.get(make === null ? row.name : `${make}/${row.name}`) ?? []
    return count ? [{ ...row, otherNames: [...words, ...aliases], count }] : []
  })
}

// The sellers with the most parts; the search itself finds others by their full names.
const SELLERS_KEPT = 5_000

async function readSellers(db: Db): Promise<SellerName[]> {
  const { rows } = await sql<SellerName>`
    select s.name, s.slug, counted.live::int as live
    from (${liveBySeller}) counted join seller s on s.id = counted.seller_id
    where ${shownName(sql`s.id`, sql`s.name`)} = s.name
    order by counted.live desc, s.id limit ${SELLERS_KEPT}
  `.execute(db)
  // As long as the same sellers have parts, their order stays.
  return rows.sort((a, b) => (a.slug < b.slug ? -1 : 1))
}

const NUMBERS_SHOWN = 3
// A short prefix matches thousands of numbers, and counting them all would be slower than typing. Takes the first in
// sort order.
const NUMBERS_COUNTED = 500
// Shorter prefixes match too many numbers to help.
const SHORTEST_NUMBER = 4

/** Finds part numbers of live parts with the typed prefix, ignoring dashes and spaces. */
async function findNumbers(db: Db, typed: string): Promise<Suggestion[]> {
  const start = typed.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
  // Words with a year ("2012 CAMRY") are not a part number: no maker's numbers have five letters in a row.
  if (start.length < SHORTEST_NUMBER || !/\d.*\d/.test(start) || /[A-Z]{5}/.test(start)) return []
  const { rows } = await sql<{ number: string }>`
    select min(part_number) as number
    from (
      select part_number, part_number_key from listing l
      where part_number_key >= ${start} and part_number_key < ${`${start}a`} and ${isForSale}
      order by part_number_key limit ${NUMBERS_COUNTED}
    ) beginning
    group by part_number_key order by count(*) desc, part_number_key limit ${NUMBERS_SHOWN}
  `.execute(db)
  return rows.map(({ number }) => ({
    kind: 'number' as const,
    label: number,
    url: `/parts?${new URLSearchParams({ q: number })}`,
  }))
}
