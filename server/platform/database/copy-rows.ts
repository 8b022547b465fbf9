import { CompiledQuery } from 'kysely'
import { CopyText, type Db } from './database.ts'

export type CopyValue = string | number | bigint | boolean | Date | Buffer | null | undefined

/**
 * Writes rows by COPY, in the caller's transaction; the values of a row stand in the order of `columns`. Columns that
 * are not named get their defaults, null and undefined write NULL. Rows are taken as fast as the server takes them.
 * Where a row is refused none is written, and the transaction can only be rolled back.
 */
export async function copyRows(
  trx: Db,
  table: string,
  columns: readonly string[],
  rows: Iterable<readonly CopyValue[]>,
): Promise<void> {
  await copyLines(trx, { table, columns }, linesOf(rows))
}

function* linesOf(rows: Iterable<readonly CopyValue[]>): Generator<string> {
  for (const row of rows) yield copyLine(row)
}

/** A row in the text format of COPY, for `copyLines`. */
export function copyLine(row: readonly CopyValue[]): string {
  // Joined it is one string; added up it would hold on to each value that it was made of.
  return `${row.map(asText).join('\t')}\n`
}

/** `copyRows` for rows that were made lines before the transaction began, so that it is a short one. */
export async function copyLines(
  trx: Db,
  { table, columns }: { table: string; columns: readonly string[] },
  lines: Iterable<string>,
): Promise<void> {
  const statement = `copy ${quoted(table)} (${columns.map(quoted).join(', ')}) from stdin`
  await trx.executeQuery(CompiledQuery.raw(statement, [new CopyText(inPieces(lines))]))
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

// As much as a socket takes at once. One row after the other would be a packet and a turn of the event loop for each.
const PIECE_LENGTH = 64 * 1024

function* inPieces(lines: Iterable<string>): Generator<Buffer> {
  let text = ''
  for (const line of lines) {
    text += line
    if (text.length < PIECE_LENGTH) continue
    yield Buffer.from(text)
    text = ''
  }
  if (text !== '') yield Buffer.from(text)
}

function asText(value: CopyValue): string {
  if (typeof value === 'string') return special.test(value) ? value.replaceAll(eachSpecial, escaped) : value
  if (value === null || value === undefined) return '\\N'
  if (typeof value === 'boolean') return value ? 't' : 'f'
  if (value instanceof Date) return value.toISOString()
  if (Buffer.isBuffer(value)) return `\\\\x${value.toString('hex')}`
  return String(value)
}

// What ends a value or a row, and the sign that escapes.
const special = /[\\\t\n\r]/
const eachSpecial = /[\\\t\n\r]/g
const letters: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r' }
const escaped = (character: string) => letters[character] ?? '\\\\'
