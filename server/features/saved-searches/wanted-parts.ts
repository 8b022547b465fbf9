import { sql } from 'kysely'
import { yearSpanText } from '#contract/listing/year-span.ts'
import type { WantedPart } from '#contract/search/saved-searches.ts'
import type { Db } from '#server/platform/database/database.ts'

/*
 * Wanted parts: shows sellers what buyers have saved searches for, counted by part type and vehicle. Contains no typed
 * text or address, and distances only in steps, so that a row of one buyer reveals nothing about that buyer.
 */

type WantedQuery = {
  sellerId: string
  /** Miles around the seller; undefined for any. */
  radius: number | undefined
  ownMakes: boolean
  page: number
  perPage: number
}

const STEPS = [25, 50, 100, 250, 500, 1_000, 2_500, 5_000]

type Row = Omit<WantedPart, 'years'> & { yearFrom: number | null; yearTo: number | null; total: number }

export async function listWanted(db: Db, asked: WantedQuery) {
  const { radius, ownMakes, page, perPage } = asked
  const here = await findPlace(db, asked.sellerId)
  const makes = ownMakes ? await listMakes(db, asked.sellerId) : undefined
  const place = sql`${here?.place ?? null}::integer`
  const { rows } = await sql<Row>`
    select part, vehicle, min(year_from) as "yearFrom", max(year_to) as "yearTo",
           count(distinct owner_id)::int as buyers,
           (select min(step) from unnest(${STEPS}::int[]) step where step >= min(miles)) as "withinMiles",
           min(created_at)::date::text as since, (count(*) over ())::int as total
    from (select *, miles_between(place, ${place}) as miles from saved_search) s
    where confirmed_at is not null and frequency <> 'off' and (part is not null or vehicle is not null)
      and (seller_id is null or seller_id = ${asked.sellerId})
      and (radius is null or miles is null or miles <= radius)
      and (${radius ?? null}::int is null or miles <= ${radius ?? null}::int)
      and (${makes ?? null}::uuid[] is null or vehicle is null or ${isOfMakes(makes ?? [])})
    group by part, vehicle
    order by buyers desc, min(miles), part, vehicle
    limit ${perPage} offset ${(page - 1) * perPage}
  `.execute(db)
  return {
    items: rows.map(({ yearFrom, yearTo, total: _, ...row }) => ({
      ...row,
      years: yearFrom && yearTo ? yearSpanText({ from: yearFrom, to: yearTo }).replace('-', '–') : null,
    })),
    total: rows[0]?.total ?? 0,
    place: here?.name ?? null,
  }
}

const isOfMakes = (makes: readonly string[]) => sql`(
  manufacturer_id = any(${[...makes]}::uuid[]) or meant_manufacturer_ids && ${[...makes]}::uuid[]
  or exists (
    select from car_model m
    where (m.id = s.car_model_id or m.id = any(s.meant_model_ids)) and m.manufacturer_id = any(${[...makes]}::uuid[])
  )
)`

/** Finds the place of the seller's newest part that has one. */
async function findPlace(
  db: Db,
  sellerId: string,
): Promise<{ place: number; name: string | null } | undefined> {
  const { rows } = await sql<{ place: number; name: string | null }>`
    select t.place, coalesce(nullif(concat_ws(', ', nullif(l.city, ''), nullif(l.state, '')), ''),
                             (select z.city || ', ' || z.state from zip z where z.place = t.place limit 1)) as name
    from listing l join listing_search t on t.listing_id = l.id
    where l.seller_id = ${sellerId} and l.deleted_at is null and l.ended_at is null and t.place is not null
    order by l.id desc limit 1
  `.execute(db)
  return rows[0]
}

// Reading the newest parts finds all makes of nearly every yard.
const NEWEST = 5_000

async function listMakes(db: Db, sellerId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct manufacturer_id as id from (
      select manufacturer_id from listing
      where seller_id = ${sellerId} and deleted_at is null and ended_at is null order by id desc limit ${NEWEST}
    ) newest where manufacturer_id is not null
  `.execute(db)
  return rows.map(({ id }) => id)
}
