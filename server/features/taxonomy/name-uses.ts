import type { TaxonomyName, TaxonomyQuestion } from '#contract/taxonomy.ts'
import { matchOf, type NameVerdict } from './name-verdict.ts'

/** One spelling of a file: what it was taken for, and on how many rows. */
export type NameUse = {
  readonly kind: TaxonomyName['kind']
  readonly typed: string
  /** Of a model: its manufacturer, where that is known or new. */
  readonly make: { readonly id: string | null; readonly name: string } | null
  readonly verdict: NameVerdict
  rows: number
  /** Rows of a year in which the model was not built. */
  rowsOutOfYears: number
}

// What a person reads through; the file's other names are counted.
const MOST_NAMES_TOLD = 500

/** How names were understood, those on most rows first; names that stand as they should are left out. */
export function namesTold(uses: readonly NameUse[]): TaxonomyName[] {
  return uses
    .filter((use) => use.verdict.kind !== 'unsure' && (!isAsItShould(use) || use.rowsOutOfYears > 0))
    .sort((a, b) => b.rows - a.rows)
    .slice(0, MOST_NAMES_TOLD)
    .map(toName)
}

export function questionsTold(uses: readonly NameUse[]): TaxonomyQuestion[] {
  return uses
    .flatMap((use) => (use.verdict.kind === 'unsure' ? { ...base(use), ...whatIsOpen(use.verdict) } : []))
    .sort((a, b) => b.rows - a.rows)
    .slice(0, MOST_NAMES_TOLD)
}

const isAsItShould = ({ verdict, typed }: NameUse) =>
  verdict.kind === 'known' && verdict.how === 'exact' && verdict.name === typed

const base = ({ kind, typed, make, rows }: NameUse) => ({
  kind,
  typed,
  manufacturerId: make?.id ?? null,
  manufacturer: make?.name ?? null,
  rows,
})

const whatIsOpen = ({ reason, candidates }: NameVerdict & { kind: 'unsure' }) => ({
  reason,
  candidates: [...candidates],
})

function toName(use: NameUse): TaxonomyName {
  const { verdict, rowsOutOfYears } = use
  return {
    ...base(use),
    matched: verdict.kind === 'unsure' ? null : verdict.name,
    how: verdict.kind === 'known' ? verdict.how : 'new',
    confidence: matchOf(verdict)?.confidence ?? null,
    rowsOutOfYears,
  }
}
