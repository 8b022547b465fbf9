import { expect, test } from 'vitest'
import {
  cellCount,
  cellsOf,
  clampSelection,
  everything,
  isOneCell,
  moveSelection,
  rangeOf,
  selectionAt,
  tabTarget,
  wholeColumns,
  wholeRows,
} from './selection.ts'

const size = { rows: 10, columns: 4 }
const at = (row: number, column: number) => ({ row, column })

test.each([
  ['down', at(2, 1), { rows: 1, columns: 0 }, at(3, 1)],
  ['up from the top', at(0, 1), { rows: -1, columns: 0 }, at(0, 1)],
  ['a page down from near the end', at(7, 1), { rows: 8, columns: 0 }, at(9, 1)],
  ['Home', at(3, 3), { rows: 0, columns: -Infinity }, at(3, 0)],
  ['Ctrl+End', at(0, 0), { rows: Infinity, columns: Infinity }, at(9, 3)],
])('moves %s', (_name, from, step, to) => {
  expect(moveSelection(selectionAt(from), step, size, false)).toEqual(selectionAt(to))
})

test('extending keeps the active cell, and a plain step continues from it', () => {
  const extended = moveSelection(selectionAt(at(2, 1)), { rows: 3, columns: 1 }, size, true)
  expect(rangeOf(extended)).toEqual({ top: 2, bottom: 5, left: 1, right: 2 })
  const back = moveSelection(extended, { rows: -5, columns: -1 }, size, true)
  expect(rangeOf(back)).toEqual({ top: 0, bottom: 2, left: 1, right: 1 })
  expect(moveSelection(extended, { rows: 1, columns: 0 }, size, false)).toEqual(selectionAt(at(3, 1)))
})

test.each([
  ['to the right', at(0, 0), false, at(0, 1)],
  ['into the next row', at(0, 3), false, at(1, 0)],
  ['back into the row before', at(1, 0), true, at(0, 3)],
  ['out at the end', at(9, 3), false, undefined],
  ['out at the start', at(0, 0), true, undefined],
])('Tab goes %s', (_name, from, back, to) => {
  expect(tabTarget(selectionAt(from), size, back)).toEqual(to)
})

test('selects whole rows, columns, and everything', () => {
  const range = { anchor: at(4, 2), head: at(3, 1) }
  expect(rangeOf(wholeRows(range, size))).toEqual({ top: 3, bottom: 4, left: 0, right: 3 })
  expect(rangeOf(wholeColumns(range, size))).toEqual({ top: 0, bottom: 9, left: 1, right: 2 })
  expect(cellCount(rangeOf(everything(size)))).toBe(40)
})

test('a selection is clamped when rows are removed', () => {
  expect(clampSelection({ anchor: at(8, 3), head: at(9, 3) }, { rows: 5, columns: 2 })).toEqual(
    selectionAt(at(4, 1)),
  )
})

test('cells of a range are listed row by row', () => {
  const range = { top: 1, bottom: 2, left: 0, right: 1 }
  expect([...cellsOf(range)]).toEqual([at(1, 0), at(1, 1), at(2, 0), at(2, 1)])
  expect(isOneCell(range)).toBe(false)
})
