import { expect, test } from 'vitest'
import { shippedTemplates } from '#contract/column-mapping/shipped-templates.ts'
import type { ReadingOverride } from '#contract/yard-file/reading.ts'
import { readImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/read-import-file.ts'
import {
  choiceOf,
  confidenceOf,
  dollarsIn,
  type FileRead,
  firstChoice,
  mappingOf,
  missingFields,
  namesUniversalParts,
  noColumns,
  readByTemplate,
  samplesOf,
  suggestedChoice,
  unclearMoney,
  withColumn,
  withMapping,
} from './column-choice.ts'

const template = (mapping: Record<string, string>) => ({
  id: '1',
  name: 'Ours',
  scope: 'USER' as const,
  description: '',
  mapping,
  reading: null,
  shipped: false,
})
const shipped = shippedTemplates('Harbor')

test('unsure columns and required fields without a column come first, and stay there', () => {
  const choice = suggestedChoice({ headers: ['Part name', 'Tagged price'], samples: [] })
  expect(choice.mapping).toEqual({ partname: 'Part name', partprice: 'Tagged price' })
  expect(choice.reasons.partname?.sure).toBe(true)
  expect(choice.first).toEqual(['partmanu', 'partmodel', 'partyear', 'partprice'])
  const chosen = withColumn(choice, 'partprice', 'Tagged price')
  expect(chosen.reasons.partprice).toBeUndefined()
  expect(chosen.first).toEqual(choice.first)
  expect(withColumn(choice, 'partprice', null).mapping).toEqual({ partname: 'Part name' })
})

test('a column that names parts by category is used for both fields', () => {
  const dictionary = {
    categories: new Set(['alternator', 'headlamp']),
    manufacturers: new Set<string>(),
    models: new Set<string>(),
  }
  const column = (values: string[]) =>
    suggestedChoice({
      headers: ['Part name', 'Price'],
      samples: values.map((value) => [value, '5']),
      dictionary,
    })
  const shared = column(['Alternator', 'HEADLAMP', 'Alternator'])
  expect(shared.mapping).toMatchObject({ partname: 'Part name', partcategory: 'Part name' })
  expect(shared.reasons.partcategory?.reason).toBe('100% of the values are both a category and a part name')
  expect(column(['Left door shell', 'Alternator 130A']).mapping.partcategory).toBeUndefined()
})

test('a template applies as far as the file has its columns, and the missing ones are listed', () => {
  const ours = template({ partname: 'Part', partprice: 'Cost', zip: 'ZIP', nonsense: 'Part' })
  const choice = choiceOf(ours, ['PART', 'ZIP'])
  expect(choice.mapping).toEqual({ partname: 'PART', zipcode: 'ZIP' })
  expect(choice.lacking).toEqual(['Cost'])
  expect(choice.templateId).toBe('1')
})

test('a template chosen before the file is kept as it is', () => {
  const ours = template({ partname: 'Part', partprice: 'Cost' })
  expect(choiceOf(ours, undefined)).toMatchObject({ mapping: ours.mapping, lacking: [], first: [] })
})

test('the last template is used if it fits completely', () => {
  const ours = template({ partname: 'Title', partprice: 'Part price' })
  const first = (headers: string[], remembered = ours) =>
    firstChoice({ headers, samples: [], templates: shipped, remembered }).mapping
  expect(first(['Title', 'Part price', 'Name'])).toEqual(ours.mapping)
  expect(first(['Part name'])).toEqual({ partname: 'Part name' })
})

test('a file with the columns of our standard CSV gets its template, whatever was used last', () => {
  const headers = ['partname', 'partcategory', 'partmanu', 'partmodel', 'partyear', 'partprice', 'vin']
  const choice = firstChoice({ headers, samples: [], templates: shipped, remembered: undefined })
  expect(choice.templateId).toBe(shipped[0]?.id)
  expect(Object.keys(choice.mapping).toSorted()).toEqual(headers.toSorted())
  expect(choice.lacking).toEqual([])
})

test('a typed mapping replaces the columns, and only those it changes count as chosen', () => {
  const choice = suggestedChoice({ headers: ['Part name', 'Price'], samples: [] })
  const next = withMapping(choice, { partname: 'Part name', partcategory: 'Price' })
  expect(next.mapping).toEqual({ partname: 'Part name', partcategory: 'Price' })
  expect(next.reasons.partname).toBeDefined()
  expect(next.touched).toBe(true)
  expect(withMapping(choice, choice.mapping)).toBe(choice)
})

test('a mapping may use other names of fields; unknown names are left out', () => {
  expect(mappingOf({ miles: 'Odometer', __proto__: 'x', nonsense: 'y', partname: ' ', vin: 7 })).toEqual({
    partmiles: 'Odometer',
  })
})

test('a blank default does not count', () => {
  const mapping = { partname: 'a', partmanu: 'b', partyear: 'c', partprice: 'd' }
  expect(missingFields(mapping, { partmodel: ' ' })).toEqual(['partmodel'])
})

test('a file of tires and wheels needs no columns of vehicles', () => {
  const mapping = { partname: 'Part', partprice: 'Price' }
  const category = (name: string, aliases: string[], universal: boolean) => ({
    ...{ id: name, name, aliases, universal },
    group: null,
  })
  const categories = [
    category('Tire', ['tyre'], true),
    category('Wheel', [], true),
    category('Hood', [], false),
  ]
  const names = (...parts: string[]) =>
    namesUniversalParts(
      { headers: ['Part', 'Price'], samples: parts.map((part) => [part, '40']) },
      mapping,
      categories,
    )
  expect(names('Michelin tires 205/55R16', 'Wheel 17x7')).toBe(true)
  expect(names('Michelin tire', 'Hood')).toBe(false)
  expect(names()).toBe(false)
  expect(missingFields(mapping, {}, { needsVehicle: false })).toEqual([])
  expect(missingFields(mapping, {})).toEqual(['partmanu', 'partmodel', 'partyear'])
})

test('models supply the makes of a file without a column for them', () => {
  const mapping = { partname: 'a', partmodel: 'b', partyear: 'c', partprice: 'd' }
  expect(missingFields(mapping, {})).toEqual([])
})

test('samples leave out empty cells and short rows', () => {
  expect(samplesOf([['a', ''], ['b'], ['c', ' x '], ['d', 'y'], ['e', 'z']], 1)).toEqual(['x', 'y'])
})

const reason = (confidence: number) => ({
  confidence,
  reason: 'The header says “X”',
  sure: confidence >= 0.8,
})
const choice = {
  ...noColumns,
  mapping: { partname: 'a', partprice: 'b', partyear: 'c', partmodel: 'd' },
  reasons: { partname: reason(0.9), partprice: reason(0.6), partyear: reason(0.4) },
  first: ['partcategory' as const],
}

test.each([
  ['partname', 'Sure'],
  ['partprice', 'Please check'],
  ['partyear', 'Please check'],
  ['partmodel', 'Your choice'],
  ['partcategory', 'No column'],
  ['vin', undefined],
] as const)('%s: %s', (field, word) => {
  expect(confidenceOf(choice, field).word).toBe(word)
})

test('a template’s column is marked as such', () => {
  expect(confidenceOf({ ...choice, templateId: '1' }, 'partmodel').word).toBe('Template')
})

const reading = { headerRow: 2 }
const lastTemplate = {
  id: '1',
  name: 'Ours',
  scope: 'USER' as const,
  description: '',
  mapping: { partname: 'Part', partprice: 'Cost' },
  reading,
  shipped: false,
}

/** Reads a text by the template. Returns the settings it was read with, and the result. */
async function readWith(text: string, last: typeof lastTemplate | undefined) {
  const readings: ReadingOverride[] = []
  const found = await readByTemplate(last, async (settings): Promise<FileRead> => {
    readings.push(settings)
    return await readImportFile(new File([text], 'stock.csv'), { settings }).catch(() => 'unreadable')
  })
  return { readings, headers: typeof found === 'string' ? found : found.headers }
}

test('a file that fits the last template is read with its settings', async () => {
  expect(await readWith('Date,By\nPart,Cost\nDoor,10\n', lastTemplate)).toEqual({
    readings: [reading],
    headers: ['Part', 'Cost'],
  })
})

test('any other file, or one without such a template, is read with detected settings', async () => {
  const other = 'Part name,Price\nDoor,10\nHood,20\n'
  const headers = ['Part name', 'Price']
  expect(await readWith(other, lastTemplate)).toEqual({ readings: [reading, {}], headers })
  expect(await readWith(other, undefined)).toEqual({ readings: [{}], headers })
  expect(await readWith('', lastTemplate)).toEqual({ readings: [reading, {}], headers: 'unreadable' })
})

test('a file that is replaced while it is being read is not read again with other settings', async () => {
  const readings: ReadingOverride[] = []
  const found = await readByTemplate(lastTemplate, async (settings) => {
    readings.push(settings)
    return 'superseded'
  })
  expect([found, readings]).toEqual(['superseded', [reading]])
})

const file = {
  headers: ['Part', 'Preis', 'Fracht'],
  samples: [
    ['Door', '850', ''],
    ['Engine', '1.299', '20'],
  ],
  undecided: ['Preis', 'Fracht'],
  reading: {
    encoding: 'utf-8',
    delimiter: ';',
    quote: '"',
    headerRow: 1,
    layout: 'plain',
    decimals: {},
    rowOffset: 0,
  },
} as const satisfies Parameters<typeof unclearMoney>[0]

test('an unclear price column is asked about, with an ambiguous value as the example', () => {
  expect(unclearMoney(file, { partname: 'Part', partprice: 'Preis' })).toEqual([
    { field: 'partprice', header: 'Preis', value: '1.299' },
  ])
})

test('a column that is not a price, is clear, or was decided is not asked about', () => {
  expect(unclearMoney(file, { partnum: 'Preis' })).toEqual([])
  expect(unclearMoney({ ...file, undecided: [] }, { partprice: 'Preis' })).toEqual([])
  const reading = { ...file.reading, decimals: { partprice: 'comma' as const } }
  expect(unclearMoney({ ...file, reading }, { partprice: 'Preis' })).toEqual([])
})

test.each([
  ['1.299', 'point', '$1.299'],
  ['1.299', 'comma', '$1,299.00'],
  ['1,299', 'point', '$1,299.00'],
  ['USD 1,299.50', 'comma', 'not an amount'],
  ['1.299,00', 'comma', '$1,299.00'],
  ['call', 'point', 'not an amount'],
] as const)('%s with a %s before the cents is %s', (value, mark, dollars) => {
  expect(dollarsIn(value, mark)).toBe(dollars)
})
