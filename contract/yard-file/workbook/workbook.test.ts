import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type MadeCell, type MadeWorkbook, makeWorkbook, zipOf } from '#tests/support/make-workbook.ts'
import { openWorkbook } from './workbook.ts'
import { WorkbookProblem } from './workbook-zip.ts'

const rowsOf = async (workbook: MadeWorkbook, sheet?: string) => readRows(await makeWorkbook(workbook), sheet)

async function readRows(blob: Blob, sheet?: string): Promise<string[][]> {
  const opened = await openWorkbook(blob)
  const rows: string[][] = []
  for await (const batch of opened.rows(sheet)) rows.push(...batch)
  return rows
}
const cellsOf = async (...cells: MadeCell[]) =>
  (await rowsOf({ sheets: [{ name: 'Parts', rows: [cells] }] }))[0]
const problemOf = async (read: Promise<unknown>) => {
  const problem = await read.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(problem).toBeInstanceOf(WorkbookProblem)
  return problem as WorkbookProblem
}

test('rows are numbered as in Excel: gaps are blank rows, holes are blank cells, trailing blanks are dropped', async () => {
  const rows = await rowsOf({
    sheets: [
      {
        name: 'Parts',
        rows: [['Stock', null, 'Price'], undefined, [], [null, 'B4', null, ''], undefined, [1, 2, 3], []],
      },
    ],
  })
  expect(rows).toEqual([['Stock', '', 'Price'], [], [], ['', 'B4'], [], ['1', '2', '3']])
})

describe('cells read as Excel shows them', () => {
  test.each<[string, MadeCell, string]>([
    ['text', ' O’Brien & Söhne <Ltd> ', ' O’Brien & Söhne <Ltd> '],
    ['rich text', { runs: ['Head', 'light ', 'L'] }, 'Headlight L'],
    ['inline text', { inline: 'a < b' }, 'a < b'],
    ['escaped characters', 'one_x000D_\ntwo _x005F_x000D_', 'one\r\ntwo _x000D_'],
    ['true', true, 'TRUE'],
    ['false', false, 'FALSE'],
    ['an error', { error: '#N/A' }, ''],
    ['a sum', 0.1 + 0.2, '0.3'],
    ['a price', 1299.5, '1299.5'],
    ['a large part number', 123456789012, '123456789012'],
    ['a part number that is a power of ten', 1e20, '100000000000000000000'],
    ['a small number', 1.5e-7, '0.00000015'],
    ['a negative number', -12.25, '-12.25'],
    ['a formula’s value', { formula: 'A1+1', value: 7.000000000000001 }, '7'],
    ['a formula’s text', { formula: 'A1&"x"', value: 'F-150' }, 'F-150'],
    ['a formula that was never computed', { formula: 'A1' }, ''],
    ['a date', { value: 46346, format: 'm/d/yyyy' }, '2026-11-20'],
    ['a moment', { value: 46346.604166666664, format: 'yyyy-mm-dd hh:mm' }, '2026-11-20 14:30:00'],
    ['a time', { value: 0.604166666666667, format: 'h:mm AM/PM' }, '14:30:00'],
    ['a date before the leap day that never existed', { value: 59, format: 'd.m.yy' }, '1900-02-28'],
    ['a date that shows its year', { value: 41000, format: 'yyyy' }, '2012'],
    ['a German date', { value: 46346, format: '[$-407]d. mmmm yyyy;@' }, '2026-11-20'],
    ['a zip code', { value: 2134, format: '00000' }, '02134'],
    ['a nine-digit zip code', { value: 21341234, format: '00000-0000' }, '02134-1234'],
    ['a part number with a prefix', { value: 42, format: '"AB-"0000' }, 'AB-0042'],
    ['a part number longer than its format', { value: 123456, format: '0000' }, '123456'],
    ['a telephone', { value: 3125550100, format: '[<=9999999]###-####;(###) ###-####' }, '(312) 555-0100'],
    ['a price with a currency sign', { value: 1299, format: '"$"#,##0.00' }, '1299'],
    ['red money', { value: 85.5, format: '[Red]#,##0.00\\ [$€-407]' }, '85.50 €'],
    ['euros', { value: 1299.5, format: '[$€-2] #,##0.00' }, '€ 1299.50'],
    ['dollars of Canada', { value: 150, format: '[$$-1009]#,##0.00' }, 'CAD 150.00'],
    ['dollars of the US', { value: 150, format: '[$$-409]#,##0.00' }, '150'],
    ['a percentage', { value: 0.15, format: '0%' }, '15%'],
    ['a percentage with decimals', { value: 0.175, format: '0.0%' }, '17.5%'],
    ['pesos', { value: 1850, format: '"MXN" #,##0' }, 'MXN 1850'],
    ['accounting dollars', { value: 9.5, format: '_("$"* #,##0.00_);_("$"* \\(#,##0.00\\)' }, '9.5'],
    ['kilometers', { value: 160000, format: '#,##0" km"' }, '160000 km'],
    ['Mexican dollars', { value: 85, format: '_-[$$-80A]* #,##0.00_-' }, 'MXN 85.00'],
    ['dollars by their code', { value: 85, format: '[$USD] #,##0.00' }, '85'],
    ['quetzals', { value: 450, format: '[$Q-100A]#,##0.00' }, 'Q 450.00'],
    ['ringgits', { value: 85, format: '"RM"#,##0.00' }, 'RM 85.00'],
    ['soles', { value: 120, format: '"S/" #,##0.00' }, 'S/ 120.00'],
    ['colones', { value: 45000, format: '[$₡-140A]#,##0' }, '₡ 45000'],
    ['rand', { value: 850, format: '"R" #,##0.00' }, 'R 850.00'],
    ['a currency that nobody knows', { value: 9, format: '[$Zz-999]#,##0' }, 'Zz 9'],
    ['a part number that begins with a letter', { value: 42, format: '"R"0000' }, 'R0042'],
    ['each', { value: 42, format: '#,##0.00" ea"' }, '42'],
    ['miles', { value: 150000, format: '#,##0" mi"' }, '150000'],
    ['not a date', { value: -5, format: 'm/d/yyyy' }, '-5'],
    ['text with a date style', 'soon', 'soon'],
  ])('%s', async (_, cell, shown) => {
    expect(await cellsOf(cell, 'end')).toEqual([shown, 'end'])
  })
})

test('dates of a workbook from a Mac are counted from 1904', async () => {
  const rows = [[{ value: 44884, format: 'm/d/yyyy' }]]
  expect(await rowsOf({ sheets: [{ name: 'Parts', rows }], date1904: true })).toEqual([['2026-11-20']])
})

test('cells and rows without a reference follow each other; prefixes and ISO dates are read', async () => {
  const xml = `<x:worksheet xmlns:x="urn:x"><x:dimension ref="A1"/><x:sheetData><x:row><x:c t="str"><x:v>a</x:v></x:c><x:c t="d"><x:v>2026-11-20T00:00:00Z</x:v></x:c></x:row><x:row r="3"><x:c r="C3"><x:v>3</x:v></x:c></x:row></x:sheetData><x:row/></x:worksheet>`
  expect(await rowsOf({ sheets: [{ name: 'Parts', xml }] })).toEqual([['a', '2026-11-20'], [], ['', '', '3']])
})

test('sheets keep their names, hidden ones come last, and each is read by name', async () => {
  const sheets = [
    { name: 'Notes', hidden: true, rows: [['n']] },
    { name: 'Parts & more', rows: [['p']] },
    { name: 'Sold', rows: [['s']] },
  ]
  const opened = await openWorkbook(await makeWorkbook({ sheets }))
  expect(opened.sheets).toEqual(['Parts & more', 'Sold', 'Notes'])
  expect(await rowsOf({ sheets })).toEqual([['p']])
  expect(await rowsOf({ sheets }, 'Notes')).toEqual([['n']])
  const problem = await problemOf(rowsOf({ sheets }, 'Stock'))
  expect(problem.message).toBe('The workbook has no sheet “Stock”. It has “Parts & more”, “Sold”, “Notes”.')
})

test('a workbook without styles or shared strings is read', async () => {
  const parts = { 'xl/styles.xml': undefined, 'xl/sharedStrings.xml': undefined }
  const sheets = [{ name: 'Parts', rows: [[{ inline: 'a' }, 5]] }]
  expect(await rowsOf({ sheets, parts })).toEqual([['a', '5']])
})

test('rows come in batches, and stopping early leaks nothing', async () => {
  const rows = Array.from({ length: 1_000 }, (_, at) => [`part ${at}`, at])
  const opened = await openWorkbook(await makeWorkbook({ sheets: [{ name: 'Parts', rows }] }))
  for await (const batch of opened.rows()) {
    expect(batch).toHaveLength(200)
    break
  }
})

/** Text that hardly compresses. */
const noise = (length: number) => randomBytes((length * 3) / 4).toString('base64')

describe('unreadable workbooks are refused with a sentence', () => {
  const rows = (xml: string): MadeWorkbook => ({
    sheets: [{ name: 'Parts', xml: `<worksheet><sheetData>${xml}</sheetData></worksheet>` }],
  })
  test.each<[string, MadeWorkbook, RegExp, string]>([
    [
      '1,001 columns',
      rows('<row r="2"><c r="ALM2"><v>1</v></c></row>'),
      /Row 2 .*beyond column 1,000/,
      'TOO_LARGE',
    ],
    ['rows out of order', rows('<row r="2"/><row r="2"/>'), /row 2 is followed by/, 'VALIDATION_FAILED'],
    [
      'a missing shared text',
      rows('<row><c t="s"><v>9</v></c></row>'),
      /a text that is missing/,
      'VALIDATION_FAILED',
    ],
    ['broken XML', rows('<row><c>'), /is cut off/, 'VALIDATION_FAILED'],
    ['unclosed elements', rows('<a>'.repeat(300)), /too deep/, 'VALIDATION_FAILED'],
    ['a text that never ends', rows(`<row x="${noise(9_000_000)}"/>`), /no end/, 'VALIDATION_FAILED'],
    [
      'a billion laughs',
      { sheets: [{ name: 'P', xml: '<!DOCTYPE x [<!ENTITY a "&b;&b;">]><worksheet>&a;</worksheet>' }] },
      /document type/,
      'VALIDATION_FAILED',
    ],
    ['a custom entity', rows('<row><c t="str"><v>&laugh;</v></c></row>'), /not XML/, 'VALIDATION_FAILED'],
    ['a password', { sheets: [{ name: 'P', rows: [['a']] }], password: 'secret' }, /password/, 'WRONG_TYPE'],
    [
      'a bomb',
      rows(`<row><c t="str"><v>${'0'.repeat(12_000_000)}</v></c></row>`),
      /unpacks to more/,
      'TOO_LARGE',
    ],
    ['no sheets', { sheets: [] }, /no sheet with rows/, 'WRONG_TYPE'],
    [
      'a binary workbook',
      {
        sheets: [],
        parts: {
          '_rels/.rels':
            '<Relationships><Relationship Id="a" Type="x/officeDocument" Target="xl/workbook.bin"/></Relationships>',
        },
      },
      /\.xlsb/,
      'WRONG_TYPE',
    ],
  ])('%s', async (_, workbook, sentence, code) => {
    const problem = await problemOf(rowsOf(workbook))
    expect(problem.message).toMatch(sentence)
    expect(problem.code).toBe(code)
  })

  test('a ZIP file that is not a workbook', async () => {
    const problem = await problemOf(openWorkbook(await zipOf({ 'parts.csv': 'a,b' })))
    expect(problem.message).toMatch(/ZIP archive, not a workbook/)
  })

  test('a truncated workbook', async () => {
    const blob = await makeWorkbook({ sheets: [{ name: 'Parts', rows: [['a']] }] })
    expect((await problemOf(openWorkbook(blob.slice(0, blob.size - 40)))).message).toMatch(/damaged/)
  })

  test('a workbook with changed bytes', async () => {
    const bytes = new Uint8Array(
      await (await makeWorkbook({ sheets: [{ name: 'P', rows: [['a'.repeat(9_999)]] }] })).arrayBuffer(),
    )
    const at = bytes.findIndex((byte, place) => byte === 0x50 && bytes[place + 3] === 4 && place > 900)
    bytes.fill(0x55, at + 60, at + 90)
    await problemOf(readRows(new Blob([bytes])))
  })

  // Takes seconds on a busy machine.
  test('more than 200,000 rows', async () => {
    const made = rows(Array.from({ length: 200_002 }, () => '<row><c><v>1</v></c></row>').join(''))
    expect((await problemOf(rowsOf(made))).message).toMatch(/200,000 rows/)
  }, 30_000)
})
