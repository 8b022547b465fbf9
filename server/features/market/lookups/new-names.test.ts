import { expect, test } from 'vitest'
import { tooManyNew } from './new-names.ts'

test.each([
  { newNames: 50, rowsWithNewNames: 50, rows: 1_000, names: false, ofRows: false },
  { newNames: 51, rowsWithNewNames: 50, rows: 1_000, names: true, ofRows: false },
  { newNames: 11, rowsWithNewNames: 50, rows: 1_000, names: false, ofRows: false },
  { newNames: 11, rowsWithNewNames: 51, rows: 1_000, names: false, ofRows: true },
  { newNames: 10, rowsWithNewNames: 1_000, rows: 1_000, names: false, ofRows: false },
  { newNames: 51, rowsWithNewNames: 51, rows: 51, names: true, ofRows: true },
])('$newNames new names on $rowsWithNewNames of $rows rows', ({ names, ofRows, ...figures }) => {
  expect(tooManyNew(figures)).toEqual({ names, rows: ofRows })
})
