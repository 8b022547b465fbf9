import { expect, test } from 'vitest'
import { itemPathFolder, itemPathsIn } from './item-paths.ts'
import { attributeNames, shopFolder, shopOf } from './shop-layouts.ts'

const woo = ['Type', 'SKU', 'Name', 'Published', 'Sale price', 'Regular price', 'Date sale price ends']
const priceOf = (row: string[]) => {
  const folder = shopFolder('woocommerce', woo, [])
  return folder.push([row])[0]?.[folder.header.indexOf('Price')]
}

test.each([
  [['simple', 'W1', 'Hood', '1', '70.00', '85.00', ''], '70.00'],
  [['simple', 'W2', 'Hood', '1', '', '85.00', ''], '85.00'],
  [['simple', 'W3', 'Hood', '1', '0', '85.00', ''], '85.00'],
  [['simple', 'W4', 'Hood', '1', '70.00', '85.00', '2020-01-31'], '85.00'],
  [['simple', 'W5', 'Hood', '1', '70.00', '85.00', '2999-01-31'], '70.00'],
])('of %j a buyer pays %s', (row, price) => expect(priceOf(row)).toBe(price))

test('a product that only groups its variations is left out', () => {
  const folder = shopFolder('woocommerce', woo, [])
  expect(folder.push([['variable', 'W6', 'Door', '1', '', '', '']])).toEqual([[]])
  expect(folder.notes()).toEqual(['1 row only groups the parts below. We skip them.'])
})

test('a variation of Square is part of the name, “Regular” is not', () => {
  const header = ['Item Name', 'Variation Name', 'SKU', 'Price', 'Online Sale Price']
  expect(shopOf(header)).toBe('square')
  const folder = shopFolder('square', header, [])
  expect(
    folder.push([
      ['Fender', 'Left', 'S1', '$60.00', ''],
      ['Hood', 'Regular', 'S2', '$90.00', '$80.00'],
    ]),
  ).toEqual([
    ['Fender (Left)', 'Left', 'S1', '$60.00', ''],
    ['Hood', 'Regular', 'S2', '$80.00', '$80.00'],
  ])
  expect(folder.notes()).toEqual(['1 part has a sale price. “Price” is the sale price, or the regular one.'])
})

test('attributes are named once, in words', () => {
  const header = ['sku', 'product_type', 'product_online', 'additional_attributes']
  expect(
    attributeNames(header, [
      ['M1', 'simple', '1', 'make=Ford,part_number=FL3Z-1, FL3Z-2,pa_year=2012'],
      ['M2', 'simple', '1', 'make=Mazda,side='],
    ]),
  ).toEqual(['Make', 'Part number', 'Year'])
})

/* Items below items. */

test.each([
  ['Chevrolet:Silverado 1500:Q1-01', ['Chevrolet', 'Silverado 1500', 'Q1-01']],
  ['2008 Chevrolet Silverado 1500:Q1-01', ['Chevrolet', 'Silverado 1500', 'Q1-01', '2008']],
  ['Land Rover Discovery:Q1-01', ['Land Rover', 'Discovery', 'Q1-01']],
  ['2008-2010:Ford:F-150:Q1-01', ['Ford', 'F-150', 'Q1-01', '2008-2010']],
  ['Ford:F-150:2012:Q1-01', ['Ford', 'F-150', 'Q1-01', '2012']],
])('the item “%s” names its car and number', (item, expected) => {
  const header = ['Item', 'Description', 'Price']
  const rows = [[item, 'Hood', '85.00']]
  const layout = itemPathsIn(header, rows)
  expect(layout).toBe(expected.length === 4 ? 'dated item paths' : 'item paths')
  expect(layout && itemPathFolder(header, layout).push(rows)).toEqual([[item, 'Hood', '85.00', ...expected]])
})
