import { importFields } from '#contract/csv/import-fields.ts'
import type { JsonValue } from '#db/schema.gen.ts'
import { keepsDescription, textsFollowing } from '#server/features/market/writing/part-text.ts'
import { findScriptProse } from '#server/features/market/writing/script-prose.ts'
import type { Db } from '#server/platform/database/database.ts'

/* Limits on the values of a field. */

// Far beyond any script's output; recursive walks must not overflow the stack.
const MAX_DEPTH = 20

/** PostgreSQL accepts neither NUL nor an unpaired surrogate. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** What is wrong with a JSON value, as a sentence. */
export function valueProblem(value: unknown, depth = 1): string | undefined {
  if (typeof value === 'string') {
    return isStorable(value) ? undefined : 'the text contains a character that cannot be stored. Remove it.'
  }
  if (typeof value === 'number') {
    return isExact(value)
      ? undefined
      : 'the number is too long to be kept exactly. Put it in quotation marks.'
  }
  if (typeof value !== 'object' || value === null) return undefined
  if (depth === MAX_DEPTH) return `the value is nested more than ${MAX_DEPTH} levels deep.`
  return Object.entries(value)
    .map(([name, part]) =>
      isStorable(name)
        ? valueProblem(part, depth + 1)
        : 'a name contains a character that cannot be stored. Remove it.',
    )
    .find(Boolean)
}

const isExact = (value: number) =>
  Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value)

/* The fields of a record as the columns of a table. */

export type Fields = StagedRecord['fields']

/** A value as a cell's text: lists and objects as JSON, '' for null or undefined. */
export function fieldText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** A field by name. “constructor” and the like are not fields unless the record has them. */
export const fieldOf = (fields: Fields, name: string): JsonValue | undefined =>
  Object.hasOwn(fields, name) ? fields[name] : undefined

export const cellsOf = (fields: Fields, columns: readonly string[]): string[] =>
  columns.map((name) => fieldText(fieldOf(fields, name)))

/** Target fields in display order, then the others in the order given, without duplicates. */
export function inColumnOrder(names: Iterable<string>): string[] {
  const given = new Set(names)
  const known = new Set<string>(importFields)
  return [...importFields.filter((name) => given.has(name)), ...[...given].filter((name) => !known.has(name))]
}

/** A row of a staged file. */
export type StagedRecord = {
  /** Stays with the row through every version; never shown or edited. */
  readonly id: string
  /** Values of the target fields (`partname`, …) and of any that scripts add; absent ones are empty. */
  readonly fields: Readonly<Record<string, JsonValue>>
  /** All cells of the yard's file, in the order of the staged file's header; empty for a row made by hand. */
  readonly original: readonly string[]
}

/**
 * The id of an imported record: its chunk and its line there, not counting the header, so that messages can refer to the
 * row of the uploaded file. Older staged files count rows without blank lines.
 */
export const importedRecordId = (chunkIndex: number, line: number): string => `${chunkIndex}.${line}`

/** Chunk and line of such an id, as a PostgreSQL regular expression. */
export const IMPORTED_RECORD_ID = '^(\\d{1,6})\\.(\\d{1,9})$'

/** A record as a line of a segment. `bytes` is the length of its row in the JSON view. */
export function toSegmentLine({ id, fields, original }: StagedRecord): { line: string; bytes: number } {
  const row = JSON.stringify(fields)
  return { line: `[${JSON.stringify(id)},${row},${JSON.stringify(original)}]`, bytes: Buffer.byteLength(row) }
}

export function fromSegmentLine(line: string): StagedRecord {
  const [id, fields, original] = JSON.parse(line) as [string, Record<string, JsonValue>, string[]]
  return { id, fields, original }
}

/**
 * The fields of a record's line, without parsing its original cells: half the cost of parsing the record, or nearly all
 * of it if most columns are unmapped.
 */
export function fieldsOfLine(line: string): StagedRecord['fields'] {
  const from = line.indexOf(ID_BEFORE_FIELDS) + 2
  const end = line.indexOf(FIELDS_BEFORE_CELLS, from) + 1
  try {
    return JSON.parse(line.slice(from, end)) as StagedRecord['fields']
  } catch {
    // These characters can occur in a value too. Text cut off inside an object is never a valid object.
    return fromSegmentLine(line).fields
  }
}

const ID_BEFORE_FIELDS = '",{'
const FIELDS_BEFORE_CELLS = '},['

/** The id of a record's line, many times faster than parsing the record. */
export function idOfLine(line: string): string {
  const end = line.indexOf(ID_BEFORE_FIELDS)
  return JSON.parse(line.slice(1, end + 1)) as string
}

/** A record after an edit: what was written from its facts follows them. */
export async function withFollowingTexts(db: Db, before: Fields, after: Fields): Promise<Fields> {
  // Of a million rows that a script rewrites, few have a description that stays while a fact changes.
  const prose = keepsDescription(before, after)
    ? await findScriptProse(db, [before.partdescription])
    : undefined
  const texts = textsFollowing(before, after, { prose })
  return Object.keys(texts).length === 0 ? after : { ...after, ...texts }
}
