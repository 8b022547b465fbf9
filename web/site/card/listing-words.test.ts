import { expect, test } from 'vitest'
import { endInWords, formatPrice, gradeInWords, shippingInWords, titleOf } from './listing-words.ts'

test('a title is year, manufacturer, model, and name, without gaps for missing parts', () => {
  const alternator = { partyear: '2014', partmanuname: 'Toyota', partmodel: 'Camry', partname: 'Alternator' }
  expect(titleOf(alternator)).toBe('2014 Toyota Camry Alternator')
  expect(titleOf({ ...alternator, partmodel: '' })).toBe('2014 Toyota Alternator')
  expect(titleOf({ ...alternator, partyearto: '2017' })).toBe('2014–2017 Toyota Camry Alternator')
})

test.each([
  [129.95, '$129.95'],
  [1250, '$1,250.00'],
  [0.5, '$0.50'],
])('%d dollars read %s', (amount, text) => {
  expect(formatPrice(amount, 'usd')).toBe(text)
})

test.each([
  [{ shippingKind: 'free', partshipping: 0 }, 'Free shipping'],
  [{ shippingKind: 'flat', partshipping: 20 }, '$20.00 shipping'],
  [{ shippingKind: 'pickup', partshipping: null }, 'Pickup only'],
  [{ shippingKind: 'quote', partshipping: null }, 'Shipping by quote'],
] as const)('shipping %o reads %s', (shipping, words) => {
  expect(shippingInWords({ ...shipping, currency: 'usd' })).toBe(words)
})

test('grades and end reasons are shown as words', () => {
  expect(gradeInWords('D')).toBe('Grade D, poor')
  expect(gradeInWords('X')).toBe('Grade X')
  expect(endInWords({ endedAt: '2026-01-02T03:04:05Z', endedReason: 'sold-elsewhere' })).toBe('Sold')
  expect(endInWords({ endedAt: null, endedReason: null })).toBeUndefined()
})
