import type { Language } from './language.ts'
import { nameKey } from './names.ts'
import type { KnownModel, KnownName } from './verdicts.ts'
import { listOf } from './words.ts'

/*
 * What a vocabulary is made of. Words mean part types, makes and models by name. Administrators rename and merge these; the former name then is an alias
 * of what has it now, which the words still mean.
 */

export type CatalogNames = {
  readonly categories: readonly KnownName[]
  readonly manufacturers: readonly KnownName[]
  readonly models: readonly KnownModel[]
}

/** `means` is, by kind: names of part types with semicolons, a make, make and model with a slash, places, another word, ''. */
export type TradeWord = {
  readonly word: string
  readonly kind: 'part' | 'make' | 'model' | 'side' | 'same' | 'skip'
  readonly means: string
}

export type VocabularySource = {
  readonly catalog: CatalogNames
  readonly words: readonly TradeWord[]
  readonly language: Language
}

/** What a name of a list is called now, by its current or a former name; undefined if nothing has it. */
type Current = (name: string) => string | undefined

function currentOf(all: readonly KnownName[]): Current {
  const names = new Map<string, string>()
  // The first of several has it; a current name takes precedence over all former ones.
  for (const { name, aliases } of all) {
    for (const alias of aliases) if (!names.has(nameKey(alias))) names.set(nameKey(alias), name)
  }
  for (const { name } of all) names.set(nameKey(name), name)
  return (name) => names.get(nameKey(name))
}

/** The same words and language, with all names as they are now. */
export function withCurrentNames({ catalog, words, language }: VocabularySource): VocabularySource {
  const { categories, manufacturers, models } = catalog
  const typeOf = currentOf(categories)
  const makeOf = currentOf(manufacturers)
  const byMake = Map.groupBy(models, ({ manufacturerId }) => manufacturerId)
  const modelsOf = new Map(
    manufacturers.map(({ id, name }) => [nameKey(name), currentOf(byMake.get(id) ?? [])] as const),
  )
  const type = (name: string) => typeOf(name) ?? name
  const make = (name: string) => makeOf(name) ?? name
  const model = (of: string, name: string) => modelsOf.get(nameKey(make(of)))?.(name) ?? name
  const meaningNow = ({ kind, means }: TradeWord): string => {
    if (kind === 'part') return listOf(means).map(type).join('; ')
    if (kind === 'make') return make(means)
    if (kind !== 'model') return means
    const [of = '', name = ''] = means.split('/')
    return `${make(of)}/${model(of, name)}`
  }
  const wholeParts = new Set([...language.wholeParts].map(type))
  return {
    catalog,
    words: words.map((word) => ({ ...word, means: meaningNow(word) })),
    language: {
      ...language,
      wholeParts,
      generations: language.generations.map((one) => ({
        ...one,
        make: make(one.make),
        model: model(one.make, one.model),
      })),
      coded: language.coded.map((one) => ({ ...one, part: type(one.part), makes: one.makes.map(make) })),
      relatives: new Map(
        [...language.relatives].map(([name, relatives]) => {
          // In lower case it is what people say, which is no type's name: "tailgate" of an SUV.
          const isSaid = name === name.toLowerCase()
          return [isSaid ? name : type(name), relatives.map(type)] as const
        }),
      ),
    },
  }
}
