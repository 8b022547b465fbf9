import { type LookupNames, nameKey } from '#server/features/lookups/lookup-names.ts'
import type { StagedText } from './staged-text.ts'

/** Which names of a row are new, as places in the lists of a `NewNameBook`; null for a known one. */
export type NewNamePlaces = {
  readonly category: number | null
  readonly manufacturer: number | null
  readonly model: number | null
}

/** One name of the book as people read it; a model comes after its manufacturer. */
export type NewNameKind = keyof NewNamePlaces

// A file with more new names has something else in that column; they all share one place, and the file is stopped anyway.
const MOST_NAMES = 10_000

/** Collects the names of a file that become lookups, each once in any case and spacing; undecided ones stay as text. */
export class NewNameBook {
  readonly #known: LookupNames
  readonly #places: Record<NewNameKind, Map<string, number>> = {
    category: new Map(),
    manufacturer: new Map(),
    model: new Map(),
  }
  readonly #names: Record<NewNameKind, string[]> = { category: [], manufacturer: [], model: [] }

  constructor(known: LookupNames) {
    this.#known = known
  }

  read({ partcategory = '', partmanu = '', partmodel = '' }: StagedText): NewNamePlaces {
    const names = this.#known
    const category =
      names.category(partcategory) || names.isUndecided('category', partcategory)
        ? null
        : this.#place('category', partcategory)
    const manufacturer = names.manufacturer(partmanu)
    if (!manufacturer) {
      if (names.isUndecided('manufacturer', partmanu)) return { category, manufacturer: null, model: null }
      return {
        category,
        manufacturer: this.#place('manufacturer', partmanu),
        model: this.#place('model', `${partmanu} ${partmodel}`),
      }
    }
    const isNoNewModel =
      names.model(manufacturer.id, partmodel) || names.isUndecided('car_model', partmodel, manufacturer.id)
    return {
      category,
      manufacturer: null,
      model: isNoNewModel ? null : this.#place('model', `${manufacturer.name} ${partmodel}`),
    }
  }

  name(kind: NewNameKind, place: number): string {
    return this.#names[kind][place] ?? ''
  }

  #place(kind: NewNameKind, name: string): number {
    const key = nameKey(name)
    const places = this.#places[kind]
    const known = places.get(key)
    if (known !== undefined) return known
    if (places.size >= MOST_NAMES) return MOST_NAMES - 1
    places.set(key, places.size)
    this.#names[kind].push(name)
    return places.size - 1
  }
}
