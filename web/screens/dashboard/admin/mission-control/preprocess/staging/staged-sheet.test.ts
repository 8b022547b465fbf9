import { expect, test } from 'vitest'
import { redo, undo } from '#web/components/data-grid/grid-edits.ts'
import { StagedSheet } from './staged-sheet.ts'

const fits = [{ make: 'Toyota' }]
const rows = [
  { id: 'a', fields: { partname: 'Hood', partprice: 80, fits } },
  { id: 'b', fields: { partname: 'Fender', note: null } },
]

function opened() {
  const staged = new StagedSheet(['partname', 'partprice', 'fits', 'note'], rows, 200)
  staged.grid.showColumns(staged.columns())
  return staged
}

test('what nobody touched comes out as it went in', () => {
  expect(opened().rows()).toEqual(rows.map(({ fields }) => fields))
})

test('a deleted row is gone, and comes back with undo', () => {
  const staged = opened()
  staged.grid.selectCell({ row: 0, column: 0 })
  staged.deleteRows()
  expect(staged.rows()).toEqual([rows[1]?.fields])
  expect(staged.changes()).toMatchObject({ deleted: [{ id: 'a', row: 200 }], added: [], cells: [] })
  undo(staged.grid)
  expect(staged.rows()).toHaveLength(2)
  expect(staged.sheet.view().changed).toBe(0)
  redo(staged.grid)
  expect(staged.rows()).toHaveLength(1)
})

test('a new row stands last; undone it is not sent', () => {
  const staged = opened()
  staged.addRow()
  expect(staged.sheet.view().ids).toEqual(['a', 'b', 'new-1'])
  staged.sheet.edit('Typing', [{ id: 'new-1', field: 'cell:partname', text: 'Door' }])
  expect(staged.changes().added).toEqual([{ partname: 'Door' }])
  undo(staged.grid)
  undo(staged.grid)
  expect(staged.changes().added).toEqual([])
  expect(staged.rows()).toHaveLength(2)
})

test('columns come and go with what stands in them', () => {
  const staged = opened()
  staged.addColumn('colour')
  staged.sheet.edit('Typing', [{ id: 'a', field: 'cell:colour', text: 'red' }])
  staged.deleteColumns(['partprice'])
  expect(staged.names()).toEqual(['partname', 'fits', 'note', 'colour'])
  expect(staged.rows()[0]).toEqual({ partname: 'Hood', fits, colour: 'red' })
  undo(staged.grid)
  expect(staged.rows()[0]).toEqual({ partname: 'Hood', partprice: 80, fits, colour: 'red' })
})

test('cells are sent with what was read', () => {
  const staged = opened()
  staged.sheet.edit('Typing', [
    { id: 'a', field: 'cell:partprice', text: '95' },
    { id: 'b', field: 'cell:note', text: 'bent' },
  ])
  expect(staged.changes().cells).toEqual([
    { id: 'a', row: 200, field: 'partprice', old: 80, new: 95 },
    { id: 'b', row: 201, field: 'note', old: null, new: 'bent' },
  ])
  staged.settle()
  expect(staged.sheet.view().changed).toBe(0)
  expect(staged.changes().cells).toEqual([])
  expect(staged.rows()[0]).toEqual({ partname: 'Hood', partprice: 95, fits })
})
