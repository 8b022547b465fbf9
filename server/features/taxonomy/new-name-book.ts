import type { UnknownNames } from '#server/features/lookups/create-provisional-names.ts'
import { nameKey } from '#server/features/lookups/lookup-names.ts'
import { squash } from './name-form.ts'

// A file with more has something else in that column than names.
const MOST_NAMES = 10_000

/** A manufacturer that a new model belongs to: its name, whether it is known or new itself. */
type NewModel = { readonly manufacturer: string; readonly model: string; readonly isFamily: boolean }

/** The new names of a file, each once however it is written: the first spelling counts for all. */
export class NewNameBook {
  readonly #categories = new Map<string, string>()
  readonly #manufacturers = new Map<string, string>()
  readonly #models = new Map<string, NewModel>()

  category(name: string): string {
    return remember(this.#categories, keyOf(name), name)
  }

  manufacturer(name: string): string {
    return remember(this.#manufacturers, keyOf(name), name)
  }

  model(manufacturer: string, model: string, isFamily: boolean): string {
    const key = `${nameKey(manufacturer)}\n${keyOf(model)}`
    return remember(this.#models, key, { manufacturer, model, isFamily }).model
  }

  /** How many names are new; those that models of the catalogue share are known well enough. */
  get count(): number {
    const models = [...this.#models.values()].filter(({ isFamily }) => !isFamily)
    return this.#categories.size + this.#manufacturers.size + models.length
  }

  /** Everything that has to be made; with `onlyFamilies` what no rule about new names stops. */
  names({ onlyFamilies }: { onlyFamilies: boolean }): UnknownNames {
    const models = [...this.#models.values()]
    if (onlyFamilies) {
      return { categories: [], manufacturers: [], models: models.filter(({ isFamily }) => isFamily) }
    }
    return {
      categories: [...this.#categories.values()],
      manufacturers: [...this.#manufacturers.values()],
      models,
    }
  }
}

// What has neither Latin letters nor digits is compared as it stands.
const keyOf = (name: string) => squash(name) || nameKey(name)

function remember<T>(names: Map<string, T>, key: string, name: T): T {
  const before = names.get(key)
  if (before !== undefined) return before
  if (names.size < MOST_NAMES) names.set(key, name)
  return name
}
