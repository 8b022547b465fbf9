import { sql } from 'kysely'
import type { ListingGap } from '#contract/listing/seller-check.ts'
import type { Listing } from '#contract/listings.ts'
import { gapNamed } from '#server/features/finding/search/matches/gaps.ts'
import type { Facts } from '#server/features/market/listings/search-row/fact-marks.ts'
import { findLexemes } from '#server/features/market/listings/search-row/lexemes.ts'
import { findZip } from '#server/features/market/listings/search-row/places.ts'
import { readTerms, toQuery, wordsOfTerms } from '#server/features/market/listings/search-row/search-terms.ts'
import type { Db } from '#server/platform/database/database.ts'
import { likePart, likeText } from '#server/platform/database/quoted-text.ts'
import {
  type AdminConditions,
  centsOf,
  filterYear,
  hasNoConditions,
  type Limits,
  type ModelWords,
  type Search,
} from './search.ts'

/** '' and undefined both filter nothing. */
export type ListQuery = {
  q?: string | undefined
  categoryId?: string | undefined
  manuId?: string | undefined
  modelId?: string | undefined
  /** Any of these, if there are several. */
  modelIds?: readonly string[] | undefined
  year?: string | undefined
  side?: Facts['side']
  grade?: Facts['grades']
  shipping?: Facts['shipping']
  hasPicture?: boolean | undefined
  /** In dollars. */
  priceMin?: number | undefined
  priceMax?: number | undefined
  milesMax?: number | undefined
  zip?: string | undefined
  /** Miles around the ZIP code; undefined for any distance. */
  radius?: number | undefined
  /** The same, or any distance for a part that ships; `radius` takes precedence. */
  within?: number | undefined
  /** A seller's slug. */
  seller?: string | undefined
  /** Filters the seller's own listings by a missing field. */
  missing?: ListingGap | '' | undefined
  sort?: Search['sort'] | undefined
}

/**
 * A filter of punctuation or stop words alone finds nothing. The nearest first without a ZIP code is the newest first.
 * @throws AppError VALIDATION_FAILED for a ZIP code that does not exist
 */
export async function readQuery(
  db: Db,
  filter: ListQuery,
  seller?: Search['seller'],
): Promise<Search | 'everything' | 'nothing'> {
  const words = await readWords(db, filter.q, { own: seller !== undefined })
  const search = await readFilters(db, filter)
  if (words === undefined || search === 'nothing') return 'nothing'
  const found = { ...search, words, seller, gap: filter.missing ? gapNamed(filter.missing) : undefined }
  return hasNoConditions(found) && found.sort !== 'nearest' ? 'everything' : found
}

/** The same without the words. */
export async function readFilters(db: Db, filter: ListQuery): Promise<Search | 'nothing'> {
  const limits = await readLimits(db, filter)
  if (limits === 'nothing') return 'nothing'
  const sort = filter.sort === 'nearest' && !limits.near ? 'newest' : (filter.sort ?? 'newest')
  const [categoryId, manufacturerId, carModelId] = [filter.categoryId, filter.manuId, filter.modelId].map(
    (id) => id || undefined,
  )
  return {
    words: '',
    facts: readFacts(filter),
    limits,
    categoryId,
    manufacturerId,
    carModelId,
    ...(filter.modelIds && filter.modelIds.length > 1 && { carModelIds: filter.modelIds }),
    seller: undefined,
    sort,
  }
}

const readFacts = (filter: ListQuery): Facts => ({
  year: filterYear(filter),
  side: filter.side,
  grades: filter.grade,
  shipping: filter.shipping,
  hasPicture: filter.hasPicture,
})

async function readLimits(db: Db, filter: ListQuery): Promise<Limits | 'nothing'> {
  const { priceMin, priceMax, milesMax, radius, within } = filter
  const sellerId = filter.seller ? await findSellerId(db, filter.seller) : undefined
  if (sellerId === null) return 'nothing'
  const place = filter.zip ? await findZip(db, filter.zip) : undefined
  return {
    sellerId,
    minCents: centsOf(priceMin),
    maxCents: centsOf(priceMax),
    milesMax,
    near: place === undefined ? undefined : nearOf(place, radius, within),
  }
}

function nearOf(place: number, radius: number | undefined, within: number | undefined): Limits['near'] {
  if (radius !== undefined || within === undefined) return { place, miles: radius }
  return { place, miles: within, orShips: true }
}

async function findSellerId(db: Db, slug: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`select id from seller where slug = ${slug}`.execute(db)
  return rows[0]?.id ?? null
}

/** An admin's filter of all listings; '' and undefined both filter nothing. */
export type AdminQuery = {
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
export async function readAdminQuery(
  db: Db,
  filter: AdminQuery,
): Promise<(Search & { everybody: AdminConditions }) | 'everything' | 'nothing'> {
  const words = await readWords(db, filter.q, { own: true })
  const model = await readModel(db, filter.model)
  const sellers = await readSellers(db, filter.seller)
  if (words === undefined || model === 'nothing' || sellers?.length === 0) return 'nothing'
  const dealer = filter.dealer?.trim() ? `${likeText(filter.dealer.trim().toLowerCase())}%` : undefined
  const search = {
    words,
    facts: {},
    limits: {},
    categoryId: filter.categoryId || undefined,
    manufacturerId: filter.manuId || undefined,
    carModelId: undefined,
    seller: undefined,
    everybody: { status: filter.status || undefined, model, sellers, dealer },
    sort: 'newest' as const,
  }
  const filters = [
    words,
    search.categoryId,
    search.manufacturerId,
    search.everybody.status,
    model,
    sellers,
    dealer,
  ]
  return filters.some(Boolean) ? search : 'everything'
}

// Names that match more sellers say nothing.
const MAX_SELLERS = 500

async function readSellers(db: Db, typed: string | undefined): Promise<string[] | undefined> {
  const words = typed?.trim()
  if (!words) return undefined
  const pattern = likePart(words)
  const { rows } = await sql<{ id: string }>`
    select s.id from seller s
    where s.id::text = ${words.toLowerCase()} or s.name ilike ${pattern} or s.slug ilike ${pattern}
       or exists (select from seller_member m join app_user u on u.id = m.user_id
                  where m.seller_id = s.id and u.email::text ilike ${pattern})
    order by s.id limit ${MAX_SELLERS}
  `.execute(db)
  return rows.map(({ id }) => id)
}

async function readWords(
  db: Db,
  typed: string | undefined,
  marks: { own: boolean },
): Promise<string | undefined> {
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
  return { patterns, query: (await readWords(db, typed, { own: false })) ?? '' }
}
