import { expect, test } from 'vitest'
import { restrictedForShipTo, restrictionsOf } from './restricted-parts.ts'

const anyone = { license: false, certified: false }
const yard = { license: true, certified: true }
const vin = '4T1BF1FK5EU345678'
const fieldsOf = (...of: Parameters<typeof restrictionsOf>) => restrictionsOf(...of).map(({ field }) => field)

test.each([
  ['Alternator', []],
  ['Passenger Air Bag', ['neverdeployed', 'vin', 'partname']],
  ['driver airbag', ['neverdeployed', 'vin', 'partname']],
  ['Air Bag Control Module', []],
  ['Air bag suspension compressor', []],
  ['Catalytic Converter', ['vin', 'partname']],
  ['Catalytic converter heat shield', []],
  ['EGR Valve', []],
] as const)('%s in Oklahoma needs %j', (partname, expected) => {
  expect(fieldsOf({ partname, partstate: 'OK' }, anyone)).toEqual(expected)
})

test('a part whose needs are met is not restricted, however it is named', () => {
  expect(
    restrictionsOf({ partname: 'Left', category: 'Passenger Air Bag', vin, neverdeployed: 'Yes' }, yard),
  ).toEqual([])
  expect(restrictionsOf({ partname: 'Cat converter', vin }, yard)).toEqual([])
  expect(fieldsOf({ partname: 'Cat converter', vin: 'UNKNOWN' }, yard)).toEqual(['vin'])
})

test('states have rules of their own', () => {
  expect(
    restrictionsOf({ partname: 'Air bag', partstate: 'New York', vin, neverdeployed: 'Yes' }, yard),
  ).toEqual([
    {
      field: 'partstate',
      sentence: 'New York does not allow the sale of used air bags (Vehicle and Traffic Law 415-c).',
    },
  ])
  expect(fieldsOf({ partname: 'EGR Valve', partstate: 'CA' }, yard)).toEqual(['vin'])
})

test('a recalled number is refused with the reason, whatever the part', () => {
  expect(restrictionsOf({ partname: 'Inflator' }, yard, 'Takata, NHTSA 16V-061')).toEqual([
    {
      field: 'partnum',
      sentence: 'This part number was recalled: Takata, NHTSA 16V-061. A recalled part cannot be sold.',
    },
  ])
})

test.each([
  [
    'CA',
    'California does not allow the sale of used catalytic converters (Code of Regulations, title 13, section 2222).',
  ],
  ['New York', 'New York does not allow the sale of used catalytic converters (6 NYCRR 218-7.2).'],
])('a used catalytic converter is not listed in %s, whoever sells it', (partstate, sentence) => {
  expect(restrictionsOf({ partname: 'Catalytic Converter', partstate, vin }, yard)).toEqual([
    { field: 'partstate', sentence },
  ])
  expect(restrictionsOf({ partname: 'Catalytic converter gasket', partstate }, anyone)).toEqual([])
})

const bag = { partname: 'Passenger Air Bag', vin, neverdeployed: 'Yes' }
const converter = { partname: 'Catalytic Converter', vin }
test.each([
  [{ partname: 'Alternator' }, 'NY', undefined],
  [bag, 'OK', undefined],
  [bag, 'NY', /^New York does not allow the sale of used air bags/],
  [{ ...bag, partstate: 'NY' }, 'OK', /^New York does not allow the sale of used air bags/],
  [converter, 'TX', undefined],
  [converter, 'CA', /^California does not allow/],
  [converter, 'new york', /^New York does not allow/],
  [{ ...converter, partstate: 'CA' }, 'TX', /^California does not allow/],
  [{ partname: 'EGR Valve' }, 'OK', undefined],
  [{ partname: 'EGR Valve' }, 'CA', /without the VIN of the vehicle it came from, which is missing\.$/],
  [{ partname: 'EGR Valve', vin }, 'CA', undefined],
] as const)('%j, in Oklahoma unless it says so, ships to %s: %s', (part, shipTo, expected) => {
  const why = restrictedForShipTo({ partstate: 'OK', ...part }, yard, shipTo)
  if (expected === undefined) expect(why).toBeUndefined()
  else expect(why).toMatch(expected)
})

test('a buyer reads what the seller has not shown', () => {
  expect(restrictedForShipTo({ ...bag, partstate: 'OK', neverdeployed: '' }, yard, 'OK')).toBe(
    'An air bag cannot be bought here without the seller’s confirmation that it was never deployed, which is missing.',
  )
  expect(restrictedForShipTo({ ...converter, partstate: 'OK' }, anyone, 'TX')).toBe(
    'A catalytic converter cannot be bought here without the seller’s dismantler’s license, which is missing.',
  )
  expect(restrictedForShipTo({ partname: 'Inflator', partstate: 'OK' }, yard, 'TX', 'Takata')).toBe(
    'This part number was recalled: Takata. A recalled part cannot be sold.',
  )
})
