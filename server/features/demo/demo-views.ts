import { daysBefore } from './demo-moment.ts'
import { demoEmails } from './demo-sign-ins.ts'
import { type Random, seededRandom, weightedChoice } from './random.ts'

export type DemoView = { listingId: string; day: string; views: number }
type Viewed = { id: string; createdAt: Date; seller: { email: string } }

/** So many looks in all, on one of these days before loading (both ends included). */
type ViewPeriod = { views: number; fromDaysAgo: number; toDaysAgo: number }

/**
 * Looks at a seller's listings by day. The sum of a period is exact; within it, days differ, and some listings draw
 * far more looks than others. Nothing is looked at before it was listed.
 */
function demoViews(
  listings: readonly Viewed[],
  periods: readonly ViewPeriod[],
  { today, random }: { today: number; random: Random },
): DemoView[] {
  const oldestFirst = listings.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
  const [oldest] = oldestFirst
  if (!oldest) return []
  const choose = weightedChoice(oldestFirst, () => 0.15 + random.next() ** 3)
  const counted = new Map<string, DemoView>()
  for (const { views, fromDaysAgo, toDaysAgo } of periods) {
    for (let look = 0; look < views; look += 1) {
      const day = daysBefore(today, random.whole(toDaysAgo, fromDaysAgo))
      const listing = chooseListed(choose, day, random) ?? oldest
      const entry = { listingId: listing.id, day: day.toISOString().slice(0, 10) }
      const key = `${entry.listingId} ${entry.day}`
      counted.set(key, { ...entry, views: (counted.get(key)?.views ?? 0) + 1 })
    }
  }
  return [...counted.values()]
}

// A listing that is not there yet on that day is drawn again; the oldest stands in where nearly none was.
const ATTEMPTS = 30

function chooseListed(choose: (random: Random) => Viewed, day: Date, random: Random): Viewed | undefined {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const listing = choose(random)
    if (listing.createdAt < day) return listing
  }
  return undefined
}

// 300 looks in the last 30 days are what makes the Pro seller's 42 leads a conversion of 14 %. They end four days
// before the window does, so that the figure holds for the first days of a demo.
const PRO_PERIODS = [
  { views: 300, fromDaysAgo: 26, toDaysAgo: 1 },
  { views: 620, fromDaysAgo: 120, toDaysAgo: 32 },
]
const FREE_PERIODS = [{ views: 38, fromDaysAgo: 26, toDaysAgo: 1 }]

/** What was looked at of the two sellers who can sign in. */
export function viewsOfSignIns(listings: readonly Viewed[], today: number): DemoView[] {
  return [[demoEmails.pro, PRO_PERIODS] as const, [demoEmails.free, FREE_PERIODS] as const].flatMap(
    ([email, periods]) => {
      const own = listings.filter(({ seller }) => seller.email === email)
      return demoViews(own, periods, { today, random: seededRandom(`views of ${email}`) })
    },
  )
}
