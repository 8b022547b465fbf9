import { expect, test } from 'vitest'
import { inFull, legendOf, withoutLegend } from './header-legend.ts'

test.each([
  ['SIDE 1=LH 2=RH', 'SIDE', { 1: 'LH', 2: 'RH' }],
  ['Side (L = left, R = right)', 'Side', { l: 'left', r: 'right' }],
  ['Status: A=Available / S=Sold', 'Status', { a: 'Available', s: 'Sold' }],
])('“%s” explains its own letters', (header, name, meanings) => {
  expect(withoutLegend(header)).toBe(name)
  expect(Object.fromEntries(legendOf(header))).toEqual(meanings)
})

test.each(['Price', '*Action(SiteID=eBayMotors|Country=US|Currency=USD)', 'Qty=on hand', '='])(
  '“%s” explains none',
  (header) => {
    expect(legendOf(header).size).toBe(0)
    expect(withoutLegend(header)).toBe(header)
  },
)

test('a cell is read in the words of its header', () => {
  expect(inFull(' 1', 'SIDE 1=LH 2=RH')).toBe('LH')
  expect(inFull('0', 'SIDE 1=LH 2=RH')).toBe('0')
})
