import { fullName } from './page-facts.ts'
import { textDiff } from './page-text.ts'
import type { PageOutcome } from './write-pages.ts'

type How = { readonly dryRun: boolean; readonly verbose: boolean }

const words: Record<PageOutcome['outcome'], string> = {
  new: 'a new page',
  changed: 'written again',
  stands: 'stands',
  empty: 'no live parts, no page',
  refused: 'no text was good enough',
}

/** What is printed about a page: all of it, or what changes. */
export function pageLines(page: PageOutcome, { dryRun, verbose }: How): string[] {
  const { subject, outcome, before, after, problems, facts, writer } = page
  const isQuiet = outcome === 'stands' || outcome === 'empty'
  if (isQuiet && !verbose) return []
  const writes = outcome === 'new' || outcome === 'changed'
  const by = writes && writer ? ` by the ${writer} writer` : ''
  return [
    `${fullName(subject)}: ${words[outcome]}${by}, ${facts.parts.toLocaleString('en-US')} parts`,
    ...problems.map(({ claim, why }) => `  refused: “${claim}” ${why}`),
    ...(after !== undefined && writes && (dryRun || verbose) ? textDiff(before, after) : []).map(
      (line) => `  ${line}`,
    ),
  ]
}
