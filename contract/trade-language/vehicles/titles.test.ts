import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ColumnSplit } from '#contract/csv/import-fields.ts'
import { interpret } from '#contract/trade-language/interpret.ts'
import { nameKey } from '#contract/trade-language/names.ts'
import { openVocabulary, type Vocabulary } from '#contract/trade-language/vocabulary.ts'
import { isPlainYears } from '#contract/trade-language/years.ts'
import { language } from '#server/features/finding/vocabulary/built-in.ts'
import { testCatalog, testVocabulary } from '#tests/support/test-vocabulary.ts'

const namesOf = (makes: readonly { name: string; aliases: readonly string[]; models: readonly string[] }[]) =>
  openVocabulary({
    catalog: {
      categories: [],
      manufacturers: makes.map(({ name, aliases }) => ({ id: name, name, aliases, confirmed: true })),
      models: makes.flatMap(({ name, models }) =>
        models.map((model) => ({
          ...{ id: model, name: model, manufacturerId: name, aliases: [], years: [] },
          confirmed: true,
        })),
      ),
    },
    words: [],
    language,
  })
const rules = { vocabulary: testVocabulary, year: 2026 }
const readerOf =
  (of: ColumnSplit['as']) =>
  (text: string, { vocabulary, year }: { vocabulary?: Vocabulary; year: number }, header?: string) =>
    interpret(text, vocabulary ?? testVocabulary, 'cell', { year, of, header }).read
const splitTitle = readerOf('title')
const splitPricedTitle = readerOf('priced title')
const splitVehicle = readerOf('vehicle')
const splitYears = readerOf('years')

/** Titles as yards write them; `?` could be read in two ways, `~` separates readings that are both right. */
const titles = readFileSync(new URL('../examples/titles.csv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split('|') as [string, ...string[]])

test('of 200 yard titles, at most 2% are read wrong, and the rest are read or reported', () => {
  const judged = titles.map(([title, ...expected]) => {
    const { fields, problem } = splitTitle(title, rules)
    const found = [fields.partyear, fields.partmanu, fields.partmodel, fields.partname]
    const isRight = found.every((text, at) => (expected[at] ?? '').split('~').includes(text ?? ''))
    const read = isRight ? 'right' : 'wrong'
    return { title, verdict: problem === undefined ? read : 'unsure' }
  })
  const share = (verdict: string) => judged.filter((one) => one.verdict === verdict).length / judged.length
  expect(titles.length).toBeGreaterThanOrEqual(200)
  expect(share('wrong')).toBeLessThanOrEqual(0.02)
  expect(share('right')).toBeGreaterThanOrEqual(0.85)
})

test.each([
  ['07 camry alternator $45', '2007 | Toyota | camry | alternator | 45'],
  ['2010 f150 driver front door red 150 obo', '2010 | Ford | f150 | driver front door red | 150'],
  ['2011 Honda Civic motor $1,200.50 firm', '2011 | Honda | Civic | motor | 1200.50'],
  ['12 escape hood 45 bucks', '2012 | Ford | escape | hood | 45'],
  ['06 a4 trunk lid 230', '2006 | Audi | a4 | trunk lid | 230'],
  ['2007 santa fe ac compressor red 95', '2007 | Hyundai | santa fe | ac compressor red | 95'],
  // No price.
  ['2010 camry abs pump', '2010 | Toyota | camry | abs pump | '],
  ['toyota camry abs pump 2010', '2010 | toyota | camry | abs pump | '],
  ['2010 camry rim 17', '2010 | Toyota | camry | rim 17 | '],
  // Maybe none.
  ['2010 camry alternator 130', 'Is 130 the price'],
  ['2010 camry hood $100 or $80', 'more than one price'],
  ['2010 camry hood $100 call 918-555-0142', 'has a phone number'],
])('a typed line: %s', (text, expected) => {
  const { fields, problem } = splitPricedTitle(text, rules)
  const { partyear, partmanu, partmodel, partname, partprice } = fields
  if (problem === undefined)
    expect([partyear, partmanu, partmodel, partname, partprice].join(' | ')).toBe(expected)
  else expect(problem).toContain(expected)
})

describe('a vehicle in one column', () => {
  test.each([
    ['2007 TOYOTA CAMRY', '2007 | TOYOTA | CAMRY | '],
    ['07 CAMRY', '2007 | Toyota | CAMRY | '],
    ['98 Tacoma', '1998 | Toyota | Tacoma | '],
    ["'05 Focus", '2005 | Ford | Focus | '],
    ['Toyota Camry', ' | Toyota | Camry | '],
    ['TOYOTA/CAMRY', ' | TOYOTA | CAMRY | '],
    ['2007-TOYOTA-CAMRY', '2007 | TOYOTA | CAMRY | '],
    ['TOYOTA-CAMRY 2007', '2007 | TOYOTA | CAMRY | '],
    ['Camry, Toyota, 2007', '2007 | Toyota | Camry | '],
    ['2012 Ford F150 Regular Cab XLT', '2012 | Ford | F150 Regular Cab | XLT'],
    ['FORD TRUCK F150 2004-2008', '2004-2008 | FORD TRUCK | F150 | '],
    ['Chevy Silverado 1500', ' | Chevy | Silverado 1500 | '],
    ['2009 Mercedes-Benz C300 4MATIC', '2009 | Mercedes-Benz | C300 | 4MATIC'],
    ['2012 Chrysler 300C AWD', '2012 | Chrysler | 300C | AWD'],
    ['2014 CHRYSLER 300S', '2014 | CHRYSLER | 300S | '],
    ['Freightliner Cascadia', ' | Freightliner | Cascadia | '],
    ['2003 Land Rover Discovery', '2003 | Land Rover | Discovery | '],
    ['2012 CHRYSLER T&C', '2012 | CHRYSLER | T&C | '],
    ['CHRYSLER Town and Country', ' | CHRYSLER | Town and Country | '],
    ['2010 JEEP GR CHEROKEE', '2010 | JEEP | GR CHEROKEE | '],
    ['17+ Honda CR-V', '2017-2026 | Honda | CR-V | '],
    // Other names of models show their make, too.
    ['2012 328i', '2012 | BMW | 328i | '],
    ['2008 F250SD XLT', '2008 | Ford | F250SD | XLT'],
  ])('%s', (text, expected) => {
    const { fields, problem } = splitVehicle(text, rules)
    expect(problem).toBeUndefined()
    const found = [fields.partyear, fields.partmanu, fields.partmodel, fields.parttrim]
    expect(found.map((one) => one ?? '').join(' | ')).toBe(expected)
  })

  test.each([
    ['TOYOTA', 'doesn’t name a model'],
    ['2007 Widget', 'doesn’t name a make we know'],
    ['Camry', 'doesn’t name a make'],
    ['Toyota Camry / Honda Accord', 'more than one vehicle'],
    ['Dodge Ram 1500 2500', 'more than one model'],
    ['2004 Transit', 'doesn’t name a make'],
    ['2012 charger for phone', 'doesn’t name a make'],
  ])('%s is reported, not guessed', (text, sentence) => {
    const found = splitVehicle(text, {
      ...rules,
      vocabulary: text === 'Camry' || text === '2004 Transit' ? twoOwners : testVocabulary,
    })
    expect(found.problem).toContain(text === 'Camry' ? 'a model of Toyota and Holden' : sentence)
  })
})
const twoOwners = namesOf([
  { name: 'Toyota', aliases: [], models: ['Camry'] },
  { name: 'Holden', aliases: [], models: ['Camry'] },
])

describe('years of a column', () => {
  test.each([
    ['2008', '2008'],
    ['2008,2009,2010', '2008-2010'],
    ['2008; 2009; 2010', '2008-2010'],
    ['2010 2009 2008', '2008-2010'],
    ['2004-2006, 2007', '2004-2007'],
    ['2017+', '2017-2026'],
    ['2017-up', '2017-2026'],
    ['05', '2005'],
    ['98', '1998'],
    ["'26", '2026'],
    ['04-08', '2004-2008'],
    ['98-02', '1998-2002'],
    ['2012.0', '2012'],
    ['03/2012', '2012'],
    ['05-UP', '2005-2026'],
    ['03 04 05', '2003-2005'],
  ])('%s', (text, years) => {
    expect(splitYears(text, rules).fields.partyear).toBe(years)
  })

  test.each(['2005,2007', '05-2012', '12/15', '2012-2008', 'call', '4-Apr', '2999', '2004-2099'])(
    '%s is reported',
    (text) => {
      const { fields, problem } = splitYears(text, rules)
      expect(fields).toEqual({})
      expect(problem).toContain(text)
    },
  )

  test('a year or a range in full needs no split', () => {
    expect(['2012', '2012-2015', '2012.0'].every(isPlainYears)).toBe(true)
    expect(['05', '2017+', '2008,2009'].some(isPlainYears)).toBe(false)
  })
})

const word = fc.constantFrom(
  ...'Front Door LH RH FR RR Alternator OEM Headlight V6 2.5L Seat A/C Tail Light Used Assembly 27060-28321 Leaf Spring and for fits with - / ( ) & , Mini Smart Ram 1500 XLT LE 4x4 Crew Cab'.split(
    ' ',
  ),
)
const years = fc.constantFrom(
  '2004',
  '04-08',
  '2004-2008',
  "'07",
  '2010 2011',
  '2017+',
  '2005,2007',
  '07',
  '',
)
const vehicle = fc.oneof(
  fc.constantFrom(...testCatalog.models).map(({ manufacturerId, name }) => `${manufacturerId} ${name}`),
  fc.constantFrom(...testCatalog.models).map(({ name }) => name),
  fc.string({ maxLength: 12 }),
)
const title = fc
  .tuple(years, vehicle, fc.array(word, { maxLength: 6 }), fc.array(word, { maxLength: 3 }), fc.nat(2))
  .map(([year, car, part, before, order]) => {
    const pieces =
      [
        [year, car, ...part],
        [...before, year, car, ...part],
        [...part, car, year],
      ][order] ?? []
    return pieces.join(' ')
  })

const wordsOf = (text: string) => text.split(/[^\p{L}\p{N}]+/u).filter(Boolean)

test('nothing is invented: every word comes from the title or is the make of its model', () => {
  fc.assert(
    fc.property(title, fc.boolean(), (text, asVehicle) => {
      const { fields } = (asVehicle ? splitVehicle : splitTitle)(text, rules)
      const { partyear = '', partmanu = '', ...others } = fields
      const typed = new Set(wordsOf(text))
      for (const value of Object.values(others))
        expect(wordsOf(value).filter((one) => !typed.has(one))).toEqual([])
      const isTyped = wordsOf(partmanu).every((one) => typed.has(one))
      const { partmodel = '' } = fields
      expect(
        isTyped || testVocabulary.models.makersOf(nameKey(partmodel)).some(({ name }) => name === partmanu),
      ).toBe(true)
      const digits = text.replace(/\D/g, ' ')
      for (const year of partyear.split('-').filter(Boolean)) {
        expect(
          digits.includes(year) ||
            digits.includes(year.slice(2)) ||
            (/\+|\b(?:up|on|now)\b/i.test(text) && year === '2026'),
        ).toBe(true)
      }
    }),
    { numRuns: 3_000, examples: [['2004 g&3', true]] },
  )
})

const CONNECTORS = new Set(['for', 'fits', 'and', 'fit', 'from', 'off', 'of', 'to', 'a', 'an'])

test('nothing is lost: every word of a title that was read is in one of its fields', () => {
  fc.assert(
    fc.property(title, (text) => {
      const { fields, problem } = splitTitle(text, rules)
      if (problem !== undefined) return
      // A make may stand twice in a row, in other case: once is enough.
      const found = new Set(Object.values(fields).flatMap((field) => wordsOf(field.toLowerCase())))
      const lost = wordsOf(text).filter(
        (one) => !found.has(one.toLowerCase()) && !CONNECTORS.has(one) && !/^\d{2,4}$/.test(one),
      )
      expect(lost).toEqual([])
    }),
    { numRuns: 3_000, examples: [['Headlight Smart smart fortwo EQ coupe 2004'], ['Light Ram 1500 A 2004']] },
  )
})

test.each(['F250SD', 'F-250SD', 'F250 SD', 'Ford F250SD'])('“%s” in a title is the Super Duty', (vehicle) => {
  const { fields, problem } = splitTitle(`2012 ${vehicle} Hood`, rules)
  expect(problem).toBeUndefined()
  expect(fields).toMatchObject({ partmanu: 'Ford', partname: 'Hood' })
  const make = testVocabulary.makes.match('Ford')
  const model = make.kind === 'known' && testVocabulary.models.match(make.id, fields.partmodel ?? '')
  expect(model).toMatchObject({ kind: 'known', name: 'F-250 Super Duty' })
})

test.each([
  ['62', 'Reg', '2012'],
  ['67 reg', 'Age', '2017'],
  ['09 plate', '', '2009'],
  ['2013 (63)', 'Reg', '2013'],
  ['12', 'Registration', '2012'],
  // In any other column two digits are a year of their own.
  ['62', 'Year', '1962'],
])('the plate %s under “%s” is of %s', (text, header, years) => {
  expect(splitYears(text, { year: 2026 }, header)).toEqual({ fields: { partyear: years } })
})

test('a private plate says no year', () => {
  expect(splitYears('Private plate', { year: 2026 }, 'Reg').problem).toMatch(/is not a year/)
})
