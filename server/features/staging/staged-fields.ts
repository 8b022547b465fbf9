import { importFields } from '#contract/import-fields.ts'
import type { JsonValue } from '#db/schema.gen.ts'
import type { StagedRecord } from './staged-record.ts'

/* The fields of a record as the columns of a table. */

export type Fields = StagedRecord['fields']

/** A value as the text of a cell; lists and objects as JSON, what is absent or null as nothing. */
export function fieldText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** A field by name. A name such as “constructor” is no field unless the record has it. */
export const fieldOf = (fields: Fields, name: string): JsonValue | undefined =>
  Object.hasOwn(fields, name) ? fields[name] : undefined

export const cellsOf = (fields: Fields, columns: readonly string[]): string[] =>
  columns.map((name) => fieldText(fieldOf(fields, name)))

/** Target fields in the order in which they are shown everywhere, then the others in the order given; each once. */
export function inColumnOrder(names: Iterable<string>): string[] {
  const given = new Set(names)
  const known = new Set<string>(importFields)
  return [...importFields.filter((name) => given.has(name)), ...[...given].filter((name) => !known.has(name))]
}
