import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { fieldsOf, goodRow, issuesOf, YEAR } from '#tests/support/checked-row.ts'
import { testCatalog, testVocabulary as vocabulary } from '#tests/support/test-vocabulary.ts'
import { compileRowCheck } from './check-row.ts'
import { otherVehicle } from './makes-and-models.ts'

const { listingid: _, ...good } = goodRow
const header = Object.keys(good)
const mapping = Object.fromEntries(header.map((field) => [field, field]))
const check = compileRowCheck({ header, mapping, defaults: {}, year: YEAR, vocabulary })
const row = (partmanu: string, partmodel: string) =>
  check(Object.values({ ...good, partmanu, partmodel, partyear: '2009' }))

describe('a cell that names several makes or models', () => {
  test.each([
    [
      'Ford/Chevrolet',
      'F-150',
      'Manufacturer names two makes, Ford and Chevrolet. Keep the one the part came from',
    ],
    ['Chevy & GMC', 'Sierra', 'Manufacturer names two makes, Chevy and GMC. Keep the one the part came from'],
    [
      'Toyota or Lexus',
      'Camry',
      'Manufacturer names two makes, Toyota and Lexus. Keep the one the part came from',
    ],
    [
      'Buick/Olds/Pontiac',
      'LeSabre',
      'Manufacturer names three makes, Buick, Olds and Pontiac. Keep the one the part came from',
    ],
    ['Toyota', 'Camry/Corolla', 'Model names two models, Camry and Corolla. Keep the one the part came from'],
    [
      'Chevy',
      'Tahoe and Suburban',
      'Model names two models, Tahoe and Suburban. Keep the one the part came from',
    ],
  ])('%s %s is a row error', (make, model, message) => {
    expect(issuesOf(row(make, model))).toMatchObject([{ code: 'SEVERAL_NAMES', message }])
  })

  test.each([
    ['Chrysler', 'Town & Country'],
    ['Chrysler', 'Town and Country'],
    ['Dodge', 'Caravan/Grand Caravan'],
    ['BMW', '325i/325is'],
    ['Chrysler', 'Concorde/LHS'],
    ['Mercedes/Benz', 'C300'],
    ['Toyota', 'Camry/LE'],
    ['Toyota', 'Camry & Camry Solara'],
    ['Smith & Sons', 'Roadster'],
    ['Ford/Unheard', 'F-150'],
  ])('%s %s is one', (make, model) => {
    expect(fieldsOf(row(make, model))).toMatchObject({ partmanu: make, partmodel: model })
  })

  test('every make and model of our catalog and the government’s is one name', () => {
    const vpic = readFileSync(new URL('../../../../db/data/vpic/models.csv', import.meta.url), 'utf8')
    const joined = vpic.split('\n').flatMap((line) => {
      const [make = '', model = ''] = line.split(',')
      return /[/&+]| and /.test(model) ? [[make, model] as const] : []
    })
    expect(joined.length).toBeGreaterThan(15)
    const all = testCatalog.models.map(({ manufacturerId, name }) => [manufacturerId, name] as const)
    const refused = [...all, ...joined].filter(([make, model]) => 'issues' in row(make, model))
    expect(refused).toEqual([])
  })
})

describe('a row without a make', () => {
  test.each([
    ['Camry', 'Toyota'],
    ['F-150', 'Ford'],
    ['f150 xlt', 'Ford'],
    ['Q5', 'Audi'],
    ['Toyota Camry', 'Toyota'],
  ])('gets the make of its model: %s', (model, make) => {
    const checked = row('', model)
    expect(fieldsOf(checked)).toMatchObject({ partmanu: make, partmodel: model })
    expect(checked).toMatchObject({ filled: ['partmanu'] })
  })

  test.each([
    ['1500', 'Manufacturer is required'],
    ['M', 'Manufacturer is required'],
    ['Zzyzx', 'Manufacturer is required'],
    ['Town Car or Camry', 'Manufacturer is required'],
    ['Neon', 'Manufacturer is required: “Neon” is a model of Dodge and Plymouth'],
  ])('is refused if that is unclear: %s', (model, message) => {
    expect(issuesOf(row('', model))).toMatchObject([{ column: 'partmanu', code: 'REQUIRED', message }])
  })

  test('gets the default first, and a file may lack the column', () => {
    const { partmanu: _make, ...others } = mapping
    const cells = Object.values({ ...good, partmodel: 'Camry' })
    const without = { header, mapping: others, year: YEAR, vocabulary }
    expect(fieldsOf(compileRowCheck({ ...without, defaults: {} })(cells)).partmanu).toBe('Toyota')
    const defaults = { partmanu: 'Scion' }
    expect(fieldsOf(compileRowCheck({ ...without, defaults })(cells)).partmanu).toBe('Scion')
  })
})

test('an issue about what a title lacks shows the title', () => {
  const split = compileRowCheck({
    header: ['title', 'price'],
    mapping: { partprice: 'price', split: { from: 'title', as: 'title' } },
    defaults: {},
    year: YEAR,
    vocabulary,
  })
  expect(issuesOf(split(['Toyota Camry Hood', '80']))).toMatchObject([
    { column: 'title', code: 'REQUIRED', value: 'Toyota Camry Hood', message: 'Year is required' },
  ])
})

test.each([
  ['Harley-Davidson', 'Sportster', 'motorcycle'],
  ['KAWASAKI', 'Ninja 650', 'motorcycle'],
  ['Honda', 'CBR600RR', 'motorcycle'],
  ['BMW', 'R1200GS', 'motorcycle'],
  ['Kenworth', 'T680', 'heavy truck'],
  ['Freightliner', 'Cascadia', 'heavy truck'],
  ['Freightliner', 'Sprinter 2500', undefined],
  ['Honda', 'CR-V', undefined],
  ['Volvo', 'XC90', undefined],
  ['Suzuki', 'Grand Vitara', undefined],
  ['', '', undefined],
])('%s %s: %s', (make, model, vehicle) => expect(otherVehicle(make, model, [])).toBe(vehicle))

test('the beginning of a title says it, too', () => {
  expect(otherVehicle('', '', ['2014 Harley Davidson Sportster fender'])).toBe('motorcycle')
  expect(otherVehicle('', '', ['2012 Ford F-150 mack style hood'])).toBeUndefined()
})

test('beside a column of years, those in a vehicle’s name are of its generation', () => {
  const { partmanu: _, partmodel: __, ...others } = good
  const columns = [...Object.keys(others), 'vehicle']
  const plain = Object.fromEntries(Object.keys(others).map((field) => [field, field]))
  const read = compileRowCheck({
    header: columns,
    mapping: { ...plain, split: { from: 'vehicle', as: 'vehicle' } },
    defaults: {},
    year: YEAR,
    vocabulary,
  })
  const found = (partyear: string) =>
    read([...Object.values({ ...others, partyear }), 'GMC Truck-Sierra 1500 (1999 Up)'])
  expect(fieldsOf(found('2009'))).toMatchObject({ partyear: '2009', partmodel: 'Sierra 1500' })
  expect(issuesOf(found(''))).toMatchObject([{ code: 'REQUIRED', message: 'Year is required' }])
})
