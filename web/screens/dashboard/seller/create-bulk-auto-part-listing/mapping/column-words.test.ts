import { expect, test } from 'vitest'
import { suggestionWords } from './column-words.ts'

const file = {
  headers: ['Column 1', 'SKU', 'Preis'],
  samples: [
    ['638', 'A-1', '1.299,00'],
    ['320', 'A-2', '85,50'],
  ],
  decimals: { Preis: 'comma' as const },
}

test.each([
  ['stocknum', 'SKU', true, 'Looks like your stock numbers.'],
  ['partcategory', 'SKU', true, 'Looks like your part types.'],
  ['stocknum', 'SKU', false, 'Does “SKU” have your stock numbers?'],
  ['partprice', 'Column 1', false, 'Is “Column 1” your price? First parts would cost $638.00 and $320.00.'],
  ['partprice', 'Preis', false, 'Is “Preis” your price? First parts would cost $1,299.00 and $85.50.'],
  ['partprice', 'SKU', true, 'Looks like your prices.'],
] as const)('%s in %s, sure: %s', (field, header, sure, words) => {
  expect(suggestionWords({ field, header, sure }, file)).toBe(words)
})
