import { nameKey, plainName } from '#server/features/lookups/lookup-names.ts'
import type { ManufacturerMatcher } from './manufacturer-matcher.ts'
import { familyOf, isTrim, modelsOfCode, nicknameOf, OTHER_MODELS, writtenOut } from './model-words.ts'
import { isPlaceholder, namesOf, spacedWordsOf, squash, TrigramIndex, wordsOf } from './name-form.ts'
import {
  type Candidate,
  confidenceOf,
  type KnownModel,
  type KnownName,
  KnownWords,
  known,
  type MatchedHow,
  type NameVerdict,
  ProvisionalNames,
  unsure,
  type YearRange,
} from './name-verdict.ts'

/** A model, or what several models share without being one itself. */
type BookEntry =
  | { readonly kind: 'model'; readonly model: KnownModel }
  | { readonly kind: 'family'; readonly name: string; readonly years: YearRange[] }

/** The models of one manufacturer by all forms of their names. */
class ModelBook {
  readonly make: KnownName
  /** Of the make's name, for its own abbreviations. */
  readonly makeKey: string
  readonly exact = new Map<string, { model: KnownModel; how: MatchedHow }>()
  readonly words = new KnownWords()
  readonly similar = new TrigramIndex<KnownModel>()
  readonly models: readonly KnownModel[]
  readonly provisional: ProvisionalNames
  readonly #forms = new Map<string, BookEntry | null>()

  constructor(make: KnownName, models: readonly KnownModel[]) {
    this.make = make
    this.makeKey = squash(make.name)
    this.models = models
    for (const model of models) {
      for (const alias of model.aliases) this.#addName(alias, model, 'alias')
    }
    const confirmed = models.filter((model) => model.confirmed)
    for (const model of confirmed) this.#addName(model.name, model, 'exact')
    for (const model of confirmed) this.#addFamily(model)
    for (const model of confirmed) this.#addShort(model)
    this.provisional = new ProvisionalNames(models)
  }

  /** The one that has the words as its name, however they are put together. */
  find(words: readonly string[]): BookEntry | undefined {
    return this.#forms.get(formOf(words)) ?? undefined
  }

  #addName(name: string, model: KnownModel, how: MatchedHow): void {
    this.exact.set(nameKey(name), { model, how })
    const key = formOf(wordsOf(name))
    const before = this.#forms.get(key)
    // Two models that differ in a dash only are told apart by nobody.
    if (before === undefined || isSame(before, model)) this.#forms.set(key, { kind: 'model', model })
    else this.#forms.set(key, null)
    this.similar.add(squash(name), model)
    for (const word of wordsOf(name)) this.words.add(word)
  }

  #addFamily(model: KnownModel): void {
    const name = familyOf(model.name)
    if (name === undefined) return
    const key = formOf(wordsOf(name))
    const before = this.#forms.get(key)
    if (before === undefined) this.#forms.set(key, { kind: 'family', name, years: [...model.years] })
    else if (before?.kind === 'family') before.years.push(...model.years)
  }

  /** "Silverado 1500 Crew" for the one that ends in "Crew Cab". */
  #addShort(model: KnownModel): void {
    const words = wordsOf(model.name)
    if (words.at(-1) !== 'cab') return
    const key = formOf(words.slice(0, -1))
    const before = this.#forms.get(key)
    if (before === undefined) this.#forms.set(key, { kind: 'model', model })
  }
}

const formOf = (words: readonly string[]) => squash(words.map(writtenOut))

const isSame = (entry: BookEntry | null, model: KnownModel) =>
  entry?.kind === 'model' && entry.model.id === model.id

const LEAST_SIMILARITY = 0.4
const MOST_CANDIDATES = 5

/** Finds the model of a manufacturer that a text means. Built once, for any number of texts. */
export class ModelMatcher {
  readonly #books = new Map<string, ModelBook>()
  readonly #makes: ManufacturerMatcher
  /** Of all manufacturers: a word that one of them uses is not mistyped. */
  readonly #words = new KnownWords()
  readonly #elsewhere = new Map<string, KnownName[]>()

  constructor(
    makes: ManufacturerMatcher,
    manufacturers: readonly KnownName[],
    models: readonly KnownModel[],
  ) {
    this.#makes = makes
    const byMake = Map.groupBy(models, ({ manufacturerId }) => manufacturerId)
    for (const make of manufacturers) this.#books.set(make.id, new ModelBook(make, byMake.get(make.id) ?? []))
    for (const book of this.#books.values()) this.#addWords(book)
    for (const word of OTHER_MODELS) this.#words.add(word)
  }

  match(manufacturerId: string, text: string): NameVerdict {
    const book = this.#books.get(manufacturerId)
    if (!book) return { kind: 'new', name: plainName(text) }
    const exact = book.exact.get(nameKey(text))
    if (exact) return known(exact.model, exact.how)
    const found = this.#found(book, text)
    // A family that a file brought before is a name like any other.
    const made = book.provisional.match(found?.kind === 'new' ? found.name : text)
    if (found)
      return found.kind === 'new' && made ? { ...made, ...(found.trim && { trim: found.trim }) } : found
    if (made) return made
    return isPlaceholder(text) ? unsure('It names no model.') : this.#open(book, text)
  }

  /** The make that a text begins with, and what it says after it. */
  splitMake(text: string): { make: KnownName; rest: string } | undefined {
    const words = text.trim().split(/[\s/-]+/)
    const found = this.#makes.atBeginning(words.map((word) => squash(word)))
    if (!found || found.words >= words.length) return undefined
    return { make: found.entry, rest: words.slice(found.words).join(' ') }
  }

  /** Manufacturers who have a model of exactly this name. */
  makersOf(text: string): readonly KnownName[] {
    return this.#elsewhere.get(squash(text)) ?? []
  }

  #addWords(book: ModelBook): void {
    for (const model of book.models) {
      if (!model.confirmed) continue
      for (const word of wordsOf(model.name)) this.#words.add(word)
      const key = squash(model.name)
      const makers = this.#elsewhere.get(key)
      if (makers) makers.push(book.make)
      else this.#elsewhere.set(key, [book.make])
    }
  }

  #found(book: ModelBook, text: string): NameVerdict | undefined {
    return this.#asWritten(book, text) ?? this.#withMake(book, text) ?? this.#mistyped(book, text)
  }

  #asWritten(book: ModelBook, text: string): NameVerdict | undefined {
    const words = wordsOf(text)
    const whole =
      book.find(words) ?? (/^\d+$/.test(squash(text)) ? book.find([book.makeKey, ...words]) : undefined)
    if (whole) return verdictOf(whole, { how: 'spelling' })
    const nickname = nicknameOf(book.makeKey, squash(text))
    const meant = nickname && book.find(wordsOf(nickname))
    if (meant) return verdictOf(meant, { how: 'abbreviation' })
    return withTrim(book, text) ?? withCode(book, text)
  }

  /** "Chevrolet Tahoe" in the column of models. */
  #withMake(book: ModelBook, text: string): NameVerdict | undefined {
    const split = this.splitMake(text)
    if (!split) return undefined
    if (split.make.id !== book.make.id) {
      return unsure(`It names ${split.make.name}, but the manufacturer is ${book.make.name}.`)
    }
    const found = this.match(book.make.id, split.rest)
    return found.kind === 'known' && found.how === 'exact'
      ? { ...found, how: 'within', confidence: confidenceOf('within') }
      : found
  }

  #mistyped(book: ModelBook, text: string): NameVerdict | undefined {
    let edits = 0
    const meant = spacedWordsOf(text).map((word) => {
      const plain = squash(word)
      if (this.#words.has(plain) || isTrim(word)) return word
      const found = book.words.meantBy(plain)
      edits += found?.edits ?? 0
      return found?.word ?? word
    })
    if (edits === 0 || edits > 2) return undefined
    const found = book.find(meant)
    if (found) return verdictOf(found, { how: 'similar', edits })
    const beside = withTrim(book, meant.join(' '))
    return (
      beside && {
        ...beside,
        ...(beside.kind === 'known' && { how: 'similar', confidence: confidenceOf('similar', edits) }),
      }
    )
  }

  /** Neither known nor mistyped: too general, another's, like something, or another model. */
  #open(book: ModelBook, text: string): NameVerdict {
    if (severalModels(book, text)) return unsure('It names several models.')
    const typed = squash(text)
    const longer = book.models.filter(({ name, confirmed }) => confirmed && squash(name).startsWith(typed))
    if (longer.length > 0) {
      const likely = longer.toSorted((a, b) => yearsBuilt(b) - yearsBuilt(a)).slice(0, MOST_CANDIDATES)
      return unsure('It may be one of several.', likely.map(candidate))
    }
    const others = typed.length >= 4 ? this.makersOf(text).filter(({ id }) => id !== book.make.id) : []
    if (others[0]) return unsure(`It is a model of ${others[0].name}.`)
    const alike = book.similar.find(typed, { least: LEAST_SIMILARITY, most: MOST_CANDIDATES })
    if (alike.length === 0 || this.#words.has(typed)) return { kind: 'new', name: plainName(text) }
    const candidates = alike.map(({ entry: { id, name }, similarity }) => ({
      id,
      name,
      confidence: similarity,
    }))
    return unsure('It looks like another name.', candidates)
  }
}

/** Of those that were built longest there are most parts. */
const yearsBuilt = ({ years }: KnownModel): number =>
  years.reduce((sum, [from, to]) => sum + to - from + 1, 0)

const candidate = ({ id, name }: KnownModel): Candidate => ({ id, name, confidence: 0.5 })

function verdictOf(
  entry: BookEntry,
  { how, edits = 0, trim }: { how: MatchedHow; edits?: number; trim?: string },
): NameVerdict {
  const beside = trim === undefined ? {} : { trim }
  if (entry.kind === 'model') return { ...known(entry.model, how, edits), ...beside }
  const family = { how, confidence: confidenceOf(how, edits), years: entry.years }
  return { kind: 'new', name: entry.name, family, ...beside }
}

/** "Camry LE": what stands behind the model and is a trim goes where trims stand. */
function withTrim(book: ModelBook, text: string): NameVerdict | undefined {
  const words = spacedWordsOf(text)
  const typed = text.trim().split(/\s+/)
  for (let count = words.length - 1; count > 0 && isTrim(words[count] ?? ''); count -= 1) {
    const entry = book.find(words.slice(0, count))
    const trim =
      typed.length === words.length
        ? typed.slice(count).join(' ')
        : words.slice(count).join(' ').toUpperCase()
    if (entry) return verdictOf(entry, { how: 'within', trim })
  }
  return undefined
}

/** "RX350" and "328i": the number is the engine's. */
function withCode(book: ModelBook, text: string): NameVerdict | undefined {
  const [model] = modelsOfCode(book.makeKey, squash(text)).flatMap((name) => book.find(wordsOf(name)) ?? [])
  return model && verdictOf(model, { how: 'within', trim: plainName(text) })
}

function severalModels(book: ModelBook, text: string): boolean {
  const names = namesOf(text)
  return names.length > 1 && names.every((name) => book.find(wordsOf(name)))
}
