import { sql } from 'kysely'
import type { KnownModel, KnownName } from '#contract/trade-language/verdicts.ts'
import type { CatalogNames } from '#contract/trade-language/vocabulary-source.ts'
import type { Db } from '#server/platform/database/database.ts'
import { besideModel } from './lookup-names.ts'

/** All lookups except merged ones, with their other names; ordered by name so that matching is deterministic. */
export async function loadCatalogNames(db: Db): Promise<CatalogNames> {
  const [categories, manufacturers, models] = await Promise.all([
    loadNames(db, 'category'),
    loadNames(db, 'manufacturer'),
    sql<KnownModel>`
      select m.id, m.name, m.confirmed, m.manufacturer_id as "manufacturerId",
             array(select alias from car_model_alias a where a.car_model_id = m.id order by alias_key) as aliases,
             (select ${besideModel('a')} from car_model_alias a where a.car_model_id = m.id) as beside,
             (select coalesce(jsonb_agg(jsonb_build_array(lower(r), upper(r) - 1)), '[]') from unnest(m.model_years) r)
               as years
      from car_model m where m.merged_into is null order by m.manufacturer_id, m.name_key
    `.execute(db),
  ])
  return { categories, manufacturers, models: models.rows }
}

const ofCategory = sql`
  (select g.name from category_group g where g.id = l.group_id) as group, coalesce(l.universal, false) as universal`

async function loadNames(db: Db, kind: 'category' | 'manufacturer'): Promise<KnownName[]> {
  const { rows } = await sql<KnownName>`
    select l.id, l.name, l.confirmed, ${kind === 'category' ? ofCategory : sql`null as group`},
           array(select alias from ${sql.ref(`${kind}_alias`)} a where a.${sql.ref(`${kind}_id`)} = l.id
                 order by alias_key) as aliases
    from ${sql.ref(kind)} l where l.merged_into is null order by l.name_key
  `.execute(db)
  return rows
}
