import type { SortOrder } from './list-queries.ts'

/** What is looked for, among the public listings or among one seller's. */
export type Search = {
  /** Text of a tsquery, from `toQuery`; '' for any words. */
  query: string
  categoryId: string | undefined
  manufacturerId: string | undefined
  carModelId: string | undefined
  seller: { id: string; state: 'active' | 'sold' } | undefined
  sort: SortOrder
}

/** So many matches are counted and can be paged through. */
export const MATCHES_SHOWN = 10_000

export const isMany = ({ matches }: { matches: number }): boolean => matches > MATCHES_SHOWN
