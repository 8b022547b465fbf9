import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { type KnownName, type KnownNames, knownNames } from './known-names.ts'

export type WritingNames = {
  /** All that the lookups name, to catch what a text names wrongly. */
  readonly known: KnownNames
  /** The group of a category, by its name or one of its other names. */
  groupOf(category: string): string | undefined
}

type Category = Required<KnownName> & { readonly group: string | null }

/** What the lookups lend to texts; made once a job. */
export async function loadWritingNames(db: Db): Promise<WritingNames> {
  const { rows: categories } = await sql<Category>`
    select c.name, g.name as "group",
           array(select alias from category_alias a where a.category_id = c.id) as aliases
    from category c left join category_group g on g.id = c.group_id
    where c.merged_into is null
  `.execute(db)
  const { rows: vehicles } = await sql<KnownName>`
    select m.name, array(select alias from manufacturer_alias a where a.manufacturer_id = m.id) as aliases
    from manufacturer m where m.merged_into is null
    union all
    select m.name, array(select alias from car_model_alias a where a.car_model_id = m.id)
    from car_model m where m.merged_into is null
  `.execute(db)
  const groups = new Map<string, string>()
  for (const { name, aliases, group } of categories) {
    if (group !== null) for (const known of [name, ...aliases]) groups.set(plain(known), group)
  }
  return {
    // Other names of part types are everyday words ("engine", "amp"): a text that uses one names no other part.
    known: knownNames([...categories.map(({ name }) => ({ name })), ...vehicles]),
    groupOf: (category) => groups.get(plain(category)),
  }
}

const plain = (name: string) => name.trim().toLowerCase()
