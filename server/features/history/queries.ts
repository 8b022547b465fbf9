import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import type { RecordedChange } from './change-fields.ts'
import type { LastChange } from './change-words.ts'

export type PastChange = {
  version: number
  at: Date
  /** Name of who did it; null for the program itself. */
  by: string | null
  how: string
  changeSetId: string
  changes: RecordedChange
}

/** Changes of a listing below a version, newest first; its creation is none of them. */
export async function listChanges(
  db: Db,
  listingId: string,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<PastChange[]> {
  const { rows } = await sql<PastChange>`
    select c.version, c.at, u.name as by, s.reason as how, c.change_set_id as "changeSetId", c.changes
    from listing_change c
    join change_set s on s.id = c.change_set_id left join app_user u on u.id = s.actor_user_id
    where c.listing_id = ${listingId} and c.version < ${before ?? BEYOND} and not c.changes ? 'created'
    order by c.version desc limit ${limit}
  `.execute(db)
  return rows
}

// The largest integer of PostgreSQL.
const BEYOND = 2_147_483_647

/** When and how a listing came into being; undefined where there is no such listing, deleted ones included. */
export async function findCreation(
  db: Db,
  listingId: string,
): Promise<{ at: Date; how: string } | undefined> {
  const { rows } = await sql<{ at: Date; how: string }>`
    select l.created_at as at,
           coalesce(
             (select changes -> 'created' ->> 1 from listing_change where listing_id = l.id and changes ? 'created'),
             (select 'import' from listing_source where listing_id = l.id limit 1),
             'not recorded') as how
    from listing l where l.id = ${listingId}
  `.execute(db)
  return rows[0]
}

/** Names of categories, by id. */
export async function listCategoryNames(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from category where id = any(${[...ids]}::uuid[])
  `.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Who changed each of these listings last. */
export async function findLastChanges(
  db: Db,
  listingIds: readonly string[],
): Promise<Map<string, LastChange>> {
  if (listingIds.length === 0) return new Map()
  const { rows } = await sql<LastChange & { listingId: string }>`
    select c.listing_id as "listingId", s.actor_user_id as "userId", u.name as by, s.actor_kind as kind, s.reason as how, c.at,
           exists (
             select from listing l join seller_member m on m.seller_id = l.seller_id
             where l.id = c.listing_id and m.user_id = s.actor_user_id
           ) as "isOfSeller"
    from unnest(${[...listingIds]}::uuid[]) as asked(id)
    cross join lateral (
      select listing_id, change_set_id, at from listing_change
      where listing_id = asked.id order by version desc limit 1
    ) c
    join change_set s on s.id = c.change_set_id left join app_user u on u.id = s.actor_user_id
  `.execute(db)
  return new Map(rows.map(({ listingId, ...change }) => [listingId, change]))
}
