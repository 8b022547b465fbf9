import { describe, expect, test } from 'vitest'
import { RecordReader } from '#contract/yard-file/records.ts'
import { rowNumbering } from './import-file.ts'

const comma = { delimiter: ',', quote: '"' } as const

function numbered(text: string, headerRow: number, layout: 'plain' | 'ebay' = 'plain') {
  const numbering = rowNumbering({ headerRow, layout })
  const reader = new RecordReader(comma)
  const rows = [
    ...numbering.push([...reader.feed(text).take(), ...reader.end().take()]),
    ...numbering.finish(),
  ]
  return { rows: rows.map(({ row, cells }) => [row, ...cells]), skipped: numbering.skipped }
}

test('rows are numbered as Excel numbers them, whatever is above, between and inside them', () => {
  const text = 'Inventory 11/20\n\nPart,Price\nDoor,10\n\n,,\n"Lamp\nleft",20\nPart,Price\nHood,30\n'
  expect(numbered(text, 3)).toEqual({
    rows: [
      [4, 'Door', '10'],
      [7, 'Lamp\nleft', '20'],
      [9, 'Hood', '30'],
    ],
    skipped: { repeats: [8], notes: [] },
  })
})

test('a file without a header starts in row 1', () => {
  expect(numbered('Door,10\nLamp,20\n', 0).rows).toEqual([
    [1, 'Door', '10'],
    [2, 'Lamp', '20'],
  ])
})

test('cars above their parts are filled down in a file without a header, too', () => {
  const headers = ['Column 1', 'Column 2', 'Year', 'Make', 'Model', 'Trim', 'Stock number', 'Miles', 'VIN']
  const numbering = rowNumbering({ headerRow: 0, layout: 'donor lines' }, headers)
  const lines = [
    ['2012 Ford F-150 stk B12', ''],
    ['Hood', '120'],
    ['2010 Honda Civic', ''],
    ['Radio', '60'],
  ]
  expect(numbering.push(lines.map((cells) => ({ cells }))).map(({ row, cells }) => [row, ...cells])).toEqual([
    [2, 'Hood', '120', '2012', 'Ford', 'F-150', '', 'B12', '', ''],
    [4, 'Radio', '60', '2010', 'Honda', 'Civic', '', '', '', ''],
  ])
})

test('a line with an open quotation mark is a row with a problem', () => {
  const numbering = rowNumbering({ headerRow: 1, layout: 'plain' })
  const reader = new RecordReader(comma)
  const rows = numbering.push([
    ...reader.feed('Part,Price\n"Door,10\nLamp,20\n').take(),
    ...reader.end().take(),
  ])
  expect(rows.map(({ row, text, problem }) => [row, text, problem])).toEqual([
    [2, '"Door,10', 'UNCLOSED_QUOTE'],
    [3, 'Lamp,20', undefined],
  ])
})

describe('a workbook', () => {
  test('has its short rows padded, and a line of standard CSV for each', () => {
    const numbering = rowNumbering({ headerRow: 2, layout: 'plain' })
    const sheet = [
      ['Stock'],
      ['Part', 'Price', 'Note'],
      ['Door, left', '10'],
      [],
      ['Part', 'Price', 'Note'],
      ['Lamp'],
    ]
    const rows = [...numbering.push(sheet.map((cells) => ({ cells }))), ...numbering.finish()]
    expect(rows.map(({ row, text }) => [row, text])).toEqual([
      [3, '"Door, left",10,'],
      [6, 'Lamp,,'],
    ])
    expect(numbering.skipped.repeats).toEqual([5])
  })
})

test('another table below the parts is not read, nor is its title', () => {
  const numbering = rowNumbering({ headerRow: 1, layout: 'plain' })
  const text = 'Stock #,Part,Price\nA1,Door,10\n\nSold\nStock #,Part,Price,Year\nB1,Hood,20,2012\n'
  const reader = new RecordReader(comma)
  const records = [...reader.feed(text).take(), ...reader.end().take()]
  const rows = [...numbering.push(records), ...numbering.finish()]
  expect(rows.map(({ row }) => row)).toEqual([2])
  expect(numbering.skipped.notes).toEqual([expect.stringContaining('Another table begins in row 5')])
})

test('an eBay file’s rows keep their numbers when rows of fitment are folded', () => {
  const header =
    '*Action(SiteID=eBayMotors|Country=US),Custom label (SKU),Title,Relationship,Relationship details'
  const text = `Info,Version=1\n${header}\nAdd,A1,Door,,\n,,,Compatibility,Make=Ford|Model=F-150|Year=2015\nAdd,A2,Lamp,,\n`
  expect(numbered(text, 2, 'ebay').rows.map(([row, , sku, title]) => [row, sku, title])).toEqual([
    [3, 'A1', 'Door'],
    [5, 'A2', 'Lamp'],
  ])
})
