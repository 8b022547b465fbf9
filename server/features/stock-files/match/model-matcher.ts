import { type BesideModel, nameKey, plainName } from '#server/features/lookups/lookup-names.ts'
import type { ManufacturerMatcher } from './manufacturer-matcher.ts'
import {
  besideIn,
  familyOf,
  isBodyWord,
  isTrim,
  modelOfCode,
  nicknameOf,
  OTHER_MODELS,
  spelledOut,
} from './model-words.ts'
import { isPlaceholder, spacedWordsOf, splitNames, squash, TrigramIndex, wordsOf } from './name-form.ts'
import {
  confidenceOf,
  type KnownModel,
  type KnownName,
  KnownWords,
  known,
  MAX_CANDIDATES,
  type MatchMethod,
  type NameVerdict,
  newUnlessSimilar,
  oneOfSeveral,
  ProvisionalNames,
  unsure,
  type YearRange,
} from './name-verdict.ts'

/*
 * Finds the model for a typed name, within one manufacturer. Catalog models that differ only in their cab also form a
 * family ("F150"), which a name can match instead of one of them; it becomes a new model.
 */

type ModelOrFamily =
  | { readonly kind: 'model'; readonly model: KnownModel; readonly beside?: BesideModel | undefined }
  | { readonly kind: 'family'; readonly name: string; readonly years: YearRange[] }

/** The models of one manufacturer by all forms of their names. */
class ModelBook {
  readonly make: KnownName
  /** The squashed make. */
  readonly makeKey: string
  readonly exact = new Map<
    string,
    { model: KnownModel; how: MatchMethod; beside?: BesideModel | undefined }
  >()
  readonly words = new KnownWords()
  readonly similar = new TrigramIndex<KnownModel>()
  readonly confirmed: readonly KnownModel[]
  readonly provisional: ProvisionalNames
  /** Null if several models share the form. */
  readonly #forms = new Map<string, ModelOrFamily | null>()

  constructor(make: KnownName, models: readonly KnownModel[]) {
    this.make = make
    this.makeKey = squash(make.name)
    for (const model of models) {
      for (const alias of model.aliases) this.#addName(alias, model, 'alias')
    }
    this.confirmed = models.filter((model) => model.confirmed)
    for (const model of this.confirmed) this.#addName(model.name, model, 'exact')
    for (const model of this.confirmed) this.#addFamily(model)
    for (const model of this.confirmed) this.#addShort(model)
    this.provisional = new ProvisionalNames(models)
  }

  /** By the words of a name, however they are joined. */
  find(words: readonly string[]): ModelOrFamily | undefined {
    return this.#forms.get(formOf(words)) ?? undefined
  }

  #addName(name: string, model: KnownModel, how: MatchMethod): void {
    const beside = how === 'alias' ? model.beside?.[nameKey(name)] : undefined
    this.exact.set(nameKey(name), { model, how, beside })
    const form = formOf(wordsOf(name))
    const before = this.#forms.get(form)
    const isShared = before !== undefined && !(before?.kind === 'model' && before.model.id === model.id)
    this.#forms.set(form, isShared ? null : { kind: 'model', model, beside })
    this.similar.add(squash(name), model)
    for (const word of wordsOf(name)) this.words.add(word)
  }

  #addFamily(model: KnownModel): void {
    const name = familyOf(model.name)
    if (name === undefined) return
    const form = formOf(wordsOf(name))
    const before = this.#forms.get(form)
    if (before === undefined) this.#forms.set(form, { kind: 'family', name, years: [...model.years] })
    else if (before?.kind === 'family') before.years.push(...model.years)
  }

  /** "Silverado 1500 Crew" for "Silverado 1500 Crew Cab". */
  #addShort(model: KnownModel): void {
    for (const name of [model.name, ...model.aliases]) {
      const words = wordsOf(name)
      const form = formOf(words.slice(0, -1))
      if (words.at(-1) !== 'cab' || this.#forms.has(form)) continue
      this.#forms.set(form, { kind: 'model', model, beside: model.beside?.[nameKey(name)] })
    }
  }
}

const formOf = (words: readonly string[]) => squash(words.map(spelledOut))

const MIN_SIMILARITY = 0.4

/** Built once, then used for any number of names. */
export class ModelMatcher {
  readonly #books: ReadonlyMap<string, ModelBook>
  readonly #makes: ManufacturerMatcher
  /** Of all manufacturers: a word that any of them uses is not a typo. */
  readonly #words = new KnownWords()
  readonly #makersByModel = new Map<string, KnownName[]>()

  constructor(
    makes: ManufacturerMatcher,
    manufacturers: readonly KnownName[],
    models: readonly KnownModel[],
  ) {
    this.#makes = makes
    const byMake = Map.groupBy(models, ({ manufacturerId }) => manufacturerId)
    this.#books = new Map(
      manufacturers.map((make) => [make.id, new ModelBook(make, byMake.get(make.id) ?? [])]),
    )
    for (const book of this.#books.values()) this.#addWords(book)
    for (const word of OTHER_MODELS) this.#words.add(word)
  }

  match(manufacturerId: string, text: string): NameVerdict {
    const book = this.#books.get(manufacturerId)
    if (!book) return { kind: 'new', name: plainName(text) }
    const exact = book.exact.get(nameKey(text))
    if (exact) return { ...known(exact.model, exact.how), ...exact.beside }
    const found = this.#bySpelling(book, text) ?? this.#afterMake(book, text) ?? this.#byTypo(book, text)
    if (found && found.kind !== 'new') return found
    // An earlier file may have created the family as a provisional name.
    const provisional = book.provisional.match(found?.name ?? text)
    if (provisional) return found?.kind === 'new' ? { ...provisional, ...besideOf(found) } : provisional
    if (found) return found
    return isPlaceholder(text) ? unsure('Not a model.') : this.#unmatched(book, text)
  }

  /** Splits "Toyota Camry" into the make and the rest. */
  splitMake(text: string): { make: KnownName; rest: string } | undefined {
    const words = text.trim().split(/[\s/-]+/)
    const found = this.#makes.atBeginning(words.map((word) => squash(word)))
    if (!found || found.words >= words.length) return undefined
    return { make: found.entry, rest: words.slice(found.words).join(' ') }
  }

  /** The manufacturers that have a model of exactly this name. */
  makersOf(text: string): readonly KnownName[] {
    return this.#makersByModel.get(squash(text)) ?? []
  }

  #addWords(book: ModelBook): void {
    for (const name of book.confirmed.flatMap((model) => [model.name, ...model.aliases])) {
      for (const word of wordsOf(name)) this.#words.add(word)
      const makers = this.#makersByModel.get(squash(name)) ?? []
      if (!makers.includes(book.make)) this.#makersByModel.set(squash(name), [...makers, book.make])
    }
  }

  #bySpelling(book: ModelBook, text: string): NameVerdict | undefined {
    const words = wordsOf(text)
    const isNumber = /^\d+$/.test(squash(text))
    const spelled =
      book.find(words) ??
      (isNumber ? book.find([book.makeKey, ...words]) : undefined) ??
      // "1500 Silverado"
      (words.length === 2 ? book.find(words.toReversed()) : undefined)
    if (spelled) return toVerdict(spelled, 'spelling')
    const nickname = nicknameOf(book.makeKey, squash(text))
    const nicknamed = nickname && book.find(wordsOf(nickname))
    if (nicknamed) return toVerdict(nicknamed, 'abbreviation')
    const code = modelOfCode(book.makeKey, squash(text))
    const coded = code && book.find(wordsOf(code))
    return withTrim(book, text) ?? (coded ? toVerdict(coded, 'within', { trim: plainName(text) }) : undefined)
  }

  /** "Chevrolet Tahoe" in the model column. */
  #afterMake(book: ModelBook, text: string): NameVerdict | undefined {
    const split = this.splitMake(text)
    if (!split) return undefined
    if (split.make.id !== book.make.id) {
      return unsure(`This is a ${split.make.name}, but the manufacturer is ${book.make.name}.`)
    }
    const found = this.match(book.make.id, split.rest)
    return found.kind === 'known' && found.how === 'exact'
      ? { ...found, how: 'within', confidence: confidenceOf('within') }
      : found
  }

  #byTypo(book: ModelBook, text: string): NameVerdict | undefined {
    const isWord = (word: string) => this.#words.has(squash(word)) || isTrim(word) || isBodyWord(word)
    const corrected = book.words.correct(spacedWordsOf(text), isWord)
    if (!corrected) return undefined
    const { words, edits } = corrected
    const model = book.find(words)
    if (model) return toVerdict(model, 'similar', { edits })
    const found = withTrim(book, words.join(' '))
    if (found?.kind !== 'known') return found
    return { ...found, how: 'similar', confidence: confidenceOf('similar', edits) }
  }

  /** Neither known nor a typo: several models, another make's model, similar to a name, or a new model. */
  #unmatched(book: ModelBook, text: string): NameVerdict {
    const names = splitNames(text)
    if (names.length > 1 && names.every((name) => book.find(wordsOf(name)))) {
      return unsure('This names several models.')
    }
    const key = squash(text)
    const longer = book.confirmed.filter(({ name }) => squash(name).startsWith(key))
    if (longer.length > 0) {
      // Models built for the most years have the most parts.
      return oneOfSeveral(longer.toSorted((a, b) => yearsBuilt(b) - yearsBuilt(a)).slice(0, MAX_CANDIDATES))
    }
    const others = key.length >= 4 ? this.makersOf(text).filter(({ id }) => id !== book.make.id) : []
    if (others[0]) return unsure(`This is a model of ${others[0].name}.`)
    const name = plainName(text)
    if (this.#words.has(key)) return { kind: 'new', name }
    return newUnlessSimilar(book.similar, { key, name, min: MIN_SIMILARITY })
  }
}

const yearsBuilt = ({ years }: KnownModel): number =>
  years.reduce((sum, [from, to]) => sum + to - from + 1, 0)

type Beside = BesideModel & { edits?: number }

function toVerdict(
  found: ModelOrFamily,
  how: MatchMethod,
  { edits = 0, ...beside }: Beside = {},
): NameVerdict {
  if (found.kind === 'model') return { ...known(found.model, how, edits), ...found.beside, ...beside }
  const family = { how, confidence: confidenceOf(how, edits), years: found.years }
  return { kind: 'new', name: found.name, family, ...beside }
}

const besideOf = ({ bodyStyle, trim }: BesideModel): BesideModel => ({
  ...(bodyStyle !== undefined && { bodyStyle }),
  ...(trim !== undefined && { trim }),
})

/** "Camry LE", "F-150 XLT Crew Cab": words after the model belong in the trim and body style fields. */
function withTrim(book: ModelBook, text: string): NameVerdict | undefined {
  const words = spacedWordsOf(text)
  const typed = text.trim().split(/\s+/)
  const isBeside = (word: string) => isTrim(word) || isBodyWord(word)
  for (let count = words.length - 1; count > 0 && isBeside(words[count] ?? ''); count -= 1) {
    const found = book.find(words.slice(0, count))
    if (!found) continue
    const rest =
      typed.length === words.length
        ? typed.slice(count).join(' ')
        : words.slice(count).join(' ').toUpperCase()
    return toVerdict(found, 'within', besideIn(rest))
  }
  return undefined
}
