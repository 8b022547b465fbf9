import { type RawBuilder, sql } from 'kysely'
import type { ManagedLookup } from '#contract/admin-lookups.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { LookupKind } from './lookup-kind.ts'
import { boundedListings } from './usage-queries.ts'

export type ManagedFilter = {
  kind: LookupKind
  /** Part of a name or alias, in any case and spacing; of a model also of its manufacturer's. */
  q?: string | undefined
  manuId?: string | undefined
  state: 'all' | 'confirmed' | 'provisional' | 'unused'
}

export type ManagedPage = { page: number; perPage: number }

/** The lookups of a page, by name; what stands behind them is counted for these alone. */
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

/** How many match, and how many of the kind are provisional. */
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
  const key = sql`'%' || name_key(${q.replaceAll(/[\\%_]/g, '\\$&')}) || '%'`
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
  const { rows } = await sql<Omit<ManagedLookup, 'createdAt'> & { createdAt: Date }>`
    select l.id, l.name, ${manufacturer}, l.confirmed,
           array(select alias from ${sql.table(`${kind}_alias`)} a
                 where ${sql.ref(`a.${kind}_id`)} = l.id order by lower(alias)) as aliases,
           (${boundedListings(kind, sql.ref('l.id'))}) as listings, ${models} as models, l.created_at as "createdAt"
    from (${chosen}) chosen join ${lookups(kind)} on l.id = chosen.id
    order by chosen.place
  `.execute(db)
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }))
}
