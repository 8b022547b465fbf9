import { lookupKey } from '#contract/trade-language/names.ts'
import { openVocabulary, type TradeWord, type Vocabulary } from '#contract/trade-language/vocabulary.ts'
import { readCsv, readModelFamilies, readPartTypes, readVehicles } from '#db/data/read-data.ts'
import { manufacturerAliases } from '#server/features/lookups/load-lookups.ts'
import { language } from '#server/features/vocabulary/built-in.ts'

/* The vocabulary of an installation as it begins: its catalog and its trade words. Ids are names. */

const name = (id: string, aliases: readonly string[] = []) => ({ id, name: id, aliases, confirmed: true })

export const builtInWords: TradeWord[] = readCsv(
  new URL('../../db/data/trade-words.csv', import.meta.url),
).flatMap((row) =>
  (row.words ?? '')
    .split(';')
    .map((word) => ({ word, kind: row.kind as TradeWord['kind'], means: row.means ?? '' })),
)

const vehicles = [...readVehicles(), ...readModelFamilies()]

export const testCatalog = {
  categories: readPartTypes().map((type) => ({ ...name(type.name, type.aliases), group: type.group })),
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
