import { PartNames } from '#contract/trade-language/parts/part-names.ts'
import { type PartMeaning, PartTypes } from '#contract/trade-language/parts/part-types.ts'
import { openPartWords } from '#contract/trade-language/parts/part-words.ts'
import { Makes } from '#contract/trade-language/vehicles/makes.ts'
import {
  type ModelMeanings,
  modelMeanings,
  type NamedModels,
} from '#contract/trade-language/vehicles/model-meanings.ts'
import { Models } from '#contract/trade-language/vehicles/models.ts'
import type { Language } from './language.ts'
import { nameKey, wordsOf } from './names.ts'
import type { Place } from './places.ts'
import { openSpelling } from './spelling.ts'
import type { KnownModel, KnownName } from './verdicts.ts'
import { type TradeWord, type VocabularySource, withCurrentNames } from './vocabulary-source.ts'
import { listOf } from './words.ts'

/*
 * Every word that the house understands, with its meanings: the names and aliases of the catalog, and the words of the
 * trade, built in or taught by administrators. Whatever reads words asks this one book: searches, suggestions, files,
 * titles, and cells that are split.
 */

/** The meaning of words that belong together in a search. */
export type Meaning =
  | ({ readonly kind: 'part' } & PartMeaning)
  | {
      readonly kind: 'make'
      readonly label: string
      readonly makeIds: readonly string[]
      /** Models of other makes that begin with this make's name: Dodge's Ram 1500. */
      readonly modelIds: readonly string[]
    }
  | { readonly kind: 'model'; readonly models: readonly NamedModels[]; readonly needsMake: boolean }
  | { readonly kind: 'side'; readonly places: readonly Place[] }
  | {
      readonly kind: 'code'
      readonly label: string
      readonly spelling: string
      /** What people call the part that has it: "engine". */
      readonly noun: string
      /** The part that a search for the code alone means. */
      readonly part: { readonly ids: readonly string[]; readonly label: string } | undefined
      /** Of a name that a maker gave ("Powerstroke"); a code such as K20 is no vehicle. */
      readonly makeIds: readonly string[]
    }
  /** A phrase takes precedence over its words: "track down" is not a seat track. */
  | { readonly kind: 'skip'; readonly isSaying?: true }

export type Vocabulary = {
  /** The meanings of words that belong together, such as ["f", "150"]. */
  meaningsOf(words: readonly string[]): readonly Meaning[]
  /** The normal form of a word, or the word itself. */
  plain(word: string): string
  /** Whether a word is in any name and so is not a typo. */
  isWord(word: string): boolean
  /** Whether it is a word of everyday English that does not describe a part: the wife of "for my wife's car". */
  isOrdinary(word: string): boolean
  /** All words with weights, for correcting typos; higher for words that name a part, make or model alone. */
  readonly words: ReadonlyMap<string, number>
  /** Misspelled aliases of parts, with the part's name. */
  readonly typos: ReadonlyMap<string, string>
  readonly makeNames: ReadonlyMap<string, string>
  readonly categoryNames: ReadonlyMap<string, string>
  /** Ids of the categories whose parts need no vehicle. */
  readonly universal: ReadonlySet<string>
  readonly language: Language
  /** With the names that their meanings have now. */
  readonly tradeWords: readonly TradeWord[]
  readonly partTypes: PartTypes
  readonly partNames: PartNames
  readonly makes: Makes
  readonly models: Models
}

/** Longer than any name that people type. */
export const MAX_TOGETHER = 5

// Weights: a word that names a part, make or model by itself, and one of several in a name.
const ALONE = 2
const WITHIN = 1

/** Built once for each version of the names and words; each part of it when it is first used. */
export function openVocabulary(source: VocabularySource): Vocabulary {
  const { catalog, words, language } = withCurrentNames(source)
  const { roles, places, vehicleWords } = language
  const { categories, manufacturers, models } = catalog
  const same = new Map(
    words.flatMap(({ kind, word, means }) =>
      kind === 'same' ? [[nameKey(word), nameKey(means)] as const] : [],
    ),
  )
  const partWords = openPartWords({ roles, places }, language.foreign, same)
  const byCategory = new Map(categories.map((category) => [nameKey(category.name), category]))
  const partTypes = new PartTypes({
    categories,
    words: words.flatMap(({ kind, word, means }) =>
      kind === 'part'
        ? { word, types: listOf(means).flatMap((name) => byCategory.get(nameKey(name)) ?? []) }
        : [],
    ),
    roles,
    partWords,
    places,
  })
  const ofKind = (kind: TradeWord['kind']) =>
    new Map(words.flatMap((each) => (each.kind === kind ? [[nameKey(each.word), each.means] as const] : [])))
  const makeWords = ofKind('make')
  const makes = new Makes({ manufacturers, words: makeWords, roles })
  const nicknames = nicknamesOf(words)
  const vehicles = { makes, manufacturers, models, roles, vehicleWords, nicknames }
  const book = once(
    () =>
      new Book(
        { catalog, words, language, partTypes, modelMeanings: modelMeanings(vehicles, language) },
        same,
      ),
  )
  // A worker that only reads files needs no words of searches, and the other way around.
  const ofFiles = once(() => new Models(vehicles))
  const ofNames = once(() => new PartNames(partTypes, { roles, places }))
  const ordinary = once(() => ordinaryWords(language, partTypes))
  const typos = once(() => new Map(categories.filter(({ confirmed }) => confirmed).flatMap(typosOf)))
  return {
    meaningsOf: (some) => book().meaningsOf(some),
    plain: (word) => same.get(word) ?? word,
    isWord: (word) => book().isWord(word),
    // "My daughters civic" is without its apostrophe.
    isOrdinary: (word) =>
      ordinary().has(word) || (!partTypes.isWord(word) && ordinary().has(word.replace(/s$/, ''))),
    get words() {
      return book().words
    },
    get typos() {
      return typos()
    },
    makeNames: new Map(manufacturers.map(({ id, name }) => [id, name])),
    categoryNames: new Map(categories.map(({ id, name }) => [id, name])),
    universal: new Set(categories.flatMap(({ id, universal }) => (universal ? id : []))),
    language,
    tradeWords: words,
    partTypes,
    makes,
    get partNames() {
      return ofNames()
    },
    get models() {
      return ofFiles()
    },
  }
}

/** Names of models by the keys of their make and of a word for them. */
const nicknamesOf = (words: readonly TradeWord[]): ReadonlyMap<string, string> =>
  new Map(
    words.flatMap(({ kind, word, means }) => {
      const [make = '', model = ''] = kind === 'model' ? means.split('/') : []
      return kind === 'model' ? [[`${nameKey(make)} ${nameKey(word)}`, model.trim()] as const] : []
    }),
  )

function ordinaryWords({ ordinary, roles }: Language, partTypes: PartTypes): ReadonlySet<string> {
  const describing = new Set([...roles.list('describing'), ...roles.list('look')])
  return new Set([...ordinary].filter((word) => !describing.has(word) && !partTypes.isWord(word)))
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

// Buyers use the same words again and again, and normalizing them took most of the time of reading a search.
const SPANS_KEPT = 20_000

type BookSource = VocabularySource & { readonly partTypes: PartTypes; readonly modelMeanings: ModelMeanings }

/** The meanings of words by their key. */
class Book {
  readonly words = new Map<string, number>()
  readonly #meanings = new Map<string, Meaning[]>()
  readonly #source: BookSource
  readonly #same: ReadonlyMap<string, string>
  readonly #found = new Map<string, readonly Meaning[]>()
  /** The pare of a "pare choc", which means nothing alone. */
  readonly #foreign: ReadonlySet<string>

  constructor(source: BookSource, same: ReadonlyMap<string, string>) {
    this.#source = source
    this.#same = same
    this.#foreign = new Set(source.language.foreign.flatMap(({ words }) => wordsOf(words)))
    for (const word of source.language.roles.list('exclusion')) this.#note(word)
    for (const { word, places } of source.language.places.typed) {
      this.#note(word)
      this.#add(nameKey(word), { kind: 'side', places })
    }
    for (const word of source.words) this.#addTradeWord(word)
    this.#addFillers()
    for (const { confirmed, name, aliases } of source.catalog.categories) {
      if (confirmed) for (const each of [name, name.replace(/ Assembly$/, ''), ...aliases]) this.#note(each)
    }
    this.#addMakes()
    for (const { name, aliases } of source.catalog.models)
      for (const each of [name, ...aliases]) this.#note(each)
    for (const [key, meaning] of source.modelMeanings.byKey) this.#add(key, meaning)
    this.#addCodes()
  }

  readonly meaningsOf = (words: readonly string[]): readonly Meaning[] => {
    const key = words.join(' ')
    const before = this.#found.get(key)
    if (before) return before
    const meanings = this.#find(words)
    if (this.#found.size >= SPANS_KEPT) this.#found.clear()
    this.#found.set(key, meanings)
    return meanings
  }

  isWord(word: string): boolean {
    const plain = this.#same.get(word) ?? word
    return (
      [word, plain, ...this.#source.partTypes.wordsIn(word)].some(
        (key) => this.words.has(key) || this.#meanings.has(key),
      ) ||
      this.#source.partTypes.isWord(word) ||
      this.#foreign.has(word)
    )
  }

  #find(words: readonly string[]): Meaning[] {
    const key = nameKey(words)
    const own = this.#meanings.get(key) ?? []
    const hasCorner = words.length > 1 && words.some((word) => this.#source.language.places.isCorner(word))
    // In files, RR means rear; buyers mean the right rear corner.
    const part = hasCorner || own.some(({ kind }) => kind === 'side') ? undefined : this.#partOf(words)
    const isCode = words.length === 1 || (words.length === 2 && /^[a-z]+$/.test(words[0] ?? ''))
    const coded = isCode ? this.#source.modelMeanings.ofCode(key) : undefined
    return [...(part ? [part] : []), ...own, ...(coded ? [coded] : [])]
  }

  #partOf(words: readonly string[]): Meaning | undefined {
    const { partTypes } = this.#source
    const text = words.join(' ')
    // A side before a part is a separate condition, unless it belongs to the part's name.
    const meaning =
      words.length > 1 && partTypes.dropsSide(text) ? partTypes.phrase(text) : partTypes.meaningOfText(text)
    return meaning && { kind: 'part', ...meaning }
  }

  #add(key: string, meaning: Meaning): void {
    if (key === '') return
    const before = this.#meanings.get(key)
    if (!before) this.#meanings.set(key, [meaning])
    else if (!before.some(({ kind }) => kind === meaning.kind)) before.push(meaning)
  }

  #note(name: string): void {
    const words = wordsOf(name)
    const note = (word: string, weight: number) => {
      if ((this.words.get(word) ?? 0) < weight) this.words.set(word, weight)
    }
    const weight = words.length === 1 ? ALONE : WITHIN
    const inFull = words.flatMap((word) => this.#source.partTypes.wordsIn(word))
    for (const word of [...words, ...inFull]) note(word, weight)
    // "Fog light" is also typed as one word.
    if (words.length === 2) note(words.join(''), WITHIN)
  }

  #addFillers(): void {
    const { fillers, roles } = this.#source.language
    for (const word of fillers) {
      this.#note(word)
      this.#add(nameKey(word), { kind: 'skip' })
    }
    for (const saying of roles.list('saying')) this.#add(nameKey(saying), { kind: 'skip', isSaying: true })
  }

  #addCodes(): void {
    const { catalog, partTypes, language } = this.#source
    for (const { code, label, part, noun, makes } of language.coded) {
      const named = /\d/.test(code) ? [] : makes
      const makeIds = catalog.manufacturers.flatMap(({ id, name }) => (named.includes(name) ? id : []))
      const ids =
        partTypes.meaningOfText(part)?.types.flatMap(({ id, name }) => (name === part ? id : [])) ?? []
      const ofPart = ids.length > 0 ? { ids, label: part } : undefined
      this.#add(code, { kind: 'code', label, spelling: code, noun, part: ofPart, makeIds })
      if (named.length > 0) this.#note(label)
    }
  }

  #addTradeWord({ kind, word, means }: TradeWord): void {
    if (kind === 'same') return
    const key = nameKey(word)
    if (kind === 'skip') this.#add(key, { kind })
    if (kind === 'side') {
      const said = wordsOf(means)
      this.#add(key, {
        kind,
        places: (['front', 'rear', 'left', 'right'] as const).filter((one) => said.includes(one)),
      })
    }
    if (kind === 'make') {
      const make = this.#source.catalog.manufacturers.find(({ name }) => nameKey(name) === nameKey(means))
      if (make) this.#add(key, { kind, label: make.name, makeIds: [make.id], modelIds: [] })
    }
    this.#note(word)
  }

  #addMakes(): void {
    const { manufacturers, models } = this.#source.catalog
    for (const make of manufacturers) {
      if (!make.confirmed) continue
      const namedAfter = models.filter((model) => isNamedAfter(model, make))
      const meaning: Meaning = {
        kind: 'make',
        label: make.name,
        makeIds: [make.id],
        modelIds: namedAfter.map(({ id }) => id),
      }
      for (const name of [make.name, ...make.aliases]) {
        this.#note(name)
        this.#add(nameKey(name), meaning)
      }
      // "Dodge Ram": trucks that were sold under both makes.
      for (const owner of new Set(namedAfter.map(({ manufacturerId }) => manufacturerId))) {
        const of = manufacturers.find(({ id }) => id === owner)
        if (of) this.#add(nameKey([of.name, make.name]), meaning)
      }
    }
    const makes = this.#source.modelMeanings.makes
    for (const key of makes.ambiguous) {
      const all = makes.amongst(key)
      if (all.length === 0 || this.#meanings.has(key)) continue
      const label = all.map(({ name }) => name).join(' or ')
      this.#add(key, { kind: 'make', label, makeIds: all.map(({ id }) => id), modelIds: [] })
    }
  }
}

const isNamedAfter = (model: KnownModel, make: KnownName) =>
  model.manufacturerId !== make.id && `${model.name} `.startsWith(`${make.name} `)

/** Aliases such as "alternater" find parts, but the page shows how each was read. */
function typosOf({ name, aliases }: KnownName): [typo: string, name: string][] {
  const word = nameKey(name)
  if (wordsOf(name).length > 1) return []
  const spelling = openSpelling(new Map([[word, ALONE]]))
  // "Grills" and "grill" are words too.
  return aliases
    .map((alias) => nameKey(alias))
    .filter((alias) => spelling.correct(alias) && !alias.startsWith(word) && !word.startsWith(alias))
    .map((alias) => [alias, name.toLowerCase()])
}
