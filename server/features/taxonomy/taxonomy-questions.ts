import type { TaxonomyQuestion } from '#contract/taxonomy.ts'
import { kindOf } from '#server/features/lookups/lookup-kind.ts'
import type { LookupQuestion } from '#server/features/lookups/question-queries.ts'
import type { RowResolver } from './row-resolver.ts'

// What nobody reads through is a column mapped wrongly; the plan stops such a file.
export const MOST_QUESTIONS = 200

/** Whether somebody is asked: a model is one of a manufacturer that is there. */
export const isAsked = ({
  kind,
  manufacturerId,
  rows,
}: Pick<TaxonomyQuestion, 'kind' | 'manufacturerId' | 'rows'>): boolean =>
  rows > 0 && (kind === 'car-model') === (manufacturerId !== null)

/** The questions of a file's unsure names. */
export function questionsOf(resolver: RowResolver): LookupQuestion[] {
  return resolver.uses
    .filter(({ verdict }) => verdict.kind === 'unsure')
    .map(({ kind, typed, make, rows }) => ({ kind, typed, manufacturerId: make?.id ?? null, rows }))
    .filter(isAsked)
    .slice(0, MOST_QUESTIONS)
    .map(({ kind, typed, manufacturerId }) => ({ kind: kindOf(kind), typed, manufacturerId }))
}
