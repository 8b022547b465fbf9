import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import type { ListingColumns } from './listing-columns.ts'
import { changesSearch, diffColumns } from './listing-diff.ts'
import { writeSearchRows } from './search-row-queries.ts'

/** Ids for new listings, in the order in which they are to be listed. */
export async function newListingIds(db: Db, count: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select uuidv7() as id from generate_series(1, ${count})`.execute(
    db,
  )
  return rows.map((row) => row.id)
}

// PostgreSQL takes 65,535 parameters a statement; a listing has about 35 columns.
const ROWS_A_STATEMENT = 1_000

/**
 * Inserts listings with their search rows and notes in the change set where they came from. All in the caller's
 * transaction, set by set; made for one listing and for thousands.
 */
export async function insertListings(
  trx: Db,
  rows: (ListingColumns & { id: string })[],
  history: { changeSetId: string; source: string },
): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_A_STATEMENT) {
    const batch = rows.slice(from, from + ROWS_A_STATEMENT)
    const ids = batch.map((row) => row.id)
    await trx.insertInto('listing').values(batch).execute()
    await writeSearchRows(trx, ids)
    await sql`
      insert into listing_change (change_set_id, listing_id, version, changes)
      select ${history.changeSetId}, id, 1, jsonb_build_object('created', jsonb_build_array(null, ${history.source}::text))
      from unnest(${ids}::uuid[]) as id
    `.execute(trx)
  }
}

/** The row as it stands, locked until the transaction ends; undefined where it does not exist. */
export async function lockListing(trx: Db, id: string) {
  return trx.selectFrom('listing').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

export type ListingRecord = NonNullable<Awaited<ReturnType<typeof lockListing>>>

/**
 * Sets columns of a locked listing: its version grows, and what changed is written to the history with the value
 * before and after. Columns that stay the same are left out; the answer tells whether anything changed. A new picture
 * is a change of content too, though it stands in another table.
 */
export async function changeListing(
  trx: Db,
  before: ListingRecord,
  change: { changeSetId: string; columns: Partial<ListingColumns>; picture?: [string | null, string] },
): Promise<boolean> {
  const columns = diffColumns(before, change.columns)
  if (Object.keys(columns).length === 0 && !change.picture) return false
  const changes = { ...columns, ...(change.picture && { picture: change.picture }) }
  await trx
    .updateTable('listing')
    .set(Object.fromEntries(Object.entries(columns).map(([column, [, after]]) => [column, after])))
    .set({ version: before.version + 1, updated_at: sql`now()` })
    .where('id', '=', before.id)
    .execute()
  await sql`
    insert into listing_change (change_set_id, listing_id, version, changes)
    values (${change.changeSetId}, ${before.id}, ${before.version + 1}, ${JSON.stringify(changes)})
  `.execute(trx)
  if (changesSearch(columns)) await writeSearchRows(trx, [before.id])
  return true
}

/** Remembers an address that a listing gives up, so that it redirects; an address taken again leaves the list. */
export async function rememberSlug(
  trx: Db,
  listingId: string,
  slugs: { old: string; now: string },
): Promise<void> {
  await sql`delete from listing_slug where slug = ${slugs.now}`.execute(trx)
  await sql`
    insert into listing_slug (slug, listing_id) values (${slugs.old}, ${listingId})
    on conflict (slug) do update set listing_id = excluded.listing_id
  `.execute(trx)
}

/** Whether an address belongs, today or in former times, to another listing that is not deleted. */
export async function isSlugTaken(db: Db, slug: string, listingId: string): Promise<boolean> {
  const { rows } = await sql`
    select from listing where slug = ${slug} and deleted_at is null and id <> ${listingId}
    union all
    select from listing_slug o join listing l on l.id = o.listing_id
    where o.slug = ${slug} and o.listing_id <> ${listingId} and l.deleted_at is null
    limit 1
  `.execute(db)
  return rows.length > 0
}
