import { expect, test } from 'vitest'
import { noEdits } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/row-edits.ts'
import { FixingSheet } from './fixing-sheet.ts'
import { replacements, wrongValues } from './replace-dialog.tsx'

const headers = ['Part', 'Grade']
const grades = ['E', 'E', 'excellent', 'A', '']

function sheet() {
  const rows = grades.map((grade, place) => {
    const cells = ['Door', grade]
    const issues =
      grade === 'A'
        ? []
        : [{ row: place + 2, column: 'Grade', code: 'NOT_A_GRADE', value: grade, message: 'No grade' }]
    return { row: place + 2, cells, verdict: { cells, issues } }
  })
  return new FixingSheet({ headers, rows, edits: noEdits })
}

test('repeated mistakes in a column are counted, most frequent first', () => {
  expect(wrongValues(sheet(), 1)).toEqual([
    { text: 'E', count: 2 },
    { text: 'excellent', count: 1 },
    { text: '', count: 1 },
  ])
})

test('only wrong cells are replaced: whole, in part, or if empty', () => {
  const fixing = sheet()
  const rowsOf = (find: string, wholeCell: boolean) =>
    replacements(fixing, 1, { find, matchCase: false, wholeCell }, 'D').map(({ id, text }) => [id, text])
  expect(rowsOf('e', true)).toEqual([
    ['2', 'D'],
    ['3', 'D'],
  ])
  expect(rowsOf('excel', false)).toEqual([['4', 'Dlent']])
  expect(rowsOf('', true)).toEqual([['6', 'D']])
  expect(replacements(fixing, 1, { find: 'E', matchCase: true, wholeCell: true }, 'E')).toEqual([])
  fixing.sheet.edit('Replace', replacements(fixing, 1, { find: 'E', matchCase: false, wholeCell: true }, 'D'))
  expect(wrongValues(fixing, 1).map(({ count }) => count)).toEqual([1, 1])
})
