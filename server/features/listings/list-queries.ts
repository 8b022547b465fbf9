import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/platform/database.ts'
import { type ReadListing, readColumns, readJoins } from './listing-queries.ts'
import { matches } from './search-queries.ts'

export type Page = { page: number; perPage: number }
export type ListingFilter = {
  q?: string | undefined
  categoryId?: string | undefined
  manuId?: string | undefined
  modelId?: string | undefined
  year?: string | undefined
}
export type FoundListings = { items: ReadListing[]; total: number; totalIsAtLeast?: true }

// Beyond this a total is "10,000+": counting every match of a broad word would cost more than the page itself.
const COUNT_TO = 10_000

/** Public listings: active, not ended, not deleted. */
const isLive = sql`l.status = 'ACTIVE' and l.ended_at is null and l.deleted_at is null`

const orders = {
  newest: sql`l.id desc`,
  'price-low': sql`l.price_cents, l.id desc`,
  'price-high': sql`l.price_cents desc, l.id desc`,
} as const
export type SortOrder = keyof typeof orders

/** One page of the public list, newest first. */
export async function listLive(db: Db, page: Page): Promise<ReadListing[]> {
  return readPage(db, { where: isLive, order: orders.newest, page })
}

export async function countLive(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from listing l where ${isLive}`.execute(db)
  return rows[0]?.n ?? 0
}

/** Finds among the public listings. */
export function searchLive(
  db: Db,
  filter: ListingFilter,
  list: Page & { sort: SortOrder },
): Promise<FoundListings> {
  return findPage(db, { where: conditions([isLive], filter), order: orders[list.sort], page: list })
}

/** A seller's own listings, running or ended; deleted ones never. */
export function listOfSeller(
  db: Db,
  owner: { sellerId: string; state: 'active' | 'sold' },
  list: ListingFilter & Page,
): Promise<FoundListings> {
  const own = [
    sql`l.seller_id = ${owner.sellerId} and l.deleted_at is null`,
    owner.state === 'sold' ? sql`l.ended_at is not null` : sql`l.ended_at is null`,
  ]
  return findPage(db, { where: conditions(own, list, owner.sellerId), order: orders.newest, page: list })
}

function conditions(
  fixed: RawBuilder<unknown>[],
  filter: ListingFilter,
  sellerId?: string,
): RawBuilder<unknown> {
  const all = [...fixed]
  if (filter.categoryId) all.push(sql`l.category_id = ${filter.categoryId}`)
  if (filter.manuId) all.push(sql`l.manufacturer_id = ${filter.manuId}`)
  if (filter.modelId) all.push(sql`l.car_model_id = ${filter.modelId}`)
  if (/^\d{4}$/.test(filter.year ?? ''))
    all.push(sql`${Number(filter.year)} between l.year_from and l.year_to`)
  const search = matches(filter.q, sellerId)
  if (search) all.push(search)
  return sql.join(all, sql` and `)
}

type PageQuery = { where: RawBuilder<unknown>; order: RawBuilder<unknown>; page: Page }

async function findPage(db: Db, query: PageQuery): Promise<FoundListings> {
  const [items, counted] = await Promise.all([readPage(db, query), countTo(db, query.where)])
  return counted > COUNT_TO ? { items, total: COUNT_TO, totalIsAtLeast: true } : { items, total: counted }
}

/** Picks the page's ids first, so that names and pictures are joined for these few rows only. */
async function readPage(db: Db, { where, order, page }: PageQuery): Promise<ReadListing[]> {
  const { rows } = await sql<ReadListing>`
    with page as materialized (
      select l.id from listing l where ${where}
      order by ${order} limit ${page.perPage} offset ${(page.page - 1) * page.perPage}
    )
    select ${readColumns} from page join listing l on l.id = page.id ${readJoins} order by ${order}
  `.execute(db)
  return rows
}

async function countTo(db: Db, where: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (select from listing l where ${where} limit ${COUNT_TO + 1}) as matching
  `.execute(db)
  return rows[0]?.n ?? 0
}
