import { expect, test } from 'vitest'
import { type MadeCell, makeWorkbook } from '#tests/support/make-workbook.ts'
import { newSheetTrace, readingOf, sampleSheets, sheetNotes, stockRows } from './stock-sheets.ts'
import { openWorkbook } from './workbook.ts'

const columns = ['Year', 'Model', 'Part', 'Price']
const sheet = (name: string, header: string[] = columns) => ({
  name,
  rows: [header, ...[1, 2, 3].map((at): MadeCell[] => header.map((column) => `${name} ${column} ${at}`))],
})

async function read(sheets: Parameters<typeof makeWorkbook>[0]['sheets'], overrides = {}) {
  const workbook = await openWorkbook(await makeWorkbook({ sheets }))
  const { sample, settings } = await sampleSheets(workbook, overrides)
  const { reading } = readingOf(sample, settings)
  const trace = newSheetTrace()
  const rows: string[][] = []
  for await (const batch of stockRows(workbook, reading, trace)) rows.push(...batch)
  return { reading, rows, notes: sheetNotes(workbook, reading, trace) }
}
const readSheets = async (names: string[]) => {
  const { reading } = await read(names.map((name) => sheet(name)))
  return reading.sheets ?? [reading.sheet]
}

test.each([
  [
    ['Ford', 'Mazda', 'Sold'],
    ['Ford', 'Mazda'],
  ],
  [
    ['Ford', 'Mazda', 'Crushed cars', 'Ford (2)', 'Copy of Mazda', 'old'],
    ['Ford', 'Mazda'],
  ],
  [
    ['Cars', 'Trucks'],
    ['Cars', 'Trucks'],
  ],
  [
    ['Tahoe 07-14', 'Tahoe 15-20'],
    ['Tahoe 07-14', 'Tahoe 15-20'],
  ],
  // Lists of several days are the same parts again.
  [['11-13', '11-20'], ['11-13']],
  [['Stock 2026-11-13', 'Stock 2026-11-20'], ['Stock 2026-11-13']],
  [['Sold', 'Scrap'], ['Sold']],
])('of the sheets %j are read %j', async (names, expected) => {
  expect(await readSheets(names)).toEqual(expected)
})

test('the names of sheets become the make, or a column of their own if they are none', async () => {
  const makes = await read([sheet('Ford parts'), sheet('Mazda')])
  expect(makes.rows[0]).toEqual([...columns, 'Make'])
  expect(makes.rows.at(1)?.at(-1)).toBe('Ford')
  expect(makes.rows.at(-1)?.at(-1)).toBe('Mazda')
  const kinds = await read([sheet('Row A'), sheet('Row B')])
  expect(kinds.rows[0]).toEqual([...columns, 'Sheet'])
  const named = await read([sheet('Ford', [...columns, 'Make']), sheet('Mazda', [...columns, 'Make'])])
  expect(named.rows[0]).toEqual([...columns, 'Make'])
  expect(named.rows.at(-1)?.at(-1)).toBe('Mazda Make 3')
})

test('a sheet with another order of columns is read into those of the first', async () => {
  const { rows, notes } = await read([sheet('Ford'), sheet('Mazda', [...columns].reverse())])
  expect(rows.at(-1)).toEqual(['Mazda Year 3', 'Mazda Model 3', 'Mazda Part 3', 'Mazda Price 3', 'Mazda'])
  expect(notes).toEqual([
    '2 sheets have the same columns and are read as one list: “Ford” from row 1, “Mazda” from row 5.',
  ])
})

test('sheets with other columns are not read with the first', async () => {
  const { reading, notes } = await read([sheet('Ford'), sheet('Wheels', [...columns, 'Bolts'])])
  expect([reading.sheet, reading.sheets]).toEqual(['Ford', undefined])
  expect(notes).toEqual(['The workbook has 2 sheets; “Ford” is read.'])
})
