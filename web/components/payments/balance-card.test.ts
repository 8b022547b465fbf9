import { expect, test } from 'vitest'
import { amountsInWords, formatMinorUnits } from './balance-card.tsx'

test.each([
  [0, 'usd', '$0.00'],
  [5, 'usd', '$0.05'],
  [123_456, 'usd', '$1,234.56'],
  [-1_250, 'usd', '-$12.50'],
  [990, 'eur', '€9.90'],
])('%i in %s reads %s', (amount, currency, words) => {
  expect(formatMinorUnits({ amount, currency })).toBe(words)
})

test('a balance in two currencies has two lines, and an empty one reads as zero dollars', () => {
  expect(
    amountsInWords([
      { amount: 100, currency: 'usd' },
      { amount: 200, currency: 'cad' },
    ]),
  ).toEqual(['$1.00', 'CA$2.00'])
  expect(amountsInWords([])).toEqual(['$0.00'])
})
