import { expect, test } from 'vitest'
import { type CellPatch, patchFields } from './patch.ts'

const before = { partname: 'Hood', partprice: '95.50', none: null, notes: { a: [1] } }
const cell = (field: string, old: unknown, value: unknown): CellPatch => ({ field, old, new: value })

test.each<[string, CellPatch[], object]>([
  ['a changed text', [cell('partprice', '95.50', '80')], { ...before, partprice: '80' }],
  ['a new field is appended', [cell('h1', undefined, 'A hood')], { ...before, h1: 'A hood' }],
  [
    'null and undefined both count as empty',
    [cell('none', undefined, 1), cell('h1', null, 2)],
    { ...before, none: 1, h1: 2 },
  ],
  [
    'a removed field',
    [cell('partname', 'Hood', undefined)],
    { partprice: '95.50', none: null, notes: { a: [1] } },
  ],
  ['a list is compared by content', [cell('notes', { a: [1] }, [])], { ...before, notes: [] }],
  [
    'two changes of one field, one after the other',
    [cell('h1', undefined, 'A'), cell('h1', 'A', 'B')],
    { ...before, h1: 'B' },
  ],
])('%s', (_, cells, after) => {
  const patched = patchFields(before, cells)
  expect(patched).toEqual({ fields: after })
  expect('fields' in patched && Object.keys(patched.fields)).toEqual(Object.keys(after))
})

test.each([
  [cell('partprice', '80', '70'), 'partprice is “95.50” now, not “80”'],
  [cell('partprice', 95.5, '70'), 'partprice is “95.50” now, not “95.5”'],
  [cell('partprice', undefined, '70'), 'partprice is “95.50” now, not empty'],
  [cell('h1', 'A', 'B'), 'h1 is empty now, not “A”'],
  [cell('notes', { a: [2] }, 1), 'notes is “{"a":[1]}” now, not “{"a":[2]}”'],
  [cell('partname', 'x'.repeat(90), 1), `partname is “Hood” now, not “${'x'.repeat(80)}…”`],
])('%j is a conflict: %s', (conflicting, message) => {
  const patched = patchFields(before, [conflicting])
  expect(patched).toEqual({ conflict: { field: conflicting.field, message } })
})
