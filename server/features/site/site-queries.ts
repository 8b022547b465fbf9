import { sql } from 'kysely'
import type { Db } from '#server/platform/database.ts'

export type SiteCounts = { listings: number; manufacturers: number; models: number; sellers: number }

/** The figures of the home page. */
export async function countSite(db: Db): Promise<SiteCounts> {
  const { rows } = await sql<SiteCounts>`
    select (select count(*) from listing where status = 'ACTIVE' and ended_at is null and deleted_at is null) as listings,
           (select count(*) from manufacturer where confirmed) as manufacturers,
           (select count(*) from car_model where confirmed) as models,
           (select count(distinct seller_id) from listing
            where status = 'ACTIVE' and ended_at is null and deleted_at is null) as sellers
  `.execute(db)
  return rows[0] ?? { listings: 0, manufacturers: 0, models: 0, sellers: 0 }
}
