import type { analyticsEndpoints } from '#contract/analytics.ts'
import type { Answer } from '#contract/endpoint.ts'
import { listingTitle } from '#server/features/listings/listing-title.ts'
import type { Db } from '#server/platform/database/database.ts'
import { withConversion } from './conversion.ts'
import { daysBefore, eachDay, lastDays } from './day-range.ts'
import { type DaySums, getCalendar, listTopListings, sumByCategory, sumByDay } from './queries.ts'

type Analytics = Answer<typeof analyticsEndpoints.sellerAnalytics>

const MOST = { listings: 50, categories: 20 }

/** What was looked at and asked after in the last `days` days of the seller's calendar, today with them. */
export async function readAnalytics(
  db: Db,
  { sellerId, days, now }: { sellerId: string; days: number; now: Date },
): Promise<Analytics> {
  const { timeZone, today } = await getCalendar(db, sellerId, now)
  const range = lastDays(today, days)
  const before = daysBefore(range)
  const counted = { sellerId, timeZone, range }
  const [sums, listings, categories] = await Promise.all([
    sumByDay(db, { sellerId, timeZone, range: { from: before.from, to: range.to } }),
    listTopListings(db, counted, MOST.listings),
    sumByCategory(db, counted, MOST.categories),
  ])
  const known = new Map(sums.map((sum) => [sum.day, sum]))
  return {
    days,
    totals: total(sums.filter(({ day }) => day >= range.from)),
    previous: total(sums.filter(({ day }) => day < range.from)),
    byDay: eachDay(range).map((day) => known.get(day) ?? { day, views: 0, leads: 0 }),
    byListing: listings.map((listing) => ({
      slug: listing.slug,
      title: listingTitle(listing),
      ...withConversion(listing),
    })),
    byCategory: categories.map((category) => ({ name: category.name, ...withConversion(category) })),
  }
}

function total(sums: readonly DaySums[]) {
  return withConversion({
    views: sums.reduce((sum, { views }) => sum + views, 0),
    leads: sums.reduce((sum, { leads }) => sum + leads, 0),
  })
}
