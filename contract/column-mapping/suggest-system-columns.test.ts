import { describe, expect, test } from 'vitest'
import { catalogueDictionary } from '#tests/support/yard-stock.ts'
import { suggestColumns } from './suggest-columns.ts'

/* Columns of warehouse and accounting programs. */

const catalogue = catalogueDictionary()
const turn =
  (...values: string[]) =>
  (at: number) =>
    values[at % values.length] ?? ''
const rowsOf = (columns: readonly ((at: number) => string)[]) =>
  Array.from({ length: 40 }, (_, at) => columns.map((cell) => cell(at)))
const suggested = (columns: Record<string, (at: number) => string>) =>
  suggestColumns(Object.keys(columns), rowsOf(Object.values(columns)), catalogue)

const names = turn('KNUCKLE, STEERING, RH', 'REGULATOR, WINDOW, LH', 'CALIPER, BRAKE, LH', 'ALTERNATOR')
const nouns = [
  'KNUCKLE, STEERING',
  'REGULATOR, WINDOW',
  'CALIPER, BRAKE',
  'ALTERNATOR',
  'LAMP ASSY, TAIL',
  'HOOD',
]
const itemNames = (at: number) =>
  `${nouns[at % nouns.length] ?? ''}, ${['LH', 'RH', 'FRONT', 'REAR', 'UPPER'][at % 5] ?? ''}`
const itemNumbers = (at: number) => `${100 + at}-480${at + 10}`
const amounts = turn('111.95', '48.00', '57.00', '326.99', '85.50')

test('what is left to sell is the quantity, and the item’s description names the part', () => {
  const found = suggested({
    ITEM_NO: itemNumbers,
    ITEM_DESC: itemNames,
    PROD_LINE: turn('BODY', 'TRIM', 'ELEC'),
    QTY_ON_HAND: turn('3', '4', '1'),
    QTY_AVAIL: turn('3', '0', '1'),
    UNIT_PRICE: amounts,
  })
  expect(found.partquantity?.header).toBe('QTY_AVAIL')
  expect(found.partname?.header).toBe('ITEM_DESC')
  expect(found.stocknum?.header).toBe('ITEM_NO')
})

test('a column of days that cars were built is the year', () => {
  const found = suggested({ Part: names, 'Build Date': turn('2015-12-01', '03/2014'), Price: amounts })
  expect(found.partyear?.header).toBe('Build Date')
})

test.each(['SIDE 1=LH 2=RH', 'Side (1 = left, 2 = right)'])('“%s” is a column of sides', (header) => {
  const found = suggested({ Part: names, [header]: turn('1', '2', '0', ''), Price: amounts })
  expect(found.partside?.header).toBe(header)
})

describe('the only column of its name', () => {
  const beside = (header: string, ...values: string[]) =>
    suggestColumns(
      ['Stock', 'Part', header],
      values.map((value, at) => [`B${at + 1}`, 'Hood', value]),
      catalogue,
    )

  test.each([
    ['Price', ['800-1000', '65, was 85', '45']],
    ['Price', ['2.5k', '1.2K firm', '450']],
  ])('“%s” is suggested although few values are amounts', (header, values) => {
    expect(beside(header, ...values).partprice).toMatchObject({ header, sure: false })
  })

  test('so are years that a spreadsheet spoiled', () => {
    expect(beside('Years', 'Sep-13', '9-Dec', '2009-13').partyear).toMatchObject({
      header: 'Years',
      sure: false,
    })
  })

  test('words are not', () => {
    expect(beside('Price', 'call', 'ask', 'call').partprice).toBeUndefined()
  })
})
