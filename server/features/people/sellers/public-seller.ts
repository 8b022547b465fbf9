import { sql } from 'kysely'
import type { PublicSeller, PublicYard } from '#contract/pages/sellers.ts'
import { isOffered, sellerClosed, type WhyGone, whyGone } from '#server/features/market/for-sale/for-sale.ts'
import { liveListingsOf } from '#server/features/market/for-sale/tally.ts'
import { findZip } from '#server/features/market/listings/search-row/places.ts'
import { listPublished } from '#server/features/money/orders/reviews/reviews.ts'
import { presentRecord, type RecordRow } from '#server/features/money/orders/reviews/track-records.ts'
import { shownName } from '#server/features/people/yard-names/shown-name.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { readYardMap } from './yard-map.ts'

const ANSWERS_COUNTED_DAYS = 90
/** With fewer, the figure would reveal how long a single buyer waited. */
const FEWEST_ANSWERS = 5
/** Only the newest, so that no page waits for all 100,000 messages of a busy seller. */
const MOST_ANSWERS = 500

type SellerRow = Omit<PublicSeller, 'since' | 'reviews' | 'stars' | 'record'> & {
  since: Date
  gone: WhyGone | null
  figures: RecordRow | null
}

/**
 * A seller's public profile, with the name and location of their newest listing. Only accounts that have listed
 * something are public.
 * @throws AppError NOT_FOUND, SELLER_CLOSED
 */
export async function getPublicSeller(db: Db, by: { slug: string } | { id: string }): Promise<PublicSeller> {
  const { rows } = await sql<SellerRow>`/* prepared */
    select s.slug, ${whyGone(sql`s.id`)} as gone, ${shownName(sql`s.id`, sql`coalesce(nullif(newest.dealer_name, ''), s.name)`)} as name,
           coalesce(nullif(place.city, ''), nullif(newest.city, '')) as city,
           coalesce(nullif(place.state, ''), nullif(newest.state, '')) as state,
           s.created_at as since, ${liveListingsOf(sql`s.id`)} as parts,
           answers.hours as "answersWithinHours", s.policy, to_jsonb(y) as figures
    from seller s left join yard_record y on y.seller_id = s.id
    -- The newest for sale, else the newest that was. Each by its index: one order over both would sort all 60,000 of a yard.
    cross join lateral (
      (select 1 as choice, l.dealer_name, l.city, l.state from listing l
       where l.seller_id = s.id and ${isOffered('l')}
       order by l.id desc limit 1)
      union all
      (select 2, l.dealer_name, l.city, l.state from listing l
       where l.seller_id = s.id and l.deleted_at is null and l.ended_at is not null and l.status = 'ACTIVE'
       order by l.id desc limit 1)
      order by choice limit 1
    ) newest
    left join lateral (
      select city, state from seller_location where seller_id = s.id order by id limit 1
    ) place on true
    cross join lateral (
      select case when count(*) >= ${FEWEST_ANSWERS}
             then percentile_cont(0.5) within group (order by extract(epoch from answered_at - created_at) / 3600) end as hours
      from (
        select created_at, answered_at from lead
        where seller_id = s.id and created_at > now() - make_interval(days => ${ANSWERS_COUNTED_DAYS})
          and answered_at is not null
        order by created_at desc limit ${MOST_ANSWERS}
      ) answered
    ) answers
    where ${'id' in by ? sql`s.id = ${by.id}` : sql`s.slug = ${by.slug}`}
  `.execute(db)
  const [found] = rows
  requireOpen(found)
  const { gone: _, since, figures, ...seller } = found
  return { ...seller, ...presentRecord(figures), since: since.toISOString() }
}

/** Changes with the seller's name, address, settings and figures, and if the seller is gone. */
export async function readSellerState(db: Db, slug: string): Promise<string> {
  const { rows } = await sql<{ state: string }>`/* prepared */
    select concat_ws(' ', s.xmin::text, y.xmin::text, ${whyGone(sql`s.id`)},
                     (select string_agg(xmin::text, ' ' order by id) from seller_location where seller_id = s.id)) as state
    from seller s left join yard_record y on y.seller_id = s.id where s.slug = ${slug}
  `.execute(db)
  return rows[0]?.state ?? 'none'
}

function requireOpen<Row extends { gone: WhyGone | null }>(row: Row | undefined): asserts row is Row {
  if (row?.gone === 'closed') throw sellerClosed()
  if (!row || row.gone) throw noSuchSeller()
}

const noSuchSeller = () => new AppError('NOT_FOUND', 'There is no such seller. Search all parts instead.')

type YardRow = Omit<PublicYard, keyof PublicSeller | 'map' | 'newestReviews'> & {
  id: string
  place: number | null
  town: string
}

/**
 * What a seller's page shows: the seller and the yard profile.
 * @throws AppError NOT_FOUND, SELLER_CLOSED
 */
export async function getPublicYard(db: Db, slug: string): Promise<PublicYard> {
  const seller = await getPublicSeller(db, { slug })
  const { rows } = await sql<YardRow>`
    select s.id, l.street, l.zip, s.phone, s.hours, s.time_zone as "timeZone", ${placeOf} as place,
           coalesce(nullif(l.city, ''), z.city, '') as town
    from seller s ${withLocation} left join zip z on z.zip = l.zip
    where s.slug = ${slug}
  `.execute(db)
  const [row] = rows
  if (!row) throw noSuchSeller()
  const { id, place, town, ...yard } = row
  const [map, newestReviews] = await Promise.all([readYardMap(db, { place, town }), listPublished(db, id)])
  return { ...seller, ...yard, map, newestReviews }
}

const withLocation = sql`
  left join lateral (select * from seller_location where seller_id = s.id order by id limit 1) l on true`
const placeOf = sql`place_of(l.latitude, l.longitude, l.zip, l.city, l.state)`

/**
 * Whole miles from a ZIP code to a seller's yard; null if the yard has no location.
 * @throws AppError NOT_FOUND, SELLER_CLOSED, VALIDATION_FAILED for a ZIP code that does not exist
 */
export async function findYardDistance(db: Db, slug: string, zip: string): Promise<number | null> {
  const { rows } = await sql<{ place: number | null; gone: WhyGone | null }>`
    select ${placeOf} as place, ${whyGone(sql`s.id`)} as gone from seller s ${withLocation} where s.slug = ${slug}
  `.execute(db)
  const [yard] = rows
  requireOpen(yard)
  const from = await findZip(db, zip)
  const measured = await sql<{ miles: number | null }>`
    select round(miles_between(${from}, ${yard.place}::int))::float8 as miles
  `.execute(db)
  return measured.rows[0]?.miles ?? null
}
