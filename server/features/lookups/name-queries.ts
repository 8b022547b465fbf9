import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import type { FoundNames, LoadedNames } from './lookup-names.ts'
import { listQuestionKeys } from './question-queries.ts'

/** All lookups with the keys under which they are found, provisional ones too; those merged into others are not there. */
export async function loadLookupNames(db: Db): Promise<LoadedNames> {
  const [categories, manufacturers, models, questions] = await Promise.all([
    sql<LoadedNames['categories'][number]>`
      select c.id, c.name, array_prepend(c.name_key, array_remove(array_agg(a.alias_key), null)) as keys
      from category c left join category_alias a on a.category_id = c.id
      where c.merged_into is null group by c.id
    `.execute(db),
    sql<LoadedNames['manufacturers'][number]>`
      select m.id, m.name, array_prepend(m.name_key, array_remove(array_agg(a.alias_key), null)) as keys
      from manufacturer m left join manufacturer_alias a on a.manufacturer_id = m.id
      where m.merged_into is null group by m.id
    `.execute(db),
    sql<LoadedNames['models'][number]>`
      select m.id, m.name, m.manufacturer_id as "manufacturerId",
             array_prepend(m.name_key, array_remove(array_agg(a.alias_key), null)) as keys
      from car_model m left join car_model_alias a on a.car_model_id = m.id
      where m.merged_into is null group by m.id
    `.execute(db),
    listQuestionKeys(db),
  ])
  return { categories: categories.rows, manufacturers: manufacturers.rows, models: models.rows, questions }
}

/*
 * Inserts in the order of the keys, so that two files that bring the same names at once wait for one another and never in
 * a circle; whoever comes second finds the name there.
 */

export async function insertProvisionalCategories(
  trx: Db,
  changeSetId: string,
  names: readonly string[],
): Promise<void> {
  await sql`
    with made as (
      insert into category (name, confirmed)
      select distinct on (name_key(name)) name, false from unnest(${names}::text[]) as name
      where not exists (select from category_alias where alias_key = name_key(name))
      order by name_key(name)
      on conflict on constraint category_name_unique do nothing
      returning id, name
    )
    insert into lookup_change (change_set_id, kind, lookup_id, changes)
    select ${changeSetId}, 'category', id, jsonb_build_object('name', jsonb_build_array(null, name)) from made
  `.execute(trx)
}

export async function insertProvisionalManufacturers(
  trx: Db,
  changeSetId: string,
  names: readonly string[],
): Promise<void> {
  await sql`
    with made as (
      insert into manufacturer (name, confirmed)
      select distinct on (name_key(name)) name, false from unnest(${names}::text[]) as name
      where not exists (select from manufacturer_alias where alias_key = name_key(name))
      order by name_key(name)
      on conflict on constraint manufacturer_name_unique do nothing
      returning id, name
    )
    insert into lookup_change (change_set_id, kind, lookup_id, changes)
    select ${changeSetId}, 'manufacturer', id, jsonb_build_object('name', jsonb_build_array(null, name)) from made
  `.execute(trx)
}

export type NewModel = { readonly manufacturerId: string; readonly model: string }

export async function insertProvisionalModels(
  trx: Db,
  changeSetId: string,
  models: readonly NewModel[],
): Promise<void> {
  await sql`
    with made as (
      insert into car_model (manufacturer_id, name, confirmed)
      select distinct on (manufacturer_id, name_key(model)) manufacturer_id, model, false
      from unnest(${models.map(({ manufacturerId }) => manufacturerId)}::uuid[],
                  ${models.map(({ model }) => model)}::text[]) as t(manufacturer_id, model)
      where not exists (select from car_model_alias a
                        where a.manufacturer_id = t.manufacturer_id and a.alias_key = name_key(model))
      order by manufacturer_id, name_key(model)
      on conflict on constraint car_model_name_unique do nothing
      returning id, name
    )
    insert into lookup_change (change_set_id, kind, lookup_id, changes)
    select ${changeSetId}, 'car_model', id, jsonb_build_object('name', jsonb_build_array(null, name)) from made
  `.execute(trx)
}

/** The categories or manufacturers behind spellings, by name before alias, as the database compares names. */
export async function findSpellings(
  db: Db,
  kind: 'category' | 'manufacturer',
  spellings: readonly string[],
): Promise<FoundNames['categories']> {
  const table = sql.ref(kind)
  const { rows } = await sql<FoundNames['categories'][number]>`
    select spelling, l.id, l.name
    from unnest(${spellings}::text[]) as spelling
    join ${table} l on l.id = coalesce(
      (select id from ${table} where name_key = name_key(spelling) and merged_into is null),
      (select ${sql.ref(`${kind}_id`)} from ${sql.ref(`${kind}_alias`)} where alias_key = name_key(spelling)))
  `.execute(db)
  return rows
}

export async function findModelSpellings(db: Db, models: readonly NewModel[]): Promise<FoundNames['models']> {
  const { rows } = await sql<FoundNames['models'][number]>`
    select t.model as spelling, c.id, c.name, c.manufacturer_id as "manufacturerId"
    from unnest(${models.map(({ manufacturerId }) => manufacturerId)}::uuid[],
                ${models.map(({ model }) => model)}::text[]) as t(manufacturer_id, model)
    join car_model c on c.id = coalesce(
      (select id from car_model m
       where m.manufacturer_id = t.manufacturer_id and m.name_key = name_key(t.model) and m.merged_into is null),
      (select car_model_id from car_model_alias a
       where a.manufacturer_id = t.manufacturer_id and a.alias_key = name_key(t.model)))
  `.execute(db)
  return rows
}
