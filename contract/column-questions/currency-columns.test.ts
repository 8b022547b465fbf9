import { describe, expect, test } from 'vitest'
import { currencyOfBare, isDriverOnRight, withCurrencySaid } from './currency-columns.ts'

describe('lines above the columns', () => {
  const header = ['Stock', 'Price inc GST', 'Core', 'Shelf']
  const said = (...lines: string[]) =>
    withCurrencySaid(
      header,
      lines.map((line) => [line]),
    )

  test.each([
    ['SOUTHERN CROSS WRECKERS - STOCK LIST', 'Prices in AUD inc GST. Freight not included.', 'AUD'],
    ['Yard', 'All prices are in Canadian dollars', 'CAD'],
    ['Lager', 'Alle Preise in Euro', 'EUR'],
    ['Yonke', 'Precios en pesos', 'MXN'],
    ['Yard', 'all AUD prices, cash only', 'AUD'],
  ])('“%s” and “%s” say that prices are in %3$s', (first, second, currency) => {
    expect(said(first, second)).toEqual(['Stock', `Price inc GST (${currency})`, 'Core', 'Shelf'])
  })

  test.each([
    'Prices in US dollars',
    'Prices include tax',
    'We ship to Canada. Prices plus tax',
    'Canadian Auto Parts - price list',
    'British & Swedish Motors, price list of 11/24',
  ])('“%s” says no other currency', (line) => {
    expect(said(line)).toEqual(header)
  })

  test('a column’s own currency and a column of currencies go first', () => {
    const lines = [['Prices in AUD']]
    expect(withCurrencySaid(['Price (NZD)'], lines)).toEqual(['Price (NZD)'])
    expect(withCurrencySaid(['Price', 'Currency'], lines)).toEqual(['Price', 'Currency'])
  })
})

describe('amounts without a currency beside some with one', () => {
  test.each([
    ['euros among bare ones', ['114,00 €', '90,50', '150,00 €', '68,00', '65,00', '142,00', '39,00'], 'EUR'],
    ['a fifth of them', ['CAD 100', '80', '90', '95', '120'], 'CAD'],
  ])('%s: they are in it, too', (_, values, currency) => {
    expect(currencyOfBare('Price', values)).toBe(currency)
  })

  test.each([
    ['a few of many', ['CAD 100', ...Array.from({ length: 20 }, (_, at) => String(50 + at))]],
    ['beside dollars', ['A$220', '$220', '220']],
    ['of two currencies', ['A$220', 'NZ$220', '220']],
    ['of none', ['90,50', '114,00']],
  ])('%s: nothing is known', (_, values) => {
    expect(currencyOfBare('Price', values)).toBeUndefined()
  })

  test('the column’s name says it better', () => {
    expect(currencyOfBare('Price (CHF)', ['€ 10', '20'])).toBeUndefined()
  })
})

test('the driver sits on the right where prices are in Australian dollars', () => {
  expect(['Price (AUD)', 'Price £', 'Price (CAD)', 'Preis (€)', 'Price'].map(isDriverOnRight)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
})
