import type { Db } from '#server/platform/database/database.ts'
import { type Sums, withConversion } from './conversion.ts'
import { lastDays } from './day-range.ts'
import { countLiveListings, getCalendar, sumInAll } from './queries.ts'

/** "This month" is the last 30 days. */
const DAYS = 30

/** The figures of the Pro command center. */
export async function readFigures(
  db: Db,
  { sellerId, now }: { sellerId: string; now: Date },
): Promise<Sums & { activeListings: number }> {
  const { timeZone, today } = await getCalendar(db, sellerId, now)
  const [activeListings, sums] = await Promise.all([
    countLiveListings(db, sellerId),
    sumInAll(db, { sellerId, timeZone, range: lastDays(today, DAYS) }),
  ])
  return { activeListings, ...withConversion(sums) }
}
