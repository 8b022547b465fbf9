import type { YearSpan } from '#contract/listing/year-span.ts'
import type { Language } from '#contract/trade-language/language.ts'
import { lookupKey, nameKey, wordsOf } from '#contract/trade-language/names.ts'
import type { KnownModel, KnownName } from '#contract/trade-language/verdicts.ts'
import type { Makes } from './makes.ts'
import { modelOfCode } from './vehicle-words.ts'

/* Which models a word in a search means: names, families, numbers after a make, engine codes, and generations. */

/** Models of one make that a word names. */
export type NamedModels = {
  readonly makeId: string
  readonly label: string
  /** Models with exactly this name. */
  readonly exactIds: readonly string[]
  /** These, and models whose names begin with it: Silverado 1500 for "silverado". */
  readonly ids: readonly string[]
  /** Extra words that the word implies besides the model: a 328i is a 3 Series with the trim 328i. */
  readonly beside: string
  /** The word includes the make: Ram's 1500 for "ram 1500". */
  readonly isAfterMake?: boolean
  /** The model years of the generation that the word names: an E46 is a 3 Series of 1999-2006. */
  readonly generation?: { readonly code: string; readonly years: YearSpan }
}

type ModelMeaning = {
  readonly kind: 'model'
  readonly models: readonly NamedModels[]
  readonly needsMake: boolean
}

export type ModelMeanings = {
  readonly makes: Makes
  readonly byKey: ReadonlyMap<string, ModelMeaning>
  /** Models by an engine code (C300, RX350) or a nickname. */
  ofCode(key: string): ModelMeaning | undefined
}

type Source = {
  readonly makes: Makes
  readonly manufacturers: readonly KnownName[]
  readonly models: readonly KnownModel[]
  /** Names of models by the keys of their make and of a word for them. */
  readonly nicknames: ReadonlyMap<string, string>
}

// Shorter names are too general to mean a model when typed alone: "M", "300", "LS".
const SHORTEST_ALONE = 3
/** E46, W204, XV40 name a car by themselves; B8, GD and Mk7 only next to its make or model. */
const TELLING_CODE = /^(?=.*\d.*\d)[a-z]{1,3}\d{2,3}$/

export function modelMeanings(source: Source, language: Language): ModelMeanings {
  const { makes, manufacturers, models, nicknames } = source
  const byId = new Map(manufacturers.map((make) => [make.id, make]))
  const found = new Map<string, NamedModels[]>()
  const note = (key: string, named: NamedModels) => found.set(key, [...(found.get(key) ?? []), named])
  const byMake = new Map<string, MakeModels>()
  for (const [makeId, own] of Map.groupBy(models, ({ manufacturerId }) => manufacturerId)) {
    const make = byId.get(makeId)
    if (!make) continue
    const book = new MakeModels(make, own, nicknames)
    byMake.set(nameKey(make.name), book)
    for (const [key, named] of book.byKey) note(key, named)
  }
  const makeKeys = new Map(manufacturers.map(({ id, name }) => [id, nameKey(name)]))
  // "Ram 1500" is Dodge's Ram 1500 and Ram's 1500.
  for (const named of [...found].flatMap(([key, each]) => each.map((one) => ({ key, one })))) {
    const together = `${makeKeys.get(named.one.makeId)}${named.key}`
    const [same] = found.get(together) ?? []
    if (same) note(together, { ...named.one, label: same.label, isAfterMake: true })
  }
  const byKey = new Map<string, ModelMeaning>()
  const withMake = language.roles.set('model with its make')
  for (const [key, named] of found) {
    const needsMake = key.length < SHORTEST_ALONE || /^\d+$/.test(key) || withMake.has(key)
    byKey.set(key, { kind: 'model', models: named, needsMake })
  }
  addGenerations(byKey, generationsOf(language, byMake), language.roles.set('telling code'))
  return { makes, byKey, ofCode: codedModels(source) }
}

function addGenerations(
  byKey: Map<string, ModelMeaning>,
  generations: ReadonlyMap<string, readonly NamedModels[]>,
  telling: ReadonlySet<string>,
): void {
  for (const [key, named] of generations) {
    const own = byKey.get(key)
    const needsMake = !TELLING_CODE.test(key) && !telling.has(key)
    if (!own) byKey.set(key, { kind: 'model', models: named, needsMake })
    // An XJ is a Jaguar; the "XJ Cherokee" is a generation of Jeep's.
    else if (own.needsMake) byKey.set(key, { kind: 'model', models: [...own.models, ...named], needsMake })
  }
}

function generationsOf(
  { generations }: Language,
  byMake: ReadonlyMap<string, MakeModels>,
): Map<string, NamedModels[]> {
  const found = new Map<string, NamedModels[]>()
  for (const { make, model, codes, years } of generations) {
    const named = byMake.get(nameKey(make))?.byKey.get(nameKey(model))
    if (!named) continue
    for (const [key, [code = '']] of Map.groupBy(codes, (one) => nameKey(one))) {
      found.set(key, [...(found.get(key) ?? []), { ...named, generation: { code, years } }])
    }
  }
  return found
}

/** Collects the models of one make by every key that names them. */
class MakeModels {
  readonly byKey = new Map<string, NamedModels>()
  readonly #make: KnownName
  readonly #models: readonly KnownModel[]
  readonly #alike: ReadonlyMap<string, readonly KnownModel[]>

  constructor(make: KnownName, models: readonly KnownModel[], nicknames: ReadonlyMap<string, string>) {
    this.#make = make
    this.#models = models
    this.#alike = Map.groupBy(models, ({ name }) => nameKey(name))
    for (const model of models) this.byKey.set(nameKey(model.name), this.#withFamily(model))
    for (const model of models) for (const alias of model.aliases) this.#addAlias(model, alias)
    for (const model of models) this.#addNumbers(model)
    const prefix = `${nameKey(make.name)} `
    for (const [word, model] of nicknames) {
      const own = word.startsWith(prefix) ? this.byKey.get(nameKey(model)) : undefined
      if (own) this.#add(word.slice(prefix.length), own)
    }
  }

  #add(key: string, named: NamedModels): void {
    if (!this.byKey.has(key)) this.byKey.set(key, named)
  }

  /** A model with its family: F-150 with F-150 Heritage, Caravan with Grand Caravan. */
  #withFamily({ name }: KnownModel): NamedModels {
    const idsOf = (models: readonly KnownModel[]) => models.map(({ id }) => id)
    const exactIds = idsOf(this.#alike.get(nameKey(name)) ?? [])
    const further = this.#models.filter(
      (other) => other.name.startsWith(`${name} `) || other.name.endsWith(` ${name}`),
    )
    const ids = [...new Set([...exactIds, ...idsOf(further)])]
    return { makeId: this.#make.id, label: name, exactIds, ids, beside: '' }
  }

  #addAlias(model: KnownModel, alias: string): void {
    const own = this.byKey.get(nameKey(model.name))
    const { trim } = model.beside?.[lookupKey(alias)] ?? {}
    if (own) this.#add(nameKey(alias), { ...own, label: alias, beside: trim ?? '' })
  }

  /** Adds a model's number for use with its make: "chevy 1500". */
  #addNumbers({ name }: KnownModel): void {
    for (const word of wordsOf(name).slice(1)) {
      const own = this.byKey.get(word)
      if (!/^\d{3,4}$/.test(word) || own?.beside) continue
      const having = this.#models.filter((other) => wordsOf(other.name).includes(word)).map(({ id }) => id)
      const exactIds = own?.exactIds ?? having
      const ids = [...new Set([...exactIds, ...having])]
      this.byKey.set(word, { makeId: this.#make.id, label: word, exactIds, ids, beside: '' })
    }
  }
}

function codedModels({ manufacturers, models, nicknames }: Source): ModelMeanings['ofCode'] {
  const keyOf = (model: KnownModel, name: string) => `${model.manufacturerId} ${nameKey(name)}`
  const byName = new Map([
    ...models.flatMap((model) => model.aliases.map((alias) => [keyOf(model, alias), model] as const)),
    ...models.map((model) => [keyOf(model, model.name), model] as const),
  ])
  return (word) => {
    const found = manufacturers.flatMap((make): NamedModels[] => {
      const makeKey = nameKey(make.name)
      const nickname = nicknames.get(`${makeKey} ${word}`)
      const code = nickname === undefined ? modelOfCode(makeKey, word) : undefined
      const name = nickname ?? code
      const model = name === undefined ? undefined : byName.get(`${make.id} ${nameKey(name)}`)
      if (!model) return []
      const ids = [model.id]
      const said =
        code === undefined ? { label: model.name, beside: '' } : { label: word.toUpperCase(), beside: word }
      return [{ makeId: make.id, exactIds: ids, ids, ...said }]
    })
    // Without a make, only C300 and the like are codes: "A23" is part of a number, "130amp" a size.
    const needsMake = !/^[a-z]+\d{3}/.test(word)
    return found.length > 0 ? { kind: 'model', models: found, needsMake } : undefined
  }
}
