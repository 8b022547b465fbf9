import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import type { LookupKind } from './lookup-kind.ts'

/** More than this are not counted: nobody needs to know by how many. */
export const MOST_COUNTED = 10_000

export type LookupUsage = {
  /** Deleted ones left out; at most one more than `MOST_COUNTED`. */
  listings: number
  /** Of a manufacturer, or that belong to a category. */
  models: number
  /** Is there one whose listings still follow it here? */
  isMerging: boolean
}

/** Select of a lookup's listings, for `count(*)`; those of lookups on their way into it count as well. */
export const boundedListings = (kind: LookupKind, id: RawBuilder<unknown>) => sql<number>`
  select count(*)::int from (
    select from listing
    where ${sql.ref(`listing.${kind}_id`)} = any(array(
        select m.id from ${sql.table(kind)} m where m.id = ${id} or m.merged_into = ${id}))
      and listing.deleted_at is null
    limit ${MOST_COUNTED + 1}
  ) counted
`

export async function getUsage(db: Db, kind: LookupKind, id: string): Promise<LookupUsage> {
  const models =
    kind === 'car_model'
      ? sql`0`
      : sql`(select count(*)::int from car_model where ${sql.ref(`car_model.${kind}_id`)} = l.id)`
  const { rows } = await sql<LookupUsage>`
    select (${boundedListings(kind, sql.ref('l.id'))}) as listings, ${models} as models,
           exists (select from ${sql.table(kind)} m where m.merged_into = l.id) as "isMerging"
    from ${sql.table(kind)} l where l.id = ${id}
  `.execute(db)
  return rows[0] ?? { listings: 0, models: 0, isMerging: false }
}

/**
 * Some deleted listings forget a lookup that goes: an import that was taken back would otherwise keep its names for good.
 * What a manufacturer and a model were called still stands in them. Answers how many it was.
 */
export async function releaseDeletedListings(
  trx: Db,
  lookup: { kind: LookupKind; id: string; changeSetId: string; limit: number },
): Promise<number> {
  const column = `${lookup.kind}_id`
  const { numAffectedRows } = await sql`
    with found as (
      select id from listing where ${sql.ref(column)} = ${lookup.id} and deleted_at is not null
      limit ${lookup.limit} for update
    ),
    released as (
      update listing set ${sql.ref(column)} = null, version = version + 1, updated_at = now()
      from found where listing.id = found.id
      returning listing.id, version
    )
    insert into listing_change (change_set_id, listing_id, version, changes)
    select ${lookup.changeSetId}, id, version,
           jsonb_build_object(${column}::text, jsonb_build_array(${lookup.id}::text, null))
    from released
  `.execute(trx)
  return Number(numAffectedRows ?? 0)
}

export async function deleteLookupRow(trx: Db, kind: LookupKind, id: string): Promise<void> {
  await sql`delete from ${sql.table(kind)} where id = ${id}`.execute(trx)
}
