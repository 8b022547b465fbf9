import { sql } from 'kysely'
import { buyersPlaceWords, isCorner, type Place, places } from '#contract/text/part-side.ts'
import { tallyOf } from '#server/features/for-sale/tally.ts'
import { nameKey } from '#server/features/lookups/lookup-names.ts'
import { partWords } from '#server/features/stock-files/match/category-matcher.ts'
import {
  AMBIGUOUS_MAKES,
  MAKE_ABBREVIATIONS,
} from '#server/features/stock-files/match/manufacturer-matcher.ts'
import { modelOfCode, nicknameOf } from '#server/features/stock-files/match/model-words.ts'
import { squash, wordsOf } from '#server/features/stock-files/match/name-form.ts'
import type { KnownModel, KnownName } from '#server/features/stock-files/match/name-verdict.ts'
import { loadTaxonomyNames, type TaxonomyNames } from '#server/features/stock-files/match/taxonomy-queries.ts'
import { type Db, onlyRow } from '#server/platform/database/database.ts'
import { openSharedReads } from '#server/platform/database/reads.ts'
import { RecentValues } from '#server/platform/recent-values.ts'
import { openSpelling } from './spelling.ts'
import { listTradeWords, namesMeant, type TradeWord } from './trade-words.ts'

/*
 * Every word the search understands, with its meanings: names and aliases of lookups, sides, and trade words. Each process
 * keeps about 10,000 words in memory and reloads them when a name or word changes.
 */

/** Models of one make that a word names. */
export type NamedModels = {
  readonly makeId: string
  readonly label: string
  /** Models with exactly this name. */
  readonly exactIds: readonly string[]
  /** These, and models whose names begin with it: Silverado 1500 for "silverado". */
  readonly ids: readonly string[]
  /** Extra words that the word implies besides the model: a 328i is a 3 Series with the trim 328i. */
  readonly beside: string
  /** The word includes the make: Ram's 1500 for "ram 1500". */
  readonly isAfterMake?: boolean
}

export type Meaning =
  | {
      readonly kind: 'part'
      readonly label: string
      readonly categoryIds: readonly string[]
      readonly places: readonly Place[]
      /** The word is only the end of the names. */
      readonly isEnding?: boolean
    }
  | {
      readonly kind: 'make'
      readonly label: string
      readonly makeIds: readonly string[]
      /** Models of other makes that begin with this make's name: Dodge's Ram 1500. */
      readonly modelIds: readonly string[]
    }
  | { readonly kind: 'model'; readonly models: readonly NamedModels[]; readonly needsMake: boolean }
  | { readonly kind: 'side'; readonly places: readonly Place[] }
  | { readonly kind: 'skip' }

export type Vocabulary = {
  /** The meanings of words that belong together, such as ["f", "150"]. */
  meaningsOf(words: readonly string[]): readonly Meaning[]
  /** The normal form of a word, or the word itself. */
  plain(word: string): string
  /** Whether a word is in any name and so is not a typo. */
  isWord(word: string): boolean
  /** All words with weights, for correcting typos; higher for words that name a part, make or model alone. */
  readonly words: ReadonlyMap<string, number>
  /** Misspelled aliases of parts, with the part's name. */
  readonly typos: ReadonlyMap<string, string>
  readonly makeNames: ReadonlyMap<string, string>
  readonly categoryNames: ReadonlyMap<string, string>
}

/** No name that people type has more words. */
export const MOST_TOGETHER = 5

/** Reads the words once, and again after a change. */
export function openVocabulary(): (db: Db) => Promise<{ vocabulary: Vocabulary; writes: number }> {
  let known: { version: string; vocabulary: Promise<Vocabulary> } | undefined
  // Every search checks the version; concurrent searches share one check.
  const share = openSharedReads()
  return async (db) => {
    const { version, writes } = await share('version', () => readWordsVersion(db))
    if (known?.version === version) return { vocabulary: await known.vocabulary, writes }
    const read = { version, vocabulary: loadVocabulary(db) }
    read.vocabulary.catch(() => {
      if (known === read) known = undefined
    })
    known = read
    return { vocabulary: await read.vocabulary, writes }
  }
}

/** `version` changes with every name of the lookups and every word, `writes` with everything public (`Tally`). */
export async function readWordsVersion(db: Db): Promise<{ version: string; writes: number }> {
  const { rows } = await sql<{ version: string; writes: number }>`/* prepared */
    select tally.writes, concat_ws(' ', (select version from lookup_version), (select count(*) from trade_word),
                                   (select id from trade_word order by id desc limit 1)) as version
    from (${tallyOf(undefined)}) tally
  `.execute(db)
  return onlyRow(rows)
}

async function loadVocabulary(db: Db): Promise<Vocabulary> {
  const [names, tradeWords] = await Promise.all([loadTaxonomyNames(db), listTradeWords(db)])
  return makeVocabulary(names, tradeWords)
}

// Weights: a word that names a part, make or model by itself, and one of several in a name.
const ALONE = 2
const WITHIN = 1

type Book = {
  meanings: Map<string, Meaning[]>
  words: Map<string, number>
  /** Synonyms: word to normal word. */
  same: ReadonlyMap<string, string>
}

export function makeVocabulary(names: TaxonomyNames, tradeWords: readonly TradeWord[]): Vocabulary {
  const same = new Map<string, string>()
  for (const { kind, word, means } of tradeWords) if (kind === 'same') same.set(squash(word), squash(means))
  const book: Book = { meanings: new Map(), words: new Map(), same }
  const confirmed = names.categories.filter((category) => category.confirmed)
  addPlaces(book)
  addTradeWords(book, names, tradeWords)
  addCategories(book, confirmed)
  addMakes(book, names)
  addModels(book, names, tradeWords)
  const codes = codedModels(names)
  const find = (words: readonly string[]): readonly Meaning[] => {
    const found =
      book.meanings.get(squash(words.map(squash))) ??
      book.meanings.get(normalKey(book, words)) ??
      (words.length > 1 ? book.meanings.get(anyOrderKey(book, words)) : undefined) ??
      []
    // C300 or C 300.
    const isCode = words.length === 1 || (words.length === 2 && /^[a-z]+$/.test(words[0] ?? ''))
    const coded = isCode ? codes(squash(words.map(squash))) : undefined
    return coded ? [...found, coded] : found
  }
  const found = new RecentValues<readonly Meaning[]>(SPANS_KEPT)
  return {
    meaningsOf(words) {
      const key = words.join(' ')
      const before = found.get(key)
      if (before) return before
      const meanings = find(words)
      found.set(key, meanings)
      return meanings
    },
    plain: (word) => same.get(word) ?? word,
    isWord: (word) =>
      [word, normalKey(book, [word])].some((key) => book.words.has(key) || book.meanings.has(key)),
    words: book.words,
    typos: new Map(confirmed.flatMap(typosOf)),
    makeNames: new Map(names.manufacturers.map(({ id, name }) => [id, name])),
    categoryNames: new Map(names.categories.map(({ id, name }) => [id, name])),
  }
}

// Buyers use the same words again and again, and normalizing them took most of the time of reading a search.
const SPANS_KEPT = 10_000

/** The words of part names, spelled out and singular. */
const normalWords = ({ same }: Book, words: readonly string[]): string[] =>
  words
    // Files write RR for the rear.
    .flatMap((word) => (isCorner(word) ? word : partWords(word)))
    .map((word) => same.get(word) ?? word)

/** The joined key: "Head Lamps" becomes headlight. */
const normalKey = (book: Book, words: readonly string[]): string => normalWords(book, words).join('')

/** A key for any word order: "airbag driver" is a driver airbag. The mark occurs in no name. */
const anyOrderKey = (book: Book, words: readonly string[]): string =>
  `~${normalWords(book, words).toSorted().join(' ')}`

function add(book: Book, key: string, meaning: Meaning): void {
  if (key === '') return
  const before = book.meanings.get(key)
  if (!before) book.meanings.set(key, [meaning])
  else if (!before.some(({ kind }) => kind === meaning.kind)) before.push(meaning)
}

function addPart(book: Book, words: readonly string[], meaning: Meaning): void {
  add(book, normalKey(book, words), meaning)
  if (words.length > 1) add(book, anyOrderKey(book, words), meaning)
}

function noteWords(book: Book, name: string): void {
  const words = wordsOf(name)
  const note = (word: string, weight: number) => {
    if ((book.words.get(word) ?? 0) < weight) book.words.set(word, weight)
  }
  const weight = words.length === 1 ? ALONE : WITHIN
  for (const word of [...words, ...words.flatMap((each) => partWords(each))]) note(word, weight)
  // "Fog light" is also typed as one word.
  if (words.length === 2) note(words.join(''), WITHIN)
}

const placesIn = (text: string): Place[] => places.filter((place) => wordsOf(text).includes(place))

function addPlaces(book: Book): void {
  for (const { word, places: meant } of buyersPlaceWords()) {
    noteWords(book, word)
    add(book, squash(word), { kind: 'side', places: meant })
  }
}

function addTradeWords(book: Book, names: TaxonomyNames, tradeWords: readonly TradeWord[]): void {
  const categories = new Map(names.categories.map((category) => [squash(category.name), category]))
  const makes = new Map(names.manufacturers.map((make) => [squash(make.name), make]))
  for (const entry of tradeWords) {
    const words = wordsOf(entry.word)
    const meaning = meaningOf(entry, { categories, makes })
    if (!meaning) continue
    noteWords(book, entry.word)
    add(book, squash(words), meaning)
    if (meaning.kind === 'part') addPart(book, words, meaning)
  }
}

type NamesByKey = Record<'categories' | 'makes', ReadonlyMap<string, KnownName>>

/** Undefined if it refers to a deleted name, or to a model. */
function meaningOf(entry: TradeWord, { categories, makes }: NamesByKey): Meaning | undefined {
  const found = namesMeant(entry)
  if (entry.kind === 'skip') return { kind: 'skip' }
  if (entry.kind === 'side') return { kind: 'side', places: placesIn(entry.means) }
  if (entry.kind === 'make') {
    const make = makes.get(squash(entry.means))
    return make && { kind: 'make', label: make.name, makeIds: [make.id], modelIds: [] }
  }
  if (entry.kind !== 'part') return undefined
  const meant = found.flatMap((name) => categories.get(squash(name)) ?? [])
  return meant.length > 0 ? partMeaning(meant, entry.word) : undefined
}

/** `word` is what was typed; it may also name a side: "driver seat". */
function partMeaning(categories: readonly KnownName[], word: string): Extract<Meaning, { kind: 'part' }> {
  const [only, ...more] = categories
  const label = only && more.length === 0 ? only.name : (sharedWords(categories) ?? capitalized(word))
  const isSided = categories.every(({ name }) => /^(?:Front|Rear) (?:Door|Seat)/.test(name))
  const [, sitting = ''] = /^(driver|passenger)/i.exec(word.toLowerCase()) ?? []
  // A rear shock is a shock absorber: "rear" is kept as a place if the category's name does not say it.
  const places = placesIn(word).filter(
    (place) => !categories.some(({ name }) => placesIn(name).includes(place)),
  )
  return {
    kind: 'part',
    label,
    categoryIds: categories.map(({ id }) => id),
    places: isSided && sitting !== '' ? [sitting === 'driver' ? 'left' : 'right'] : places,
  }
}

const capitalized = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** The words that all names share: "Transmission" for all kinds of transmissions. */
function sharedWords(categories: readonly KnownName[]): string | undefined {
  const [first, ...others] = categories.map(({ name }) => name.replace(/ Assembly$/, '').split(' '))
  const shared = first?.filter((word) => others.every((words) => words.includes(word))) ?? []
  return shared.length > 0 ? shared.join(' ') : undefined
}

function addCategories(book: Book, categories: readonly KnownName[]): void {
  for (const category of categories) {
    for (const name of [category.name, category.name.replace(/ Assembly$/, ''), ...category.aliases]) {
      noteWords(book, name)
      const meaning = partMeaning([category], name)
      add(book, squash(name), meaning)
      addPart(book, wordsOf(name), meaning)
    }
  }
  // The common last word of several names means all of them: "sensor", "module".
  const ending = new Map<string, KnownName[]>()
  for (const category of categories) {
    const words = wordsOf(category.name.replace(/ Assembly$/, ''))
    for (let from = 1; from < words.length; from += 1) {
      const key = normalKey(book, words.slice(from))
      ending.set(key, [...(ending.get(key) ?? []), category])
    }
  }
  for (const [key, some] of ending) add(book, key, { ...partMeaning(some, key), isEnding: true })
}

/** Aliases such as "alternater" find parts, but the page says what each is read as. */
function typosOf({ name, aliases }: KnownName): [typo: string, name: string][] {
  const word = squash(name)
  if (wordsOf(name).length > 1) return []
  const spelling = openSpelling(new Map([[word, ALONE]]))
  // "Grills" and "grill" are words too.
  return aliases
    .map(squash)
    .filter((alias) => spelling.correct(alias) && !alias.startsWith(word) && !word.startsWith(alias))
    .map((alias) => [alias, name.toLowerCase()])
}

function addMakes(book: Book, { manufacturers, models }: TaxonomyNames): void {
  const byKey = new Map(manufacturers.map((make) => [squash(make.name), make]))
  for (const make of manufacturers) {
    if (!make.confirmed) continue
    for (const name of [make.name, ...make.aliases]) {
      noteWords(book, name)
      const modelIds = models.filter((model) => isNamedAfter(model, make)).map(({ id }) => id)
      add(book, squash(name), { kind: 'make', label: make.name, makeIds: [make.id], modelIds })
    }
  }
  for (const [short, name] of MAKE_ABBREVIATIONS) {
    const make = byKey.get(squash(name))
    if (make) add(book, short, { kind: 'make', label: make.name, makeIds: [make.id], modelIds: [] })
  }
  for (const [short, all] of AMBIGUOUS_MAKES) {
    // A Dodge Ram is a Dodge, not the make Ram.
    if (manufacturers.some(({ name }) => short.startsWith(squash(name)))) continue
    const makes = all.flatMap((name) => byKey.get(squash(name)) ?? [])
    const label = makes.map(({ name }) => name).join(' or ')
    const makeIds = makes.map(({ id }) => id)
    if (makes.length > 0) add(book, short, { kind: 'make', label, makeIds, modelIds: [] })
  }
}

const isNamedAfter = (model: KnownModel, make: KnownName) =>
  model.manufacturerId !== make.id && `${model.name} `.startsWith(`${make.name} `)

// Shorter names are too general to mean a model when typed alone: "M", "300", "LS".
const SHORTEST_ALONE = 3

function addModels(book: Book, names: TaxonomyNames, tradeWords: readonly TradeWord[]): void {
  const makes = new Map(names.manufacturers.map((make) => [make.id, make]))
  const found = new Map<string, NamedModels[]>()
  const note = (key: string, models: NamedModels) => found.set(key, [...(found.get(key) ?? []), models])
  for (const [makeId, models] of Map.groupBy(names.models, ({ manufacturerId }) => manufacturerId)) {
    const make = makes.get(makeId)
    if (!make) continue
    for (const [key, named] of new MakeModels(make, models).named(tradeWords)) note(key, named)
  }
  const makeKeys = new Map(names.manufacturers.map(({ id, name }) => [id, squash(name)]))
  // "Ram 1500" is Dodge's Ram 1500 and Ram's 1500.
  for (const named of [...found].flatMap(([key, models]) => models.map((each) => ({ key, each })))) {
    const together = `${makeKeys.get(named.each.makeId)}${named.key}`
    const [same] = found.get(together) ?? []
    if (same) note(together, { ...named.each, label: same.label, isAfterMake: true })
  }
  for (const { name, aliases } of names.models) for (const each of [name, ...aliases]) noteWords(book, each)
  for (const [key, models] of found) {
    const needsMake = key.length < SHORTEST_ALONE || /^\d+$/.test(key)
    add(book, key, { kind: 'model', models, needsMake })
  }
}

/** Collects the models of one make by every key that names them. */
class MakeModels {
  readonly #make: KnownName
  readonly #models: readonly KnownModel[]
  readonly #byKey = new Map<string, NamedModels>()
  readonly #alike: ReadonlyMap<string, readonly KnownModel[]>

  constructor(make: KnownName, models: readonly KnownModel[]) {
    this.#make = make
    this.#models = models
    this.#alike = Map.groupBy(models, ({ name }) => squash(name))
  }

  named(tradeWords: readonly TradeWord[]): ReadonlyMap<string, NamedModels> {
    for (const model of this.#models) this.#byKey.set(squash(model.name), this.#withFamily(model))
    for (const model of this.#models) for (const alias of model.aliases) this.#addAlias(model, alias)
    for (const model of this.#models) this.#addNumbers(model)
    const makeKey = squash(this.#make.name)
    for (const { kind, word, means } of tradeWords) {
      const [make = '', model = ''] = kind === 'model' ? means.split('/') : []
      const own = squash(make) === makeKey ? this.#byKey.get(squash(model)) : undefined
      if (own) this.#add(squash(word), own)
    }
    return this.#byKey
  }

  #add(key: string, named: NamedModels): void {
    if (!this.#byKey.has(key)) this.#byKey.set(key, named)
  }

  /** A model with its family: F-150 with F-150 Heritage, Caravan with Grand Caravan. */
  #withFamily({ name }: KnownModel): NamedModels {
    const idsOf = (models: readonly KnownModel[]) => models.map(({ id }) => id)
    const exactIds = idsOf(this.#alike.get(squash(name)) ?? [])
    const further = this.#models.filter(
      (other) => other.name.startsWith(`${name} `) || other.name.endsWith(` ${name}`),
    )
    const ids = [...new Set([...exactIds, ...idsOf(further)])]
    return { makeId: this.#make.id, label: name, exactIds, ids, beside: '' }
  }

  #addAlias(model: KnownModel, alias: string): void {
    const own = this.#byKey.get(squash(model.name))
    const { trim } = model.beside?.[nameKey(alias)] ?? {}
    if (own) this.#add(squash(alias), { ...own, label: alias, beside: trim ?? '' })
  }

  /** Adds a model's number for use with its make: "chevy 1500". */
  #addNumbers({ name }: KnownModel): void {
    for (const word of wordsOf(name).slice(1)) {
      const own = this.#byKey.get(word)
      if (!/^\d{3,4}$/.test(word) || own?.beside) continue
      const having = this.#models.filter((other) => wordsOf(other.name).includes(word)).map(({ id }) => id)
      const exactIds = own?.exactIds ?? having
      const ids = [...new Set([...exactIds, ...having])]
      this.#byKey.set(word, { makeId: this.#make.id, label: word, exactIds, ids, beside: '' })
    }
  }
}

/** Models by an engine code (C300, RX350) or a nickname. */
function codedModels({ manufacturers, models }: TaxonomyNames): (word: string) => Meaning | undefined {
  const byName = new Map(models.map((model) => [`${model.manufacturerId} ${squash(model.name)}`, model]))
  return (word) => {
    const found = manufacturers.flatMap((make): NamedModels[] => {
      const makeKey = squash(make.name)
      const nickname = nicknameOf(makeKey, word)
      const code = nickname === undefined ? modelOfCode(makeKey, word) : undefined
      const name = nickname ?? code
      const model = name === undefined ? undefined : byName.get(`${make.id} ${squash(name)}`)
      if (!model) return []
      const ids = [model.id]
      const said =
        code === undefined ? { label: model.name, beside: '' } : { label: word.toUpperCase(), beside: word }
      return [{ makeId: make.id, exactIds: ids, ids, ...said }]
    })
    // Without a make, only C300 and the like are codes: "A23" is a piece of a number, "130amp" a size.
    const needsMake = !/^[a-z]+\d{3}/.test(word)
    return found.length > 0 ? { kind: 'model', models: found, needsMake } : undefined
  }
}
