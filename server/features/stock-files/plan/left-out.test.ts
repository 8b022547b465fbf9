import { expect, test } from 'vitest'
import { firstLeftOut, keptLeftOut, type LeftOutRow, leftOutMessage, leftOutWithFileRow } from './left-out.ts'

const ambiguous = { rowNo: 7, why: 'ambiguous' as const, rows: 1 }

test.each<[LeftOutRow, 'record' | 'row', string]>([
  [
    { ...ambiguous, parts: 5, stockNumbers: ['A', 'B', 'C'] },
    'row',
    'Row 7 is left out: it has no stock number and could be any of 5 of your parts (stock number A, B, C, …). Add its stock number.',
  ],
  [
    { ...ambiguous, parts: 2, stockNumbers: [] },
    'record',
    'Record 7 is left out: it has no stock number and could be any of 2 of your parts. Add its stock number.',
  ],
  [
    { ...ambiguous, parts: 1, stockNumbers: ['A'], rows: 3 },
    'row',
    'Row 7 is left out: it and 2 other rows have no stock number, and each could be the same part of yours (stock number A). Add their stock numbers.',
  ],
  [
    { rowNo: 7, why: 'contradicts', firstRow: 2 },
    'row',
    'Row 7 is left out: it names the same listing as row 2 but differs from it. Only row 2 is used.',
  ],
])('%j', (row, what, words) => {
  expect(leftOutMessage(row, what)).toBe(words)
})

const refused = (rowNo: number): LeftOutRow => ({ rowNo, why: 'refused', problem: 'Model is missing' })

test.each<[LeftOutRow, [number, number][], ReturnType<typeof leftOutWithFileRow>]>([
  [refused(2), [[2, 9]], { row: 9, record: 2, reason: 'Model is missing' }],
  // A record added to the staged file.
  [refused(2), [], { row: null, record: 2, reason: 'Model is missing' }],
  [
    { rowNo: 7, why: 'contradicts', firstRow: 2 },
    [
      [2, 4],
      [7, 12],
    ],
    {
      row: 12,
      record: 7,
      reason: 'it names the same listing as row 4 but differs from it. Only row 4 is used.',
    },
  ],
  [
    { rowNo: 7, why: 'contradicts', firstRow: 2 },
    [[7, 12]],
    {
      row: null,
      record: 7,
      reason: 'it names the same listing as record 2 but differs from it. Only record 2 is used.',
    },
  ],
])('the seller sees %j with file rows %j', (row, rowsOfFile, shown) => {
  expect(leftOutWithFileRow(keptLeftOut(row, new Map(rowsOfFile)))).toEqual(shown)
})

test('only the first rows of the file are listed', () => {
  const many = Array.from({ length: 120 }, (_, at) => refused(240 - 2 * at))
  const first = firstLeftOut([...many, { rowNo: 3, why: 'contradicts', firstRow: 1 }])
  expect([first.length, ...first.slice(0, 3).map(({ rowNo }) => rowNo)]).toEqual([100, 2, 3, 4])
})
