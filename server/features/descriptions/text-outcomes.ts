import { z } from 'zod'
import type { JsonValue } from '#db/schema.gen.ts'
import { costInWords, NOTHING_SPENT, type Spent } from '#server/features/writing/writer.ts'

/** What came of a record. */
export type TextOutcome =
  | { readonly kind: 'written'; readonly text: string }
  /** It has a text that is to stay, or the writer says what is there already. */
  | { readonly kind: 'unchanged' }
  /** What was written says what its record does not, or breaks a rule. */
  | { readonly kind: 'refused'; readonly why: string }
  /** Nothing could be written; where `endsJob`, neither could the next one. */
  | { readonly kind: 'failed'; readonly why: string; readonly endsJob: boolean }

/** For whoever prints it: what came of the record that people call `place`. */
export type TextReport = {
  readonly place: string
  readonly before: string
  readonly outcome: TextOutcome
}

type Line = { readonly text: string; readonly isError: boolean }

/** What a script prints of a record; undefined where there is nothing to say of it. */
export function reportLine(
  { place, before, outcome }: TextReport,
  { dryRun, verbose }: { dryRun: boolean; verbose: boolean },
): Line | undefined {
  if (outcome.kind === 'refused' || outcome.kind === 'failed') {
    return { text: `${place} keeps ${quoted(before)}: ${outcome.why}`, isError: true }
  }
  if (outcome.kind === 'written' && (dryRun || verbose)) {
    return { text: `${place}: ${quoted(before)} → ${quoted(outcome.text)}`, isError: false }
  }
  return undefined
}

/** A text in a line of the log. */
const quoted = (text: string) => (text.trim() === '' ? 'nothing' : `“${text.trim().replaceAll(/\s+/g, ' ')}”`)

const counts = z.object({
  written: z.int(),
  unchanged: z.int(),
  refused: z.int(),
  spent: z.object({ calls: z.int(), inputTokens: z.int(), outputTokens: z.int(), cents: z.number() }),
})
export type WritingCounts = z.output<typeof counts>

const NOTHING: WritingCounts = {
  written: 0,
  unchanged: 0,
  refused: 0,
  spent: NOTHING_SPENT,
}

/** Of an interrupted run of the same job. */
export function readCounts(state: JsonValue | undefined): WritingCounts {
  const read = counts.safeParse(state)
  return read.success ? read.data : NOTHING
}

// One record may be bad for a provider; so many in a row are none of the records' fault.
const MOST_FAILURES_IN_A_ROW = 5

/** Counts what came of records, and decides whether the work goes on. */
export class WritingTally {
  readonly #counts: { written: number; unchanged: number; refused: number }
  readonly #stopsAtRefusal: boolean
  #failuresInARow = 0

  constructor({ spent: _, ...before }: WritingCounts, { stopsAtRefusal }: { stopsAtRefusal: boolean }) {
    this.#counts = before
    this.#stopsAtRefusal = stopsAtRefusal
  }

  counts(spent: Spent): WritingCounts {
    return { ...this.#counts, spent }
  }

  /** So many records that were to get a text were changed by somebody else, and are left. */
  leave(records: number): void {
    this.#counts.written -= records
    this.#counts.unchanged += records
  }

  /** Why the work stops with this record, or undefined where it goes on. */
  take({ place, outcome }: TextReport): string | undefined {
    if (outcome.kind === 'written') this.#counts.written += 1
    else if (outcome.kind === 'unchanged') this.#counts.unchanged += 1
    else {
      this.#counts.refused += 1
      return this.#stopAt(place, outcome)
    }
    this.#failuresInARow = 0
    return undefined
  }

  #stopAt(place: string, outcome: Extract<TextOutcome, { kind: 'refused' | 'failed' }>): string | undefined {
    this.#failuresInARow = outcome.kind === 'failed' ? this.#failuresInARow + 1 : 0
    const isHopeless =
      outcome.kind === 'failed' && (outcome.endsJob || this.#failuresInARow >= MOST_FAILURES_IN_A_ROW)
    if (!isHopeless && !this.#stopsAtRefusal) return undefined
    return `Stopped at ${place}: ${outcome.why}. What was written before it is kept; run the script again to go on.`
  }
}

/** The last line of a script. */
export function summaryOf({ written, unchanged, refused, spent }: WritingCounts, dryRun: boolean): string {
  const did = dryRun ? 'would be written' : 'written'
  return `${whole(written)} ${did}, ${whole(unchanged)} unchanged, ${whole(refused)} refused, cost ${costInWords(spent)}`
}

const whole = (count: number) => count.toLocaleString('en-US')
