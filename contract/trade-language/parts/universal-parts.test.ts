import { expect, test } from 'vitest'
import { compileRowCheck } from '#server/features/stock-files/read/check-row.ts'
import { testVocabulary as vocabulary } from '#tests/support/test-vocabulary.ts'
import { isTireColumn } from './universal-parts.ts'

const header = ['Part', 'Type', 'Make', 'Model', 'Year', 'Price', 'Size', 'Bolt Pattern', 'Bin']
const mapping = {
  partname: 'Part',
  partcategory: 'Type',
  partmanu: 'Make',
  partmodel: 'Model',
  partyear: 'Year',
  partprice: 'Price',
}
const check = compileRowCheck({ header, mapping, defaults: {}, vocabulary, year: 2026 })

/** The fields of a row, or the fields that its issues name. */
function read(cells: readonly string[]) {
  const row = check(cells)
  return 'fields' in row ? row.fields : row.issues.map(({ message }) => message)
}

test('a tire or wheel needs no vehicle, and keeps its facts', () => {
  expect(read(['Tire', '', '', '', '', '40', '205/55R16', '', 'R4'])).toEqual({
    partname: 'Tire',
    partprice: '40',
    partdescription: 'Size: 205/55R16',
  })
  expect(read(['Wheel', '', '', '', '', '40', '17x7.5', '5x114.3', 'R4'])).toMatchObject({
    partdescription: 'Size: 17x7.5\nBolt Pattern: 5x114.3',
  })
})

test('a make that our catalog lacks is no brand of a wheel', () => {
  expect(read(['Cerchio in lega', '', 'OPEL', 'Corsa', '2014', '40', '', '', ''])).toMatchObject({
    partmanu: 'OPEL',
    partmodel: 'Corsa',
  })
})

test('one that names a vehicle keeps it; a brand is no make', () => {
  const named = { partmanu: 'Ford', partmodel: 'F-150', partyear: '2014' }
  expect(read(['Wheel', '', 'Ford', 'F-150', '2014', '40', '', '', ''])).toMatchObject(named)
  expect(read(['Wheel', '', 'VOLK', 'Jetta', '2014', '40', '', '', ''])).toMatchObject({ partmanu: 'VOLK' })
  const branded = read(['Tire', 'Tires', 'Hankook', 'Ventus V2', '', '40', '', '', ''])
  expect(branded).toMatchObject({ partdescription: 'Make: Hankook\nModel: Ventus V2' })
  expect(branded).not.toHaveProperty('partmanu')
})

test('the wheel of a truck or a motorcycle is left out with its other parts', () => {
  for (const [make, model] of [
    ['Freightliner', 'Cascadia'],
    ['Kawasaki', 'Ninja 650'],
  ] as const) {
    const cells = ['Wheel', '', make, model, '2014', '40', '17x7.5', '', '']
    expect(check(cells)).toMatchObject({ issues: [{ code: 'NOT_A_CAR' }] })
  }
})

test('a file needs no columns of vehicles', () => {
  const bare = compileRowCheck({
    ...{ header: ['Part', 'Price'], mapping: { partname: 'Part', partprice: 'Price' } },
    ...{ defaults: {}, vocabulary, year: 2026 },
  })
  expect(bare(['4 Michelin tires 205/55R16', '120'])).toMatchObject({ fields: { partprice: '120' } })
  expect(bare(['Alternator', '120'])).toHaveProperty('issues')
})

test('a VIN with a typo costs no tire, since it needs no vehicle, but a wheel, which is of that car', () => {
  const withVins = compileRowCheck({
    ...{ header: ['Part', 'Price', 'VIN'], mapping: { partname: 'Part', partprice: 'Price', vin: 'VIN' } },
    ...{ defaults: {}, vocabulary, year: 2026, readVin: () => ({ isMistyped: true }) },
  })
  expect(withVins(['Tire', '40', '2HGCM82633A004352'])).toMatchObject({ fields: { partname: 'Tire' } })
  for (const part of ['Alternator', 'Steel Wheel']) {
    expect(withVins([part, '40', '2HGCM82633A004352'])).toMatchObject({
      issues: [{ code: 'INVALID_VIN' }],
    })
  }
})

test('other parts need one, also a steering wheel', () => {
  const missing = ['Manufacturer is required', 'Model is required', 'Year is required']
  expect(read(['Alternator', '', '', '', '', '40', '', '', ''])).toEqual(missing)
  expect(read(['Wheel', 'Steering Wheel', '', '', '', '40', '', '', ''])).toEqual(missing)
  expect(read(['Wheel bearing', '', '', '', '', '40', '17x7', '', ''])).toEqual(missing)
})

test.each([
  ...[
    'Size',
    'Tire Size',
    'Bolt Pattern',
    'Lug Pattern',
    'Offset',
    'Load Index',
    'Speed Rating',
    'Tread Depth',
  ],
  'DOT',
])('“%s” has facts of tires', (name) => {
  expect(isTireColumn(name)).toBe(true)
})

test.each(['Price', 'Location', 'Bin', 'Lot Size Code', 'Tire Price', 'Width Code'])(
  '“%s” has none',
  (name) => {
    expect(isTireColumn(name)).toBe(false)
  },
)
