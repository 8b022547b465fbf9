import { describe, expect, test } from 'vitest'
import {
  carrierIn,
  carrierLabels,
  carrierOfTracking,
  findShippingColumns,
  isRounded,
  orderNumberIn,
} from './shipping-columns.ts'

const rowsOf = (...rows: string[][]) => rows.map((cells) => ({ cells }))

test.each([
  ['PH-100234', 'PH-100234'],
  [' ph 100234 ', 'PH-100234'],
  ['#100234', 'PH-100234'],
  ['100234.0', 'PH-100234'],
  ['PH–100234', 'PH-100234'],
  ['Total', undefined],
  ['1Z999AA10123456784', undefined],
  ['', undefined],
])('the order number in “%s” is %s', (cell, number) => {
  expect(orderNumberIn(cell)).toBe(number)
})

test.each([
  ['UPS', 'ups'],
  ['UPS Ground', 'ups'],
  ['UPS Freight', 'freight'],
  ['Fed Ex Home Delivery', 'fedex'],
  ['USPS Priority Mail', 'usps'],
  ['U.S. Postal Service', 'usps'],
  ['DHL Express', 'dhl'],
  ['R+L Carriers', 'freight'],
  ['Old Dominion', 'freight'],
  ['Own truck', 'other'],
  ['Speedy', undefined],
  ['Upstate Parcel', undefined],
])('the carrier in “%s” is %s', (cell, carrier) => {
  expect(carrierIn(cell)).toBe(carrier)
})

test('carriers are known by a number only if no other carrier has such', () => {
  expect(carrierOfTracking('1Z 999 AA1 0123 4567 84')).toBe('ups')
  expect(carrierOfTracking('9400110200881234567890')).toBe('usps')
  expect(carrierOfTracking('123456789012')).toBeUndefined()
})

test('numbers that a spreadsheet rounded are seen', () => {
  expect(['9.40011E+21', '9,4E+21', '9400110200880000000000'].map(isRounded)).toEqual([true, true, true])
  expect(['9400110200881234567890', '1Z999', '123456789012', ''].some(isRounded)).toBe(false)
})

test('the carriers are listed as in a sentence', () => {
  expect(carrierLabels).toBe('UPS, FedEx, USPS, DHL, Freight, or Other')
})

describe('columns', () => {
  test.each([
    [['Order', 'Carrier', 'Tracking'], { number: 0, carrier: 1, tracking: 2 }],
    [['Tracking No.', 'Sales Order #', 'Ship via'], { number: 1, carrier: 2, tracking: 0 }],
    [['Date', 'Reference 1', 'Tracking number (optional)'], { number: 1, tracking: 2 }],
    [['Part', 'Price'], {}],
  ])('are found by their names: %j', (header, columns) => {
    expect(findShippingColumns(header, [])).toEqual(columns)
  })

  test('are found by what is in them if no name says it', () => {
    const rows = rowsOf(['x', 'UPS', 'PH-100234', '1Z999AA10123456784'], ['y', 'FedEx', 'PH-100235', ''])
    const header = ['Column 1', 'Column 2', 'Column 3', 'Column 4']
    expect(findShippingColumns(header, rows)).toEqual({ number: 2, carrier: 1, tracking: 3 })
  })

  test('with order numbers of ours win over another one called “Order”', () => {
    const rows = rowsOf(['4711', 'PH-100234'], ['4712', 'PH-100235'])
    expect(findShippingColumns(['Order', 'Marketplace'], rows).number).toBe(1)
  })
})
