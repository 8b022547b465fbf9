import type { LandingKind } from '#contract/landing.ts'
import type { LookupKind as KindInPath } from '#contract/lookups.ts'

/** What the history calls them; also their tables, whose unique constraints are called `<kind>_name_unique`. */
export type LookupKind = 'category' | 'manufacturer' | 'car_model'

export const kindOf = (kind: KindInPath): LookupKind => (kind === 'car-model' ? 'car_model' : kind)

/** Of the pages about them. */
export const pageKindOf = (kind: LookupKind): LandingKind => (kind === 'car_model' ? 'model' : kind)

/** In sentences and reasons of change sets. */
export const nounOf = (kind: LookupKind): string => kind.replace('_', ' ')

const kinds: readonly LookupKind[] = ['category', 'manufacturer', 'car_model']

/** Reasons under which listings follow a lookup: nobody worked on them. */
export const RELABEL_REASONS = kinds.flatMap((kind) => [`merge ${nounOf(kind)}`, `rename ${nounOf(kind)}`])
