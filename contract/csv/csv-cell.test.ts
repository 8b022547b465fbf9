import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { csvCell, csvLine, escapeFormula, plainCell, withoutFormulaGuard } from './csv-cell.ts'

describe('csvCell', () => {
  test.each([
    ['Camry', 'Camry'],
    ['', ''],
    ['a,b', '"a,b"'],
    ['3" pipe', '"3"" pipe"'],
    ['two\nlines', '"two\nlines"'],
    ['=1+1', "'=1+1"],
    ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
    ['+1 555 0100', "'+1 555 0100"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['-1+1', "'-1+1"],
    ['\tx', '"\'\tx"'],
    ['\rx', '"\'\rx"'],
    ['\nx', '"\'\nx"'],
    ['\0x', "'\0x"],
    ['＝1', "'＝1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠x', "'＠x"],
    ['-5', '-5'],
    ['-5.25', '-5.25'],
    ['-1e3', '-1e3'],
    ['-', "'-"],
    ["'=1", "''=1"],
    ["'-5", "''-5"],
    ["'tis", "'tis"],
    ['a=b', 'a=b'],
    ['a;b', '"a;b"'],
    ['a;=1+1', '"a;\'=1+1"'],
    ['a; "=1+1', '"a; ""\'=1+1"'],
    ['a;-5', '"a;\'-5"'],
    ["a;'=1", '"a;\'\'=1"'],
    ['a\n- b', '"a\n\'- b"'],
    ['a\t+1', '"a\t\'+1"'],
    ['a;;=1', '"a;;\'=1"'],
    ['a,=1', '"a,=1"'],
    ['one\r\n\r\ntwo', '"one\r\n\r\ntwo"'],
  ])('%j becomes %j', (text, cell) => {
    expect(csvCell(text)).toBe(cell)
  })
})

test('a record of one empty cell is still a record', () => {
  expect(csvLine([''])).toBe('""\r\n')
  expect(csvLine(['', ''])).toBe(',\r\n')
})

const characters = '=+-@\t\r\n\0＝＋－＠\'",;0159.e a'
const text = fc.oneof(
  fc.string({ unit: fc.constantFrom(...characters), maxLength: 8 }),
  fc.string({ unit: 'binary', maxLength: 6 }),
)

test('no cell reads as a formula, and removing the guard restores the text', () => {
  fc.assert(
    fc.property(text, (value) => {
      const guarded = escapeFormula(value)
      expect(/^[=+@\t\r\n\0＝＋－＠]/.test(guarded)).toBe(false)
      if (guarded.startsWith('-')) expect(Number(guarded)).not.toBeNaN()
      expect(withoutFormulaGuard(guarded)).toBe(value)
    }),
    { numRuns: 1_000 },
  )
})

test('records survive writing, parsing, and removing the guards', () => {
  const records = fc
    .integer({ min: 1, max: 4 })
    .chain((width) =>
      fc.array(fc.array(text, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 5 }),
    )
  fc.assert(
    fc.property(records, (rows) => {
      const file = rows.map(csvLine).join('')
      const parsed = parse(file, { skip_empty_lines: true, record_delimiter: '\r\n' }) as string[][]
      expect(parsed.map((row) => row.map(withoutFormulaGuard))).toEqual(rows)
    }),
    { numRuns: 500 },
  )
})

/** The cells of a file that a spreadsheet splits at semicolons: quotation marks count where a cell begins with one. */
const splitAtSemicolons = (file: string) =>
  parse(file, {
    delimiter: ';',
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    record_delimiter: ['\r\n', '\n', '\r'],
  }) as string[][]

test('no cell reads as a formula where a spreadsheet splits at semicolons', () => {
  const attacks = [
    "5;=cmd|'/C calc'!A1",
    '5; =1+1;',
    '5;"=1+1;"',
    '5;""=1+1;""',
    'a\n=1+1;',
    'a\t=1',
    "a;'=1",
    'a;\t=1',
  ]
  for (const attack of attacks) {
    const file = csvLine(['H1', attack, 'next'])
    for (const separator of [/[;\r\n]/, /[;\t\r\n]/]) {
      // The worst reading: quotation marks are dropped wherever they are.
      const cells = file.split(separator).map((cell) => cell.replace(/^[ "]+/, ''))
      expect(
        cells.filter((cell) => /^[=+\-@＝＋－＠]/.test(cell)),
        attack,
      ).toEqual([])
    }
    expect(
      splitAtSemicolons(file.replaceAll('"', ''))
        .flat()
        .filter((cell) => /^\s*[=+\-@]/.test(cell)),
    ).toEqual([])
  }
})

test('whatever the text, no part of it between separators begins like a formula', () => {
  fc.assert(
    fc.property(text, (value) => {
      const parts = escapeFormula(value)
        .split(/[;\t\r\n]/)
        .slice(1)
        .map((part) => part.replace(/^[ "]+/, ''))
      expect(parts.filter((part) => /^[=+\-@\0＝＋－＠]/.test(part))).toEqual([])
    }),
    { numRuns: 2_000 },
  )
})

test.each([
  ['="02134"', '02134'],
  [' ="0061210-0P010" ', '0061210-0P010'],
  ["'=SUM(A1)", '=SUM(A1)'],
  ['=1+1', '=1+1'],
  [' 85.00 ', '85.00'],
])('%j means %j', (cell, meant) => {
  expect(plainCell(cell)).toBe(meant)
})
