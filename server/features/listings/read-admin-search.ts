import type { Listing } from '#contract/listings.ts'
import type { Db } from '#server/platform/database/database.ts'
import { findLexemes } from './lexeme-queries.ts'
import type { Everybody, ModelWords, Search } from './search.ts'
import { readTerms, toQuery, wordsOfTerms } from './search-terms.ts'

/** What an admin asks of everybody's listings; '' and undefined both filter nothing. */
export type AdminFilter = {
  q?: string | undefined
  status?: Listing['status'] | '' | undefined
  categoryId?: string | undefined
  manuId?: string | undefined
  /** Words of the model's name. */
  model?: string | undefined
}

/** What such a filter means; words of signs or of stop words alone find nothing. */
export async function readAdminSearch(
  db: Db,
  filter: AdminFilter,
): Promise<(Search & { everybody: Everybody }) | 'everything' | 'nothing'> {
  const query = await readWords(db, filter.q, { own: true })
  const model = await readModel(db, filter.model)
  if (query === undefined || model === 'nothing') return 'nothing'
  const search = {
    query,
    categoryId: filter.categoryId || undefined,
    manufacturerId: filter.manuId || undefined,
    carModelId: undefined,
    seller: undefined,
    everybody: { status: filter.status || undefined, model },
    sort: 'newest' as const,
  }
  const asked = [query, search.categoryId, search.manufacturerId, search.everybody.status, model]
  return asked.some(Boolean) ? search : 'everything'
}

async function readWords(
  db: Db,
  typed: string | undefined,
  { own }: { own: boolean },
): Promise<string | undefined> {
  const terms = readTerms(typed)
  const lexemes = terms ? await findLexemes(db, wordsOfTerms(terms)) : new Map<string, string>()
  return toQuery(terms, lexemes, { own, year: undefined })
}

async function readModel(db: Db, typed: string | undefined): Promise<ModelWords | undefined | 'nothing'> {
  const read = readTerms(typed)
  if (!read) return undefined
  if (read.terms.length === 0) return 'nothing'
  // Letters and digits alone: nothing in them means anything to LIKE.
  const patterns = read.terms.map(({ joined }) => `% ${joined}%`)
  return { patterns, query: (await readWords(db, typed, { own: false })) ?? '' }
}
