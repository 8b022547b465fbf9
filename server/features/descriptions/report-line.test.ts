import { expect, test } from 'vitest'
import { reportLine } from './report-line.ts'
import type { TextReport } from './text-outcome.ts'

const quiet = { dryRun: false, verbose: false }
const written: TextReport = {
  place: 'Row 1',
  before: 'old\n text ',
  outcome: { kind: 'written', text: 'new' },
}
const line = (text: string, isError = false) => ({ text, isError })

test.each<[TextReport, Parameters<typeof reportLine>[1], ReturnType<typeof reportLine>]>([
  [written, quiet, undefined],
  [written, { ...quiet, dryRun: true }, line('Row 1: “old text” → “new”')],
  [written, { ...quiet, verbose: true }, line('Row 1: “old text” → “new”')],
  [{ ...written, before: ' ' }, { ...quiet, dryRun: true }, line('Row 1: nothing → “new”')],
  [{ ...written, outcome: { kind: 'unchanged' } }, { dryRun: true, verbose: true }, undefined],
  [
    { ...written, outcome: { kind: 'refused', why: 'it lies' } },
    quiet,
    line('Row 1 keeps “old text”: it lies', true),
  ],
  [
    { ...written, before: '', outcome: { kind: 'failed', why: 'no answer', endsJob: false } },
    quiet,
    line('Row 1 keeps nothing: no answer', true),
  ],
])('%#', (report, flags, expected) => {
  expect(reportLine(report, flags)).toEqual(expected)
})
