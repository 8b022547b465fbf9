import { lookupKey } from '#contract/trade-language/names.ts'
import { openVocabulary, type Vocabulary } from '#contract/trade-language/vocabulary.ts'
import { readModelFamilies, readPartTypes, readVehicles } from '#db/data/read-data.ts'
import { language } from '#server/features/finding/vocabulary/built-in.ts'
import { readBuiltInWords } from '#server/features/finding/vocabulary/load-words.ts'
import { manufacturerAliases } from '#server/features/market/lookups/load-lookups.ts'

/* The vocabulary of an installation as it begins: its catalog and its trade words. Ids are names. */

const name = (id: string, aliases: readonly string[] = []) => ({ id, name: id, aliases, confirmed: true })

export const builtInWords = readBuiltInWords()

const vehicles = [...readVehicles(), ...readModelFamilies()]

export const testCatalog = {
  categories: readPartTypes().map(({ name: type, aliases, group, universal }) => ({
    ...name(type, aliases),
    group,
    universal,
  })),
  manufacturers: [...new Set(vehicles.map(({ manufacturer }) => manufacturer))].map((make) =>
    name(make, manufacturerAliases[make]),
  ),
  models: vehicles.map(({ manufacturer, model, years, otherNames }) => ({
    ...name(
      model,
      otherNames.map((other) => other.name),
    ),
    id: `${manufacturer}/${model}`,
    manufacturerId: manufacturer,
    years,
    beside: Object.fromEntries(
      otherNames.map(({ name: other, bodyStyle, trim }) => [lookupKey(other), { bodyStyle, trim }]),
    ),
  })),
}

export const testVocabulary: Vocabulary = openVocabulary({
  catalog: testCatalog,
  words: builtInWords,
  language,
})
