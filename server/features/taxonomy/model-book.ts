import { nameKey } from '#server/features/lookups/lookup-names.ts'
import { KnownWords } from './known-words.ts'
import { familyOf, writtenOut } from './model-words.ts'
import { squash, wordsOf } from './name-form.ts'
import { TrigramIndex } from './name-similarity.ts'
import type { KnownModel, KnownName, MatchedHow, YearRange } from './name-verdict.ts'
import { ProvisionalNames } from './provisional-names.ts'

/** A model, or what several models share without being one itself. */
export type BookEntry =
  | { readonly kind: 'model'; readonly model: KnownModel }
  | { readonly kind: 'family'; readonly name: string; readonly years: YearRange[] }

/** The models of one manufacturer by all forms of their names. */
export class ModelBook {
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
