import { type RawBuilder, sql } from 'kysely'
import type { ActivitySort } from '#contract/listings.ts'
import { matchingIds } from '#server/features/finding/search/matches/match-queries.ts'
import { MATCHES_SHOWN, sellerList } from '#server/features/finding/search/matches/ordered-lists.ts'
import type { Search } from '#server/features/finding/search/query/search.ts'
import { tallyOf } from '#server/features/market/for-sale/tally.ts'
import { type ReadListing, readListings } from '#server/features/market/listings/listing-queries.ts'
import { firstDayShown } from '#server/features/market/listings/view-counter.ts'
import { type Db, onlyRow } from '#server/platform/database/database.ts'
import { type FoundListings, type Page, present, spanOf } from './lists.ts'

type ActivityRequest = {
  seller: NonNullable<Search['seller']>
  search: Search | 'everything' | 'nothing'
  sort: ActivitySort
  page: Page
  now: Date
}

/** A page of a seller's own listings by what buyers did; pages end at MATCHES_SHOWN. */
export async function findByActivity(db: Db, request: ActivityRequest): Promise<FoundListings<ReadListing>> {
  const { search, page } = request
  if (search === 'nothing') return present(0, 0, [], page)
  const { total, ids } = await readActivityPage(db, request, search)
  return present(total, Math.min(total, MATCHES_SHOWN), await readListings(db, ids), page)
}

/** The counts, as `listing_id` and `n`; each is indexed by seller. */
function counts(sort: ActivitySort, sellerId: string, now: Date): RawBuilder<unknown> {
  if (sort === 'most-messages' || sort === 'fewest-messages') {
    return sql`
      select listing_id, count(*) as n from lead where seller_id = ${sellerId} and listing_id is not null group by 1`
  }
  return sql`
    select listing_id, sum(views) as n from listing_view
    where seller_id = ${sellerId} and day >= ${firstDayShown(now)} group by 1`
}

/**
 * Most parts of a yard were neither seen nor asked about lately. So only the others are sorted, and the rest follows or
 * precedes them in the order of an index, newest first. One statement, so that both are from one snapshot.
 */
async function readActivityPage(
  db: Db,
  { seller, sort, page, now }: ActivityRequest,
  search: Search | 'everything',
): Promise<{ total: number; ids: string[] }> {
  const { offset, limit } = spanOf(page, MATCHES_SHOWN)
  const { count, where } = sellerList(seller.id, seller.state)
  const isWhole = search === 'everything'
  const found = isWhole ? sql`` : sql`matching as materialized (${matchingIds(search)}),`
  const isFound = isWhole ? sql`true` : sql`l.id in (select listing_id from matching)`
  const total = isWhole
    ? sql`(select ${sql.ref(count)} from (${tallyOf(seller.id)}) t)`
    : sql`(select count(*) from matching)`
  const isMostFirst = sort === 'most-views' || sort === 'most-messages'
  const rest = sql`
    select l.id from listing l
    where ${where} and ${isFound} and not exists (select from ranked r where r.id = l.id) order by l.id desc`
  const ranked = sql`select id from ranked order by n ${isMostFirst ? sql`desc` : sql``}, id desc`
  const [first, second] = isMostFirst ? [ranked, rest] : [rest, ranked]
  const { rows } = await sql<{ total: number; ids: string[] }>`
    with counted as materialized (${counts(sort, seller.id, now)}), ${found}
    ranked as materialized (
      select l.id, c.n from counted c join listing l on l.id = c.listing_id where ${where} and ${isFound}
    ),
    size as materialized (
      select total, case when ${isMostFirst}::boolean then ranked else total - ranked end as first
      from (select ${total}::bigint as total, (select count(*) from ranked) as ranked) sizes
    )
    select size.total::int,
           array(${first} limit ${limit} offset ${offset})
           || array(${second}
                    limit (select ${limit} - greatest(0, least(${limit}, s.first - ${offset})) from size s)
                    offset (select greatest(0, ${offset} - s.first) from size s)) as ids
    from size
  `.execute(db)
  return onlyRow(rows)
}
