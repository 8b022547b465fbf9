import { sql } from 'kysely'
import type { Listing } from '#contract/listings.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Everybody, ModelWords, Search, SortOrder } from './list-queries.ts'
import { findLexemes } from './search-rows.ts'
import { type QueryMarks, readTerms, toQuery, wordsOfTerms } from './search-terms.ts'

/** '' and undefined both filter nothing. */
export type ListFilter = {
  q?: string | undefined
  categoryId?: string | undefined
  manuId?: string | undefined
  modelId?: string | undefined
  year?: string | undefined
  /** A seller's slug. */
  seller?: string | undefined
  sort?: SortOrder
}

/** A filter of punctuation or stop words alone finds nothing. */
export async function readSearch(
  db: Db,
  filter: ListFilter,
  seller?: Search['seller'],
): Promise<Search | 'everything' | 'nothing'> {
  // A year that is still being typed filters nothing.
  const year = /^\d{4}$/.test(filter.year ?? '') ? Number(filter.year) : undefined
  const query = await readWords(db, filter.q, { own: seller !== undefined, year })
  const ids = [filter.categoryId, filter.manuId, filter.modelId].map((id) => id || undefined)
  const publicSeller = filter.seller ? await findSellerId(db, filter.seller) : undefined
  if (query === undefined || (filter.seller && !publicSeller)) return 'nothing'
  if (query === '' && [...ids, publicSeller].every((id) => id === undefined)) return 'everything'
  const [categoryId, manufacturerId, carModelId] = ids
  return {
    query,
    categoryId,
    manufacturerId,
    carModelId,
    seller,
    publicSeller,
    sort: filter.sort ?? 'newest',
  }
}

async function findSellerId(db: Db, slug: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`select id from seller where slug = ${slug}`.execute(db)
  return rows[0]?.id
}

/** An admin's filter of all listings; '' and undefined both filter nothing. */
export type AdminFilter = {
  q?: string | undefined
  status?: Listing['status'] | '' | undefined
  categoryId?: string | undefined
  manuId?: string | undefined
  /** Words of the model's name. */
  model?: string | undefined
  /** Part of the seller's name, address or a member's email, or the seller's id. */
  seller?: string | undefined
  /** The beginning of the dealer's name. */
  dealer?: string | undefined
}

/** Words of punctuation or stop words alone find nothing. */
export async function readAdminSearch(
  db: Db,
  filter: AdminFilter,
): Promise<(Search & { everybody: Everybody }) | 'everything' | 'nothing'> {
  const query = await readWords(db, filter.q, { own: true, year: undefined })
  const model = await readModel(db, filter.model)
  const sellers = await readSellers(db, filter.seller)
  if (query === undefined || model === 'nothing' || sellers?.length === 0) return 'nothing'
  const dealer = filter.dealer?.trim() ? `${likeText(filter.dealer.trim().toLowerCase())}%` : undefined
  const search = {
    query,
    categoryId: filter.categoryId || undefined,
    manufacturerId: filter.manuId || undefined,
    carModelId: undefined,
    seller: undefined,
    everybody: { status: filter.status || undefined, model, sellers, dealer },
    sort: 'newest' as const,
  }
  const filters = [
    query,
    search.categoryId,
    search.manufacturerId,
    search.everybody.status,
    model,
    sellers,
    dealer,
  ]
  return filters.some(Boolean) ? search : 'everything'
}

const likeText = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&')

// Names that match more sellers say nothing.
const MAX_SELLERS = 500

async function readSellers(db: Db, typed: string | undefined): Promise<string[] | undefined> {
  const words = typed?.trim()
  if (!words) return undefined
  const pattern = `%${likeText(words)}%`
  const { rows } = await sql<{ id: string }>`
    select s.id from seller s
    where s.id::text = ${words.toLowerCase()} or s.name ilike ${pattern} or s.slug ilike ${pattern}
       or exists (select from seller_member m join app_user u on u.id = m.user_id
                  where m.seller_id = s.id and u.email::text ilike ${pattern})
    order by s.id limit ${MAX_SELLERS}
  `.execute(db)
  return rows.map(({ id }) => id)
}

async function readWords(db: Db, typed: string | undefined, marks: QueryMarks): Promise<string | undefined> {
  const terms = readTerms(typed)
  const lexemes = terms ? await findLexemes(db, wordsOfTerms(terms)) : new Map<string, string>()
  return toQuery(terms, lexemes, marks)
}

async function readModel(db: Db, typed: string | undefined): Promise<ModelWords | undefined | 'nothing'> {
  const read = readTerms(typed)
  if (!read) return undefined
  if (read.terms.length === 0) return 'nothing'
  // Only letters and digits, so nothing needs escaping for LIKE.
  const patterns = read.terms.map(({ joined }) => `% ${joined}%`)
  return { patterns, query: (await readWords(db, typed, { own: false, year: undefined })) ?? '' }
}
