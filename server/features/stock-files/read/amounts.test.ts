import { describe, expect, test } from 'vitest'
import type { DecimalMark } from '#contract/yard-file/reading.ts'
import { moneyReadings, priceReader, shippingReader, termReader } from './amounts.ts'

const messageOf = (value: ReturnType<ReturnType<typeof priceReader>>) =>
  typeof value === 'string' ? value : value.message

describe('prices follow the decimal mark of their column', () => {
  test.each<[DecimalMark, string, string]>([
    ['comma', '1.299,00', '1299.00'],
    ['comma', '12,50', '12.50'],
    ['comma', '12,5', '12.5'],
    ['comma', '1.299', '1299'],
    ['comma', '85', '85'],
    ['comma', '$85', '85'],
    ['comma', 'USD 1.299,-', '1299'],
    ['comma', '1 299,50', '1299.50'],
    ['point', '1,299.00', '1299.00'],
    ['point', '1,299', '1299'],
    ['point', '85.000', '85.00'],
  ])('%s: %s is read as %s', (mark, typed, kept) => {
    expect(priceReader(mark)(typed)).toBe(kept)
  })

  test.each<[DecimalMark, string, string]>([
    ['comma', '85.50', 'Price is read with decimal commas like the rest of its column'],
    ['comma', '1,299.00', 'Price is read with decimal commas like the rest of its column'],
    ['comma', '1,299', 'Price is read with decimal commas like the rest of its column'],
    ['point', '12,50', 'Price is read with decimal points like the rest of its column'],
    ['point', '1.299,00', 'Price is read with decimal points like the rest of its column'],
    ['point', '1.299', 'Price is read with decimal points like the rest of its column'],
  ])('%s: %s contradicts its column', (mark, typed, sentence) => {
    expect(messageOf(priceReader(mark)(typed)).startsWith(sentence)).toBe(true)
  })

  test('without a setting a point is accepted, and values that would need a guess are refused', () => {
    const read = priceReader(undefined)
    expect(read('1,299')).toBe('1299')
    expect(messageOf(read('85.000'))).toContain('reading.decimals')
    expect(messageOf(read('1.299'))).toContain('reading.decimals')
    expect(messageOf(read('12,50'))).toContain('reading.decimals')
  })
})

test.each(['0', '0.00', '$0', '0,00'])('a price of %s counts as missing', (typed) => {
  expect(messageOf(priceReader(typed.includes(',') ? 'comma' : undefined)(typed))).toMatch(/^Price is 0/)
  expect(priceReader(undefined)('free')).toBe('0')
})

test.each([
  ['$69.95 firm', '69.95'],
  ['$110 OBO', '110'],
  ['235 or best offer', '235'],
  ['$50/ea', '50'],
  ['$1.4k', '1400'],
  ['2k', '2000'],
])('a price of %s is %s', (typed, amount) => expect(priceReader(undefined)(typed)).toBe(amount))

test.each(['$1.4 k miles', 'k', '$1,4k', '$80 or $150', '15%'])('“%s” is no price', (typed) =>
  expect(messageOf(priceReader(undefined)(typed))).toMatch(/^Price /),
)

test('an amount with the sign of another currency may have the other decimal mark in two digits', () => {
  const read = (mark: DecimalMark, typed: string) =>
    moneyReadings({
      header: ['Preis'],
      mapping: { partprice: 'Preis' },
      answers: [{ id: 'currency:Preis', column: 'Preis', kind: 'currency', use: 1.1 }],
    })('partprice', { read: priceReader(mark), readDollars: priceReader('point') }).read(typed)
  expect(read('point', '184,95 €')).toBe('203.45')
  expect(read('point', '1.130,00 €')).toBe('1243.00')
  expect(read('comma', '184.95 €')).toBe('203.45')
  // Three digits could be either.
  expect(typeof read('point', '1.130 €')).toBe('object')
})

test('shipping follows the decimal mark of its own column', () => {
  const read = shippingReader('comma')
  expect(read('Flat 12,50')).toBe('12.50')
  expect(read('Free')).toBe('Free')
  expect(read('$20')).toBe('$20')
  expect(messageOf(read('12.50'))).toContain('decimal commas like the rest of its column')
})

test.each([
  ['Core $200', '200.00'],
  ['core charge: 1,150.00', '1150.00'],
  ['$75.00', '75.00'],
  ['none', '0.00'],
])('a core charge of “%s” is %s', (typed, kept) => {
  expect(termReader('corecharge')(typed)).toBe(kept)
})
