import { type RawBuilder, sql } from 'kysely'

/**
 * `l.part_number as "partNumber", …`: columns of a table that a statement reads under other names. Put together once, since
 * a statement with forty names as parts of their own takes longer to build. For names out of our own tables only.
 */
export function selectList(
  table: string,
  columns: readonly { readonly column: string; readonly name: string }[],
): RawBuilder<unknown> {
  const wrong = columns.find(({ column, name }) => !/^\w+$/.test(`${table}${column}${name}`))
  if (wrong) throw new RangeError(`${wrong.column} is not a column name`)
  return sql.raw(columns.map(({ column, name }) => `${table}.${column} as "${name}"`).join(', '))
}
