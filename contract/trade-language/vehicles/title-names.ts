import { nameKey } from '#contract/trade-language/names.ts'
import type { KnownModel, KnownName } from '#contract/trade-language/verdicts.ts'
import type { WordRoles } from '#contract/trade-language/words.ts'
import { modelKeysOf, modelOfCode } from './vehicle-words.ts'

/* Makes and models as titles and cells spell them, by the keys of their words. */

export type TitleNames = {
  /** The make with this key. */
  make(key: string): string | undefined
  /** Whether the key, made of `words` words, is a model of the make or the beginning of one. */
  isModel(make: string, key: string, words: number): boolean
  /** The makes that have this model. */
  owners(key: string): readonly string[]
  readonly words: Readonly<Record<'vehicle' | 'part' | 'trims' | 'noPart', ReadonlySet<string>>>
}

type Names = {
  readonly manufacturers: readonly Pick<KnownName, 'id' | 'name' | 'aliases' | 'confirmed'>[]
  readonly models: readonly Pick<KnownModel, 'manufacturerId' | 'name' | 'confirmed'>[]
}

/** @param words names of makes by the keys of words for them: chevy, bimmer */
export function titleNames(
  { manufacturers, models }: Names,
  { words, roles }: { words: ReadonlyMap<string, string>; roles: WordRoles },
): TitleNames {
  const makes = manufacturers.filter(({ confirmed }) => confirmed)
  const unfinished = roles.set('unfinished model')
  const shortened = openShortened(roles)
  // The cab at the end of a key belongs to the model's name, and becomes the body style when the name is resolved.
  const cab = new RegExp(`(?:(?:${roles.list('cab').join('|')})cab|supercrew|crewmax)$`)
  const modelsOf = new Map(makes.map(({ name }) => [name, new Set<string>()]))
  const ownersOf = new Map<string, Set<string>>()
  const nameOf = new Map(makes.map(({ id, name }) => [id, name]))
  for (const { name: model, manufacturerId, confirmed } of models) {
    const make = nameOf.get(manufacturerId)
    if (make === undefined || !confirmed) continue
    const { keys, behindMake } = modelKeysOf(model, unfinished)
    for (const key of shortened([...keys, ...behindMake])) modelsOf.get(make)?.add(key)
    for (const key of shortened(keys)) ownersOf.set(key, (ownersOf.get(key) ?? new Set()).add(make))
  }
  // A name takes precedence over another make's alias.
  const makeOf = new Map([
    ...makes.flatMap(({ name, aliases }) => aliases.map((alias) => [nameKey(alias), name] as const)),
    ...makes.map(({ name }) => [nameKey(name), name] as const),
  ])
  makeOf.delete('')
  for (const [key, name] of words) {
    if (modelsOf.has(name) && !makeOf.has(key) && !ownersOf.has(key)) makeOf.set(key, name)
  }
  return {
    make: (key) => makeOf.get(key),
    isModel: (make, key, count) => {
      const keys = modelsOf.get(make)
      if (keys === undefined) return false
      const family = key.replace(cab, '')
      // "Mazda 3" is a MAZDA3.
      return keys.has(family) || keys.has(nameKey(make) + family) || isVariant(make, key, { count, keys })
    },
    owners: (key) => [...(ownersOf.get(key) ?? [])],
    words: {
      vehicle: roles.set('vehicle word'),
      part: roles.set('model that is a part word'),
      trims: roles.set('title trim'),
      noPart: roles.set('not a part'),
    },
  }
}

/** Keys of models, and those abbreviated as yards write them after a number: F250SD. */
function openShortened(roles: WordRoles): (keys: Iterable<string>) => string[] {
  const endings = roles.meanings('model abbreviation')
  return (keys) =>
    [...keys].flatMap((key) => [
      key,
      ...endings.flatMap(([short, end]) => {
        const begin = key.slice(0, -end.length)
        return key.endsWith(end) && /\d$/.test(begin) ? begin + short : []
      }),
    ])
}

const LETTERED = /^(\d{3})[a-z]$/

/**
 * Engine sizes and versions in a model's name: RX350, C300, 328i, and a 300C, which is a 300. Letters that follow are
 * in the same word.
 */
function isVariant(
  make: string,
  key: string,
  { count, keys }: { count: number; keys: ReadonlySet<string> },
): boolean {
  if (count > 1 && /\d[a-z]+$/.test(key)) return false
  const model = modelOfCode(nameKey(make), key)
  if (model !== undefined && keys.has(nameKey(model))) return true
  const [, number] = LETTERED.exec(key) ?? []
  return number !== undefined && count === 1 && keys.has(number)
}
