import { sql } from 'kysely'
import type { CarModel, Category, Manufacturer } from '#contract/lookups.ts'
import type { Db } from '#server/platform/database.ts'

/** What a part can be assigned to, by group; names that only files brought are left out until confirmed. */
export async function listCategories(db: Db): Promise<Category[]> {
  const { rows } = await sql<Category>`
    select c.id, c.name, g.name as "group",
           array(select alias from category_alias a where a.category_id = c.id order by alias) as aliases
    from category c left join category_group g on g.id = c.group_id
    where c.confirmed
    order by g.position nulls last, lower(c.name)
  `.execute(db)
  return rows
}

export async function listManufacturers(db: Db): Promise<Manufacturer[]> {
  const { rows } = await sql<Manufacturer>`
    select id, name as manuname,
           array(select alias from manufacturer_alias a where a.manufacturer_id = m.id order by alias) as aliases
    from manufacturer m where confirmed order by lower(name)
  `.execute(db)
  return rows
}

export type CarModelFilter = { manuId?: string; categoryId?: string; q?: string }

/** Models of a category include those that belong to none: most models fit every kind of part. */
export async function listCarModels(db: Db, filter: CarModelFilter): Promise<CarModel[]> {
  const words = `%${(filter.q ?? '').trim().replaceAll(/[\\%_]/g, '\\$&')}%`
  const { rows } = await sql<Omit<CarModel, 'years'> & { years: string }>`
    select m.id, m.name as carname, m.manufacturer_id as "manuId", m.category_id as "categoryId",
           m.model_years::text as years
    from car_model m join manufacturer f on f.id = m.manufacturer_id
    where m.confirmed and f.confirmed
      and (${filter.manuId ?? null}::uuid is null or m.manufacturer_id = ${filter.manuId ?? null}::uuid)
      and (${filter.categoryId ?? null}::uuid is null or m.category_id is null
           or m.category_id = ${filter.categoryId ?? null}::uuid)
      and (${words} = '%%' or m.name ilike ${words} or f.name ilike ${words})
    order by lower(f.name), lower(m.name)
  `.execute(db)
  return rows.map((row) => ({ ...row, years: readYears(row.years) }))
}

/** "{[1997,2000),[2001,2004)}" → [[1997, 1999], [2001, 2003]]: PostgreSQL keeps ranges with an open end. */
function readYears(multirange: string): [number, number][] {
  return [...multirange.matchAll(/\[(\d+),(\d+)\)/g)].map(([, from, to]) => [Number(from), Number(to) - 1])
}

type Named = { id: string; name: string }

/** A category by id, or by its name or one of its aliases in any case and spacing. */
export async function findCategory(db: Db, idOrName: string): Promise<Named | undefined> {
  const { rows } = await sql<Named>`
    select id, name from category
    where id::text = ${idOrName} or name_key = name_key(${idOrName})
       or id = (select category_id from category_alias where alias_key = name_key(${idOrName}))
    order by (id::text = ${idOrName}) desc limit 1
  `.execute(db)
  return rows[0]
}

/** A manufacturer by id, name or alias. */
export async function findManufacturer(db: Db, idOrName: string): Promise<Named | undefined> {
  const { rows } = await sql<Named>`
    select id, name from manufacturer
    where id::text = ${idOrName} or name_key = name_key(${idOrName})
       or id = (select manufacturer_id from manufacturer_alias where alias_key = name_key(${idOrName}))
    order by (id::text = ${idOrName}) desc limit 1
  `.execute(db)
  return rows[0]
}

/** A model of a manufacturer, by id or by name. */
export async function findCarModel(
  db: Db,
  manufacturerId: string,
  idOrName: string,
): Promise<Named | undefined> {
  const { rows } = await sql<Named>`
    select id, name from car_model
    where manufacturer_id = ${manufacturerId} and (id::text = ${idOrName} or name_key = name_key(${idOrName}))
    order by (id::text = ${idOrName}) desc limit 1
  `.execute(db)
  return rows[0]
}

export async function insertCategory(db: Db, name: string): Promise<Category> {
  const { rows } = await sql<Category>`
    insert into category (name) values (${name}) returning id, name, null as "group", '{}'::text[] as aliases
  `.execute(db)
  return only(rows)
}

export async function insertManufacturer(db: Db, name: string): Promise<Manufacturer> {
  const { rows } = await sql<Manufacturer>`
    insert into manufacturer (name) values (${name}) returning id, name as manuname, '{}'::text[] as aliases
  `.execute(db)
  return only(rows)
}

type NewCarModel = { name: string; manufacturerId: string; categoryId: string | undefined }

export async function insertCarModel(db: Db, model: NewCarModel): Promise<CarModel> {
  const { rows } = await sql<CarModel>`
    insert into car_model (name, manufacturer_id, category_id)
    values (${model.name}, ${model.manufacturerId}, ${model.categoryId ?? null})
    returning id, name as carname, manufacturer_id as "manuId", category_id as "categoryId", '{}'::int[] as years
  `.execute(db)
  return only(rows)
}

/** What the history calls them; also their tables, whose unique constraints are called `<kind>_name_unique`. */
export type LookupKind = 'category' | 'manufacturer' | 'car_model'

/** Writes into the history that a lookup was created, and with which name. */
export async function insertLookupChange(
  trx: Db,
  made: { changeSetId: string; kind: LookupKind; lookupId: string; name: string },
): Promise<void> {
  await sql`
    insert into lookup_change (change_set_id, kind, lookup_id, changes)
    values (${made.changeSetId}, ${made.kind}, ${made.lookupId},
            jsonb_build_object('name', jsonb_build_array(null, ${made.name}::text)))
  `.execute(trx)
}

function only<T>(rows: T[]): T {
  const [row] = rows
  if (row === undefined) throw new Error('the insert returned no row')
  return row
}
