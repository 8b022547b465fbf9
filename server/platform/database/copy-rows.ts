import { CompiledQuery } from 'kysely'
import { CopyText, type Db } from './database.ts'

export type CopyValue = string | number | bigint | boolean | Date | Buffer | null | undefined

/**
 * Writes rows with COPY in the caller's transaction. Values are in the order of `columns`; other columns get their
 * defaults; null and undefined write NULL. Rows are consumed as fast as the server accepts them. If one row is rejected,
 * none is written and the transaction can only be rolled back.
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

/** Formats a row in the text format of COPY, for `copyLines`. */
export function copyLine(row: readonly CopyValue[]): string {
  // `join` makes a flat string; concatenation would keep every value in memory.
  return `${row.map(asText).join('\t')}\n`
}

/** `copyRows` for rows that were formatted before the transaction began, to keep it short. */
export async function copyLines(
  trx: Db,
  { table, columns }: { table: string; columns: readonly string[] },
  lines: Iterable<string>,
): Promise<void> {
  const statement = `copy ${quoted(table)} (${columns.map(quoted).join(', ')}) from stdin`
  await trx.executeQuery(CompiledQuery.raw(statement, [new CopyText(inPieces(lines))]))
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

// As much as a socket accepts at once. Row by row would take a packet and an event-loop turn per row.
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

// The separators of values and rows, and the escape character.
const special = /[\\\t\n\r]/
const eachSpecial = /[\\\t\n\r]/g
const letters: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r' }
const escaped = (character: string) => letters[character] ?? '\\\\'
