import { expect, test } from 'vitest'
import { restrictionsOf } from './restricted-parts.ts'

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
