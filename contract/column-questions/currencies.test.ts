import { describe, expect, test } from 'vitest'
import {
  currencyIn,
  currencyOfCell,
  currencyOfHeader,
  findCurrencyColumn,
  inDollars,
  withoutCurrency,
} from './currencies.ts'

describe('a cell', () => {
  test.each([
    ['$873.00 MXN', 'MXN', '873.00'],
    ['MXN 873', 'MXN', '873'],
    ['MX$873.00', 'MXN', '873.00'],
    ['873 pesos', 'MXN', '873'],
    ['$873 M.N.', 'MXN', '873'],
    ['C$85.00', 'CAD', '85.00'],
    ['CA$ 85', 'CAD', '85'],
    ['85.00 CAD', 'CAD', '85.00'],
    ['$85 CDN', 'CAD', '85'],
    ['85 cad', 'CAD', '85'],
    ['€ 1.299,50', 'EUR', '1.299,50'],
    ['1299,50€', 'EUR', '1299,50'],
    ['EUR 85', 'EUR', '85'],
    ['85 euros', 'EUR', '85'],
    ['£85', 'GBP', '85'],
    ['A$85', 'AUD', '85'],
    ['R$ 85', 'BRL', '85'],
    ['US$85', 'USD', '85'],
    ['85 USD', 'USD', '85'],
    ['USD85', 'USD', '85'],
    ['85 US dollars', 'USD', '85'],
  ])('%s is in %s', (text, code, amount) => {
    expect(currencyIn(text)).toBe(code)
    expect(withoutCurrency(text)).toBe(amount)
  })

  test.each([
    '85',
    '$85.00',
    '1,299.50',
    '85 each',
    '85 obo',
    'call',
    'Free',
    'Local pickup',
    '85/ea',
    'scrap',
    'focus 85',
  ])('%s names no currency', (text) => expect(currencyIn(text)).toBeUndefined())
})

test.each([
  ['Price (CAD)', 'CAD'],
  ['Price_CAD', 'CAD'],
  ['priceCAD', 'CAD'],
  ['Canadian price', 'CAD'],
  ['Preis (€)', 'EUR'],
  ['Preis in Euro', 'EUR'],
  ['Precio MXN', 'MXN'],
  ['Precio (pesos)', 'MXN'],
  ['Prix £', 'GBP'],
  ['Price (USD, no tax)', 'USD'],
  ['USD price', 'USD'],
  ['US Price', 'USD'],
  ['Price', undefined],
  ['Price ($)', undefined],
  ['Sale price', undefined],
  ['Custom price', undefined],
  ['Europe price list', undefined],
])('the column “%s” is in %s', (header, code) => expect(currencyOfHeader(header)).toBe(code))

test.each([
  ['CAD', 'CAD'],
  ['can', 'CAD'],
  ['US', 'USD'],
  ['$', 'USD'],
  ['Dollars', 'USD'],
  ['Pesos', 'MXN'],
  ['€', 'EUR'],
  ['Taler', 'TALER'],
  ['', undefined],
  ['-', undefined],
])('a cell of a column of currencies: “%s” is %s', (cell, code) => expect(currencyOfCell(cell)).toBe(code))

test.each(['Currency', 'currency code', 'Curr', 'Price Currency', 'Moneda', 'Währung', 'Devise'])(
  '“%s” is a column of currencies',
  (name) => expect(findCurrencyColumn(['Price', name])).toBe(1),
)

test.each([
  ['873', 0.05, '43.65'],
  ['3761.10', 0.05, '188.06'],
  ['1.005', 100, '100.50'],
  ['0.10', 3, '0.30'],
  ['150', 0.7354, '110.31'],
])('%s at %s is %s', (amount, rate, dollars) => expect(inDollars(amount, rate)).toBe(dollars))
