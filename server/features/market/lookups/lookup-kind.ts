import type { LandingKind } from '#contract/landing.ts'
import type { LookupKind as KindInPath } from '#contract/lookups.ts'

/** Table names, also used in the history; unique constraints are named `<kind>_name_unique`. */
export type LookupKind = 'category' | 'manufacturer' | 'car_model'

export const kindOf = (kind: KindInPath): LookupKind => (kind === 'car-model' ? 'car_model' : kind)

export const pageKindOf = (kind: LookupKind): LandingKind => (kind === 'car_model' ? 'model' : kind)

/** The noun for messages and change set reasons. */
export const nounOf = (kind: LookupKind): string => kind.replace('_', ' ')

const kinds: readonly LookupKind[] = ['category', 'manufacturer', 'car_model']

/** Reasons of changes in which listings followed a lookup without being edited by a person. */
export const RELABEL_REASONS = kinds.flatMap((kind) => [`merge ${nounOf(kind)}`, `rename ${nounOf(kind)}`])
