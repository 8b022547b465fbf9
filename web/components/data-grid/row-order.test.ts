import { expect, test } from 'vitest'
import { nextOrder, sortRows } from './row-order.ts'
import { toSheetRow } from './sheet-row.ts'

const sorted = (prices: readonly string[], descending = false) =>
  sortRows(
    prices.map((price, place) => toSheetRow({ id: `r${place}`, version: 1, values: { price } })),
    { field: 'price', descending },
  ).map(({ values }) => values.price)

test('numbers are sorted as numbers, before words, and empty cells are last in either direction', () => {
  const prices = ['100.00', 'call', '', '$1,299.50', '9', ' ', '-2', '20', 'Ask']
  expect(sorted(prices)).toEqual(['-2', '9', '20', '100.00', '$1,299.50', 'Ask', 'call', '', ' '])
  expect(sorted(prices, true)).toEqual(['call', 'Ask', '$1,299.50', '100.00', '20', '9', '-2', '', ' '])
  expect(sorted(['A10', 'a9', 'A9', 'b1'])).toEqual(['a9', 'A9', 'A10', 'b1'])
})

test('the first click sorts low to high, the second high to low, the third not at all', () => {
  const first = nextOrder(undefined, 'price')
  const second = nextOrder(first, 'price')
  expect([first, second, nextOrder(second, 'price')]).toEqual([
    { field: 'price', descending: false },
    { field: 'price', descending: true },
    undefined,
  ])
  expect(nextOrder(second, 'name')).toEqual({ field: 'name', descending: false })
})
