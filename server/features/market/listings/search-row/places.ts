import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { RecentValues } from '#server/platform/recent-values.ts'

/* Where listings are. A place is a point in one integer, to a hundredth of a degree (`place_at` in the database). */

/** The columns that say where a listing is. */
export type PlacedColumns = {
  seller_id: string
  latitude?: number | null | undefined
  longitude?: number | null | undefined
  zip?: string | null | undefined
  city?: string | undefined
  state?: string | undefined
}

// All parts of a yard share one location; a few hundred bytes each.
const places = new RecentValues<number | 'nowhere'>(5_000)

const keyOf = ({ seller_id, latitude, longitude, zip, city, state }: PlacedColumns) =>
  JSON.stringify([seller_id, latitude, longitude, zip, city, state])

/** The places of listings in their order; null for those that nothing is known of. */
export async function findPlaces(db: Db, listings: readonly PlacedColumns[]): Promise<(number | null)[]> {
  const keys = listings.map(keyOf)
  const found = new Map<string, number | 'nowhere'>()
  const unknown = new Map<string, PlacedColumns>()
  for (const [at, listing] of listings.entries()) {
    const key = keys[at] ?? ''
    if (found.has(key) || unknown.has(key)) continue
    const known = places.get(key)
    if (known === undefined) unknown.set(key, listing)
    else found.set(key, known)
  }
  for (const [key, { place, isOwn }] of await placesOf(db, unknown)) {
    found.set(key, place)
    // A yard may move.
    if (isOwn) places.set(key, place)
  }
  return keys.map((key) => {
    const place = found.get(key)
    return typeof place === 'number' ? place : null
  })
}

async function placesOf(db: Db, unknown: ReadonlyMap<string, PlacedColumns>) {
  if (unknown.size === 0) return []
  const all = [...unknown.values()]
  const { rows } = await sql<{ place: number | null; isOwn: boolean }>`
    select place_of_listing(latitude, longitude, zip, city, state, seller_id) as place,
           place_of(latitude, longitude, zip, city, state) is not null as "isOwn"
    from unnest(${all.map((one) => one.latitude ?? null)}::float8[], ${all.map((one) => one.longitude ?? null)}::float8[],
                ${all.map((one) => one.zip ?? null)}::text[], ${all.map((one) => one.city ?? '')}::text[],
                ${all.map((one) => one.state ?? '')}::text[], ${all.map((one) => one.seller_id)}::uuid[])
         with ordinality as t(latitude, longitude, zip, city, state, seller_id, at)
    order by at
  `.execute(db)
  return [...unknown.keys()].map(
    (key, at) => [key, { place: rows[at]?.place ?? 'nowhere', isOwn: rows[at]?.isOwn ?? false }] as const,
  )
}

// Only a release changes them. A few bytes each.
const knownZips = new RecentValues<number>(5_000)

/** @throws AppError VALIDATION_FAILED for a ZIP code that does not exist */
export async function findZip(db: Db, zip: string): Promise<number> {
  const known = knownZips.get(zip)
  if (known !== undefined) return known
  const { rows } = await sql<{ place: number }>`select place from zip where zip = ${zip}`.execute(db)
  const [found] = rows
  if (found) {
    knownZips.set(zip, found.place)
    return found.place
  }
  const sentence = `There is no ZIP code ${zip}. Check its digits.`
  throw new AppError('VALIDATION_FAILED', sentence, { fields: { zip: sentence } })
}

/** Miles from a ZIP code to listings, by their ids; without those that nothing is known of. */
export async function milesFrom(
  db: Db,
  zip: string,
  listingIds: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; miles: number }>`
    select t.listing_id as id, round(miles_between(z.place, t.place)) as miles
    from zip z, listing_search t
    where z.zip = ${zip} and t.listing_id = any(${[...listingIds]}::uuid[]) and t.place is not null
  `.execute(db)
  return new Map(rows.map(({ id, miles }) => [id, miles]))
}
