import { expect, test } from 'vitest'
import type { Price } from '#server/features/money/billing/provider.ts'
import { priceInWords, priceProblem } from './pro-price.ts'

test.each([
  [14_900, 'usd', '$149'],
  [14_950, 'usd', '$149.50'],
  [14_900, 'cad', 'CA$149'],
  [14_900, 'jpy', '¥14,900'],
])('%i %s is %s', (amount, currency, words) => {
  expect(priceInWords(amount, currency)).toBe(words)
})

const price: Price = { id: 'price_1', isActive: true, isMonthly: true, amount: 14_900, currency: 'usd' }

test.each<[string, Price | undefined, RegExp | null]>([
  ['the right one', price, null],
  ['none', undefined, /does not exist/],
  ['an archived one', { ...price, isActive: false }, /archived/],
  ['a yearly one', { ...price, isMonthly: false }, /not a fixed monthly amount/],
  ['one by usage', { ...price, amount: null }, /not a fixed monthly amount/],
  ['another amount', { ...price, amount: 15_900 }, /is \$159 per month, and PRO_PRICE_TEXT says \$149/],
  ['another currency', { ...price, currency: 'cad' }, /Set PRO_PRICE_TEXT='CA\$149'/],
])('what is wrong with %s', (_what, found, problem) => {
  const said = priceProblem(found, 'price_1', '$149')
  if (problem === null) expect(said).toBeNull()
  else expect(said).toMatch(problem)
})
