import { expect, test } from 'vitest'
import type { RowIssue } from '#contract/imports.ts'
import { redo, undo } from '#web/components/data-grid/grid-edits.ts'
import { noEdits } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/row-edits.ts'
import {
  cellField,
  FixingSheet,
  fitted,
  joinedWithNext,
  withCellInserted,
  withCellRemoved,
} from './fixing-sheet.ts'

const headers = ['Part', 'Year', 'Cost']
const issue = (row: number, column: string, code: string): RowIssue => ({
  row,
  column,
  code,
  value: '',
  message: `${column || 'Row'} ${code}`,
})

const price = ['Door', '2012', '12,50']
const short = ['Hood', '2013']
const long = ['Door', 'left', '2012', '85']

function sheetOf(edits = noEdits) {
  const rowOf = (row: number, cells: string[], column: string, code: string) => ({
    row,
    cells,
    verdict: { cells: edits.get(row) ?? cells, issues: [issue(row, column, code)] },
  })
  const rows = [
    rowOf(4, price, 'Cost', 'NOT_A_PRICE'),
    rowOf(9, short, '', 'TOO_FEW_CELLS'),
    rowOf(12, long, '', 'TOO_MANY_CELLS'),
  ]
  return new FixingSheet({ headers, rows, edits })
}

const stateOf = (fixing: FixingSheet, id: string) => {
  const row = fixing.sheet.row(id)
  return row && fixing.stateOf(row)
}
const edited = (fixing: FixingSheet) => fixing.editsAfter(noEdits, ['4', '9', '12'])

test('an error stays on its cell until the cell changes, and undo brings it back', () => {
  const fixing = sheetOf()
  expect(fixing.sheet.view()).toMatchObject({ ids: ['4', '9', '12'], wrong: 3, changed: 0 })
  expect(fixing.sheet.row('4')?.broken).toEqual({ [cellField(2)]: 'Cost NOT_A_PRICE' })
  expect(edited(fixing)).toEqual(new Map())

  fixing.sheet.edit('Typing', [{ id: '4', field: cellField(2), text: '12.50' }])
  expect(stateOf(fixing, '4')).toBe('unchecked')
  expect(fixing.uncheckedRows()).toEqual([{ row: 4, cells: ['Door', '2012', '12.50'] }])
  expect(edited(fixing)).toEqual(new Map([[4, ['Door', '2012', '12.50']]]))
  undo(fixing.grid)
  expect(stateOf(fixing, '4')).toBe('wrong')
  expect(edited(fixing)).toEqual(new Map())
  redo(fixing.grid)

  fixing.judge(new Map([[4, { cells: ['Door', '2012', '12.50'], issues: [] }]]))
  expect(stateOf(fixing, '4')).toBe('fine')
  expect(fixing.uncheckedRows()).toEqual([])
})

test('an error that the check still finds is shown on the changed cell', () => {
  const fixing = sheetOf()
  fixing.sheet.edit('Typing', [{ id: '4', field: cellField(2), text: 'call' }])
  fixing.judge(new Map([[4, { cells: ['Door', '2012', 'call'], issues: [issue(4, 'Cost', 'NOT_A_PRICE')] }]]))
  expect(stateOf(fixing, '4')).toBe('wrong')
})

test('a row left out has no errors, is not checked, and becomes an edit without cells', () => {
  const fixing = sheetOf()
  expect(fixing.leaveOut(['4', '9'])).toBe(2)
  expect(fixing.sheet.view().wrong).toBe(1)
  expect(fixing.uncheckedRows()).toEqual([])
  expect(edited(fixing)).toEqual(
    new Map([
      [4, []],
      [9, []],
    ]),
  )
  fixing.leaveOut(['9'], false)
  expect(stateOf(fixing, '9')).toBe('wrong')
  expect(edited(fixing).has(9)).toBe(false)
})

test('a row with too few cells is filled up, and one with too many is fixed by joining two cells', () => {
  const fixing = sheetOf()
  expect(fixing.fillUp(['4', '9', '12'])).toBe(1)
  expect(stateOf(fixing, '9')).toBe('unchecked')
  expect(fixing.width).toBe(4)

  fixing.sheet.edit('Typing', [{ id: '12', field: cellField(1), text: 'right' }])
  expect(stateOf(fixing, '12')).toBe('wrong')
  fixing.reshape('Join', ['12'], (cells) => joinedWithNext(cells, 0))
  expect(stateOf(fixing, '12')).toBe('unchecked')
  expect(edited(fixing)).toEqual(
    new Map([
      [9, ['Hood', '2013', '']],
      [12, ['Door right', '2012', '85']],
    ]),
  )
})

test('a replacement is undone by its own Undo only while it is the last step', () => {
  const fixing = sheetOf()
  const { changed, undoReplace } = fixing.replace([{ id: '4', field: cellField(2), text: '12.50' }])
  expect(changed).toBe(1)
  fixing.sheet.edit('Typing', [{ id: '12', field: cellField(1), text: 'right' }])
  expect(undoReplace()).toBe(false)
  expect([...edited(fixing).keys()]).toEqual([4, 12])
  undo(fixing.grid)
  expect(undoReplace()).toBe(true)
  expect(edited(fixing)).toEqual(new Map())
  expect(fixing.grid.state().announcement.text).toBe('Undone: Replace, 1 cell')
  expect(undoReplace()).toBe(false)
})

test('edits from an earlier visit are applied to the file, in its order', () => {
  const edits = new Map([
    [4, ['Door', '2012', '12.50']],
    [9, ['Hood', '2013', '']],
    [12, []],
  ])
  const fixing = sheetOf(edits)
  expect(fixing.sheet.view()).toMatchObject({ ids: ['4', '9', '12'], changed: 3 })
  expect(stateOf(fixing, '12')).toBe('leftOut')
  expect(edited(fixing)).toEqual(edits)
})

test('a row with an unclosed quotation mark gets an extra cell on the server and stays wrong until it is changed', () => {
  const cells = ['"Door', '2012', '85']
  const verdict = { cells, issues: [issue(4, '', 'TOO_MANY_CELLS')] }
  const fixing = new FixingSheet({ headers, rows: [{ row: 4, cells, verdict }], edits: noEdits })
  expect(stateOf(fixing, '4')).toBe('wrong')
  fixing.sheet.edit('Typing', [{ id: '4', field: cellField(0), text: 'Door' }])
  expect(stateOf(fixing, '4')).toBe('unchecked')
})

test('a name split by a comma is joined into one cell', () => {
  expect(joinedWithNext(['2012', 'Door', 'left', '85'], 1)).toEqual(['2012', 'Door left', '85'])
  expect(joinedWithNext(['2012', '', 'Door'], 1)).toEqual(['2012', 'Door'])
  expect(joinedWithNext(['2012', 'Door'], 1)).toEqual(['2012', 'Door'])
})

test('cells shift right or left', () => {
  expect(withCellInserted(['a', 'b'], 1)).toEqual(['a', '', 'b'])
  expect(withCellRemoved(['a', '', 'b'], 1)).toEqual(['a', 'b'])
})

test.each([
  [['a'], ['a', '', '']],
  [
    ['a', 'b', 'c', ' ', ''],
    ['a', 'b', 'c'],
  ],
  [
    ['a', 'b', 'c', '', 'd'],
    ['a', 'b', 'c', '', 'd'],
  ],
])('%j is fitted to three columns', (cells, wanted) => {
  expect(fitted(cells, 3)).toEqual(wanted)
})
