import { expect, test } from 'vitest'
import { Grid } from './grid.ts'
import {
  clearCells,
  commitText,
  copyCells,
  fillDown,
  fillTo,
  findNext,
  nextError,
  pasteText,
  redo,
  replaceAll,
  undo,
} from './grid-edits.ts'
import { Sheet } from './sheet.ts'
import { type ServerRow, toSheetRow } from './sheet-row.ts'

const check = ({ price = '' }: Readonly<Record<string, string>>): Record<string, string> =>
  price === '' || /^\d+(\.\d+)?$/.test(price) ? {} : { price: 'Digits only' }
const columns = [
  { key: 'name', label: 'Name', width: 100, field: 'name' },
  { key: 'price', label: 'Price', width: 80, field: 'price', editable: true, decimals: 2 },
  { key: 'dealer', label: 'Dealer', width: 80, field: 'dealer', editable: true },
  { key: 'errors', label: 'Errors', width: 80 },
]
const row = (place: number, version = 1): ServerRow => ({
  id: `r${place}`,
  version,
  values: { name: `Part ${place}`, price: `${place}0.00`, dealer: 'Yard' },
})

function gridOf(count = 4): Grid {
  const sheet = new Sheet({ check, normalise: (_field, text) => text.trim() })
  sheet.load(
    Array.from({ length: count }, (_, place) => row(place)),
    'replace',
  )
  return new Grid(sheet, columns)
}
type Corner = [row: number, column: number]
const select = (grid: Grid, from: Corner, to = from) =>
  grid.select({ anchor: { row: from[0], column: from[1] }, head: { row: to[0], column: to[1] } })
const column = (grid: Grid, place: number) =>
  Array.from({ length: grid.size().rows }, (_, index) => grid.textAt(index, place))

test('a pasted block is validated, skips what cannot be changed and is one undo', () => {
  const grid = gridOf()
  select(grid, [1, 0])
  pasteText(grid, 'New name\t55\tSalvage\r\nOther\tbad\tSalvage\r\n')
  expect(column(grid, 0)).toEqual(['Part 0', 'Part 1', 'Part 2', 'Part 3'])
  expect(column(grid, 1)).toEqual(['00.00', '55', 'bad', '30.00'])
  expect(grid.problemAt({ row: 2, column: 1 })).toBe('Digits only')
  expect(grid.state().announcement.text).toBe(
    'Paste: 4 cells changed, 1 cell with an error, 2 cells read-only',
  )
  expect(grid.sheet.view()).toMatchObject({ changed: 2, wrong: 1 })
  undo(grid)
  expect(grid.sheet.view()).toMatchObject({ changed: 0, wrong: 0, canUndo: false, canRedo: true })
  redo(grid)
  expect(grid.sheet.view()).toMatchObject({ changed: 2, wrong: 1 })
})

test('a block that is too long reports what did not fit', () => {
  const grid = gridOf()
  select(grid, [3, 1])
  expect(pasteText(grid, '1\n2\n3')).toContain('2 rows')
})

test('a copied block is text for a spreadsheet', () => {
  const grid = gridOf()
  select(grid, [0, 1], [1, 2])
  expect(copyCells(grid)).toBe('00.00\tYard\r\n10.00\tYard')
})

test('arithmetic typed into a number applies to the whole selection', () => {
  const grid = gridOf()
  select(grid, [1, 1], [3, 2])
  grid.startEditing('+')
  commitText(grid, '+5%')
  expect(column(grid, 1)).toEqual(['00.00', '10.50', '21.00', '31.50'])
  expect(column(grid, 2)).toEqual(['Yard', 'Yard', 'Yard', 'Yard'])
})

test('a value goes to the active cell, and with Ctrl to every selected one', () => {
  const grid = gridOf()
  select(grid, [0, 2], [2, 2])
  grid.startEditing('A')
  commitText(grid, 'A')
  expect(column(grid, 2)).toEqual(['A', 'Yard', 'Yard', 'Yard'])
  grid.startEditing('B')
  commitText(grid, 'B', true)
  expect(column(grid, 2)).toEqual(['B', 'B', 'B', 'Yard'])
})

test('fills down, drags the handle and clears', () => {
  const grid = gridOf()
  select(grid, [1, 1], [2, 1])
  fillDown(grid)
  expect(column(grid, 1)).toEqual(['00.00', '10.00', '10.00', '30.00'])
  select(grid, [0, 1])
  fillTo(grid, 3)
  expect(column(grid, 1)).toEqual(['00.00', '00.00', '00.00', '00.00'])
  expect(grid.range()).toEqual({ top: 0, bottom: 3, left: 1, right: 1 })
  clearCells(grid)
  expect(column(grid, 1)).toEqual(['', '', '', ''])
})

test('find wraps around, and replace works in the selection or everywhere', () => {
  const grid = gridOf()
  const search = { find: 'yard', matchCase: false, wholeCell: false }
  select(grid, [3, 2])
  findNext(grid, search)
  expect(grid.state().selection.anchor).toEqual({ row: 0, column: 2 })
  select(grid, [0, 2], [1, 2])
  expect(replaceAll(grid, search, 'Salvage')).toBe(2)
  select(grid, [0, 0])
  expect(replaceAll(grid, search, 'X')).toBe(2)
  expect(column(grid, 2)).toEqual(['Salvage', 'Salvage', 'X', 'X'])
})

test('goes to the next error, of a cell or of a row as a whole', () => {
  const grid = gridOf()
  expect(nextError(grid, 'errors')).toBe(false)
  grid.sheet.edit('Typing', [
    { id: 'r2', field: 'price', text: 'bad' },
    { id: 'r3', field: 'dealer', text: 'Other' },
  ])
  grid.sheet.settle([{ id: 'r3', kind: 'refused', errors: ['This listing was deleted'], fields: {} }])
  nextError(grid, 'errors')
  expect(grid.state().selection.anchor).toEqual({ row: 2, column: 1 })
  nextError(grid, 'errors')
  expect(grid.state().selection.anchor).toEqual({ row: 3, column: 3 })
  nextError(grid, 'errors', true)
  expect(grid.state().selection.anchor).toEqual({ row: 2, column: 1 })
})

test('replacing rows keeps unsaved ones on top; appending adds no row twice', () => {
  const { sheet } = gridOf(3)
  sheet.edit('Typing', [{ id: 'r2', field: 'price', text: '5' }])
  sheet.load([row(7), row(8)], 'replace')
  expect(sheet.view().ids).toEqual(['r2', 'r7', 'r8'])
  sheet.load([row(8), row(9)], 'append')
  expect(sheet.view().ids).toEqual(['r2', 'r7', 'r8', 'r9'])
  sheet.load([row(1), { ...row(2, 2), values: { ...row(2).values, dealer: 'Salvage' } }], 'replace')
  expect(sheet.view().ids).toEqual(['r2', 'r1'])
  expect(sheet.row('r2')).toMatchObject({ version: 2, pending: { price: { mine: '5' } } })
})

test('a list requested before a save does not undo it', () => {
  const { sheet } = gridOf(2)
  sheet.edit('Typing', [{ id: 'r1', field: 'price', text: '5' }])
  const saved = { ...row(1, 2), values: { ...row(1).values, price: '5' } }
  sheet.settle([{ id: 'r1', kind: 'saved', sent: { price: '5' }, current: saved }])
  const settled = sheet.row('r1')
  sheet.load([row(0), row(1)], 'replace')
  expect(sheet.row('r1')).toBe(settled)
  expect(settled).toMatchObject({ version: 2, values: { price: '5' } })
  sheet.load([{ ...row(1, 3), values: { ...row(1).values, price: '6' } }], 'append')
  expect(sheet.row('r1')).toMatchObject({ version: 3, values: { price: '6' } })
})

test('rows of an earlier visit come back on top and are merged with newer data', () => {
  const { sheet } = gridOf(2)
  sheet.edit('Typing', [{ id: 'r1', field: 'price', text: '5' }])
  const kept = sheet.changedRows()
  const later = gridOf(0).sheet
  later.restore(kept)
  later.load([row(0), { ...row(1, 4), values: { ...row(1).values, price: '77' } }], 'replace')
  expect(later.view()).toMatchObject({ ids: ['r1', 'r0'], changed: 1, conflicts: 1 })
})

test('filters show rows with errors or changes, and keep a row while it is fixed', () => {
  const grid = gridOf()
  const { sheet } = grid
  sheet.edit('Typing', [
    { id: 'r1', field: 'price', text: 'bad' },
    { id: 'r2', field: 'price', text: '5' },
  ])
  sheet.show('wrong')
  expect(sheet.view().ids).toEqual(['r1'])
  sheet.edit('Typing', [{ id: 'r1', field: 'price', text: '6' }])
  expect(sheet.view().ids).toEqual(['r1'])
  sheet.show('changed')
  expect(sheet.view().ids).toEqual(['r1', 'r2'])
})

test('editing one cell makes one new row and one new set of marks', () => {
  const grid = gridOf()
  const before = ['r0', 'r1', 'r2'].map(grid.sheet.row)
  grid.sheet.edit('Typing', [{ id: 'r1', field: 'price', text: '6' }])
  expect(['r0', 'r1', 'r2'].map((id, place) => grid.sheet.row(id) === before[place])).toEqual([
    true,
    false,
    true,
  ])
  const marks = [0, 1, 2].map(grid.marks)
  grid.selectCell({ row: 1, column: 1 })
  expect([0, 1, 2].map((place) => grid.marks(place) === marks[place])).toEqual([false, false, true])
})

test('an edited cell stays with its row when others are loaded', () => {
  const grid = gridOf()
  select(grid, [2, 2])
  grid.startEditing('Half a wo')
  grid.sheet.load([row(7), row(8)], 'replace')
  expect(grid.sheet.view().ids).toEqual(['r2', 'r7', 'r8'])
  expect(grid.state().editing).toMatchObject({ row: 0, column: 2, id: 'r2' })
  commitText(grid, 'Half a word')
  expect(grid.textAt(0, 2)).toBe('Half a word')
  expect(grid.textAt(2, 2)).toBe('Yard')
})

test('an error of an unchanged cell is counted and found; a recheck notifies the followers', () => {
  const wrong = new Set(['r1'])
  const sheet = new Sheet({
    check: (_changed, { id }): Record<string, string> => (wrong.has(id) ? { price: 'Too dear' } : {}),
    normalise: (_field, text) => text,
  })
  sheet.restore([row(0), row(1)].map(toSheetRow))
  const grid = new Grid(sheet, columns)
  expect(sheet.view()).toMatchObject({ ids: ['r0', 'r1'], wrong: 1, changed: 0 })
  nextError(grid, 'errors')
  expect(grid.state().selection.anchor).toEqual({ row: 1, column: 1 })
  const notified: string[] = []
  sheet.follow((ids) => notified.push(...ids))
  wrong.clear()
  sheet.recheck(['r1', 'gone'])
  expect(sheet.view().wrong).toBe(0)
  expect(notified).toEqual(['r1', 'gone'])
})

test('rows are sorted by a column until it is clicked a third time; an edited row keeps its place', () => {
  const grid = gridOf()
  const price = columns[1] as (typeof columns)[number]
  grid.sortBy(price)
  grid.sortBy(price)
  expect(grid.sheet.view().ids).toEqual(['r3', 'r2', 'r1', 'r0'])
  expect(grid.state().announcement.text).toBe('Sorted by Price, high to low')
  select(grid, [0, 1])
  pasteText(grid, '1.00')
  expect(grid.sheet.changedRows().map(({ id }) => id)).toEqual(['r3'])
  expect(grid.sheet.view().ids).toEqual(['r3', 'r2', 'r1', 'r0'])
  grid.sheet.load([row(9)], 'append')
  expect(grid.sheet.view().ids).toEqual(['r9', 'r2', 'r1', 'r3', 'r0'])
  grid.sortBy(price)
  expect(grid.sheet.view().ids).toEqual(['r0', 'r1', 'r2', 'r3', 'r9'])
})
