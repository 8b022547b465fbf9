import { commonModels, knownMakes, partGroups, partNouns } from './column-words.ts'

/** Names in small letters that are known to be makes, models and part names; what a yard writes is looked up in them. */
export type Dictionary = {
  manufacturers: ReadonlySet<string>
  models: ReadonlySet<string>
  categories: ReadonlySet<string>
}

export const nameShapes = ['make', 'model', 'partType', 'partGroup', 'partWords', 'title'] as const
export type NameShape = (typeof nameShapes)[number]

/** Without spaces and marks: yards write "F150" and "MERCEDES BENZ". */
const loose = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/**
 * A model by its first words too: the catalogue has "Silverado 1500 Regular Cab", the yard says "Silverado 1500". Digits
 * alone are a model only where they are all of its name, and then a quantity as likely.
 */
function modelHeads(models: ReadonlySet<string>): Set<string> {
  const heads = new Set<string>()
  for (const model of models) {
    const words = model.split(/\s+/)
    words.forEach((_, at) => {
      const head = loose(words.slice(0, at + 1).join(''))
      if (/\p{L}/u.test(head) && head.length > 1) heads.add(head)
    })
    if (/^\d{3,4}$/.test(model)) heads.add(model)
  }
  return heads
}

const looseSet = (names: Iterable<string>) => new Set([...names].map(loose))
const ownMakes = looseSet(knownMakes)
// “and” for “&” is as common.
const groups = looseSet([...partGroups].flatMap((name) => [name, name.replace('&', 'and')]))

type Names = Record<'makes' | 'models' | 'types', ReadonlySet<string>>

const known = new WeakMap<Dictionary, Names>()
const own: Names = { makes: ownMakes, models: modelHeads(commonModels), types: new Set() }

/** A dictionary has thousands of names and is the same for every file. */
function namesOf(dictionary: Dictionary | undefined): Names {
  if (!dictionary) return own
  const found = known.get(dictionary) ?? {
    makes: new Set([...ownMakes, ...looseSet(dictionary.manufacturers)]),
    models: modelHeads(dictionary.models),
    types: looseSet(dictionary.categories),
  }
  known.set(dictionary, found)
  return found
}

/** Answers, of a value, which kinds of name it is. */
export function nameReader(dictionary: Dictionary | undefined): (text: string) => NameShape[] {
  const { makes, models, types } = namesOf(dictionary)
  return (text) => {
    const all = loose(text)
    const words = text.toLowerCase().match(/[\p{L}\d-]+/gu) ?? []
    const hasNoun = words.some((word) => partNouns.has(word))
    const hasYear = words.some((word) => /^(19|20)\d\d$/.test(word))
    const found: Record<NameShape, boolean> = {
      make: makes.has(all),
      model: models.has(all),
      partType: types.has(all) || types.has(all.replace(/(assembly|assy|s)$/, '')),
      partGroup: groups.has(all),
      partWords: hasNoun || types.has(all) || groups.has(all),
      title: (hasNoun || hasYear) && words.length > 2 && words.some((word) => makes.has(loose(word))),
    }
    return nameShapes.filter((shape) => found[shape])
  }
}
