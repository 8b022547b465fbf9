import { describe, expect, test } from 'vitest'
import { priceName } from './price-headers.ts'

/* What columns of money are called, and which of them a buyer pays. */

describe.each([
  [
    'paid',
    'Sale Price, sale_price, SALEPRICE, Net Price, Internet price, Your Price, Our price, Asking Price, BuyItNowPrice',
  ],
  [
    'paid',
    'Buy It Now price, Selling Price, Web Price, Online Sale Price, special_price, Precio de venta, Precio contado',
  ],
  [
    'paid',
    'VK, VK brutto, VK-Preis, Verkaufspreis, Unser Preis, Prix de vente, Sales Price / Rate, sale_amt, Used Price, Price after discount',
  ],
  [
    'price',
    'Price, PRICE, Price $, $, US$, Precio, Preis (€), Prix, Retail, Retail Price, Unit Price, Variant Price, US Price',
  ],
  [
    'price',
    'Price (USD, no tax), Price (no core), Price (with tax), Price (each), Price - USD, Price w/o core, Preis inkl. MwSt',
  ],
  ['price', 'Price excl. shipping, Precio sin IVA, Prix hors taxe, Start price, how much'],
  [
    'list',
    'List, List Price, MSRP, Regular price, Compare At Price, Variant Compare At Price, Was, Old Price, UVP',
  ],
  ['list', 'Suggested Retail, Precio lista, Prix catalogue'],
  [
    'never',
    'Cost, Our Cost, unit_cost, CostPrice, Purchase Price, Purchase Cost, Wholesale, Wholesale Price, Dealer Cost, Buy Price',
  ],
  [
    'never',
    'Core Price, Price of the core, Reserve price, Minimum price, min_price, Ins. Price, Price + Ship, Price Level',
  ],
  [
    'never',
    'Costo, Precio mayoreo, Precio de compra, EK-Preis, Einkaufspreis, Prix d’achat, Prix coûtant, Trade Price',
  ],
] as const)('%s', (kind, names) => {
  test.each(
    names
      .split(', ')
      .map((name, at, all) => (name === 'Price (USD' ? `${name}, ${all[at + 1]}` : name))
      .filter((name) => name !== 'no tax)'),
  )('“%s”', (name) => {
    expect(priceName(name)?.kind).toBe(kind)
  })
})

test.each([
  'Core',
  'Shipping',
  'Date',
  'Stock',
  'Year',
  'Dealer',
  'Type',
  'Sale date',
  'Net weight',
  'Options list',
  'Column 7',
  '',
])('“%s” says nothing of a price', (name) => {
  expect(priceName(name)?.isWhole ?? false).toBe(false)
  expect(priceName(name)?.kind).not.toBe('paid')
})

test.each([
  ['Price (CAD)', true],
  ['CDN Price', true],
  ['Preis (€)', true],
  ['Precio MXN', true],
  ['C$ price', true],
  ['Price (USD)', false],
  ['US Price', false],
  ['Price $', false],
  ['Price', false],
])('“%s” is of another country: %s', (name, isForeign) => {
  expect(priceName(name)?.isForeign).toBe(isForeign)
})

test('a word that we do not know leaves the name open', () => {
  expect(priceName('Asking price')?.isWhole).toBe(true)
  expect(priceName('Zebra price')).toEqual({ kind: 'price', isWhole: false, isForeign: false })
})
