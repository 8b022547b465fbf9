import { sql } from 'kysely'
import { AGED_DAYS, MIN_PARTS, type PriceRange } from '#contract/listing/pricing.ts'
import { isPublic } from '#server/features/market/for-sale/for-sale.ts'
import type { Db } from '#server/platform/database/database.ts'

/** The part to price. */
export type PricedPart = {
  categoryId: string
  modelId: string
  yearFrom: number
  yearTo: number
  grade: string | undefined
  /** Its own listing, which is excluded. */
  except: string | undefined
}

type Row = { median: number; low: number; high: number; count: number; sold: number }

// Older prices say little about today.
const SOLD_SINCE_DAYS = 365

/**
 * Finds the price range of comparable parts, live or sold within a year: same category and model, overlapping years,
 * and the same grade if there are enough. Undefined with fewer than five. Excludes the tenths at both ends, which are
 * often typos or wishful prices. Reads a model's listings by index, a few thousand at most.
 */
export async function findPriceRange(db: Db, part: PricedPart, now: Date): Promise<PriceRange | undefined> {
  const graded = part.grade ? await readRange(db, part, { grade: part.grade, now }) : undefined
  if (graded) return { ...graded, grade: part.grade ?? null }
  const any = await readRange(db, part, { grade: null, now })
  return any && { ...any, grade: null }
}

async function readRange(
  db: Db,
  part: PricedPart,
  { grade, now }: { grade: string | null; now: Date },
): Promise<Row | undefined> {
  const since = new Date(now.getTime() - SOLD_SINCE_DAYS * 86_400_000)
  const { rows } = await sql<Row>`
    select percentile_disc(0.5) within group (order by price_cents) / 100.0::float8 as median,
           percentile_disc(0.1) within group (order by price_cents) / 100.0::float8 as low,
           percentile_disc(0.9) within group (order by price_cents) / 100.0::float8 as high,
           count(*)::int as count, count(ended_at)::int as sold
    from listing l
    where car_model_id = ${part.modelId} and category_id = ${part.categoryId} and ${isPublic}
      and year_from <= ${part.yearTo} and year_to >= ${part.yearFrom}
      and (${grade}::text is null or grade = ${grade}) and id is distinct from ${part.except ?? null}::uuid
      and price_cents > 0 and currency = 'USD'
      and (ended_at is null or (ended_at >= ${since} and ended_reason in ('sold-here', 'sold-elsewhere')))
    having count(*) >= ${MIN_PARTS}
  `.execute(db)
  return rows[0]
}

type Aged = {
  id: string
  days: number
  categoryId: string
  modelId: string
  yearFrom: number
  yearTo: number
  grade: string | null
}

/** Lists which of these listings of a seller have been for sale for a long time. */
export async function listAged(db: Db, sellerId: string, ids: readonly string[], now: Date): Promise<Aged[]> {
  const before = new Date(now.getTime() - AGED_DAYS * 86_400_000)
  const { rows } = await sql<Aged>`
    select id, floor(extract(epoch from ${now}::timestamptz - created_at) / 86400)::int as days,
           category_id as "categoryId", car_model_id as "modelId", year_from as "yearFrom", year_to as "yearTo", grade
    from listing
    where id = any(${[...ids]}::uuid[]) and seller_id = ${sellerId} and deleted_at is null and ended_at is null
      and created_at <= ${before} and category_id is not null and car_model_id is not null
  `.execute(db)
  return rows
}
