import { expect, test } from 'vitest'
import { builtInWords, testCatalog, testVocabulary } from '#tests/support/test-vocabulary.ts'
import { interpret } from './interpret.ts'
import type { KnownName } from './verdicts.ts'
import { openVocabulary } from './vocabulary.ts'
import type { VocabularySource } from './vocabulary-source.ts'

/* The words of the trade follow the names that they mean: one that was renamed or merged keeps its words. */

const { language } = testVocabulary
const taught = [
  { word: 'crankspinner', kind: 'part', means: 'Starter Motor' },
  { word: 'yota', kind: 'make', means: 'Toyota' },
  { word: 'camryboy', kind: 'model', means: 'Toyota/Camry' },
] as const
const vocabularyOf = (catalog: Partial<VocabularySource['catalog']>) =>
  openVocabulary({
    catalog: { ...testCatalog, ...catalog },
    words: [...builtInWords, ...taught],
    language,
  })

const renamed = <T extends KnownName>(all: readonly T[], from: string, to: string): T[] =>
  all.map((one) => (one.name === from ? { ...one, name: to, aliases: [...one.aliases, from] } : one))

/** As the house merges: the name and the aliases of one become the other's. */
const merged = <T extends KnownName>(all: readonly T[], from: string, into: string): T[] => {
  const gone = all.find(({ name }) => name === from)
  return all
    .filter((one) => one !== gone)
    .map((one) =>
      one.name === into ? { ...one, aliases: [...one.aliases, from, ...(gone?.aliases ?? [])] } : one,
    )
}

const asked = (catalog: Partial<VocabularySource['catalog']>, typed: string) =>
  interpret(typed, vocabularyOf(catalog), 'query', { year: 2026 }).read
const { categories, manufacturers, models } = testCatalog

test.each(['starting motor camry', 'crankspinner camry'])('“%s” is of a type that was renamed', (typed) => {
  const { part } = asked({ categories: renamed(categories, 'Starter Motor', 'Starter') }, typed)
  expect(part).toMatchObject({ ids: ['Starter Motor'], label: 'Starter' })
})

test.each(['starting motor camry', 'crankspinner camry'])('“%s” is of a type that was merged', (typed) => {
  const { part } = asked({ categories: merged(categories, 'Starter Motor', 'Alternator') }, typed)
  expect(part?.ids).toEqual(['Alternator'])
})

test('a type that has the name now is meant, though another had it before', () => {
  const starter = { id: 'new', name: 'Starter Motor', aliases: [], confirmed: true }
  const { part } = asked(
    { categories: [...renamed(categories, 'Starter Motor', 'Starter'), starter] },
    'crankspinner',
  )
  expect(part?.ids).toEqual(['new'])
})

test('what is known about a type stays with it', () => {
  const vocabulary = vocabularyOf({ categories: renamed(categories, 'Fan Shroud', 'Cooling Shroud') })
  expect(vocabulary.language.relatives.get('Cooling Shroud')).toEqual(['Radiator Fan'])
  const whole = vocabularyOf({ categories: renamed(categories, 'Hood', 'Bonnet Panel') })
  expect(interpret('headlight hood grille', whole, 'query', { year: 2026 }).read.part?.ids).toEqual([
    'Headlamp Assembly',
    'Hood',
    'Grille',
  ])
})

test.each(['yota camry hood', 'toyota camryboy hood', 'camry hood'])(
  '“%s” is of a make that was renamed',
  (typed) => {
    const { vehicle } = asked({ manufacturers: renamed(manufacturers, 'Toyota', 'Toyota Motor') }, typed)
    expect(vehicle?.makeIds).toEqual(['Toyota'])
  },
)

test('a renamed make has its generations and engines, and a renamed model its words', () => {
  const bmw = { manufacturers: renamed(manufacturers, 'BMW', 'Bayerische') }
  expect(asked(bmw, 'bayerische e46 hood').vehicle?.models[0]?.generation?.years).toEqual({
    from: 1999,
    to: 2006,
  })
  expect(
    asked({ manufacturers: renamed(manufacturers, 'Ford', 'Ford Motor') }, 'powerstroke engine').vehicle
      ?.makeIds,
  ).toEqual(['Ford'])
  const camry = models.map((model) =>
    model.id === 'Toyota/Camry'
      ? { ...model, name: 'Camry Sedan', aliases: [...model.aliases, 'Camry'] }
      : model,
  )
  expect(asked({ models: camry }, 'camryboy hood').vehicle?.models[0]?.ids).toContain('Toyota/Camry')
})
