import { sql } from 'kysely'
import type { OtherName, Vehicle } from '#db/data/read-data.ts'
import { followMerges, followNames } from '#server/features/finding/addresses/addresses.ts'
import type { Db } from '#server/platform/database/database.ts'
import { beginLookupChange } from './lookup-changes.ts'

/*
 * Earlier versions had a model for each cab and body ("F150 Regular Cab"). This converts a database that still has
 * them, with all its listings, to common names, using a few set-based statements: a million listings move in one.
 */

/** Renames models of the former catalog. Does nothing in a database without them. */
export async function renameFormerModels(
  trx: Db,
  changeSetId: string,
  vehicles: readonly Vehicle[],
): Promise<{ models: number; listings: number }> {
  const names = vehicles.flatMap(({ manufacturer, model, otherNames }) =>
    otherNames.map((other) => ({ manufacturer, model, ...other })),
  )
  await beginLookupChange(trx)
  await collectMoves(trx, names)
  const moves = await listMoves(trx)
  if (moves.length === 0) return { models: 0, listings: 0 }
  const merges = moves.filter(({ from, into }) => from !== into)
  await changeModels(trx, changeSetId)
  await followMerges(trx, 'model', merges)
  const renamed = moves.filter(({ from, into }) => from === into).map(({ from }) => from)
  await followNames(trx, 'model', renamed)
  const listings = await moveListings(trx, changeSetId)
  await moveSearchRows(trx)
  await deleteMoved(trx)
  return { models: moves.length, listings }
}

type FormerName = OtherName & { manufacturer: string; model: string }

/**
 * Collects the models to move and their targets in a temporary table. The target is the model with the new name or
 * alias, even if an administrator renamed it since, otherwise the first model to move, which is renamed. Locks the
 * rows, so that no part is listed under a model about to be deleted.
 */
async function collectMoves(trx: Db, names: readonly FormerName[]): Promise<void> {
  await sql`
    create temp table model_move on commit drop as
    with wanted as (
      select m.id as from_id, m.manufacturer_id, m.name as former, t.model,
             nullif(t."bodyStyle", '') as body_style, nullif(t.trim, '') as trim_name
      from jsonb_to_recordset(${JSON.stringify(names)}::jsonb)
           as t(manufacturer text, model text, name text, "bodyStyle" text, trim text)
      join manufacturer f on f.merged_into is null and f.id = coalesce(
        (select id from manufacturer where name_key = name_key(t.manufacturer) and merged_into is null),
        (select manufacturer_id from manufacturer_alias where alias_key = name_key(t.manufacturer)))
      join car_model m on m.manufacturer_id = f.id and m.name_key = name_key(t.name) and m.merged_into is null
      for update of m
    ), placed as (
      select w.*, coalesce(
        (select m.id from car_model m
         where m.manufacturer_id = w.manufacturer_id and m.name_key = name_key(w.model) and m.merged_into is null),
        (select a.car_model_id from car_model_alias a
         where a.manufacturer_id = w.manufacturer_id and a.alias_key = name_key(w.model)
           and a.car_model_id not in (select from_id from wanted))) as there
      from wanted w
    )
    select from_id, manufacturer_id, former, body_style, trim_name,
           coalesce(there, first_value(from_id) over (partition by manufacturer_id, name_key(model) order by former)) as into_id,
           coalesce((select name from car_model where id = there), model) as name
    from placed
  `.execute(trx)
  await sql`analyze model_move`.execute(trx)
}

type Move = { from: string; into: string }

async function listMoves(trx: Db): Promise<Move[]> {
  const { rows } = await sql<Move>`
    select from_id as "from", into_id as into from model_move order by from_id
  `.execute(trx)
  return rows
}

/** Renames and merges the models, and keeps their former names as aliases. */
async function changeModels(trx: Db, changeSetId: string): Promise<void> {
  await sql`
    update car_model m set merged_into = v.into_id
    from model_move v where m.id = v.from_id and v.from_id <> v.into_id
       or m.merged_into = v.from_id and v.from_id <> v.into_id
  `.execute(trx)
  await sql`
    update car_model m
    set name = v.name, confirmed = m.confirmed or v.confirmed, model_years = m.model_years + v.years,
        body_styles = array(select distinct style from unnest(m.body_styles || v.styles) as style order by style)
    from (select w.into_id as id, min(w.name) as name, bool_or(f.confirmed) as confirmed, range_agg(f.model_years) as years,
                 (select array_agg(style) from model_move w2 join car_model g on g.id = w2.from_id, unnest(g.body_styles) style
                  where w2.into_id = w.into_id) as styles
          from model_move w join car_model f on f.id = w.from_id group by w.into_id) v
    where m.id = v.id
  `.execute(trx)
  await sql`
    insert into lookup_change (change_set_id, kind, lookup_id, changes)
    select ${changeSetId}, 'car_model', from_id,
           case when from_id = into_id then jsonb_build_object('name', jsonb_build_array(former, name))
                else jsonb_build_object('merged_into', jsonb_build_array(null, into_id)) end
    from model_move
  `.execute(trx)
  await sql`
    update car_model_alias a set car_model_id = v.into_id from model_move v where a.car_model_id = v.from_id
  `.execute(trx)
  await sql`
    insert into car_model_alias (manufacturer_id, alias_key, alias, car_model_id, body_style, trim_name)
    select manufacturer_id, name_key(former), former, into_id, body_style, trim_name from model_move
    on conflict (manufacturer_id, alias_key)
    do update set car_model_id = excluded.car_model_id, alias = excluded.alias, body_style = excluded.body_style,
                  trim_name = excluded.trim_name
  `.execute(trx)
  // A lookup's own name must not be its alias.
  await sql`
    delete from car_model_alias a using model_move v, car_model m
    where m.id = v.into_id and a.car_model_id = m.id and a.alias_key = m.name_key
  `.execute(trx)
}

/** A heading keeps the cab: "2009 Ford F150 Regular Cab Tailgate" becomes "2009 Ford F-150 Regular Cab Tailgate". */
async function moveListings(trx: Db, changeSetId: string): Promise<number> {
  const { numAffectedRows } = await sql`
    with moved as (
      update listing l
      set car_model_id = v.into_id, model_name = v.name, body_style = coalesce(l.body_style, v.body_style),
          trim_name = coalesce(l.trim_name, v.trim_name),
          heading = left(replace(l.heading, v.former, concat_ws(' ', v.name, v.trim_name, v.body_style)), 120),
          version = l.version + 1, updated_at = now()
      from model_move v where l.car_model_id = v.from_id
      returning l.id, l.version,
        case when old.car_model_id <> new.car_model_id
             then jsonb_build_object('car_model_id', jsonb_build_array(old.car_model_id, new.car_model_id)) else '{}' end
        || jsonb_build_object('model_name', jsonb_build_array(old.model_name, new.model_name))
        || case when old.body_style is distinct from new.body_style
                then jsonb_build_object('body_style', jsonb_build_array(old.body_style, new.body_style)) else '{}' end
        || case when old.trim_name is distinct from new.trim_name
                then jsonb_build_object('trim_name', jsonb_build_array(old.trim_name, new.trim_name)) else '{}' end
        || case when old.heading is distinct from new.heading
                then jsonb_build_object('heading', jsonb_build_array(old.heading, new.heading)) else '{}' end as changes
    )
    insert into listing_change (change_set_id, listing_id, version, changes)
    select ${changeSetId}::uuid, id, version, changes from moved
  `.execute(trx)
  return Number(numAffectedRows ?? 0)
}

/** Adds the words of the new name to search documents: "f", "150" and "f150" for F-150. */
async function moveSearchRows(trx: Db): Promise<void> {
  await sql`
    update listing_search s set car_model_id = n.into_id, document = s.document || n.words
    from (
      select from_id, into_id, coalesce((
        select string_agg(distinct (ts_lexize('english_stem', word))[1], ' ')
        from regexp_split_to_table(model_words(concat_ws(' ', name, trim_name, body_style)), '\\s+') as word
        where word <> ''), '')::tsvector as words
      from model_move
    ) n
    where s.car_model_id = n.from_id
  `.execute(trx)
}

/** Deletes the merged models, which nothing references anymore. */
async function deleteMoved(trx: Db): Promise<void> {
  await sql`
    delete from car_model m using model_move v where v.from_id <> v.into_id and m.id = v.from_id
  `.execute(trx)
}
