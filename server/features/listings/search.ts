import type { Listing } from '#contract/listings.ts'
import type { SortOrder } from './list-queries.ts'

/** Words of a model's name, as beginnings of words. */
export type ModelWords = {
  /** Patterns of LIKE for `model_words()`; all must be met. */
  patterns: readonly string[]
  /** Text of a tsquery that every listing of such a model meets; '' where its words tell nothing. */
  query: string
}

/** Among everybody's listings, whatever their status, ended ones too. */
export type Everybody = { status: Listing['status'] | undefined; model: ModelWords | undefined }

/** What is looked for, among the public listings, one seller's or everybody's. */
export type Search = {
  /** Text of a tsquery, from `toQuery`; '' for any words. */
  query: string
  categoryId: string | undefined
  manufacturerId: string | undefined
  carModelId: string | undefined
  seller: { id: string; state: 'active' | 'sold' } | undefined
  everybody?: Everybody
  sort: SortOrder
}

/** So many matches are counted and can be paged through. */
export const MATCHES_SHOWN = 10_000

export const isMany = ({ matches }: { matches: number }): boolean => matches > MATCHES_SHOWN
