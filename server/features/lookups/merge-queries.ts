import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import type { LookupKind } from './lookup-kind.ts'

export type Merge = { from: string; into: string }

/** Takes one lookup out of sight for another, and with it those that were merged into it before. */
export async function setMergedInto(trx: Db, kind: LookupKind, { from, into }: Merge): Promise<void> {
  await sql`
    update ${sql.table(kind)} set merged_into = ${into} where id = ${from} or merged_into = ${from}
  `.execute(trx)
}

/** What one of two knows and the other does not. */
export async function takeOverFacts(trx: Db, kind: LookupKind, { from, into }: Merge): Promise<void> {
  const more = {
    category: sql`, group_id = coalesce(t.group_id, f.group_id)`,
    manufacturer: sql``,
    car_model: sql`,
      model_years = t.model_years + f.model_years,
      body_styles = array(select distinct style from unnest(t.body_styles || f.body_styles) as style order by style)`,
  }[kind]
  await sql`
    update ${sql.table(kind)} t set confirmed = t.confirmed or f.confirmed ${more}
    from ${sql.table(kind)} f where t.id = ${into} and f.id = ${from}
  `.execute(trx)
}

export async function takeOverAliases(trx: Db, kind: LookupKind, { from, into }: Merge): Promise<void> {
  const owner = sql.ref(`${kind}_id`)
  await sql`
    update ${sql.table(`${kind}_alias`)} set ${owner} = ${into} where ${owner} = ${from}
  `.execute(trx)
}

/** Models that belong to a category belong to the other one. */
export async function takeOverModelsOfCategory(
  trx: Db,
  { from, into, changeSetId }: Merge & { changeSetId: string },
): Promise<void> {
  await sql`
    with moved as (
      update car_model set category_id = ${into} where category_id = ${from} returning id
    )
    insert into lookup_change (change_set_id, kind, lookup_id, changes)
    select ${changeSetId}, 'car_model', id, jsonb_build_object('category_id', jsonb_build_array(${from}::text, ${into}::text))
    from moved
  `.execute(trx)
}

/**
 * Gives the models of one manufacturer to another. Those that the other has by name or alias are merged into them and stay
 * where they are, out of sight, until their listings have followed.
 */
export async function takeOverModels(
  trx: Db,
  { from, into, changeSetId }: Merge & { changeSetId: string },
): Promise<void> {
  await sql`
    with pair as (
      select m.id, coalesce(same.id, other.car_model_id) as twin
      from car_model m
      left join car_model same
        on same.manufacturer_id = ${into} and same.name_key = m.name_key and same.merged_into is null
      left join car_model_alias other on other.manufacturer_id = ${into} and other.alias_key = m.name_key
      where m.manufacturer_id = ${from} and m.merged_into is null
    ), merged as (
      update car_model m set merged_into = twin from pair
      where twin is not null and (m.id = pair.id or m.merged_into = pair.id)
      returning m.id, twin
    )
    insert into lookup_change (change_set_id, kind, lookup_id, changes)
    select ${changeSetId}, 'car_model', id, jsonb_build_object('merged_into', jsonb_build_array(null, twin)) from merged
  `.execute(trx)
  await sql`
    update car_model t
    set confirmed = t.confirmed or f.confirmed, model_years = t.model_years + f.years
    from (select merged_into, range_agg(model_years) as years, bool_or(confirmed) as confirmed
          from car_model where manufacturer_id = ${from} and merged_into is not null group by merged_into) f
    where t.id = f.merged_into
  `.execute(trx)
  await sql`
    with moved as (
      update car_model set manufacturer_id = ${into}
      where manufacturer_id = ${from} and merged_into is null returning id
    )
    insert into lookup_change (change_set_id, kind, lookup_id, changes)
    select ${changeSetId}, 'car_model', id,
           jsonb_build_object('manufacturer_id', jsonb_build_array(${from}::text, ${into}::text))
    from moved
  `.execute(trx)
  // A name goes before an alias, so one that a model of the other has as its name is worth nothing.
  await sql`
    insert into car_model_alias (manufacturer_id, alias_key, alias, car_model_id)
    select ${into}, a.alias_key, a.alias, coalesce(m.merged_into, m.id)
    from car_model_alias a join car_model m on m.id = a.car_model_id
    where a.manufacturer_id = ${from} and not exists (
      select from car_model n
      where n.manufacturer_id = ${into} and n.name_key = a.alias_key and n.merged_into is null)
    on conflict do nothing
  `.execute(trx)
  await sql`delete from car_model_alias where manufacturer_id = ${from}`.execute(trx)
}
