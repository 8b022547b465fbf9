import { type RawBuilder, sql } from 'kysely'
import { tallyOf } from '#server/features/listings/tally-queries.ts'
import type { Db } from '#server/platform/database.ts'
import type { DayRange } from './day-range.ts'

/** A seller's calendar: its zone, and the day it is there. */
export type Calendar = { timeZone: string; today: string }

export async function getCalendar(db: Db, sellerId: string, now: Date): Promise<Calendar> {
  const { rows } = await sql<Calendar>`
    select time_zone as "timeZone", (${now}::timestamptz at time zone time_zone)::date as today
    from seller where id = ${sellerId}
  `.execute(db)
  const [calendar] = rows
  if (!calendar) throw new Error(`there is no seller ${sellerId}`)
  return calendar
}

/** What is counted: of which seller, on which days of whose calendar. */
export type Counted = { sellerId: string; timeZone: string; range: DayRange }

const viewsIn = ({ sellerId, range }: Counted) => sql`
  from listing_view where seller_id = ${sellerId} and day between ${range.from}::date and ${range.to}::date
`

const leadsIn = ({ sellerId, timeZone, range }: Counted) => sql`
  from lead where seller_id = ${sellerId}
    and created_at >= ${range.from}::date::timestamp at time zone ${timeZone}
    and created_at < (${range.to}::date + 1)::timestamp at time zone ${timeZone}
`

/** All views and leads together. */
export async function sumInAll(db: Db, counted: Counted): Promise<{ views: number; leads: number }> {
  const { rows } = await sql<{ views: number; leads: number }>`
    select (select coalesce(sum(views), 0)::bigint ${viewsIn(counted)}) as views,
           (select count(*) ${leadsIn(counted)}) as leads
  `.execute(db)
  return rows[0] ?? { views: 0, leads: 0 }
}

export type DaySums = { day: string; views: number; leads: number }

/** Days with neither are missing. */
export async function sumByDay(db: Db, counted: Counted): Promise<DaySums[]> {
  const { rows } = await sql<DaySums>`
    select day, sum(views)::bigint as views, sum(leads)::bigint as leads
    from (
      select day, sum(views) as views, 0 as leads ${viewsIn(counted)} group by day
      union all
      select (created_at at time zone ${counted.timeZone})::date as day, 0, count(*) ${leadsIn(counted)} group by 1
    ) each
    group by day order by day
  `.execute(db)
  return rows
}

/** One row a listing that was looked at or asked after. */
const byListing = (counted: Counted): RawBuilder<unknown> => sql`
  select listing_id, sum(views)::bigint as views, sum(leads)::bigint as leads
  from (
    select listing_id, views, 0 as leads ${viewsIn(counted)}
    union all
    select listing_id, 0, 1 ${leadsIn(counted)} and listing_id is not null
  ) each
  group by listing_id
`

export type ListingSums = {
  slug: string
  yearFrom: number
  manufacturerName: string
  modelName: string
  name: string
  views: number
  leads: number
}
export type CategorySums = { name: string; views: number; leads: number }
export type Ranking = { byListing: ListingSums[]; byCategory: CategorySums[] }

/** The listings and the categories with most views, then leads. Deleted listings count for their category only. */
export async function rankListings(
  db: Db,
  counted: Counted,
  most: { listings: number; categories: number },
): Promise<Ranking> {
  const { rows } = await sql<Ranking>`
    with counted as materialized (${byListing(counted)}),
    top as (
      select l.slug, l.year_from as "yearFrom", l.manufacturer_name as "manufacturerName",
             l.model_name as "modelName", l.name, c.views, c.leads
      from (select * from counted order by views desc, leads desc, listing_id desc) c
      cross join lateral (select * from listing where id = c.listing_id and deleted_at is null limit 1) l
      limit ${most.listings}
    ), categories as (
      select k.name, sum(c.views)::bigint as views, sum(c.leads)::bigint as leads
      from counted c join listing l on l.id = c.listing_id join category k on k.id = l.category_id
      group by k.id order by 2 desc, 3 desc, k.name limit ${most.categories}
    )
    select coalesce((select jsonb_agg(to_jsonb(top)) from top), '[]') as "byListing",
           coalesce((select jsonb_agg(to_jsonb(categories)) from categories), '[]') as "byCategory"
  `.execute(db)
  return rows[0] ?? { byListing: [], byCategory: [] }
}

/** Public listings of a seller, from the counts that are kept: counting a million takes a second. */
export async function countLiveListings(db: Db, sellerId: string): Promise<number> {
  const { rows } = await sql<{ live: number }>`select live::bigint from (${tallyOf(sellerId)}) t`.execute(db)
  return rows[0]?.live ?? 0
}
