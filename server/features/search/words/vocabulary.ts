import { sql } from 'kysely'
import { readLookupVersion } from '#server/features/lookups/lookup-changes.ts'
import { partWords } from '#server/features/stock-files/match/category-matcher.ts'
import { AMBIGUOUS_MAKES, MAKE_ABBREVIATIONS } from '#server/features/stock-files/match/manufacturer-matcher.ts'
import { modelOfCode, nicknameOf } from '#server/features/stock-files/match/model-words.ts'
import { squash, wordsOf } from '#server/features/stock-files/match/name-form.ts'
import type { KnownModel, KnownName } from '#server/features/stock-files/match/name-verdict.ts'
import { loadTaxonomyNames, type TaxonomyNames } from '#server/features/stock-files/match/taxonomy-queries.ts'
import type { Db } from '#server/platform/database/database.ts'
import { listTradeWords, namesMeant, type TradeWord } from './trade-words.ts'

/*
 * Every word that means something to the search, with its meanings: the lookups' names and aliases, and the trade's words.
 * In memory of each process, about 10,000 words; read again when a name or a word changes.
 */

export type Place = 'left' | 'right' | 'front' | 'rear'

/** Models of one make that a word names. */
export type NamedModels = {
  readonly makeId: string
  readonly label: string
  /** Models of exactly this name. */
  readonly exactIds: readonly string[]
  /** These, and those whose names have it and more: Silverado 1500 for "silverado". */
  readonly ids: readonly string[]
  /** What the word says beside the model, as words: a 328i is a 3 Series and says 328i. */
  readonly beside: string
}

export type Meaning =
  | {
      readonly kind: 'part'
      readonly label: string
      readonly categoryIds: readonly string[]
      readonly places: readonly Place[]
    }
  | {
      readonly kind: 'make'
      readonly label: string
      readonly makeIds: readonly string[]
      /** Other makes' models that begin with its name: Dodge's Ram 1500. */
      readonly modelIds: readonly string[]
    }
  | { readonly kind: 'model'; readonly models: readonly NamedModels[]; readonly needsMake: boolean }
  | { readonly kind: 'side'; readonly places: readonly Place[] }
  | { readonly kind: 'skip' }

export type Vocabulary = {
  /** The meanings of words that belong together, such as ["f", "150"]. */
  meaningsOf(words: readonly string[]): readonly Meaning[]
  /** The word that another one is the same as, or itself. */
  plain(word: string): string
  /** Whether a word is in any name, so that it is not a typo. */
  isWord(word: string): boolean
  /** All of them, for correcting typos: `weight` is higher for words that name a part, a make or a model alone. */
  readonly words: ReadonlyMap<string, number>
  readonly makeNames: ReadonlyMap<string, string>
  readonly categoryNames: ReadonlyMap<string, string>
}

/** Reads the words once, and again after a change. */
export function openVocabulary(): (db: Db) => Promise<Vocabulary> {
  let known: { version: string; vocabulary: Promise<Vocabulary> } | undefined
  return async (db) => {
    const version = await readVersion(db)
    if (known?.version === version) return known.vocabulary
    const read = { version, vocabulary: loadVocabulary(db) }
    read.vocabulary.catch(() => {
      if (known === read) known = undefined
    })
    known = read
    return read.vocabulary
  }
}

async function readVersion(db: Db): Promise<string> {
  const { rows } = await sql<{ words: string }>`/* prepared */
    select concat(count(*), ' ', (array_agg(id order by id desc))[1]) as words from trade_word
  `.execute(db)
  return `${await readLookupVersion(db)} ${rows[0]?.words}`
}

async function loadVocabulary(db: Db): Promise<Vocabulary> {
  const [names, tradeWords] = await Promise.all([loadTaxonomyNames(db), listTradeWords(db)])
  return makeVocabulary(names, tradeWords)
}

// A word names a part, make or model by itself; it is one of several in a name.
const ALONE = 2
const WITHIN = 1

type Book = {
  meanings: Map<string, Meaning[]>
  words: Map<string, number>
  /** Words such as RR, which files write for the rear. */
  corners: ReadonlySet<string>
  /** One word for another, both plain. */
  same: ReadonlyMap<string, string>
}

export function makeVocabulary(names: TaxonomyNames, tradeWords: readonly TradeWord[]): Vocabulary {
  const same = new Map<string, string>()
  for (const { kind, word, means } of tradeWords) if (kind === 'same') same.set(squash(word), squash(means))
  const cornerWords = tradeWords.filter(({ kind, means }) => kind === 'side' && means.includes(' '))
  const corners = new Set(cornerWords.map(({ word }) => squash(word)))
  const book: Book = { meanings: new Map(), words: new Map(), same, corners }
  const confirmed = names.categories.filter((category) => category.confirmed)
  addTradeWords(book, names, tradeWords)
  addCategories(book, confirmed)
  addMakes(book, names)
  addModels(book, names, tradeWords)
  const codes = codedModels(names)
  return {
    meaningsOf(words) {
      const found =
        book.meanings.get(squash(words)) ??
        book.meanings.get(normalKey(book, words)) ??
        (words.length > 1 ? book.meanings.get(anyOrderKey(book, words)) : undefined) ??
        []
      const coded = words.length === 1 ? codes(words[0] ?? '') : undefined
      return coded ? [...found, coded] : found
    },
    plain: (word) => same.get(word) ?? word,
    isWord: (word) => book.words.has(word) || book.words.has(normalKey(book, [word])),
    words: book.words,
    makeNames: new Map(names.manufacturers.map(({ id, name }) => [id, name])),
    categoryNames: new Map(names.categories.map(({ id, name }) => [id, name])),
  }
}

/** The words of parts spelled out and in the singular. */
const normalWords = ({ same, corners }: Book, words: readonly string[]): string[] =>
  words.flatMap((word) => (corners.has(word) ? word : partWords(word))).map((word) => same.get(word) ?? word)

/** Joined: "Head Lamps" is headlight. */
const normalKey = (book: Book, words: readonly string[]): string => normalWords(book, words).join('')

/** "Airbag driver" is a driver airbag. No name has the mark. */
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
  for (const word of [...words, ...words.flatMap((each) => partWords(each))]) {
    const weight = words.length === 1 ? ALONE : WITHIN
    if ((book.words.get(word) ?? 0) < weight) book.words.set(word, weight)
  }
}

const PLACES: readonly Place[] = ['front', 'rear', 'left', 'right']
const placesIn = (text: string): Place[] => PLACES.filter((place) => wordsOf(text).includes(place))

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

/** Undefined if it means a name that is gone, or a model. */
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

/** `word`: what was typed; it may say a side besides: "driver seat". */
function partMeaning(categories: readonly KnownName[], word: string): Meaning {
  const [only, ...more] = categories
  const label = only && more.length === 0 ? only.name : (sharedWords(categories) ?? capitalized(word))
  const isSided = categories.every(({ name }) => /^(?:Front|Rear) (?:Door|Seat)/.test(name))
  const driven = /^driver/i.test(word) ? 'left' : /^passenger/i.test(word) ? 'right' : undefined
  const places: Place[] = isSided && driven ? [driven] : []
  return { kind: 'part', label, categoryIds: categories.map(({ id }) => id), places }
}

const capitalized = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** "Transmission" for all kinds of transmissions. */
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
  // The last words of several names mean all of them: a sensor, a module.
  const ending = new Map<string, KnownName[]>()
  for (const category of categories) {
    const words = wordsOf(category.name.replace(/ Assembly$/, ''))
    for (let from = 1; from < words.length; from += 1) {
      const key = normalKey(book, words.slice(from))
      ending.set(key, [...(ending.get(key) ?? []), category])
    }
  }
  for (const [key, some] of ending) add(book, key, partMeaning(some, key))
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
    const makes = all.flatMap((name) => byKey.get(squash(name)) ?? [])
    const label = makes.map(({ name }) => name).join(' or ')
    const makeIds = makes.map(({ id }) => id)
    if (makes.length > 0) add(book, short, { kind: 'make', label, makeIds, modelIds: [] })
  }
}

const isNamedAfter = (model: KnownModel, make: KnownName) =>
  model.manufacturerId !== make.id && `${model.name} `.startsWith(`${make.name} `)

// As typed alone these are too short or too general to mean a model: an "M", a "300", an "LS".
const SHORTEST_ALONE = 3

function addModels(book: Book, names: TaxonomyNames, tradeWords: readonly TradeWord[]): void {
  const makes = new Map(names.manufacturers.map((make) => [make.id, make]))
  const found = new Map<string, NamedModels[]>()
  const note = (key: string, models: NamedModels) => found.set(key, [...(found.get(key) ?? []), models])
  for (const [makeId, models] of Map.groupBy(names.models, ({ manufacturerId }) => manufacturerId)) {
    const make = makes.get(makeId)
    if (!make) continue
    for (const [key, named] of namedModels(models, make, tradeWords)) note(key, named)
  }
  // "Ram 1500" is Dodge's Ram 1500 and Ram's 1500.
  for (const [key, models] of [...found]) {
    for (const named of models) {
      const together = squash(makes.get(named.makeId)?.name ?? '') + key
      if (found.has(together)) note(together, { ...named, label: found.get(together)?.[0]?.label ?? named.label })
    }
  }
  for (const { name, aliases } of names.models) for (const each of [name, ...aliases]) noteWords(book, each)
  for (const [key, models] of found) {
    const needsMake = key.length < SHORTEST_ALONE || /^\d+$/.test(key)
    add(book, key, { kind: 'model', models, needsMake })
  }
}

/** The models of one make by every key that names them. */
function namedModels(
  models: readonly KnownModel[],
  make: KnownName,
  tradeWords: readonly TradeWord[],
): Map<string, NamedModels> {
  const byKey = new Map<string, NamedModels>()
  const keyOf = (name: string) => squash(name)
  for (const model of models) {
    // An F-150 Heritage, a Grand Caravan.
    const further = models.filter(
      ({ name }) => name.startsWith(`${model.name} `) || name.endsWith(` ${model.name}`),
    )
    const same = models.filter(({ name }) => keyOf(name) === keyOf(model.name))
    const exactIds = same.map(({ id }) => id)
    byKey.set(keyOf(model.name), {
      makeId: make.id,
      label: model.name,
      exactIds,
      ids: [...new Set([...exactIds, ...further.map(({ id }) => id)])],
      beside: '',
    })
  }
  for (const model of models) {
    const own = byKey.get(keyOf(model.name))
    for (const alias of model.aliases) {
      if (!own || byKey.has(keyOf(alias))) continue
      const { trim } = model.beside?.[alias.replaceAll(/\s+/g, '').toLowerCase()] ?? {}
      byKey.set(keyOf(alias), { ...own, label: alias, beside: trim ?? '' })
    }
  }
  // A number alone with its make: "chevy 1500", "bmw 328".
  for (const model of models) {
    for (const word of wordsOf(model.name).slice(1)) {
      if (!/^\d{3,4}$/.test(word) || byKey.has(word)) continue
      const having = models.filter(({ name }) => wordsOf(name).includes(word))
      const ids = having.map(({ id }) => id)
      byKey.set(word, { makeId: make.id, label: word, exactIds: ids, ids, beside: '' })
    }
  }
  const makeKey = squash(make.name)
  for (const { kind, word, means } of tradeWords) {
    if (kind !== 'model' || squash(means.split('/')[0] ?? '') !== makeKey) continue
    const own = byKey.get(keyOf(means.slice(means.indexOf('/') + 1)))
    if (own && !byKey.has(keyOf(word))) byKey.set(keyOf(word), own)
  }
  return byKey
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
      const said = code === undefined ? { label: model.name, beside: '' } : { label: word.toUpperCase(), beside: word }
      return [{ makeId: make.id, exactIds: ids, ids, ...said }]
    })
    // Codes have three digits and letters; "A23" is a piece of a number.
    const needsMake = !/[a-z]/.test(word) || !/\d{3}/.test(word)
    return found.length > 0 ? { kind: 'model', models: found, needsMake } : undefined
  }
}
