import { sql } from 'kysely'
import type { Db } from '#server/platform/database.ts'
import type { KnownModel, KnownName } from './name-verdict.ts'

export type TaxonomyNames = {
  readonly categories: readonly KnownName[]
  readonly manufacturers: readonly KnownName[]
  readonly models: readonly KnownModel[]
}

/** All lookups as they can be meant; those merged into others are not there. In the order of their names, so that the same
 * lookups always give the same answers. */
export async function loadTaxonomyNames(db: Db): Promise<TaxonomyNames> {
  const [categories, manufacturers, models] = await Promise.all([
    sql<KnownName>`
      select c.id, c.name, c.confirmed,
             array(select alias from category_alias a where a.category_id = c.id order by alias_key) as aliases
      from category c where c.merged_into is null order by c.name_key
    `.execute(db),
    sql<KnownName>`
      select m.id, m.name, m.confirmed,
             array(select alias from manufacturer_alias a where a.manufacturer_id = m.id order by alias_key) as aliases
      from manufacturer m where m.merged_into is null order by m.name_key
    `.execute(db),
    sql<KnownModel>`
      select m.id, m.name, m.confirmed, m.manufacturer_id as "manufacturerId",
             array(select alias from car_model_alias a where a.car_model_id = m.id order by alias_key) as aliases,
             (select coalesce(jsonb_agg(jsonb_build_array(lower(r), upper(r) - 1)), '[]') from unnest(m.model_years) r)
               as years
      from car_model m where m.merged_into is null order by m.manufacturer_id, m.name_key
    `.execute(db),
  ])
  return { categories: categories.rows, manufacturers: manufacturers.rows, models: models.rows }
}

/** One after the other, files bring their new names: two spellings of one name must not become two at the same moment. */
export async function lockNewNames(trx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('taxonomy names'))`.execute(trx)
}
