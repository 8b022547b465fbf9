import type { Suggestion } from '#contract/search/suggestions.ts'
import type { StockPair } from '#server/features/market/for-sale/stock-counts.ts'

/*
 * The search box's suggestions, in memory: part types, makes, models and sellers with live parts, by prefixes of their
 * words. With a few thousand words, a lookup takes microseconds. A misspelled word is compared with the words that
 * share its first letter. Its size is that of the catalog, however many parts there are.
 */

/** How many live parts there are; it changes while an index is in use. */
export type LiveCount = {
  live: number
  /** For a model, by year; a part of several years counts in each. */
  readonly years: Map<number, number>
}

type Named = {
  id: string
  name: string
  /** Aliases. */
  otherNames: readonly string[]
  /** Names in other languages, which come after all English ones. */
  foreignNames?: readonly string[]
  count: LiveCount
}
export type ModelNames = Named & { makeId: string }
export type SellerName = { name: string; slug: string; live: number }

/** Names that have or had live parts. */
type SuggestedNames = {
  parts: readonly Named[]
  makes: readonly Named[]
  models: readonly ModelNames[]
  sellers: readonly SellerName[]
}

/** How many live parts each of these pairs has, by `pairKey`; they are too many to be kept in memory. */
export type CountPairs = (pairs: readonly StockPair[]) => Promise<ReadonlyMap<string, number>>

export const pairKey = ({ modelId, partId }: StockPair): string => `${modelId} ${partId}`

/** A suggestible part type, make, model or seller. `id` is set for part types and models. */
type Entry = {
  kind: 'part' | 'vehicle' | 'seller'
  label: string
  count: Pick<LiveCount, 'live'>
  id?: string
  slug?: string
  years?: ReadonlyMap<number, number>
}

/** An entry that matches what was typed; `slips` counts the words that had to be corrected. */
type Match = { entry: Entry; live: number; slips: number }

type Index = {
  /** Entries by typed word, in one call: its words are looked up in many combinations. */
  looked?: Map<string, ReadonlyMap<Entry, number>>
  /** Every word of the entries, sorted, each with the entries that contain it. */
  words: readonly string[]
  entries: ReadonlyMap<string, ReadonlySet<Entry>>
  /** The same of words in other languages. */
  foreign: ReadonlyMap<string, ReadonlySet<Entry>>
  models: ReadonlyMap<string, Entry>
}

// A list of eight fits above a phone's keyboard.
const SHOWN = 8
const SHOWN_OF_A_KIND = 4
const SELLERS_SHOWN = 2
// A model's name alone also suggests its most common years.
const YEARS_SHOWN = 2
// People choose before typing more, and every word costs a lookup.
const WORDS_READ = 8
// A word in another language is likelier than a slip, and less likely than an English one.
const FOREIGN = 0.5
// Shorter words have too many neighbors to be corrected.
const SHORTEST_CORRECTED = 4

export function buildIndex({ parts, makes, models, sellers }: SuggestedNames): Index {
  const entries = new Map<string, Set<Entry>>()
  const foreign = new Map<string, Set<Entry>>()
  const add = (entry: Entry, names: readonly string[], to = entries) => {
    for (const word of names.flatMap(indexedWords)) {
      const known = to.get(word)
      if (known) known.add(entry)
      else to.set(word, new Set([entry]))
    }
  }
  for (const { id, name, otherNames, foreignNames = [], count } of parts) {
    const entry = { kind: 'part' as const, label: name, count, id }
    add(entry, [name, ...otherNames])
    add(entry, foreignNames, foreign)
  }
  const byModel = new Map<string, Entry>()
  const makesById = new Map(makes.map((make) => [make.id, make]))
  for (const { name, otherNames, count } of makes) {
    add({ kind: 'vehicle', label: name, count }, [name, ...otherNames])
  }
  for (const { id, makeId, name, otherNames, count } of models) {
    const make = makesById.get(makeId)
    const makeNames = make ? [make.name, ...make.otherNames] : []
    const label = make ? `${make.name} ${name}` : name
    const entry = { kind: 'vehicle' as const, label, count, id, years: count.years }
    byModel.set(id, entry)
    add(entry, [...makeNames, name, ...otherNames])
  }
  for (const seller of sellers) {
    add({ kind: 'seller', label: seller.name, count: seller, slug: seller.slug }, [seller.name])
  }
  const words = [...new Set([...entries.keys(), ...foreign.keys()])].sort()
  return { words, entries, foreign, models: byModel }
}

const typedWords = (text: string): string[] =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}|['’]/gu, '')
    .match(/[\p{L}\p{N}]+/gu) ?? []

/** Returns the words of a name, also joined and split: "F-150" gives f, 150 and f150; "4Runner" also gives runner. */
function indexedWords(name: string): string[] {
  const words = typedWords(name)
  const joined = words.slice(1).map((word, at) => `${words[at]}${word}`)
  const split = words.flatMap((word) => word.match(/\p{L}+|\p{N}+/gu) ?? [])
  return [...words, ...joined, ...split]
}

/** Suggests parts, vehicles and sellers for the typed text, those with the most live parts first. */
export async function suggestFrom(kept: Index, typed: string, countPairs: CountPairs): Promise<Suggestion[]> {
  const index = { ...kept, looked: new Map() }
  const { words, year } = readTyped(typed)
  const matches = words.length === 0 ? [] : matchOf(index, words)
  const parts = year === undefined ? matches.filter(({ entry }) => entry.kind === 'part') : []
  const vehicles = vehiclesOf(matches, year)
  const sellers = year === undefined ? matches.filter(({ entry }) => entry.kind === 'seller') : []
  const pairs = words.length > 1 ? await inStock(pairsOf(index, words, year), countPairs) : []
  const groups = [
    pairs.map(({ label, live, slips }) => ({ slips, live, shown: byWords('words', label, live) })),
    best(parts, SHOWN_OF_A_KIND).map((match) => shown(match, byWords('part', match.entry.label, match.live))),
    vehicles,
    best(sellers, SELLERS_SHOWN).map((match) => shown(match, sellerPage(match.entry))),
  ]
  const found = groups.flat()
  if (found.length === 0) return completionsOf(index, typed)
  const fewest = Math.min(...found.map(({ slips }) => slips))
  return found
    .filter(({ slips }) => slips === fewest)
    .slice(0, SHOWN)
    .map((each) => each.shown)
}

type Shown = { shown: Suggestion; slips: number; live: number }

const shown = ({ slips, live }: Match, suggestion: Suggestion): Shown => ({ shown: suggestion, slips, live })

const byWords = (kind: Suggestion['kind'], label: string, live?: number): Suggestion => ({
  kind,
  label,
  url: `/parts?${new URLSearchParams({ q: label })}`,
  ...(live !== undefined && { count: live }),
})

const sellerPage = ({ label, count, slug = '' }: Entry): Suggestion => ({
  kind: 'seller',
  label,
  url: `/sellers/${encodeURIComponent(slug)}`,
  count: count.live,
})

/** A car that a VIN names; undefined if nothing of it is in stock. */
export function suggestCar(
  { models }: Index,
  { modelId, year }: { modelId: string; year: number | undefined },
): Suggestion | undefined {
  const model = models.get(modelId)
  const live = year === undefined ? model?.count.live : model?.years?.get(year)
  if (!model || !live) return undefined
  return byWords('vehicle', [year, model.label].filter(Boolean).join(' '), live)
}

/** Reads the first year among the words; two digits count as a year only next to other words. */
function readTyped(typed: string): { words: string[]; year: number | undefined } {
  const words = typedWords(typed).slice(0, WORDS_READ)
  const at = words.findIndex(
    (word) => /^(19[5-9]|20[0-4])\d$/.test(word) || (words.length > 1 && /^[0-4]\d$|^[5-9]\d$/.test(word)),
  )
  const year = words[at]
  if (year === undefined) return { words, year }
  return { words: words.toSpliced(at, 1), year: fullYear(Number(year)) }
}

// Two-digit years up to this one are 20xx.
const LAST_SHORT_YEAR = 49

function fullYear(year: number): number {
  if (year > 99) return year
  return year > LAST_SHORT_YEAR ? 1900 + year : 2000 + year
}

/** Finds the entries that match all words as prefixes. Two words may also match as one: "tail gate". */
function matchOf(index: Index, words: readonly string[]): Match[] {
  const asTyped = withAll(index, words)
  if (asTyped.some(({ slips }) => slips === 0)) return asTyped
  const joined = words.slice(1).flatMap((word, at) => {
    const first = words.slice(0, at)
    return withAll(index, [...first, `${words[at]}${word}`, ...words.slice(at + 2)])
  })
  return asTyped.length > 0 && joined.every(({ slips }) => slips > 0) ? asTyped : joined
}

function withAll(index: Index, words: readonly string[]): Match[] {
  const [first = '', ...others] = words
  let found = entriesWith(index, first)
  for (const word of others) {
    if (found.size === 0) break
    const having = entriesWith(index, word)
    const both = [...found].flatMap(([entry, slips]) => {
      const more = having.get(entry)
      return more === undefined ? [] : [[entry, slips + more] as const]
    })
    found = new Map(both)
  }
  return [...found].map(([entry, slips]) => ({ entry, slips, live: entry.count.live }))
}

/**
 * Finds entries by prefix, or if there are none, with one character wrong. Returns each with its number of corrections.
 */
function entriesWith(index: Index, typed: string): ReadonlyMap<Entry, number> {
  const known = index.looked?.get(typed)
  if (known) return known
  const found = findEntriesWith(index, typed)
  index.looked?.set(typed, found)
  return found
}

function findEntriesWith({ words, entries, foreign }: Index, typed: string): Map<Entry, number> {
  const found = new Map<Entry, number>()
  const take = (some: Iterable<string>, slips: number, from = entries) => {
    for (const word of some) {
      for (const entry of from.get(word) ?? []) {
        if (entry.count.live > 0 && !found.has(entry)) found.set(entry, slips)
      }
    }
  }
  const beginning = [...wordsFrom(words, typed)]
  take(beginning, 0)
  take(beginning, FOREIGN, foreign)
  if (found.size > 0 || typed.length < SHORTEST_CORRECTED) return found
  // Nearly all misspellings have the correct first letter.
  const almost = [...wordsFrom(words, typed.charAt(0))].filter((word) => beginsAlmostLike(word, typed))
  take(almost, 1)
  take(almost, 1 + FOREIGN, foreign)
  return found
}

/** Yields the words with this prefix, found by binary search. */
function* wordsFrom(words: readonly string[], start: string): Generator<string> {
  let low = 0
  let high = words.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((words[middle] ?? '') < start) low = middle + 1
    else high = middle
  }
  for (let at = low; words[at]?.startsWith(start); at += 1) yield words[at] ?? ''
}

/**
 * Whether the typed text is a prefix of the word except for one character added, missing, changed or swapped with its
 * neighbor.
 */
export function beginsAlmostLike(word: string, typed: string): boolean {
  let same = 0
  while (same < typed.length && word[same] === typed[same]) same += 1
  const [rest, wanted] = [typed.slice(same), word.slice(same)]
  const isAdded = wanted.startsWith(rest.slice(1))
  const isLeftOut = wanted.slice(1).startsWith(rest)
  const isChanged = wanted.slice(1).startsWith(rest.slice(1))
  const isSwapped =
    rest[0] === wanted[1] && rest[1] === wanted[0] && wanted.slice(2).startsWith(rest.slice(2))
  return isAdded || isLeftOut || (isChanged && wanted !== '') || isSwapped
}

const best = (matches: readonly Match[], limit: number): Match[] =>
  matches.toSorted((a, b) => a.slips - b.slips || b.live - a.live).slice(0, limit)

/**
 * Suggests makes and models; with a year, only models with parts of that year. A single model also gets its most common
 * years.
 */
function vehiclesOf(matches: readonly Match[], year: number | undefined): Shown[] {
  const vehicles = matches.filter(({ entry }) => entry.kind === 'vehicle')
  if (year !== undefined) {
    const ofYear = vehicles.flatMap((match) => {
      const live = match.entry.years?.get(year) ?? 0
      return live > 0 ? [{ ...match, live }] : []
    })
    return best(ofYear, SHOWN_OF_A_KIND).map((match) =>
      shown(match, byWords('vehicle', `${year} ${match.entry.label}`, match.live)),
    )
  }
  const plain = best(vehicles, SHOWN_OF_A_KIND).map((match) =>
    shown(match, byWords('vehicle', match.entry.label, match.live)),
  )
  const [only, other] = vehicles
  if (!only || other) return plain
  const years = [...(only.entry.years ?? [])]
    .filter(([, live]) => live > 0)
    .sort(([, a], [, b]) => b - a)
    .slice(0, YEARS_SHOWN)
  return [
    ...plain,
    ...years.map(([of, live]) =>
      shown({ ...only, live }, byWords('vehicle', `${of} ${only.entry.label}`, live)),
    ),
  ]
}

/** If the words match nothing together, completes the last one: "drivers side mir", "need a headl". */
function completionsOf(index: Index, typed: string): Suggestion[] {
  const words = typed.trim().split(/\s+/)
  for (let at = 1; at < words.length; at += 1) {
    const ending = typedWords(words.slice(at).join(' '))
    if (ending.length === 0 || ending.length > WORDS_READ) continue
    const matches = matchOf(index, ending).filter(({ entry }) => entry.kind !== 'seller')
    const start = words.slice(0, at).join(' ')
    if (matches.length > 0) {
      return best(matches, SHOWN_OF_A_KIND).map(({ entry }) => byWords('words', `${start} ${entry.label}`))
    }
  }
  return []
}

type Pair = StockPair & { label: string; slips: number }

// Candidates for each side of a pair: enough for four pairs, few enough to try all.
const PAIRED = 12

/** Vehicles with a part type, in either order: "2012 camry alt". By label, with as few corrections as possible. */
function pairsOf(index: Index, words: readonly string[], year: number | undefined): Pair[] {
  const pairs = new Map<string, Pair>()
  for (let at = 1; at < words.length; at += 1) {
    const [one, other] = [words.slice(0, at), words.slice(at)].map((side) => matchOf(index, side)) as [
      Match[],
      Match[],
    ]
    for (const pair of [...paired(one, other, year), ...paired(other, one, year)]) {
      const known = pairs.get(pair.label)
      if (!known || pair.slips < known.slips) pairs.set(pair.label, pair)
    }
  }
  return [...pairs.values()]
}

function paired(vehicles: Match[], parts: Match[], year: number | undefined): Pair[] {
  const models = vehicles.filter(
    ({ entry }) => entry.years && (year === undefined || (entry.years.get(year) ?? 0) > 0),
  )
  const types = parts.filter(({ entry }) => entry.kind === 'part')
  return best(models, PAIRED).flatMap((model) =>
    best(types, PAIRED).map((type) => ({
      modelId: model.entry.id ?? '',
      partId: type.entry.id ?? '',
      label: [year, model.entry.label, type.entry.label].filter((word) => word !== undefined).join(' '),
      slips: model.slips + type.slips,
    })),
  )
}

/** The pairs that have parts, those with the most first. */
async function inStock(pairs: readonly Pair[], countPairs: CountPairs): Promise<(Pair & { live: number })[]> {
  if (pairs.length === 0) return []
  const counts = await countPairs(pairs)
  return pairs
    .flatMap((pair) => {
      const live = counts.get(pairKey(pair))
      return live ? [{ ...pair, live }] : []
    })
    .sort((a, b) => a.slips - b.slips || b.live - a.live)
    .slice(0, SHOWN_OF_A_KIND)
}
