import type { LookupKind as KindInPath } from '#contract/admin-lookups.ts'

/** What the history calls them; also their tables, whose unique constraints are called `<kind>_name_unique`. */
export type LookupKind = 'category' | 'manufacturer' | 'car_model'

export const kindOf = (kind: KindInPath): LookupKind => (kind === 'car-model' ? 'car_model' : kind)

/** In sentences. */
export const nounOf = (kind: LookupKind): string => kind.replace('_', ' ')
