import { expect, test } from 'vitest'
import { legendOf, withoutLegend } from './header-legend.ts'

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
