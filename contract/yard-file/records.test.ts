import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Dialect, standardDialect } from './reading.ts'
import { dialectLine, RecordReader } from './records.ts'

type Found = { text: string; cells: string[]; problem?: string | undefined }

function read(pieces: string[], dialect: Dialect = standardDialect, longest?: number): Found[] {
  const reader = new RecordReader(dialect, longest)
  const records = [...pieces.flatMap((piece) => reader.feed(piece).take()), ...reader.end().take()]
  return records.map(({ text, cells, problem }) => ({ text, cells, ...(problem && { problem }) }))
}

const cellsOf = (text: string, dialect?: Dialect) => read([text], dialect).map(({ cells }) => cells)

const cutAnyhow = (text: string, sizes: readonly number[]): string[] => {
  const pieces: string[] = []
  for (let from = 0, turn = 0; from < text.length; turn++) {
    const size = sizes[turn % sizes.length] ?? text.length
    pieces.push(text.slice(from, from + size))
    from += size
  }
  return pieces
}

test.each([
  [
    'line feeds',
    'a,b\n1,2\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'CRLF',
    'a,b\r\n1,2\r\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'CR only',
    'a,b\r1,2\r',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  ['mixed line ends', 'a\r\n1\r2\n\r3', [['a'], ['1'], ['2'], [''], ['3']]],
  [
    'no line end on the last line',
    'a,b\n1,',
    [
      ['a', 'b'],
      ['1', ''],
    ],
  ],
  ['blank lines are records', '\na\n\n\r\n', [[''], ['a'], [''], ['']]],
  ['nothing', '', []],
  ['a line break inside quotes', '"1\r\n2",3\n4', [['1\r\n2', '3'], ['4']]],
  ['doubled quotation marks', '"1""",""""\n""', [['1"', '"'], ['']]],
  ['a quotation mark inside a cell is text', '7" wheel,8"\n', [['7" wheel', '8"']]],
  ['text after a closing quotation mark is text', '"5" wheel,"a,b"c\n', [['"5" wheel', '"a,b"c']]],
  ['spaces around quotes', 'a, "b,c" ,d\n', [['a', 'b,c', 'd']]],
  ['spaces before text that contains quotes', 'a, "b" c,d\n', [['a', ' "b" c', 'd']]],
])('%s', (_, text, expected) => {
  expect(cellsOf(text)).toEqual(expected)
})

test.each<[string, Dialect, string, string[][]]>([
  [
    'semicolons',
    { delimiter: ';', quote: '"' },
    'a;"b;""c"\n1,5;2\n',
    [
      ['a', 'b;"c'],
      ['1,5', '2'],
    ],
  ],
  ['tabs', { delimiter: '\t', quote: '"' }, 'a\t b\t\n', [['a', ' b', '']]],
  ['single quotes', { delimiter: ',', quote: "'" }, "'a,b','it''s',\"c\n", [['a,b', "it's", '"c']]],
  ['no quotes', { delimiter: '|', quote: '' }, '"a|5" b"|\'c\n', [['"a', '5" b"', "'c"]]],
  ['spaces', { delimiter: ' ', quote: '"' }, 'a "b c" d\n', [['a', 'b c', 'd']]],
  ['a control character', { delimiter: '\x1f', quote: '"' }, 'a\x1fb,c\n', [['a', 'b,c']]],
])('other dialects: %s', (_, dialect, text, expected) => {
  expect(cellsOf(text, dialect)).toEqual(expected)
})

describe('an unclosed quotation mark spoils only its own line', () => {
  test.each([
    [
      'open to the end of the file',
      'a,b\n1,"2,3\n4,5\n',
      [
        { text: 'a,b', cells: ['a', 'b'] },
        { text: '1,"2,3', cells: ['1', '"2', '3'], problem: 'UNCLOSED_QUOTE' },
        { text: '4,5', cells: ['4', '5'] },
      ],
    ],
    [
      'closed inside text of a later line',
      'a,b\n"5 lug,1\nx,2\n5" wheel,3\n"y",4\n',
      [
        { text: 'a,b', cells: ['a', 'b'] },
        { text: '"5 lug,1', cells: ['"5 lug', '1'], problem: 'UNCLOSED_QUOTE' },
        { text: 'x,2', cells: ['x', '2'] },
        { text: '5" wheel,3', cells: ['5" wheel', '3'] },
        { text: '"y",4', cells: ['y', '4'] },
      ],
    ],
    [
      'after a cell of several lines',
      '"a\nb","c\nd\n',
      [
        { text: '"a\nb","c', cells: ['a\nb', '"c'], problem: 'UNCLOSED_QUOTE' },
        { text: 'd', cells: ['d'] },
      ],
    ],
  ])('%s', (_, text, expected) => {
    expect(read([text])).toEqual(expected)
    expect(read([...text])).toEqual(expected)
  })

  test.each([
    ['within the limit', '"123\n567",9\nx', [['123\n567', '9'], ['x']], []],
    ['beyond the limit', '"123\n56789012",\nx', [['"123'], ['56789012"', ''], ['x']], ['UNCLOSED_QUOTE']],
    ['a long line', '1234567890123\nx', [['123456789012'], ['x']], ['RECORD_TOO_LONG']],
    [
      'a long line with an open quotation mark',
      '"234567890123\nx',
      [['"23456789012'], ['x']],
      ['RECORD_TOO_LONG'],
    ],
    ['a long line after a quoted cell', '"2",4567890123\nx', [['"2",45678901'], ['x']], ['RECORD_TOO_LONG']],
  ])('%s', (_, text, cells, problems) => {
    const found = read([text], standardDialect, 12)
    expect(found.map((record) => record.cells)).toEqual(cells)
    expect(found.flatMap(({ problem }) => problem ?? [])).toEqual(problems)
    expect(read([...text], standardDialect, 12)).toEqual(found)
  })
})

/** Characters scanned, per character of text. */
function scannedShare(text: string, longest?: number): number {
  const { indexOf } = String.prototype
  let scanned = 0
  String.prototype.indexOf = function (sign, from = 0) {
    const at = indexOf.call(this, sign, from)
    scanned += at === -1 ? Math.max(0, this.length - from) : at - from + 1
    return at
  }
  try {
    read(cutAnyhow(text, [16_384]), standardDialect, longest)
  } finally {
    String.prototype.indexOf = indexOf
  }
  return scanned / text.length
}

describe('the file is read once, however many quotation marks never close', { timeout: 60_000 }, () => {
  // Both kinds of line end, quotation marks, and delimiters are each searched for, and an open quotation mark looks ahead.
  const MOST = 8
  test.each([
    ['at the start of every line', '"5 lug wheel,12\n'],
    ['in the middle of every line', 'Wheel,"5 lug,12\n'],
    ['closed inside text of the next line', '"5 lug wheel,12\n17" rim,13\n'],
    ['after a closed cell', '"a\nb","5 lug\n'],
  ])('50,000 of them %s', (_, line) => {
    const [some, many] = [2_000, 50_000].map((count) => scannedShare(line.repeat(count)))
    expect(some).toBeLessThan(MOST)
    expect(many).toBeLessThan(MOST)
  })

  test('in any pattern of them', () => {
    const line = fc.string({ unit: fc.constantFrom('a', ' ', ',', '"', '"', '\n'), maxLength: 12 })
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 9 }),
        (lines, longest) => {
          const pattern = `${lines.join('\n')}\n`
          const text = pattern.repeat(Math.ceil(10_000 / pattern.length))
          expect(scannedShare(text, longest)).toBeLessThan(MOST)
        },
      ),
      { numRuns: 100 },
    )
  })
})

const characters = fc.string({
  unit: fc.constantFrom('a', 'b', '5', ' ', ',', '"', '"', '\n', '\r', 'é', '🚗'),
  maxLength: 60,
})
const dialects = fc.record({
  delimiter: fc.constantFrom(',', ';', '\t', '|', ' ', '\x1f'),
  quote: fc.constantFrom('"' as const, "'" as const, '' as const),
})

test('any text gives the same records however it is split, within any limit', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(characters, sizes, fc.integer({ min: 4, max: 70 }), (text, cuts, longest) => {
      const whole = read([text], standardDialect, longest)
      expect(read(cutAnyhow(text, cuts), standardDialect, longest)).toEqual(whole)
      const reader = new RecordReader(standardDialect, longest)
      for (const piece of cutAnyhow(text, cuts)) reader.feed(piece)
      reader.end()
      const few: unknown[] = []
      for (let next = reader.take(2); next.length > 0; next = reader.take(2))
        few.push(...next.map(({ text }) => text))
      expect(few).toEqual(whole.map(({ text }) => text))
    }),
    { numRuns: 500 },
  )
})

test('any text without an unclosed quotation mark reads as csv-parse reads it', () => {
  let compared = 0
  fc.assert(
    fc.property(characters, (text) => {
      const ours = read([text])
      // csv-parse does not allow spaces around quotes and continues the cell when a quotation mark does not close.
      if (ours.some(({ problem }) => problem) || /(^|[,\r\n]) +"|" +([,\r\n]|$)/.test(text)) return
      const theirs = parse(text, {
        relax_quotes: true,
        relax_column_count: true,
        record_delimiter: ['\r\n', '\n', '\r'],
      })
      expect(ours.map(({ cells }) => cells)).toEqual(theirs)
      compared += 1
    }),
    { numRuns: 1_000 },
  )
  expect(compared).toBeGreaterThan(200)
})

test('records written in any dialect read back unchanged, and their texts add up to the file', () => {
  const row = fc.array(characters, { minLength: 1, maxLength: 4 })
  const lineEnd = fc.constantFrom('\n', '\r\n', '\r')
  fc.assert(
    fc.property(fc.array(row, { maxLength: 6 }), dialects, lineEnd, (rows, dialect, end) => {
      const lines = rows.map((cells) => dialectLine(cells, dialect))
      const found = read([lines.map((line) => line + end).join('')], dialect)
      expect(found.map(({ text }) => text)).toEqual(lines)
      if (dialect.quote !== '') expect(found.map(({ cells }) => cells)).toEqual(rows)
    }),
    { numRuns: 500 },
  )
})
