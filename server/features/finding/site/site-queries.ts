import { sql } from 'kysely'
import type { SiteCounts } from '#contract/pages/public-pages.ts'
import { liveBySeller, tallyOf } from '#server/features/market/for-sale/tally.ts'
import type { Db } from '#server/platform/database/database.ts'

/** The numbers on the home page. */
export async function countSite(db: Db): Promise<SiteCounts> {
  const { rows } = await sql<SiteCounts>`
    select tally.live as listings,
           (select count(*) from manufacturer where confirmed and merged_into is null) as manufacturers,
           (select count(*) from car_model where confirmed and merged_into is null) as models,
           (select count(*) from (${liveBySeller}) listing) as sellers
    from (${tallyOf(undefined)}) tally
  `.execute(db)
  return rows[0] ?? { listings: 0, manufacturers: 0, models: 0, sellers: 0 }
}
