import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import type { LookupKind } from './lookup-kind.ts'

type Change = {
  changeSetId: string
  kind: LookupKind
  lookupId: string
  /** Field → its value before and after, as for listings. */
  changes: Record<string, [before: unknown, after: unknown]>
}

/** Writes into the history what happened to a lookup. */
export async function insertLookupChange(trx: Db, change: Change): Promise<void> {
  await sql`
    insert into lookup_change (change_set_id, kind, lookup_id, changes)
    values (${change.changeSetId}, ${change.kind}, ${change.lookupId}, ${JSON.stringify(change.changes)})
  `.execute(trx)
}

export type LookupRow = {
  id: string
  name: string
  confirmed: boolean
  mergedInto: string | null
  /** Of a model. */
  manufacturerId: string | null
}

const columnsOf = (kind: LookupKind) => sql`
  id, name, confirmed, merged_into as "mergedInto",
  ${kind === 'car_model' ? sql`manufacturer_id` : sql`null::uuid`} as "manufacturerId"
`

/** Lookups as they stand, locked until the transaction ends. */
export async function lockLookups(
  trx: Db,
  kind: LookupKind,
  ids: readonly string[],
): Promise<Map<string, LookupRow>> {
  const { rows } = await sql<LookupRow>`
    select ${columnsOf(kind)} from ${sql.table(kind)} where id = any(${[...ids]}::uuid[]) order by id for update
  `.execute(trx)
  return new Map(rows.map((row) => [row.id, row]))
}

export type WantedName = {
  kind: LookupKind
  name: string
  /** Of a model: names are unique under their manufacturer. */
  manufacturerId: string | null
  /** The one that is to have the name. */
  exceptId?: string
}

/** Who goes by a name already, in any case and spacing, and whether it is their own name or an alias. */
export async function findNameHolder(
  db: Db,
  { kind, name, manufacturerId, exceptId }: WantedName,
): Promise<{ name: string; isAlias: boolean } | undefined> {
  const ofModel = kind === 'car_model'
  const { rows } = await sql<{ name: string; isAlias: boolean }>`
    select l.name, l.name_key <> name_key(${name}) as "isAlias" from ${sql.table(kind)} l
    where l.merged_into is null and l.id is distinct from ${exceptId ?? null}::uuid
      ${ofModel ? sql`and l.manufacturer_id = ${manufacturerId}` : sql``}
      and (l.name_key = name_key(${name}) or l.id = (
        select ${sql.ref(`${kind}_id`)} from ${sql.table(`${kind}_alias`)}
        where alias_key = name_key(${name}) ${ofModel ? sql`and manufacturer_id = ${manufacturerId}` : sql``}
      ))
    order by 2 limit 1
  `.execute(db)
  return rows[0]
}

export async function updateLookupName(
  trx: Db,
  kind: LookupKind,
  { id, name }: { id: string; name: string },
): Promise<void> {
  await sql`update ${sql.table(kind)} set name = ${name} where id = ${id}`.execute(trx)
}

export async function setConfirmed(trx: Db, kind: LookupKind, id: string): Promise<void> {
  await sql`update ${sql.table(kind)} set confirmed = true where id = ${id}`.execute(trx)
}

/** A name under which a lookup is found from now on, whoever was found under it before. */
export async function setAlias(
  trx: Db,
  kind: LookupKind,
  { id, name, manufacturerId }: { id: string; name: string; manufacturerId: string | null },
): Promise<void> {
  if (kind === 'car_model') {
    await sql`
      insert into car_model_alias (manufacturer_id, alias_key, alias, car_model_id)
      values (${manufacturerId}, name_key(${name}), ${name}, ${id})
      on conflict (manufacturer_id, alias_key)
      do update set alias = excluded.alias, car_model_id = excluded.car_model_id
    `.execute(trx)
    return
  }
  const owner = sql.ref(`${kind}_id`)
  await sql`
    insert into ${sql.table(`${kind}_alias`)} (alias_key, alias, ${owner}) values (name_key(${name}), ${name}, ${id})
    on conflict (alias_key) do update set alias = excluded.alias, ${owner} = excluded.${owner}
  `.execute(trx)
}

/** A lookup's own name is no alias of it. */
export async function dropOwnNameAlias(trx: Db, kind: LookupKind, id: string): Promise<void> {
  await sql`
    delete from ${sql.table(`${kind}_alias`)} a using ${sql.table(kind)} l
    where l.id = ${id} and ${sql.ref(`a.${kind}_id`)} = l.id and a.alias_key = l.name_key
  `.execute(trx)
}
