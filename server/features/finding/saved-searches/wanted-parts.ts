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

type Row = Omit<WantedPart, 'years' | 'starts'> & {
  yearFrom: number | null
  yearTo: number | null
  total: number
  categoryId: string | null
  make: { id: string; name: string } | null
  model: { id: string; name: string } | null
}

export async function listWanted(db: Db, asked: WantedQuery) {
  const { radius, ownMakes, page, perPage } = asked
  const here = await findPlace(db, asked.sellerId)
  const makes = ownMakes ? await listMakes(db, asked.sellerId) : undefined
  const place = sql`${here?.place ?? null}::integer`
  const { rows } = await sql<Row>`
    select w.*, category.id as "categoryId", to_jsonb(make) as make, to_jsonb(model) as model
    from (
      select part, vehicle, min(year_from) as "yearFrom", max(year_to) as "yearTo",
             count(distinct owner_id)::int as buyers,
             (select min(step) from unnest(${STEPS}::int[]) step where step >= min(miles)) as "withinMiles",
             min(created_at)::date::text as since, (count(*) over ())::int as total, min(miles) as nearest
      from (select *, miles_between(place, ${place}) as miles from saved_search) s
      where confirmed_at is not null and frequency <> 'off' and (part is not null or vehicle is not null)
        and (seller_id is null or seller_id = ${asked.sellerId})
        and (radius is null or miles is null or miles <= radius or or_ships)
        and (${radius ?? null}::int is null or miles <= ${radius ?? null}::int)
        and (${makes ?? null}::uuid[] is null or vehicle is null or ${isOfMakes(makes ?? [])})
      group by part, vehicle
      order by buyers desc, min(miles), part, vehicle
      limit ${perPage} offset ${(page - 1) * perPage}
    ) w
    left join lateral (
      select id from category
      where merged_into is null and (name = w.part or starts_with(w.part, name || ', '))
      order by length(name) desc limit 1
    ) category on true
    left join lateral (
      select id, name from manufacturer
      where merged_into is null and (name = w.vehicle or starts_with(w.vehicle, name || ' ')) and w.vehicle not like '% or %'
      order by length(name) desc limit 1
    ) make on true
    left join lateral (
      select id, name from car_model
      where manufacturer_id = make.id and merged_into is null and name = substr(w.vehicle, length(make.name) + 2)
      limit 1
    ) model on true
    order by buyers desc, nearest, part, vehicle
  `.execute(db)
  return {
    items: rows.map(presentWanted),
    total: rows[0]?.total ?? 0,
    place: here?.name ?? null,
  }
}

function presentWanted({ yearFrom, yearTo, categoryId, make, model, ...row }: Row): WantedPart {
  const { part, vehicle, buyers, withinMiles, since } = row
  return {
    ...{ part, vehicle, buyers, withinMiles, since },
    years: yearFrom && yearTo ? yearSpanText({ from: yearFrom, to: yearTo }).replace('-', '–') : null,
    starts: Object.fromEntries(
      Object.entries({
        partname: part,
        partcategoryId: categoryId,
        partmanuId: make?.id,
        partmanuname: make?.name,
        partmodelId: model?.id,
        partmodel: model?.name,
        // If there are several years, only the seller knows the part's.
        partyear: yearFrom === yearTo ? yearFrom?.toString() : undefined,
      }).flatMap(([field, text]) => (text ? [[field, text]] : [])),
    ),
  }
}

/** Matched by the names in `vehicle`, since a saved search does not store the makes that words meant. */
const isOfMakes = (makes: readonly string[]) => sql`exists (
  select from manufacturer m
  where m.id = any(${[...makes]}::uuid[]) and position(' or ' || m.name || ' ' in ' or ' || vehicle || ' ') > 0
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
