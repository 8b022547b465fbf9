import { sql } from 'kysely'
import type { SiteCounts } from '#contract/pages/public-pages.ts'
import { sellersListing, tallyOf } from '#server/features/search/lists/list-queries.ts'
import type { Db } from '#server/platform/database/database.ts'

/** The numbers on the home page. */
export async function countSite(db: Db): Promise<SiteCounts> {
  const { rows } = await sql<SiteCounts>`
    select tally.live as listings,
           (select count(*) from manufacturer where confirmed and merged_into is null) as manufacturers,
           (select count(*) from car_model where confirmed and merged_into is null) as models,
           (${sellersListing}) as sellers
    from (${tallyOf(undefined)}) tally
  `.execute(db)
  return rows[0] ?? { listings: 0, manufacturers: 0, models: 0, sellers: 0 }
}
