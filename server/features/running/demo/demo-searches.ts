import { sql } from 'kysely'
import { readConditions } from '#server/features/finding/saved-searches/conditions.ts'
import { lockOwner, storeSearch } from '#server/features/finding/saved-searches/saved-searches.ts'
import { openReading } from '#server/features/finding/search/query/reading.ts'
import type { Db } from '#server/platform/database/database.ts'
import { demoEmails } from './demo-sign-ins.ts'

/* Saved searches of demo buyers, so that the yards see wanted parts. */

type DemoSearch = { buyer: string; query: string; daysAgo: number }

const SEARCHES: readonly DemoSearch[] = [
  { buyer: demoEmails.free, query: 'q=2010 honda accord headlight left&priceMax=150', daysAgo: 12 },
  { buyer: 'lena.ortiz', query: 'q=2014 f150 tail light right&zip=74103&radius=100', daysAgo: 3 },
  { buyer: 'omar.haddad', query: 'q=f150 tail light&zip=74012&radius=250', daysAgo: 8 },
  { buyer: 'june.castillo', query: 'q=camry alternator&zip=73102&radius=250&grade=A', daysAgo: 5 },
  { buyer: 'theo.brandt', query: 'q=2012-2015 camry alternator&priceMax=90&zip=74115', daysAgo: 17 },
  { buyer: 'pat.novak', query: 'q=silverado transmission&zip=72701&radius=500', daysAgo: 21 },
  { buyer: 'ada.whitcomb', query: 'q=wrangler hard top&zip=75201&radius=500', daysAgo: 2 },
  { buyer: 'sol.rivera', query: 'q=civic door mirror passenger side&zip=67202&radius=250', daysAgo: 9 },
]

const DAY_MS = 86_400_000

/** The initial listings do not count as new for them. */
export async function insertDemoSearches(trx: Db, now: Date): Promise<void> {
  const ask = openReading(() => now)
  for (const { buyer, query, daysAgo } of SEARCHES) {
    const conditions = await readConditions(trx, ask, query)
    const at = new Date(now.getTime() - daysAgo * DAY_MS)
    const owner = await lockOwner(trx, { email: buyer.includes('@') ? buyer : `${buyer}@garage.example` })
    await storeSearch(trx, { owner, conditions, frequency: 'daily', confirmedAt: at, now: at })
    await sql`update saved_search set created_at = ${at} where owner_id = ${owner.id}`.execute(trx)
  }
  await sql`delete from listing_arrival where at = now()::timestamptz(3)`.execute(trx)
}
