import { describe, expect, test } from 'vitest'
import {
  currencyIn,
  currencyOfCell,
  currencyOfHeader,
  inDollars,
  isInCents,
  withoutCurrency,
} from './currencies.ts'
import { findCurrencyColumn, sampledCurrencyColumn } from './currency-columns.ts'

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
    ['Q450', 'GTQ', '450'],
    ['Q 450.00', 'GTQ', '450.00'],
    ['850 quetzales', 'GTQ', '850'],
    ['HK$85', 'HKD', '85'],
    ['₡45000', 'CRC', '45000'],
    ['S/ 120', 'PEN', '120'],
    ['RM 85', 'MYR', '85'],
    ['850 rand', 'ZAR', '850'],
    ['Rs. 8500', 'INR', '8500'],
    ['85 TRY', 'TRY', '85'],
    ['S$85', 'SGD', '85'],
    ['฿ 850', 'THB', '850'],
    ['85 pesos colombianos', 'COP', '85'],
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
    '85 all',
    'TOP 85',
    '85 S/H incl',
    '85 w/o core',
    'make offer 85',
    'won at 85',
    '85 pair',
    '2 for 85',
    'LH 85',
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
  ['Precio (Quetzales)', 'GTQ'],
  ['Precio Q', 'GTQ'],
  ['Price (dkk)', 'DKK'],
  ['Price HKD', 'HKD'],
  ['price_sgd', 'SGD'],
  ['Price TRY', 'TRY'],
  ['Price THB', 'THB'],
  ['Price JMD', 'JMD'],
  ['TTD Price', 'TTD'],
  ['Prix CA', 'CAD'],
  ['Precio MN', 'MXN'],
  ['Price (Rand)', 'ZAR'],
  ['Price (rupees)', 'INR'],
  ['Price (Soles)', 'PEN'],
  ['Price (Lempiras)', 'HNL'],
  ['Price (francs)', 'CHF'],
  ['Price (yuan)', 'CNY'],
  ['Price in Rand', 'ZAR'],
  ['HK$ Price', 'HKD'],
  ['Precio ₡', 'CRC'],
  ['Price (RM)', 'MYR'],
  ['Price S/.', 'PEN'],
  ['Price / COP', 'COP'],
  ['precio_cop', 'COP'],
  ['Precio (Bs)', 'BOB'],
  ['Precio centavos', 'MXN'],
  ['Price', undefined],
  ['Price ($)', undefined],
  ['Sale price', undefined],
  ['Custom price', undefined],
  ['Price CA', undefined],
  ['Price (R)', undefined],
  ['Price (LH)', undefined],
  ['ALL PRICES', undefined],
  ['Top price', undefined],
  ['price all', undefined],
  ['Price won', undefined],
  ['Price incl S/H', undefined],
  ['Price per pound', undefined],
  ['Europe price list', undefined],
  ['Prix TTC', 'EUR'],
  ['Prix de vente HT', 'EUR'],
  ['VK brutto', 'EUR'],
  ['Preis inkl. MwSt', 'EUR'],
  ['Price inc VAT', 'GBP'],
  ['Prix', undefined],
  ['Price incl. tax', undefined],
  ['VK', undefined],
])('the column “%s” is in %s', (header, code) => expect(currencyOfHeader(header)).toBe(code))

test.each([
  ['CAD', 'CAD'],
  ['can', 'CAD'],
  ['US', 'USD'],
  // Canada and Mexico write it, too.
  ['$', undefined],
  ['hkd', 'HKD'],
  ['S/.', 'PEN'],
  ['Dollars', 'USD'],
  ['Pesos', 'MXN'],
  ['€', 'EUR'],
  ['Taler', 'TALER'],
  ['', undefined],
  ['-', undefined],
])('a cell of a column of currencies: “%s” is %s', (cell, code) => expect(currencyOfCell(cell)).toBe(code))

test.each([
  ...['Currency', 'currency code', 'Curr', 'Price Currency', 'Moneda', 'Währung', 'Devise'],
  ...['Variant Currency', 'Currency (ISO)', 'Curr.', 'Retail Currency', 'Unit Currency', 'Sell Currency'],
  ...['Currency Symbol', 'Currency:', 'priceCurrency', 'sale_currency_code'],
])('“%s” is a column of currencies', (name) => expect(findCurrencyColumn(['Price', name])).toBe(1))

test.each([
  ['873', 0.05, '43.65'],
  ['3761.10', 0.05, '188.06'],
  ['1.005', 100, '100.50'],
  ['0.10', 3, '0.30'],
  ['150', 0.7354, '110.31'],
])('%s at %s is %s', (amount, rate, dollars) => expect(inDollars(amount, rate)).toBe(dollars))

test.each([
  'Curr Price',
  'Current',
  'Exchange rate',
  'Price (local currency)',
  'Price in currency',
  '*Action(SiteID=eBayMotors|Currency=USD)',
  'Cur. price',
])('“%s” is none', (name) => expect(findCurrencyColumn(['Part', name])).toBe(-1))

test.each([
  ['Price (cents)', true],
  ['Price Cents', true],
  ['price_cents', true],
  ['priceInCents', true],
  ['Price', false],
  ['Percent off', false],
  ['Center price', false],
])('“%s” counts cents: %s', (name, is) => expect(isInCents(name)).toBe(is))

test('of two columns of currencies, the one of a cost does not count', () => {
  expect(findCurrencyColumn(['Cost Currency', 'Sell Currency'])).toBe(1)
})

describe('a column whose values are currencies is one, whatever its name is', () => {
  const columnOf = (values: readonly string[], name = 'Tender') =>
    sampledCurrencyColumn(
      ['Part', name, 'Price'],
      values.map((value) => ['Hood', value, '85']),
      new Set([0, 2]),
    )
  test.each([
    [['CAD', 'USD', 'CAD']],
    [['cad', 'cad', '']],
    [['€', '£', '€']],
    [['Pesos', 'Dollars', 'Pesos']],
    [['Quetzales', 'Quetzales']],
    [['pesos', 'dólares', 'pesos']],
  ])('%j', (values) => expect(columnOf(values)).toBe('Tender'))
  test.each([
    [['$', '$', '$']],
    [['CA', 'MX', 'US']],
    [['LH', 'RH', 'R']],
    [['pounds', 'lb', 'pounds']],
    [['Canadian', 'Mexican', 'Canadian']],
    [['ALL', 'TOP', 'ALL']],
    [['Red', 'Tan', 'Red']],
    [['CAD', 'Engine', 'Hood', 'Door']],
    [['', '']],
  ])('but not %j', (values) => expect(columnOf(values)).toBeUndefined())
})
