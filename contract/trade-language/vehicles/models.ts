import {
  lookupKey,
  nameKey,
  plainName,
  spacedWordsOf,
  splitNames,
  wordsOf,
} from '#contract/trade-language/names.ts'
import { KnownWords, TrigramIndex } from '#contract/trade-language/spelling.ts'
import {
  type BesideModel,
  confidenceOf,
  type KnownModel,
  type KnownName,
  known,
  MAX_CANDIDATES,
  type MatchMethod,
  type NameVerdict,
  newUnlessSimilar,
  oneOfSeveral,
  ProvisionalNames,
  unsure,
  type YearRange,
} from '#contract/trade-language/verdicts.ts'
import type { WordRoles } from '#contract/trade-language/words.ts'
import type { Makes } from './makes.ts'
import { familyOf, modelOfCode, type VehicleWords } from './vehicle-words.ts'

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
  /** How titles write the names, which may be shortened. */
  readonly #titleKeys = new Set<string>()
  readonly #vehicleWords: VehicleWords

  constructor(make: KnownName, models: readonly KnownModel[], vehicleWords: VehicleWords) {
    this.#vehicleWords = vehicleWords
    this.make = make
    this.makeKey = nameKey(make.name)
    for (const model of models) {
      for (const alias of model.aliases) this.#addName(alias, model, 'alias')
    }
    this.confirmed = models.filter((model) => model.confirmed)
    for (const model of this.confirmed) this.#addName(model.name, model, 'exact')
    for (const model of this.confirmed) this.#addFamily(model)
    for (const model of this.confirmed) this.#addShort(model)
    for (const { name } of this.confirmed) {
      const { keys, behindMake } = vehicleWords.keysOf(name)
      for (const key of [...keys, ...behindMake]) this.#titleKeys.add(key)
    }
    this.provisional = new ProvisionalNames(models)
  }

  /** By the words of a name, with or without separators. */
  find(words: readonly string[]): ModelOrFamily | undefined {
    return this.#forms.get(this.#formOf(words)) ?? undefined
  }

  /** Whether the key, made of `count` words of a title, is one of these models or the beginning of one. */
  isNamed(key: string, count: number): boolean {
    const family = this.#vehicleWords.withoutCab(key)
    const has = (one: string) => this.#titleKeys.has(one)
    // "Mazda 3" is a MAZDA3, an F250SD a Super Duty.
    return (
      has(family) ||
      has(this.makeKey + family) ||
      this.#isVariant(key, count) ||
      (SHORTENED.test(family) && has(this.#vehicleWords.spelledOut(family)))
    )
  }

  /** Engine sizes and versions in a model's name: RX350, C300, 328i, and a 300C, which is a 300. Letters behind are of one word. */
  #isVariant(key: string, count: number): boolean {
    if (count > 1 && SHORTENED.test(key)) return false
    const model = modelOfCode(this.makeKey, key)
    if (model !== undefined && this.#titleKeys.has(nameKey(model))) return true
    const [, number] = LETTERED.exec(key) ?? []
    return number !== undefined && count === 1 && this.#titleKeys.has(number)
  }

  #formOf(words: readonly string[]): string {
    return words
      .map((word) => this.#vehicleWords.spelledOut(word))
      .join('')
      .replaceAll('.', '')
  }

  #addName(name: string, model: KnownModel, how: MatchMethod): void {
    const beside = how === 'alias' ? model.beside?.[lookupKey(name)] : undefined
    this.exact.set(lookupKey(name), { model, how, beside })
    const form = this.#formOf(wordsOf(name))
    const before = this.#forms.get(form)
    const isShared = before !== undefined && !(before?.kind === 'model' && before.model.id === model.id)
    this.#forms.set(form, isShared ? null : { kind: 'model', model, beside })
    this.similar.add(nameKey(name), model)
    for (const word of wordsOf(name)) this.words.add(word)
  }

  #addFamily(model: KnownModel): void {
    const name = familyOf(model.name)
    if (name === undefined) return
    const form = this.#formOf(wordsOf(name))
    const before = this.#forms.get(form)
    if (before === undefined) this.#forms.set(form, { kind: 'family', name, years: [...model.years] })
    else if (before?.kind === 'family') before.years.push(...model.years)
  }

  /** "Silverado 1500 Crew" for "Silverado 1500 Crew Cab". */
  #addShort(model: KnownModel): void {
    for (const name of [model.name, ...model.aliases]) {
      const words = wordsOf(name)
      const form = this.#formOf(words.slice(0, -1))
      if (words.at(-1) !== 'cab' || this.#forms.has(form)) continue
      this.#forms.set(form, { kind: 'model', model, beside: model.beside?.[lookupKey(name)] })
    }
  }
}

const LETTERED = /^(\d{3})[a-z]$/
/** What may be an F250SD, whose ending is shortened. */
const SHORTENED = /\d[a-z]+$/
const NO_MAKERS: readonly KnownName[] = []

const MIN_SIMILARITY = 0.4

type Source = {
  readonly makes: Makes
  readonly manufacturers: readonly KnownName[]
  readonly models: readonly KnownModel[]
  readonly roles: WordRoles
  readonly vehicleWords: VehicleWords
  /** Names of models by the keys of their make and of a word for them: "ford stang". */
  readonly nicknames: ReadonlyMap<string, string>
}

/** Built once, then used for any number of names. */
export class Models {
  readonly #vehicleWords: VehicleWords
  readonly #nicknames: ReadonlyMap<string, string>
  readonly #placeholders: ReadonlySet<string>
  readonly #books: ReadonlyMap<string, ModelBook>
  readonly #makes: Makes
  /** Of all manufacturers: a word that any of them uses is not a typo. */
  readonly #words = new KnownWords()
  /** By the names, aliases and beginnings of their models: Silverado is Chevrolet's. */
  readonly #makersByKey = new Map<string, KnownName[]>()

  constructor(source: Source) {
    const { makes, manufacturers, models, roles, vehicleWords, nicknames } = source
    this.#makes = makes
    this.#vehicleWords = vehicleWords
    this.#nicknames = nicknames
    this.#placeholders = roles.set('placeholder')
    const byMake = Map.groupBy(models, ({ manufacturerId }) => manufacturerId)
    this.#books = new Map(
      manufacturers.map((make) => [make.id, new ModelBook(make, byMake.get(make.id) ?? [], vehicleWords)]),
    )
    for (const book of this.#books.values()) this.#addWords(book)
    // Models outside the catalog are not typos of others.
    for (const word of roles.list('other model')) this.#words.add(word)
  }

  match(manufacturerId: string, text: string): NameVerdict {
    const book = this.#books.get(manufacturerId)
    if (!book) return { kind: 'new', name: plainName(text) }
    const exact = book.exact.get(lookupKey(text))
    if (exact) return { ...known(exact.model, exact.how), ...exact.beside }
    const found = this.#bySpelling(book, text) ?? this.#afterMake(book, text) ?? this.#byTypo(book, text)
    if (found && found.kind !== 'new') return found
    // An earlier file may have created the family as a provisional name.
    const provisional = book.provisional.match(found?.name ?? text)
    if (provisional) return found?.kind === 'new' ? { ...provisional, ...besideOf(found) } : provisional
    if (found) return found
    const isPlaceholder = nameKey(text) === '' || this.#placeholders.has(nameKey(text))
    return isPlaceholder ? unsure('Not a model.') : this.#unmatched(book, text)
  }

  /** Splits "Toyota Camry" into the make and the rest. */
  splitMake(text: string): { make: KnownName; rest: string } | undefined {
    const words = text.trim().split(/[\s/-]+/)
    const found = this.#makes.atBeginning(words.map((word) => nameKey(word)))
    if (!found || found.words >= words.length) return undefined
    return { make: found.entry, rest: words.slice(found.words).join(' ') }
  }

  /** Whether a title's key, made of `count` words, is a model of the make or the beginning of one. */
  isModel(makeId: string, key: string, count: number): boolean {
    return this.#books.get(makeId)?.isNamed(key, count) ?? false
  }

  /** The manufacturers whose model a key means without a make. */
  makersOf(key: string): readonly KnownName[] {
    const inFull = SHORTENED.test(key) ? this.#vehicleWords.spelledOut(key) : key
    return this.#makersByKey.get(key) ?? this.#makersByKey.get(inFull) ?? NO_MAKERS
  }

  #addWords(book: ModelBook): void {
    for (const { name, aliases } of book.confirmed) {
      for (const word of [name, ...aliases].flatMap(wordsOf)) this.#words.add(word)
      for (const key of [
        ...this.#vehicleWords.keysOf(name).keys,
        ...aliases.map((alias) => nameKey(alias)),
      ]) {
        const makers = this.#makersByKey.get(key) ?? []
        if (!makers.includes(book.make)) this.#makersByKey.set(key, [...makers, book.make])
      }
    }
  }

  #bySpelling(book: ModelBook, text: string): NameVerdict | undefined {
    const words = wordsOf(text)
    const isNumber = /^\d+$/.test(nameKey(text))
    const spelled =
      book.find(words) ??
      (isNumber ? book.find([book.makeKey, ...words]) : undefined) ??
      // "1500 Silverado"
      (words.length === 2 ? book.find(words.toReversed()) : undefined)
    if (spelled) return toVerdict(spelled, 'spelling')
    const nickname = this.#nicknames.get(`${book.makeKey} ${nameKey(text)}`)
    const nicknamed = nickname && book.find(wordsOf(nickname))
    if (nicknamed) return toVerdict(nicknamed, 'abbreviation')
    const code = modelOfCode(book.makeKey, nameKey(text))
    const coded = code && book.find(wordsOf(code))
    return (
      this.#withTrim(book, text) ??
      (coded ? toVerdict(coded, 'within', { trim: plainName(text) }) : undefined)
    )
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
    const isWord = (word: string) => this.#words.has(nameKey(word)) || this.#isBeside(word)
    const corrected = book.words.correct(spacedWordsOf(text), isWord)
    if (!corrected) return undefined
    const { words, edits } = corrected
    const model = book.find(words)
    if (model) return toVerdict(model, 'similar', { edits })
    const found = this.#withTrim(book, words.join(' '))
    if (found?.kind !== 'known') return found
    return { ...found, how: 'similar', confidence: confidenceOf('similar', edits) }
  }

  /** Neither known nor a typo: several models, another make's model, similar to a name, or a new model. */
  #unmatched(book: ModelBook, text: string): NameVerdict {
    const names = splitNames(text)
    if (names.length > 1 && names.every((name) => book.find(wordsOf(name)))) {
      return unsure('This names several models.')
    }
    const key = nameKey(text)
    const short = this.#words.has(key) ? undefined : shortForm(key, book.confirmed)
    if (short) return known(short, 'similar', 1)
    const longer = book.confirmed.filter(({ name }) => nameKey(name).startsWith(key))
    if (longer.length > 0) {
      // Models built for the most years have the most parts.
      return oneOfSeveral(longer.toSorted((a, b) => yearsBuilt(b) - yearsBuilt(a)).slice(0, MAX_CANDIDATES))
    }
    const others = key.length >= 4 ? this.makersOf(key).filter(({ id }) => id !== book.make.id) : []
    if (others[0]) return unsure(`This is a model of ${others[0].name}.`)
    const name = plainName(text)
    if (this.#words.has(key)) return { kind: 'new', name }
    return newUnlessSimilar(book.similar, { key, name, min: MIN_SIMILARITY })
  }

  #isBeside(word: string): boolean {
    return this.#vehicleWords.isTrim(word) || this.#vehicleWords.isBodyWord(word)
  }

  /** "Camry LE", "F-150 XLT Crew Cab": words after the model belong in the trim and body style fields. */
  #withTrim(book: ModelBook, text: string): NameVerdict | undefined {
    const words = spacedWordsOf(text)
    const typed = text.trim().split(/\s+/)
    for (let count = words.length - 1; count > 0 && this.#isBeside(words[count] ?? ''); count -= 1) {
      const found = book.find(words.slice(0, count))
      if (!found) continue
      const rest =
        typed.length === words.length
          ? typed.slice(count).join(' ')
          : words.slice(count).join(' ').toUpperCase()
      return toVerdict(found, 'within', this.#vehicleWords.besideIn(rest))
    }
    return undefined
  }
}

/** Codes of yard systems have a few letters. */
const SHORT_FORM = /^[a-z]{3,6}$/
const FEWEST_CONSONANTS = 4
const VOWELS = /(?<!^)[aeiouy]/g
const skeletonOf = (key: string) => key.replaceAll(VOWELS, '').replaceAll(/(.)\1+/g, '$1')

/**
 * The only model that a system's code shortens: MUST and COROL end early, EXPLR and FORST leave vowels out. One letter less may be
 * another car (a Gol is no Golf), and a word with its vowels is a name.
 */
function shortForm(key: string, models: readonly KnownModel[]): KnownModel | undefined {
  if (!SHORT_FORM.test(key)) return undefined
  const bases = models.filter(({ name }) => /^\p{L}+$/u.test(name) && nameKey(name).length >= key.length + 2)
  const [begun, ...others] = bases.filter(({ name }) => nameKey(name).startsWith(key))
  const isOnly =
    begun &&
    others.length === 0 &&
    models.every(({ name }) => !nameKey(name).startsWith(key) || name.split(/[\s-]/)[0] === begun.name)
  if (isOnly) return begun
  const skeleton = skeletonOf(key)
  if (skeleton.length < FEWEST_CONSONANTS || (key.match(VOWELS)?.length ?? 0) > 1) return undefined
  const [model, ...rivals] = bases.filter(({ name }) => skeletonOf(nameKey(name)).startsWith(skeleton))
  return rivals.length === 0 ? model : undefined
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
