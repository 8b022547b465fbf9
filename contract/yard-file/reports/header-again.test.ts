import { expect, test } from 'vitest'
import { HeaderWatch } from './header-again.ts'

const header = ['Stock #', 'Year', 'Make', 'Part', 'Price']
const watch = () => new HeaderWatch(header, [header])
const row = (...cells: string[]) => ({ cells, text: cells.join(',') })

test('rows below a header in another order are read by its names', () => {
  const file = watch()
  expect([file.names(row('K-1', '2012', 'Ford', 'Hood', '$90')), file.isMoved]).toEqual([false, false])
  expect([file.names(row('Stock #', 'Part', 'Make', 'Year', 'Price')), file.isMoved]).toEqual([true, true])
  expect(file.arranged(['K-2', 'Hood', 'Ford', '2012', '$90'])).toEqual([
    'K-2',
    '2012',
    'Ford',
    'Hood',
    '$90',
  ])
  // One cell too many stays too many, so that the row is refused.
  expect(file.arranged(['K-3', 'Hood', 'Ford', '2012', '$90', 'x'])).toHaveLength(6)
  // A short row lacks the same columns.
  expect(file.arranged(['K-4', 'Hood', 'Ford'])).toEqual(['K-4', '', 'Ford', 'Hood', ''])
  expect([file.names(row(...header)), file.isMoved]).toEqual([true, false])
})

test('a row with some names of columns is a part', () => {
  const file = watch()
  for (const cells of [
    ['Part', 'Price', 'Make', 'Part', 'Part'],
    ['Part', 'Year', 'Make', 'Price', '$5'],
    ['Price'],
  ]) {
    expect([cells, file.names(row(...cells)), file.isMoved]).toEqual([cells, false, false])
  }
})

test('a market’s template names the columns for its program again', () => {
  const file = watch()
  const named = row('item_sku', 'model_year', 'brand_name', 'item_name', 'standard_price')
  expect([file.names(named), file.isMoved]).toEqual([true, false])
  expect(file.names(row('ab_1', '2012', 'ford', 'hood_panel', '90'))).toBe(false)
  expect(file.names(row('hood', '', 'ford', 'left_side', ''))).toBe(false)
})
