import { z } from 'zod'
import type { JsonValue } from '#db/schema.gen.ts'
import { costInWords, NO_COST, type Spent } from '#server/features/market/writing/writer.ts'

/** The result for a record. */
export type TextOutcome =
  | { readonly kind: 'written'; readonly text: string }
  /** The record keeps its text, or the new one is the same. */
  | { readonly kind: 'unchanged' }
  /** The text makes a claim that is not in its record, or breaks a rule. */
  | { readonly kind: 'refused'; readonly why: string }
  /** No text was written; with `endsJob`, the next record would fail, too. */
  | { readonly kind: 'failed'; readonly why: string; readonly endsJob: boolean }

/** `place` is the record's name for people, such as "Row 3". */
export type TextReport = {
  readonly place: string
  readonly before: string
  readonly outcome: TextOutcome
}

type Line = { readonly text: string; readonly isError: boolean }

/** What a script prints about a record, or undefined. */
export function reportLine(
  { place, before, outcome }: TextReport,
  { dryRun, verbose }: { dryRun: boolean; verbose: boolean },
): Line | undefined {
  if (outcome.kind === 'refused' || outcome.kind === 'failed') {
    const kept = before.trim() === '' ? 'left empty' : `keeps ${quoted(before)}`
    return { text: `${place} ${kept}: ${outcome.why}`, isError: true }
  }
  if (outcome.kind === 'written' && (dryRun || verbose)) {
    return { text: `${place}: ${quoted(before)} → ${quoted(outcome.text)}`, isError: false }
  }
  return undefined
}

/** A text as one log line. */
const quoted = (text: string) => (text.trim() === '' ? 'empty' : `“${text.trim().replaceAll(/\s+/g, ' ')}”`)

const counts = z.object({
  written: z.int(),
  unchanged: z.int(),
  refused: z.int(),
  spent: z.object({ calls: z.int(), inputTokens: z.int(), outputTokens: z.int(), cents: z.number() }),
})
export type WritingCounts = z.output<typeof counts>

const NOTHING: WritingCounts = { written: 0, unchanged: 0, refused: 0, spent: NO_COST }

/** The counts of an interrupted run of the same job. */
export function readCounts(state: JsonValue | undefined): WritingCounts {
  const read = counts.safeParse(state)
  return read.success ? read.data : NOTHING
}

/** Counts the results, and decides whether the work continues. */
export class WritingTally {
  readonly #counts: { written: number; unchanged: number; refused: number }
  readonly #stopsAtRefusal: boolean

  constructor({ spent: _, ...before }: WritingCounts, { stopsAtRefusal }: { stopsAtRefusal: boolean }) {
    this.#counts = before
    this.#stopsAtRefusal = stopsAtRefusal
  }

  counts(spent: Spent): WritingCounts {
    return { ...this.#counts, spent }
  }

  /** Counts records as unchanged because someone else changed them before their text was saved. */
  leave(records: number): void {
    this.#counts.written -= records
    this.#counts.unchanged += records
  }

  /** Why the work stops with this record, or undefined if it continues. */
  take({ place, outcome }: TextReport): string | undefined {
    if (outcome.kind === 'written') this.#counts.written += 1
    else if (outcome.kind === 'unchanged') this.#counts.unchanged += 1
    else {
      this.#counts.refused += 1
      return this.#stopAt(place, outcome)
    }
    return undefined
  }

  #stopAt(place: string, outcome: Extract<TextOutcome, { kind: 'refused' | 'failed' }>): string | undefined {
    const isHopeless = outcome.kind === 'failed' && outcome.endsJob
    if (!isHopeless && !this.#stopsAtRefusal) return undefined
    return `Stopped at ${place}: ${outcome.why}. Earlier texts are saved. Fix the cause, then run the script again.`
  }
}

/** The script's last line. */
export function summaryOf({ written, unchanged, refused, spent }: WritingCounts, dryRun: boolean): string {
  const cost = spent.cents === 0 ? 'at no cost' : `for ${costInWords(spent)}`
  const did = dryRun ? `Dry run: ${texts(written)} to write` : `Wrote ${texts(written)}`
  const rest = [
    unchanged > 0 && `${whole(unchanged)} unchanged.`,
    refused > 0 && `${whole(refused)} not written; see above.`,
  ]
  return [`${did} ${cost}.`, ...rest.filter((part) => part !== false)].join(' ')
}

const texts = (count: number) =>
  count === 0 ? 'no texts' : `${whole(count)} ${count === 1 ? 'text' : 'texts'}`

const whole = (count: number) => count.toLocaleString('en-US')
