import { expect, test } from 'vitest'
import {
  applyArithmetic,
  clearWrites,
  fillDownWrites,
  fillToWrites,
  formatTsv,
  parseArithmetic,
  parseTsv,
  pasteWrites,
  replacer,
} from './cell-writes.ts'

const size = { rows: 6, columns: 4 }
const range = (top: number, left: number, bottom = top, right = left) => ({ top, left, bottom, right })
const shown = (writes: { row: number; column: number; text: string }[]) =>
  writes.map(({ row, column, text }) => `${row},${column}=${text}`)
const textAt = (row: number, column: number) => `r${row}c${column}`

test.each([
  {
    what: 'a block where one cell is selected',
    block: [
      ['a', 'b'],
      ['c', 'd'],
    ],
    at: range(1, 1),
    written: ['1,1=a', '1,2=b', '2,1=c', '2,2=d'],
  },
  {
    what: 'one value into a range',
    block: [['x']],
    at: range(0, 0, 1, 1),
    written: ['0,0=x', '0,1=x', '1,0=x', '1,1=x'],
  },
  {
    what: 'a row twice into a range of two',
    block: [['a', 'b']],
    at: range(0, 0, 1, 1),
    written: ['0,0=a', '0,1=b', '1,0=a', '1,1=b'],
  },
  {
    what: 'a block once if it does not fit the range evenly',
    block: [['a'], ['b']],
    at: range(0, 0, 2, 0),
    written: ['0,0=a', '1,0=b'],
  },
  {
    what: 'rows of different length',
    block: [['a', 'b'], ['c']],
    at: range(0, 0),
    written: ['0,0=a', '0,1=b', '1,0=c'],
  },
])('pastes $what', ({ block, at, written }) => {
  const plan = pasteWrites(block, at, size)
  expect(shown(plan.writes)).toEqual(written)
  expect(plan.rowsLeftOut).toBe(0)
})

test('pastes what fits at the corner, and counts the rows that did not', () => {
  const block = [
    ['a', 'b'],
    ['c', 'd'],
  ]
  const plan = pasteWrites(block, range(5, 3), size)
  expect(shown(plan.writes)).toEqual(['5,3=a'])
  expect(plan.range).toEqual(range(5, 3))
  expect(plan.rowsLeftOut).toBe(1)
})

test('fills down from the first row of the range', () => {
  expect(shown(fillDownWrites(range(1, 2, 3, 2), textAt))).toEqual(['2,2=r1c2', '3,2=r1c2'])
})

test('fills one row from the row above, and the first row from nothing', () => {
  expect(shown(fillDownWrites(range(4, 0, 4, 1), textAt))).toEqual(['4,0=r3c0', '4,1=r3c1'])
  expect(fillDownWrites(range(0, 0), textAt)).toEqual([])
})

test.each([
  ['down', 5, ['3,0=r1c0', '4,0=r2c0', '5,0=r1c0']],
  ['up', 0, ['0,0=r2c0']],
])('the handle repeats the range %s', (_name, toRow, written) => {
  expect(shown(fillToWrites(range(1, 0, 2, 0), toRow, textAt))).toEqual(written)
})

test('clears every cell', () => {
  expect(shown(clearWrites(range(0, 0, 0, 1)))).toEqual(['0,0=', '0,1='])
})

test.each([
  ['one value', '19.99', [['19.99']]],
  [
    'a block from Excel, with CRLF and its last line end',
    'a\tb\r\nc\td\r\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'a block from Sheets, with LF and none',
    'a\tb\nc\td',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['old line ends', 'a\rb\r', [['a'], ['b']]],
  [
    'empty cells at every edge',
    '\ta\t\n\t\t\n',
    [
      ['', 'a', ''],
      ['', '', ''],
    ],
  ],
  ['an empty line in between', 'a\n\nb\n', [['a'], [''], ['b']]],
  [
    'a line break and quotation marks in a cell',
    '"two\nlines and ""more"""\tb\n',
    [['two\nlines and "more"', 'b']],
  ],
  ['a quotation mark only at the start', '"Best" offer\tb', [['"Best" offer', 'b']]],
  ['an unclosed quotation mark', '"half\tb\nc', [['"half', 'b'], ['c']]],
  ['inches', '5" pipe\t"', [['5" pipe', '"']]],
  ['rows of different length', 'a\tb\nc', [['a', 'b'], ['c']]],
  ['nothing', '', [['']]],
])('reads %s', (_name, text, rows) => {
  expect(parseTsv(text)).toEqual(rows)
})

test('copied cells paste back unchanged', () => {
  const rows = [
    ['=1+1', '+1 918 555 0100', '-4.50', "it's"],
    ['two\nlines', 'a\tb', '"x"', ''],
    ["'=kept", '@name', ' spaces ', '5" pipe'],
  ]
  expect(parseTsv(formatTsv(rows))).toEqual(rows)
  expect(parseTsv(`${formatTsv(rows)}\r\n`)).toEqual(rows)
})

test('a copied formula is not run where it is pasted', () => {
  expect(formatTsv([['=HYPERLINK("http://x.example")', '-4.50']])).toBe(
    '"\'=HYPERLINK(""http://x.example"")"\t-4.50',
  )
})

const loose = { matchCase: false, wholeCell: false }

test.each([
  ['every occurrence', { find: 'a', to: 'o', ...loose }, 'banana', 'bonono'],
  ['any case', { find: 'GREEN', to: 'Blue', ...loose }, 'Green Country', 'Blue Country'],
  ['this case only', { find: 'GREEN', to: 'Blue', ...loose, matchCase: true }, 'Green', undefined],
  ['whole cells only', { find: 'A', to: 'B', ...loose, wholeCell: true }, 'AB', undefined],
  ['a whole cell', { find: 'a', to: 'B', ...loose, wholeCell: true }, 'A', 'B'],
  ['special characters literally', { find: '(918) 555.', to: '+1', ...loose }, 'Call (918) 555.', 'Call +1'],
  ['with special characters literally', { find: 'x', to: '$&$1', ...loose }, 'x', '$&$1'],
  ['nothing for an empty search', { find: '', to: 'o', ...loose }, 'banana', undefined],
])('replaces %s', (_name, { to, ...search }, text, result) => {
  expect(replacer(search, to)(text)).toBe(result)
})

const calculate = (typed: string, text: string, decimals = 2) => {
  const step = parseArithmetic(typed)
  return step && applyArithmetic(step, text, decimals)
}

test.each([
  ['+5%', '100.00', '105.00'],
  ['-10%', '19.99', '17.99'],
  ['+12.5%', '80.00', '90.00'],
  ['*1.1', '3.00', '3.30'],
  // A decimal comma, and commas between thousands.
  ['*1,1', '100.00', '110.00'],
  ['=85,50', '100.00', '85.50'],
  ['=1,299.50', '100.00', '1299.50'],
  ['*1.005', '1.00', '1.01'],
  ['/3', '10.00', '3.33'],
  ['*50%', '9.99', '5.00'],
  ['-2', '10.50', '8.50'],
  ['+0.01', '0.29', '0.30'],
  ['- 2', '1.00', '-1.00'],
  ['=19.99', '5.00', '19.99'],
  ['=19.99', '', '19.99'],
  ['= 5', 'no number', '5.00'],
  ['*.5', '1,200.00', '600.00'],
  // A cell is read as what is typed.
  ['*2', '19,75', '39.50'],
  ['*2', '1.299,50', '2599.00'],
  ['*2', '$1,299.50', '2599.00'],
  ['+1,125', '10', '1135.00'],
])('%s of %s is %s', (typed, text, result) => {
  expect(calculate(typed, text)).toBe(result)
})

test('whole numbers stay whole', () => {
  expect(calculate('+5%', '10', 0)).toBe('11')
  expect(calculate('*1.5', '1', 0)).toBe('2')
})

test.each([
  '19.99',
  '5',
  '',
  '+',
  '*1,125',
  '/1,125',
  '+1,125%',
  '+5%%',
  '=A1',
  '1+1',
  '/0',
  '--5',
  '=10%',
  '+1e9',
])('"%s" is a value', (typed) => {
  expect(parseArithmetic(typed)).toBeUndefined()
})

test('a cell without a number is left alone', () => {
  expect(calculate('+5%', '')).toBeUndefined()
  expect(calculate('*2', 'call us')).toBeUndefined()
  expect(calculate('*2', '1,29,9')).toBeUndefined()
})
