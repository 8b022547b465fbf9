import type { Dictionary } from '#contract/column-mapping/value-shapes.ts'
import type { Answer } from '#contract/endpoint.ts'
import type { importEndpoints, MappingTemplate } from '#contract/imports.ts'
import type { lookupEndpoints } from '#contract/lookups.ts'
import { openLanguage } from '#contract/trade-language/language.ts'
import { openVocabulary, type Vocabulary } from '#contract/trade-language/vocabulary.ts'

/** The data that column suggestions are based on. */
export type Proposers = {
  templates: readonly MappingTemplate[]
  dictionary: Dictionary | undefined
  /** For splitting columns. */
  vocabulary: Vocabulary
}

/** What they are made from, as the calls reply; an empty list for one that could not be loaded. */
export type Loaded = {
  templates: readonly MappingTemplate[]
  categories: Answer<typeof lookupEndpoints.categories>
  manufacturers: Answer<typeof lookupEndpoints.manufacturers>
  models: Answer<typeof lookupEndpoints.carModels>
  words: Answer<typeof importEndpoints.readTradeWords> | undefined
}

/** Settings that only the server needs. */
const NO_ROWS = { foreign: [], fillers: [], generations: [], engines: [], gearboxes: [], relatives: [] }

const lower = (names: readonly string[]) => new Set(names.map((name) => name.toLowerCase()))

export function proposersOf({ templates, categories, manufacturers, models, words }: Loaded): Proposers {
  const language = openLanguage({ ...NO_ROWS, words: words?.language ?? [] })
  const dictionary = {
    positionsOf: language.places.positionsOf,
    categories: lower(categories.flatMap(({ name, aliases }) => [name, ...aliases])),
    manufacturers: lower(manufacturers.flatMap(({ manuname, aliases }) => [manuname, ...aliases])),
    models: lower(models.map(({ carname }) => carname)),
  }
  const vocabulary = openVocabulary({
    catalog: {
      categories: [],
      manufacturers: manufacturers.map(({ id, manuname: name, aliases }) => ({
        ...{ id, name, aliases },
        confirmed: true,
      })),
      models: models.map(({ id, manuId, carname: name }) => ({
        ...{ id, name, manufacturerId: manuId, aliases: [], years: [] },
        confirmed: true,
      })),
    },
    words: (words?.makes ?? []).map(({ word, means }) => ({ kind: 'make', word, means })),
    language,
  })
  return { templates, dictionary, vocabulary }
}
