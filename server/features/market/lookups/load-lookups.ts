import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import {
  groupKey,
  type PartType,
  readModelFamilies,
  readPartTypes,
  readVehicles,
  type Vehicle,
} from '#db/data/read-data.ts'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import type { LookupKind } from './lookup-kind.ts'
import { renameFormerModels } from './rename-models.ts'

/** Common spellings of manufacturers besides the names in the vehicle data. */
export const manufacturerAliases: Record<string, readonly string[]> = {
  Chevrolet: ['Chevy', 'Chev'],
  Volkswagen: ['VW'],
  'Mercedes-Benz': ['Mercedes', 'Benz', 'MB'],
  'Land Rover': ['LandRover', 'Range Rover'],
  Cadillac: ['Caddy'],
  Mitsubishi: ['Mitsu'],
  Infiniti: ['Infinity'],
  Hyundai: ['Hyundia'],
}

/**
 * Loads the part types and vehicles that come with the program into the lookups, unless they are unchanged. Renames
 * models that an earlier version listed by cab and body; otherwise only adds what is missing. Names that an admin
 * corrected or merged remain aliases.
 */
export async function loadLookups(db: Db): Promise<void> {
  const partTypes = readPartTypes()
  const vehicles = [...readVehicles(), ...readModelFamilies()]
  const sha256 = createHash('sha256')
    .update(JSON.stringify([partTypes, vehicles, manufacturerAliases]))
    .digest('hex')
  await inTransaction(db, async (trx) => {
    // Of two processes that start at once, the second waits here and then finds the work done.
    await sql`select pg_advisory_xact_lock(hashtext('load lookups'))`.execute(trx)
    const known = await sql`select from loaded_data where name = 'lookups' and sha256 = ${sha256}`.execute(
      trx,
    )
    if (known.rows.length > 0) return
    // Listings follow their renamed models; no person edited them.
    await withChangeSet(trx, { actorKind: 'system', reason: 'rename car model' }, (opened, changeSetId) =>
      renameFormerModels(opened, changeSetId, vehicles),
    )
    await withChangeSet(trx, { actorKind: 'system', reason: 'load lookups' }, async (opened, changeSetId) => {
      await loadPartTypes(opened, changeSetId, partTypes)
      await loadVehicles(opened, changeSetId, vehicles)
    })
    await sql`
      insert into loaded_data (name, sha256) values ('lookups', ${sha256})
      on conflict (name) do update set sha256 = excluded.sha256, loaded_at = now()
    `.execute(trx)
  })
}

/** Records the source of the statement's `made` rows in the history, as for new listings. */
const noteMade = (changeSetId: string, kind: LookupKind) => sql`
  insert into lookup_change (change_set_id, kind, lookup_id, changes)
  select ${changeSetId}, ${kind}, id, '{"created": [null, "catalogue data"]}' from made`

async function loadPartTypes(trx: Db, changeSetId: string, partTypes: PartType[]): Promise<void> {
  const groups = [...new Set(partTypes.map((type) => type.group))]
  const groupRows = groups.map((name, position) => ({ key: groupKey(name), name, position }))
  await sql`
    insert into category_group (key, name, position)
    select key, name, position
    from jsonb_to_recordset(${JSON.stringify(groupRows)}::jsonb) as t(key text, name text, position int)
    on conflict do nothing
  `.execute(trx)
  await sql`
    with made as (
      insert into category (name, group_id, universal)
      select t.name, g.id, nullif(t.universal, false)
      from jsonb_to_recordset(${JSON.stringify(partTypes)}::jsonb) as t(name text, "group" text, universal boolean)
      join category_group g on g.name = t.group
      where not exists (select from category_alias where alias_key = name_key(t.name))
      on conflict do nothing
      returning id
    )
    ${noteMade(changeSetId, 'category')}
  `.execute(trx)
  // An administrator's choice stays.
  await sql`
    update category c set universal = true
    from jsonb_to_recordset(${JSON.stringify(partTypes)}::jsonb) as t(name text, universal boolean)
    where t.universal and c.universal is null and c.name_key = name_key(t.name) and c.merged_into is null
  `.execute(trx)
  await sql`
    insert into category_alias (alias_key, alias, category_id)
    select name_key(alias), alias, c.id
    from jsonb_to_recordset(${JSON.stringify(partTypes)}::jsonb) as t(name text, aliases jsonb)
    join category c on c.name_key = name_key(t.name) and c.merged_into is null, jsonb_array_elements_text(t.aliases) as alias
    on conflict do nothing
  `.execute(trx)
}

async function loadVehicles(trx: Db, changeSetId: string, vehicles: Vehicle[]): Promise<void> {
  const rows = vehicles.map((vehicle) => ({
    ...vehicle,
    years: `{${vehicle.years.map(([from, to]) => `[${from},${to}]`).join(',')}}`,
  }))
  await sql`
    with made as (
      insert into manufacturer (name)
      select distinct manufacturer from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as t(manufacturer text)
      where not exists (select from manufacturer_alias where alias_key = name_key(manufacturer))
      on conflict do nothing
      returning id
    )
    ${noteMade(changeSetId, 'manufacturer')}
  `.execute(trx)
  await sql`
    with made as (
      insert into car_model (manufacturer_id, name, model_years, body_styles)
      select f.id, t.model, t.years::int4multirange, array(select jsonb_array_elements_text(t."bodyStyles"))
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
           as t(manufacturer text, model text, years text, "bodyStyles" jsonb)
      join manufacturer f on f.merged_into is null and f.id = coalesce(
        (select id from manufacturer where name_key = name_key(t.manufacturer) and merged_into is null),
        (select manufacturer_id from manufacturer_alias where alias_key = name_key(t.manufacturer)))
      where not exists (select from car_model_alias
                        where manufacturer_id = f.id and alias_key = name_key(t.model))
      on conflict do nothing
      returning id
    )
    ${noteMade(changeSetId, 'car_model')}
  `.execute(trx)
  await loadModelAliases(trx, vehicles)
  const aliases = Object.entries(manufacturerAliases).flatMap(([name, list]) =>
    list.map((alias) => ({ name, alias })),
  )
  await sql`
    insert into manufacturer_alias (alias_key, alias, manufacturer_id)
    select name_key(t.alias), t.alias, f.id
    from jsonb_to_recordset(${JSON.stringify(aliases)}::jsonb) as t(name text, alias text)
    join manufacturer f on f.name_key = name_key(t.name) and f.merged_into is null
    on conflict do nothing
  `.execute(trx)
}

/** Loads model aliases with the trim or body they imply. A model's name takes precedence over an alias. */
async function loadModelAliases(trx: Db, vehicles: readonly Vehicle[]): Promise<void> {
  const names = vehicles.flatMap(({ manufacturer, model, otherNames }) =>
    otherNames.map((other) => ({ manufacturer, model, ...other })),
  )
  await sql`
    insert into car_model_alias as a (manufacturer_id, alias_key, alias, car_model_id, body_style, trim_name)
    select f.id, name_key(t.name), t.name, m.id, nullif(t."bodyStyle", ''), nullif(t.trim, '')
    from jsonb_to_recordset(${JSON.stringify(names)}::jsonb)
         as t(manufacturer text, model text, name text, "bodyStyle" text, trim text)
    join manufacturer f on f.merged_into is null and f.id = coalesce(
      (select id from manufacturer where name_key = name_key(t.manufacturer) and merged_into is null),
      (select manufacturer_id from manufacturer_alias where alias_key = name_key(t.manufacturer)))
    join car_model m on m.merged_into is null and m.id = coalesce(
      (select id from car_model
       where manufacturer_id = f.id and name_key = name_key(t.model) and merged_into is null),
      (select car_model_id from car_model_alias where manufacturer_id = f.id and alias_key = name_key(t.model)))
    where not exists (select from car_model own where own.manufacturer_id = f.id
                      and own.name_key = name_key(t.name) and own.merged_into is null)
    on conflict (manufacturer_id, alias_key) do update
      set body_style = excluded.body_style, trim_name = excluded.trim_name
      where a.car_model_id = excluded.car_model_id and a.body_style is null and a.trim_name is null
  `.execute(trx)
}
