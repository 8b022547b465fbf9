/** A lookup as rows of files need it: its id, and the name that is written into the listing. */
export type NamedLookup = { readonly id: string; readonly name: string }

/** `keys` are the keys of the name and of all aliases, the name's first. */
type Entry = NamedLookup & { readonly keys: readonly string[] }

export type LoadedNames = {
  categories: readonly Entry[]
  manufacturers: readonly Entry[]
  models: readonly (Entry & { readonly manufacturerId: string })[]
  /** Names of which somebody has to say what they mean. */
  questions: readonly LookupQuestionKey[]
}

export type LookupQuestionKey = {
  readonly kind: 'category' | 'manufacturer' | 'car_model'
  /** Of a model. */
  readonly manufacturerId: string | null
  readonly key: string
}

/** The lookups behind names as they stand in a file. */
export type FoundNames = {
  categories: readonly (NamedLookup & { spelling: string })[]
  manufacturers: readonly (NamedLookup & { spelling: string })[]
  models: readonly (NamedLookup & { spelling: string; manufacturerId: string })[]
}

/** Finds lookups by name or alias in any case and spacing, in memory: a file asks a million times for a few names. */
export type LookupNames = {
  category(name: string): NamedLookup | undefined
  manufacturer(name: string): NamedLookup | undefined
  model(manufacturerId: string, name: string): NamedLookup | undefined
  /** Does the name wait for a decision? Then no lookup is made of it: it stays as text. A model's needs its manufacturer. */
  isUndecided(kind: LookupQuestionKey['kind'], name: string, manufacturerId?: string): boolean
  /** Takes in what the database found or made. */
  learn(found: FoundNames): void
}

/** A name as it is stored when a file brings it. */
export const plainName = (name: string): string => name.trim().replaceAll(/\s+/g, ' ')

// The database's name_key(), closely enough: where they differ a name looks new here, the database finds it, and `learn`
// remembers it under this key.
export const nameKey = (name: string): string => name.replaceAll(/\s+/g, '').toLowerCase()

export function lookupNames({ categories, manufacturers, models, questions }: LoadedNames): LookupNames {
  const category = byKey(categories)
  const manufacturer = byKey(manufacturers)
  const modelsOf = new Map<string, Map<string, NamedLookup>>()
  for (const [manufacturerId, own] of Map.groupBy(models, (entry) => entry.manufacturerId)) {
    modelsOf.set(manufacturerId, byKey(own))
  }
  const undecided = new Set(
    questions.map(({ kind, manufacturerId, key }) => `${kind}/${manufacturerId ?? ''}/${key}`),
  )
  const keyOf = remembering(nameKey)
  return {
    category: (name) => category.get(keyOf(name)),
    manufacturer: (name) => manufacturer.get(keyOf(name)),
    model: (manufacturerId, name) => modelsOf.get(manufacturerId)?.get(keyOf(name)),
    isUndecided: (kind, name, manufacturerId = '') =>
      undecided.size > 0 && undecided.has(`${kind}/${manufacturerId}/${keyOf(name)}`),
    learn(found) {
      for (const entry of found.categories) category.set(nameKey(entry.spelling), plain(entry))
      for (const entry of found.manufacturers) manufacturer.set(nameKey(entry.spelling), plain(entry))
      for (const entry of found.models) {
        const own = modelsOf.get(entry.manufacturerId) ?? new Map<string, NamedLookup>()
        modelsOf.set(entry.manufacturerId, own.set(nameKey(entry.spelling), plain(entry)))
      }
    },
  }
}

function byKey(entries: readonly Entry[]): Map<string, NamedLookup> {
  const map = new Map(entries.flatMap((entry) => entry.keys.map((key) => [key, plain(entry)])))
  // A name goes before another one's alias.
  for (const entry of entries) if (entry.keys[0]) map.set(entry.keys[0], plain(entry))
  return map
}

const plain = ({ id, name }: NamedLookup): NamedLookup => ({ id, name })

// Spellings that are remembered; beyond this a file has something else in that column than names.
const MOST_SPELLINGS = 20_000

function remembering(keyOf: (name: string) => string): (name: string) => string {
  const known = new Map<string, string>()
  return (name) => {
    let key = known.get(name)
    if (key === undefined) {
      if (known.size >= MOST_SPELLINGS) known.clear()
      key = keyOf(name)
      known.set(name, key)
    }
    return key
  }
}
