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

test('unchanged rows stay as they were', () => {
  expect(opened().rows()).toEqual(rows.map(({ fields }) => fields))
})

test('undo restores a deleted row', () => {
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

test('a new row is last; if undone, it is not sent', () => {
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

test('a sorted or filtered view is saved in the order of the file', () => {
  const staged = opened()
  staged.sheet.sort({ field: 'cell:partname', descending: false })
  expect(staged.sheet.view().ids).toEqual(['b', 'a'])
  staged.addRow()
  staged.sheet.edit('Typing', [{ id: 'new-1', field: 'cell:partname', text: 'Door' }])
  expect(staged.sheet.view().ids).toEqual(['b', 'a', 'new-1'])
  staged.sheet.show('changed')
  expect(staged.rows().map(({ partname }) => partname)).toEqual(['Hood', 'Fender', 'Door'])
})

test('columns are added and deleted with their values', () => {
  const staged = opened()
  staged.addColumn('colour')
  staged.sheet.edit('Typing', [{ id: 'a', field: 'cell:colour', text: 'red' }])
  staged.deleteColumns(['partprice'])
  expect(staged.names()).toEqual(['partname', 'fits', 'note', 'colour'])
  expect(staged.rows()[0]).toEqual({ partname: 'Hood', fits, colour: 'red' })
  undo(staged.grid)
  expect(staged.rows()[0]).toEqual({ partname: 'Hood', partprice: 80, fits, colour: 'red' })
})

test('cells are sent with their old value', () => {
  const staged = opened()
  staged.sheet.edit('Typing', [
    { id: 'a', field: 'cell:partprice', text: '95' },
    { id: 'b', field: 'cell:note', text: 'bent' },
  ])
  expect(staged.changes().cells).toEqual([
    { id: 'a', row: 200, field: 'partprice', old: 80, new: 95 },
    { id: 'b', row: 201, field: 'note', old: null, new: 'bent' },
  ])
  staged.settle(staged.unsavedRows())
  expect(staged.sheet.view().changed).toBe(0)
  expect(staged.changes().cells).toEqual([])
  expect(staged.rows()[0]).toEqual({ partname: 'Hood', partprice: 95, fits })
})

test('edits during a save stay unsaved', () => {
  const staged = opened()
  const type = (id: string, field: string, text: string) =>
    staged.sheet.edit('Typing', [{ id, field: `cell:${field}`, text }])
  type('a', 'partname', 'Bonnet')
  type('a', 'partprice', '95')
  const sent = staged.unsavedRows()
  type('a', 'partname', 'Lid')
  type('a', 'partprice', '80')
  type('b', 'note', 'bent')
  staged.addColumn('colour')
  staged.settle(sent)
  expect(staged.changes().cells).toEqual([
    { id: 'a', row: 200, field: 'partname', old: 'Bonnet', new: 'Lid' },
    { id: 'a', row: 200, field: 'partprice', old: 95, new: 80 },
    { id: 'b', row: 201, field: 'note', old: null, new: 'bent' },
  ])
  expect(staged.names()).toContain('colour')
  expect(staged.sheet.view().changed).toBe(3)
  staged.settle(staged.unsavedRows())
  expect(staged.sheet.view().changed).toBe(0)
})

test('rows added and deleted during a save', () => {
  const staged = opened()
  staged.addRow()
  staged.grid.selectCell({ row: 1, column: 0 })
  staged.deleteRows()
  const sent = staged.unsavedRows()
  undo(staged.grid)
  undo(staged.grid)
  staged.settle(sent)
  expect(staged.sheet.view()).toMatchObject({ ids: ['a', 'b'], changed: 2 })
  expect(staged.rows()).toEqual(rows.map(({ fields }) => fields))
})
