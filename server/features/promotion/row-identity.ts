import { hash } from 'node:crypto'
import type { ImportField } from '#contract/import-fields.ts'
import type { JsonValue } from '#db/schema.gen.ts'

type Fields = Readonly<Record<string, JsonValue>>

/** Grows when the same row would get another key or another hash than before. */
export const NORMALISER = 1

/** What identifies a part that has no stock number, as first sent. */
const identifying: readonly ImportField[] = ['partnum', 'partyear', 'partmanu', 'partmodel', 'partname']

const plain = (value: JsonValue | undefined) => (value === undefined || value === null ? '' : String(value))
// Case and spaces at the ends are typing, not another part.
const alike = (value: JsonValue | undefined) => plain(value).trim().toLowerCase()

/**
 * Which part of its seller a row is: its stock number where it has one, else number, year, make, model and name. Hex of
 * 16 bytes. Computed from the values as first sent and never again, so that renaming a make does not double a yard.
 */
export function sourceKey(fields: Fields): string {
  const stock = alike(fields.stocknum)
  const key = stock
    ? `stock\n${stock}`
    : `part\n${identifying.map((field) => alike(fields[field])).join('\n')}`
  return hash('sha256', key).slice(0, 32)
}
