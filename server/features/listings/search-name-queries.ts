import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

/** Under which words a listing is found by its category and manufacturer; '' for none. */
export type SearchNames = {
  category(id: string | null | undefined): string
  manufacturer(id: string | null | undefined): string
}

type Named = { id: string; words: string }

/** Names, groups and aliases of all categories and manufacturers, or of these `only`. */
export async function loadSearchNames(
  db: Db,
  only?: { categoryIds: readonly string[]; manufacturerIds: readonly string[] },
): Promise<SearchNames> {
  const categories = await sql<Named>`
    select c.id, concat_ws(' ', c.name, g.name, string_agg(a.alias, ' ')) as words
    from category c
    left join category_group g on g.id = c.group_id
    left join category_alias a on a.category_id = c.id
    where ${only ? sql`c.id = any(${[...only.categoryIds]}::uuid[])` : sql`true`}
    group by c.id, g.name
  `.execute(db)
  const manufacturers = await sql<Named>`
    select m.id, concat_ws(' ', m.name, string_agg(a.alias, ' ')) as words
    from manufacturer m left join manufacturer_alias a on a.manufacturer_id = m.id
    where ${only ? sql`m.id = any(${[...only.manufacturerIds]}::uuid[])` : sql`true`}
    group by m.id
  `.execute(db)
  return { category: lookUp(categories.rows), manufacturer: lookUp(manufacturers.rows) }
}

function lookUp(rows: readonly Named[]): (id: string | null | undefined) => string {
  const words = new Map(rows.map((row) => [row.id, row.words]))
  return (id) => (id ? (words.get(id) ?? '') : '')
}
