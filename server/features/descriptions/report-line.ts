import type { TextReport } from './text-outcome.ts'

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
