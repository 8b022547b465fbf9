import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

/** Every place of the database, as `table.column`, where one of these words stands in a text, however it is written. */
export async function placesWith(db: Db, words: readonly string[]): Promise<string[]> {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
  `.execute(db)
  const places: string[] = []
  for (const { schema, name } of tables) {
    const { rows } = await sql<{ column: string }>`
      select distinct field.key as column
      from ${sql.table(`${schema}.${name}`)} t, jsonb_each_text(to_jsonb(t)) field, unnest(${words}::text[]) wanted (word)
      where strpos(lower(field.value), lower(wanted.word)) > 0
    `.execute(db)
    // Months are partitions of one table.
    places.push(...rows.map(({ column }) => `${name.replace(/_(\d{6}|rest)$/, '')}.${column}`))
  }
  return [...new Set(places)].sort()
}
