import { expect, test } from 'vitest'
import { formatTsv, parseTsv } from './tsv.ts'

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
  ['a line break and marks in a cell', '"two\nlines and ""more"""\tb\n', [['two\nlines and "more"', 'b']]],
  ['a mark that only begins the text', '"Best" offer\tb', [['"Best" offer', 'b']]],
  ['a mark that is never closed', '"half\tb\nc', [['"half', 'b'], ['c']]],
  ['inches', '5" pipe\t"', [['5" pipe', '"']]],
  ['rows of different length', 'a\tb\nc', [['a', 'b'], ['c']]],
  ['nothing', '', [['']]],
])('reads %s', (_name, text, rows) => {
  expect(parseTsv(text)).toEqual(rows)
})

test('what was copied comes back as it was', () => {
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
