import { type RawBuilder, sql } from 'kysely'

/**
 * Builds `l.part_number as "partNumber", …` as one raw SQL fragment, since forty separate identifiers make a statement
 * slower to build. Only for our own column names, never for input.
 */
export function selectList(
  table: string,
  columns: readonly { readonly column: string; readonly name: string }[],
): RawBuilder<unknown> {
  const wrong = columns.find(({ column, name }) => !/^\w+$/.test(`${table}${column}${name}`))
  if (wrong) throw new RangeError(`${wrong.column} is not a column name`)
  return sql.raw(columns.map(({ column, name }) => `${table}.${column} as "${name}"`).join(', '))
}
