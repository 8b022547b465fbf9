import { type RawBuilder, sql } from 'kysely'
import type { ManagedLookup } from '#contract/lookups.ts'
import type { Db } from '#server/platform/database/database.ts'
import { likeText } from '#server/platform/database/quoted-text.ts'
import type { LookupKind } from './lookup-kind.ts'

/** Listings beyond this number are not counted. */
export const MAX_COUNTED = 10_000

export type LookupUsage = {
  /** Excludes deleted ones; at most one more than `MAX_COUNTED`. */
  listings: number
  /** Models of a manufacturer or category. */
  models: number
  /** Whether another lookup is still being merged into it. */
  isMerging: boolean
}

/** Counts a lookup's listings, including those of lookups being merged into it. */
const boundedListings = (kind: LookupKind, id: RawBuilder<unknown>) => sql<number>`
  select count(*)::int from (
    select from listing
    where ${sql.ref(`listing.${kind}_id`)} = any(array(
        select m.id from ${sql.table(kind)} m where m.id = ${id} or m.merged_into = ${id}))
      and listing.deleted_at is null
    limit ${MAX_COUNTED + 1}
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
 * Removes a lookup from some deleted listings; otherwise an undone import would keep its names in use forever. The
 * listings keep manufacturer and model as text. Returns the number of listings.
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

export type ManagedFilter = {
  kind: LookupKind
  /** Part of a name or alias, ignoring case and spaces; for models also of the manufacturer's name. */
  q?: string | undefined
  manuId?: string | undefined
  state: 'all' | 'confirmed' | 'provisional' | 'unused'
}

export type ManagedPage = { page: number; perPage: number }

/** A page of lookups by name; usage is counted for this page only. */
export async function listManaged(
  db: Db,
  filter: ManagedFilter,
  { page, perPage }: ManagedPage,
): Promise<ManagedLookup[]> {
  const { kind } = filter
  const byName = kind === 'car_model' ? sql`lower(f.name), lower(l.name), l.id` : sql`lower(l.name), l.id`
  const chosen = sql`
    select l.id, row_number() over (order by ${byName}) as place from ${lookups(kind)}
    where ${matching(filter)}
    order by place limit ${perPage} offset ${(page - 1) * perPage}
  `
  return readManaged(db, kind, chosen)
}

/** One lookup, unless it was merged into another. */
export async function findManaged(db: Db, kind: LookupKind, id: string): Promise<ManagedLookup | undefined> {
  const chosen = sql`select id, 1 as place from ${sql.table(kind)} where id = ${id} and merged_into is null`
  const [found] = await readManaged(db, kind, chosen)
  return found
}

/** Counts matching lookups, and provisional ones of the kind. */
export async function countManaged(
  db: Db,
  filter: ManagedFilter,
): Promise<{ total: number; provisional: number }> {
  const { rows } = await sql<{ total: number; provisional: number }>`
    select (select count(*) from ${lookups(filter.kind)} where ${matching(filter)}) as total,
           (select count(*) from ${sql.table(filter.kind)} where not confirmed and merged_into is null) as provisional
  `.execute(db)
  return rows[0] ?? { total: 0, provisional: 0 }
}

const lookups = (kind: LookupKind) =>
  kind === 'car_model'
    ? sql`car_model l join manufacturer f on f.id = l.manufacturer_id`
    : sql`${sql.table(kind)} l`

function matching({ kind, q = '', manuId, state }: ManagedFilter) {
  const key = sql`'%' || name_key(${likeText(q)}) || '%'`
  const words = sql`(
    l.name_key like ${key}
    or exists (select from ${sql.table(`${kind}_alias`)} a
               where ${sql.ref(`a.${kind}_id`)} = l.id and a.alias_key like ${key})
    ${kind === 'car_model' ? sql`or f.name_key || l.name_key like ${key}` : sql``}
  )`
  return sql.join(
    [
      sql`l.merged_into is null`,
      q.trim() === '' ? sql`true` : words,
      manuId && kind === 'car_model' ? sql`l.manufacturer_id = ${manuId}` : sql`true`,
      inState(kind, state),
    ],
    sql` and `,
  )
}

function inState(kind: LookupKind, state: ManagedFilter['state']) {
  if (state === 'all') return sql`true`
  if (state !== 'unused') return state === 'confirmed' ? sql`l.confirmed` : sql`not l.confirmed`
  const withoutModels =
    kind === 'car_model'
      ? sql`true`
      : sql`not exists (select from car_model where ${sql.ref(`car_model.${kind}_id`)} = l.id)`
  return sql`${withoutModels} and not exists (
    select from listing where ${sql.ref(`listing.${kind}_id`)} = l.id and deleted_at is null
  )`
}

async function readManaged(db: Db, kind: LookupKind, chosen: RawBuilder<unknown>): Promise<ManagedLookup[]> {
  const manufacturer =
    kind === 'car_model' ? sql`f.id as "manuId", f.name as manuname` : sql`null as "manuId", null as manuname`
  const models =
    kind === 'manufacturer'
      ? sql`(select count(*)::int from car_model m where m.manufacturer_id = l.id and m.merged_into is null)`
      : sql`0`
  const universal = kind === 'category' ? sql`coalesce(l.universal, false)` : sql`false`
  const { rows } = await sql<Omit<ManagedLookup, 'createdAt'> & { createdAt: Date }>`
    select l.id, l.name, ${manufacturer}, l.confirmed, not l.confirmed and l.made_by is not null as "ofOneYard",
           ${universal} as universal,
           array(select alias from ${sql.table(`${kind}_alias`)} a
                 where ${sql.ref(`a.${kind}_id`)} = l.id order by lower(alias)) as aliases,
           (${boundedListings(kind, sql.ref('l.id'))}) as listings, ${models} as models, l.created_at as "createdAt"
    from (${chosen}) chosen join ${lookups(kind)} on l.id = chosen.id
    order by chosen.place
  `.execute(db)
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }))
}
