import type { LandingKind } from '#contract/landing.ts'
import type { LookupKind as KindInPath } from '#contract/lookups.ts'

/** The names in the history and of the tables, whose unique constraints are `<kind>_name_unique`. */
export type LookupKind = 'category' | 'manufacturer' | 'car_model'

export const kindOf = (kind: KindInPath): LookupKind => (kind === 'car-model' ? 'car_model' : kind)

export const pageKindOf = (kind: LookupKind): LandingKind => (kind === 'car_model' ? 'model' : kind)

/** For sentences and reasons of change sets. */
export const nounOf = (kind: LookupKind): string => kind.replace('_', ' ')

const kinds: readonly LookupKind[] = ['category', 'manufacturer', 'car_model']

/** Reasons of changes in which listings followed a lookup: nobody edited them. */
export const RELABEL_REASONS = kinds.flatMap((kind) => [`merge ${nounOf(kind)}`, `rename ${nounOf(kind)}`])
