import { sql } from 'kysely'
import type { ColumnChanges } from '#server/features/listings/listing-diff.ts'
import { RELABEL_REASONS } from '#server/features/lookups/lookup-kind.ts'
import { HIGHEST_ID } from '#server/platform/database/cursors.ts'
import type { Db } from '#server/platform/database/database.ts'

// The condition of the index `change_set_bulk`, word by word.
const isBulk = sql`s.reason in ('bulk edit', 'undo bulk edit')`

export type BulkSave = {
  id: string
  at: Date
  /** Name of who did it. */
  by: string | null
  how: string
  /** How many listings it changed. */
  listings: number
  undoneAt: Date | null
}

/** Bulk saves and undos of them, newest first, from the one before `before` on. */
export async function listBulkSaves(
  db: Db,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<BulkSave[]> {
  const { rows } = await sql<BulkSave>`
    select s.id, s.at, u.name as by, s.reason as how, undo.at as "undoneAt",
           (select count(*) from listing_change c where c.change_set_id = s.id) as listings
    from change_set s
    left join app_user u on u.id = s.actor_user_id
    left join change_set_undo taken on taken.change_set_id = s.id
    left join change_set undo on undo.id = taken.undo_change_set_id
    where ${isBulk} and s.id < ${before ?? HIGHEST_ID}
    order by s.id desc limit ${limit}
  `.execute(db)
  return rows
}

/** Locks a bulk save, so that of two undos one waits; undefined where it is none. */
export async function lockBulkSave(trx: Db, id: string): Promise<{ isUndone: boolean } | undefined> {
  const locked = await sql`select from change_set s where s.id = ${id} and ${isBulk} for update`.execute(trx)
  if (locked.rows.length === 0) return undefined
  const undone = await sql`select from change_set_undo where change_set_id = ${id}`.execute(trx)
  return { isUndone: undone.rows.length > 0 }
}

export type ListingChange = { listingId: string; version: number; changes: ColumnChanges }

export async function listChangesOfSet(db: Db, changeSetId: string): Promise<ListingChange[]> {
  const { rows } = await sql<ListingChange>`
    select listing_id as "listingId", version, changes from listing_change
    where change_set_id = ${changeSetId} order by listing_id
  `.execute(db)
  return rows
}

/** What became of listings after these versions of theirs, oldest first. */
export async function listLaterChanges(
  db: Db,
  changes: readonly ListingChange[],
): Promise<(ListingChange & { relabelled: boolean })[]> {
  if (changes.length === 0) return []
  const { rows } = await sql<ListingChange & { relabelled: boolean }>`
    select c.listing_id as "listingId", c.version, c.changes, s.reason = any(${RELABEL_REASONS}) as relabelled
    from unnest(${changes.map(({ listingId }) => listingId)}::uuid[], ${changes.map(({ version }) => version)}::int[])
      as asked(id, version)
    join listing_change c on c.listing_id = asked.id and c.version > asked.version
    join change_set s on s.id = c.change_set_id
    order by c.listing_id, c.version
  `.execute(db)
  return rows
}

/** Those of these models that still exist, and will until the transaction ends. */
export async function lockCarModels(trx: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select id from car_model where id = any(${[...ids]}::uuid[]) order by id for key share
  `.execute(trx)
  return new Set(rows.map(({ id }) => id))
}

export async function insertUndo(trx: Db, changeSetId: string, undoChangeSetId: string): Promise<void> {
  await sql`
    insert into change_set_undo (change_set_id, undo_change_set_id) values (${changeSetId}, ${undoChangeSetId})
  `.execute(trx)
}
