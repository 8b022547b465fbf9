import type { Db } from '#server/platform/database/database.ts'
import { findLexemes } from './lexeme-queries.ts'
import type { SortOrder } from './list-queries.ts'
import type { Search } from './search.ts'
import { readTerms, toQuery, wordsOfTerms } from './search-terms.ts'

/** What a list was asked for; '' and undefined both filter nothing. */
export type ListFilter = {
  q?: string | undefined
  categoryId?: string | undefined
  manuId?: string | undefined
  modelId?: string | undefined
  year?: string | undefined
  sort?: SortOrder
}

/** What a filter means; a filter of signs or of stop words alone finds nothing. */
export async function readSearch(
  db: Db,
  filter: ListFilter,
  seller?: Search['seller'],
): Promise<Search | 'everything' | 'nothing'> {
  const terms = readTerms(filter.q)
  // A year that is still being typed filters nothing.
  const year = /^\d{4}$/.test(filter.year ?? '') ? Number(filter.year) : undefined
  const lexemes = terms ? await findLexemes(db, wordsOfTerms(terms)) : new Map<string, string>()
  const query = toQuery(terms, lexemes, { own: seller !== undefined, year })
  const ids = [filter.categoryId, filter.manuId, filter.modelId].map((id) => id || undefined)
  if (query === undefined) return 'nothing'
  if (query === '' && ids.every((id) => id === undefined)) return 'everything'
  const [categoryId, manufacturerId, carModelId] = ids
  return { query, categoryId, manufacturerId, carModelId, seller, sort: filter.sort ?? 'newest' }
}
