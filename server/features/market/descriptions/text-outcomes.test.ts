import { describe, expect, test } from 'vitest'
import {
  readCounts,
  reportLine,
  summaryOf,
  type TextOutcome,
  type TextReport,
  WritingTally,
} from './text-outcomes.ts'

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
  [{ ...written, before: ' ' }, { ...quiet, dryRun: true }, line('Row 1: empty → “new”')],
  [{ ...written, outcome: { kind: 'unchanged' } }, { dryRun: true, verbose: true }, undefined],
  [
    { ...written, outcome: { kind: 'refused', why: 'it lies' } },
    quiet,
    line('Row 1 keeps “old text”: it lies', true),
  ],
  [
    { ...written, before: '', outcome: { kind: 'failed', why: 'no answer', endsJob: false } },
    quiet,
    line('Row 1 left empty: no answer', true),
  ],
])('%#', (report, flags, expected) => {
  expect(reportLine(report, flags)).toEqual(expected)
})

const spent = { calls: 0, inputTokens: 0, outputTokens: 0, cents: 0 }
const writingTallyWritten: TextOutcome = { kind: 'written', text: 'x' }
const unchanged: TextOutcome = { kind: 'unchanged' }
const refused: TextOutcome = { kind: 'refused', why: 'it lies' }
const failed: TextOutcome = { kind: 'failed', why: 'no answer', endsJob: false }
const hopeless: TextOutcome = { kind: 'failed', why: 'no key', endsJob: true }

/** The row at which a tally stops, counted from 1. */
function stopsAt(outcomes: readonly TextOutcome[], stopsAtRefusal: boolean): number | undefined {
  const tally = new WritingTally(readCounts(undefined), { stopsAtRefusal })
  const at = outcomes.findIndex((outcome, row) =>
    tally.take({ place: `Row ${row + 1}`, before: '', outcome }),
  )
  return at === -1 ? undefined : at + 1
}

test.each<[what: string, outcomes: TextOutcome[], stopsAtRefusal: boolean, row: number | undefined]>([
  ['good records', [writingTallyWritten, unchanged, writingTallyWritten], true, undefined],
  ['a refused one', [writingTallyWritten, refused, writingTallyWritten], true, 2],
  [
    'a refused one that is passed over',
    [writingTallyWritten, refused, writingTallyWritten],
    false,
    undefined,
  ],
  ['many refused ones that are passed over', Array(20).fill(refused), false, undefined],
  ['a failure', [writingTallyWritten, failed], true, 2],
  ['failures that are passed over', Array(20).fill(failed), false, undefined],
  ['what every record would meet', [writingTallyWritten, hopeless], false, 2],
])('%s', (_what, outcomes, stopsAtRefusal, row) => {
  expect(stopsAt(outcomes, stopsAtRefusal)).toBe(row)
})

test('the message names the place, the reason and the next step', () => {
  const tally = new WritingTally(readCounts(undefined), { stopsAtRefusal: true })
  expect(tally.take({ place: 'Row 3', before: '', outcome: refused })).toBe(
    'Stopped at Row 3: it lies. Earlier texts are saved. Fix the cause, then run the script again.',
  )
})

describe('counts', () => {
  test('continue from those of an earlier run', () => {
    const first = new WritingTally(readCounts(undefined), { stopsAtRefusal: false })
    for (const outcome of [writingTallyWritten, writingTallyWritten, refused, unchanged])
      first.take({ place: '', before: '', outcome })
    first.leave(1)
    const kept = first.counts({ ...spent, cents: 2 })
    const second = new WritingTally(readCounts(JSON.parse(JSON.stringify(kept))), { stopsAtRefusal: false })
    second.take({ place: '', before: '', outcome: writingTallyWritten })
    expect(second.counts(spent)).toEqual({ written: 2, unchanged: 2, refused: 1, spent })
    expect(readCounts(kept).spent.cents).toBe(2)
  })

  test('start at zero for an unknown state', () => {
    expect(readCounts({ lines: 5 })).toEqual({ written: 0, unchanged: 0, refused: 0, spent })
  })
})

test.each([
  [{ written: 1_200, unchanged: 3, refused: 0, spent }, false, 'Wrote 1,200 texts at no cost. 3 unchanged.'],
  [
    { written: 1, unchanged: 0, refused: 2, spent: { ...spent, cents: 1.002 } },
    true,
    'Dry run: 1 text to write for 1 cent. 2 not written; see above.',
  ],
  [
    { written: 0, unchanged: 0, refused: 0, spent: { ...spent, cents: 12.345 } },
    false,
    'Wrote no texts for 12.35 cents.',
  ],
])('summary %#', (counts, dryRun, line) => {
  expect(summaryOf(counts, dryRun)).toBe(line)
})
