import { expect, test } from 'vitest'
import { dollarsIn, openMoney } from './open-money.ts'

const file = {
  headers: ['Part', 'Preis', 'Fracht'],
  samples: [
    ['Door', '850', ''],
    ['Engine', '1.299', '20'],
  ],
  undecided: ['Preis', 'Fracht'],
  reading: {
    encoding: 'utf-8',
    delimiter: ';',
    quote: '"',
    headerRow: 1,
    layout: 'plain',
    decimals: {},
    rowOffset: 0,
  },
} as const satisfies Parameters<typeof openMoney>[0]

test('A16 a column of money that does not tell is asked about, on a value that may be read in two ways', () => {
  expect(openMoney(file, { partname: 'Part', partprice: 'Preis' })).toEqual([
    { field: 'partprice', header: 'Preis', value: '1.299' },
  ])
})

test('a column that is no money, tells, or was decided is not asked about', () => {
  expect(openMoney(file, { partnum: 'Preis' })).toEqual([])
  expect(openMoney({ ...file, undecided: [] }, { partprice: 'Preis' })).toEqual([])
  const reading = { ...file.reading, decimals: { partprice: 'comma' as const } }
  expect(openMoney({ ...file, reading }, { partprice: 'Preis' })).toEqual([])
})

test.each([
  ['1.299', 'point', '$1.299'],
  ['1.299', 'comma', '$1,299.00'],
  ['1,299', 'point', '$1,299.00'],
  ['USD 1,299.50', 'comma', 'not an amount'],
  ['1.299,00', 'comma', '$1,299.00'],
  ['call', 'point', 'not an amount'],
] as const)('%s with a %s before the cents is %s', (value, mark, dollars) => {
  expect(dollarsIn(value, mark)).toBe(dollars)
})
