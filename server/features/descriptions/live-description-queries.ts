import { sql } from 'kysely'
import { isLive } from '#server/features/listings/find/list-queries.ts'
import type { RecordFields } from '#server/features/writing/part-text.ts'
import { LOWEST_ID } from '#server/platform/database/cursors.ts'
import type { Db } from '#server/platform/database/database.ts'

export type LiveListing = {
  readonly id: string
  readonly version: number
  readonly slug: string
  /** Under the names of the API. */
  readonly fields: RecordFields & { readonly partdescription: string }
}

export async function countLiveListings(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from listing l where ${isLive}`.execute(db)
  return rows[0]?.count ?? 0
}

/** The id before which so many live listings stand, the oldest ones, since ids grow with time; undefined for none. */
export async function findLiveIdBefore(db: Db, count: number): Promise<string | undefined> {
  if (count === 0) return undefined
  const { rows } = await sql<{ id: string }>`
    select l.id from listing l where ${isLive} order by l.id offset ${count - 1} limit 1`.execute(db)
  return rows[0]?.id
}

/** Live listings, the oldest first, from the one behind `after` on. */
export async function listLiveListings(
  db: Db,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<LiveListing[]> {
  const { rows } = await sql<LiveListing>`
    select l.id, l.version, l.slug, jsonb_build_object(
      'partname', l.name, 'partdescription', l.description,
      'partmanuname', l.manufacturer_name, 'partmodel', l.model_name, 'parttrim', l.trim_name,
      'partyear', case when l.year_from = l.year_to then l.year_from::text else l.year_from || '-' || l.year_to end,
      'partnum', l.part_number, 'partmiles', l.miles, 'partdamage', l.damage) as fields
    from listing l
    where ${isLive} and l.id > ${after ?? LOWEST_ID}
    order by l.id limit ${limit}
  `.execute(db)
  return rows
}
