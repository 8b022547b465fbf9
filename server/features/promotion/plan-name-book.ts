import { type LookupNames, nameKey } from '#server/features/lookups/lookup-names.ts'
import type { StagedText } from './row-text.ts'

/** Which names of a row are new, as places in the lists of a `PlanNameBook`; null for a known one. */
export type NewNamePlaces = {
  readonly category: number | null
  readonly manufacturer: number | null
  readonly model: number | null
}

/** One name of the book as people read it; a model comes after its manufacturer. */
export type NewNameKind = keyof NewNamePlaces

// A file with more new names has something else in that column; they all share one place, and the file is stopped anyway.
const MOST_NAMES = 10_000

const noVehicle = { manufacturer: null, model: null }

/** Collects the names of a planned file that become lookups, each once in any case and spacing; undecided ones stay as text. */
export class PlanNameBook {
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

  /** What a row does not say is no name. */
  read({ partcategory, partmanu, partmodel }: StagedText): NewNamePlaces {
    const category = partcategory ? this.#category(partcategory) : null
    const vehicle = partmanu && partmodel ? this.#vehicle(partmanu, partmodel) : noVehicle
    return { category, ...vehicle }
  }

  #category(name: string): number | null {
    const isNoNew = this.#known.category(name) || this.#known.isUndecided('category', name)
    return isNoNew ? null : this.#place('category', name)
  }

  #vehicle(make: string, model: string): Omit<NewNamePlaces, 'category'> {
    const names = this.#known
    const manufacturer = names.manufacturer(make)
    if (!manufacturer) {
      if (names.isUndecided('manufacturer', make)) return noVehicle
      return {
        manufacturer: this.#place('manufacturer', make),
        model: this.#place('model', `${make} ${model}`),
      }
    }
    const isNoNewModel =
      names.model(manufacturer.id, model) || names.isUndecided('car_model', model, manufacturer.id)
    return {
      manufacturer: null,
      model: isNoNewModel ? null : this.#place('model', `${manufacturer.name} ${model}`),
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
