import { expect, test } from 'vitest'
import { type LeftOutRow, leftOutInWords } from './left-out-row.ts'

const ambiguous = { rowNo: 7, why: 'ambiguous' as const, rows: 1 }

test.each<[LeftOutRow, 'record' | 'row', string]>([
  [
    { ...ambiguous, parts: 5, stockNumbers: ['A', 'B', 'C'] },
    'row',
    'Row 7 is left out: it has no stock number and may be any of 5 parts of yours (stock number A, B, C, …). Give it its stock number.',
  ],
  [
    { ...ambiguous, parts: 2, stockNumbers: [] },
    'record',
    'Record 7 is left out: it has no stock number and may be any of 2 parts of yours. Give it its stock number.',
  ],
  [
    { ...ambiguous, parts: 1, stockNumbers: ['A'], rows: 3 },
    'row',
    'Row 7 is left out: it and 2 other rows have no stock number, and each may be the same part of yours (stock number A). Give them their stock numbers.',
  ],
  [
    { rowNo: 7, why: 'contradicts', firstRow: 2 },
    'row',
    'Row 7 is left out: it names the same listing as row 2 and says something else of it. What row 2 says counts.',
  ],
])('%j', (row, what, words) => {
  expect(leftOutInWords(row, what)).toBe(words)
})
