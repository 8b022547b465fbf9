import { sql } from 'kysely'
import { readYearSpan, wasSold } from '#contract/listing/year-span.ts'
import type { CarModel, Category, Manufacturer } from '#contract/lookups.ts'
import type { BesideModel } from '#contract/trade-language/verdicts.ts'
import { isForSaleAs } from '#server/features/market/for-sale/for-sale.ts'
import { type Db, onlyRow } from '#server/platform/database/database.ts'
import { likePart } from '#server/platform/database/quoted-text.ts'
import type { LookupKind } from './lookup-kind.ts'

/**
 * Whether a list shows lookup `l`: it is confirmed, the viewer's own yard made it, or nobody's yard did and a part for sale
 * uses it.
 */
const isShown = (kind: LookupKind, sellerId: string | undefined) => sql`(
  l.confirmed or l.made_by = ${sellerId ?? null}::uuid
  or (l.made_by is null and exists (
    select from listing p where ${sql.ref(`p.${kind}_id`)} = l.id and ${isForSaleAs('p')})))`

/** Lists the shown categories, by group. `sellerId`: who looks, who also sees what their files made. */
export async function listCategories(db: Db, sellerId?: string): Promise<Category[]> {
  const { rows } = await sql<Category>`
    select l.id, l.name, g.name as "group",
           array(select alias from category_alias a where a.category_id = l.id order by alias) as aliases,
           coalesce(l.universal, false) as universal
    from category l left join category_group g on g.id = l.group_id
    where l.merged_into is null and ${isShown('category', sellerId)}
    order by g.position nulls last, lower(l.name)
  `.execute(db)
  return rows
}

export async function listManufacturers(db: Db, sellerId?: string): Promise<Manufacturer[]> {
  const { rows } = await sql<Manufacturer>`
    select id, name as manuname,
           array(select alias from manufacturer_alias a where a.manufacturer_id = l.id order by alias) as aliases
    from manufacturer l where merged_into is null and ${isShown('manufacturer', sellerId)} order by lower(name)
  `.execute(db)
  return rows
}

/** '' and undefined both filter nothing. */
type CarModelFilter = {
  manuId?: string | undefined
  categoryId?: string | undefined
  q?: string | undefined
  /** "2004" or "2004-2008": only models sold in these years. */
  year?: string | undefined
  sellerId?: string | undefined
}

/** Models of a category include those without one: most models fit every kind of part. */
export async function listCarModels(db: Db, filter: CarModelFilter): Promise<CarModel[]> {
  const [manuId, categoryId] = [filter.manuId || null, filter.categoryId || null]
  const words = likePart((filter.q ?? '').trim())
  const { rows } = await sql<Omit<CarModel, 'years'> & { years: string }>`
    select l.id, l.name as carname, l.manufacturer_id as "manuId", l.category_id as "categoryId",
           l.model_years::text as years
    from car_model l join manufacturer f on f.id = l.manufacturer_id
    where l.merged_into is null and f.merged_into is null and ${isShown('car_model', filter.sellerId)}
      and (${manuId}::uuid is null or l.manufacturer_id = ${manuId}::uuid)
      and (${categoryId}::uuid is null or l.category_id is null or l.category_id = ${categoryId}::uuid)
      and (${words} = '%%' or l.name ilike ${words} or f.name ilike ${words})
    order by lower(f.name), lower(l.name)
  `.execute(db)
  const span = readYearSpan(filter.year ?? '')
  return rows
    .map((row) => ({ ...row, years: readYears(row.years) }))
    .filter(({ years }) => wasSold(years, span))
}

/** "{[1997,2000),[2001,2004)}" → [[1997, 1999], [2001, 2003]]: PostgreSQL's ranges exclude their end. */
function readYears(multirange: string): [number, number][] {
  return [...multirange.matchAll(/\[(\d+),(\d+)\)/g)].map(([, from, to]) => [Number(from), Number(to) - 1])
}

type Named = { id: string; name: string }

/* A merged lookup's id finds the lookup it was merged into, because a form opened earlier may still have it. */

/** Finds a lookup by id, name or alias, ignoring case and spaces; a name takes precedence over an alias. */
export async function findLookup(
  db: Db,
  kind: 'category' | 'manufacturer',
  idOrName: string,
): Promise<Named | undefined> {
  const { rows } = await sql<Named>`
    select t.id, t.name
    from ${sql.table(kind)} l join ${sql.table(kind)} t on t.id = coalesce(l.merged_into, l.id)
    where l.id::text = ${idOrName} or (l.name_key = name_key(${idOrName}) and l.merged_into is null)
       or l.id = (select ${sql.ref(`${kind}_id`)} from ${sql.table(`${kind}_alias`)} where alias_key = name_key(${idOrName}))
    order by l.id::text = ${idOrName} desc, l.name_key = name_key(${idOrName}) desc limit 1
  `.execute(db)
  return rows[0]
}

/** The same for a category, with whether its parts need no vehicle. */
export async function findCategory(
  db: Db,
  idOrName: string,
): Promise<(Named & { universal: boolean }) | undefined> {
  const found = await findLookup(db, 'category', idOrName)
  if (!found) return undefined
  const { rows } = await sql<{ universal: boolean }>`
    select coalesce(universal, false) as universal from category where id = ${found.id}
  `.execute(db)
  return { ...found, universal: rows[0]?.universal === true }
}

/** Ids of the categories whose parts need no vehicle. */
export async function listUniversalCategories(db: Db): Promise<ReadonlySet<string | null>> {
  const { rows } = await sql<{ id: string }>`select id from category where universal`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Finds a manufacturer's model by id, name or alias. */
export async function findCarModel(
  db: Db,
  manufacturerId: string,
  idOrName: string,
): Promise<(Named & BesideModel) | undefined> {
  const { rows } = await sql<Named & { bodyStyle: string | null; trim: string | null }>`
    select t.id, t.name, a.body_style as "bodyStyle", a.trim_name as trim
    from (select coalesce(merged_into, id) as id from manufacturer where id = ${manufacturerId}) f
    cross join car_model m
    join car_model t on t.id = coalesce(m.merged_into, m.id) and t.manufacturer_id = f.id
    left join car_model_alias a
      on a.car_model_id = m.id and a.manufacturer_id = f.id and a.alias_key = name_key(${idOrName})
    where m.id::text = ${idOrName}
       or (m.manufacturer_id = f.id and m.name_key = name_key(${idOrName}) and m.merged_into is null)
       or a.car_model_id is not null
    order by m.id::text = ${idOrName} desc, m.name_key = name_key(${idOrName}) desc limit 1
  `.execute(db)
  const [found] = rows
  if (!found) return undefined
  const { id, name, bodyStyle, trim } = found
  return { id, name, ...(bodyStyle !== null && { bodyStyle }), ...(trim !== null && { trim }) }
}

export async function insertCategory(
  db: Db,
  { name, universal }: Pick<Category, 'name' | 'universal'>,
): Promise<Category> {
  const { rows } = await sql<Category>`
    insert into category (name, universal) values (${name}, ${universal})
    returning id, name, null as "group", '{}'::text[] as aliases, universal
  `.execute(db)
  return onlyRow(rows)
}

export async function insertManufacturer(db: Db, name: string): Promise<Manufacturer> {
  const { rows } = await sql<Manufacturer>`
    insert into manufacturer (name) values (${name}) returning id, name as manuname, '{}'::text[] as aliases
  `.execute(db)
  return onlyRow(rows)
}

type NewCarModel = { name: string; manufacturerId: string; categoryId: string | undefined }

export async function insertCarModel(db: Db, model: NewCarModel): Promise<CarModel> {
  const { rows } = await sql<CarModel>`
    insert into car_model (name, manufacturer_id, category_id)
    values (${model.name}, ${model.manufacturerId}, ${model.categoryId ?? null})
    returning id, name as carname, manufacturer_id as "manuId", category_id as "categoryId", '{}'::int[] as years
  `.execute(db)
  return onlyRow(rows)
}
