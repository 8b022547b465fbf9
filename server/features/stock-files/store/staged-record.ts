import { importFields } from '#contract/csv/import-fields.ts'
import type { JsonValue } from '#db/schema.gen.ts'

/* What a field may hold. */

// Far beyond any script's output; what walks over a record must not run out of stack.
const DEEPEST = 20

/** PostgreSQL takes neither NUL nor half of a surrogate pair. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** What is wrong with a value that came as JSON, as a sentence. */
export function valueProblem(value: unknown, depth = 1): string | undefined {
  if (typeof value === 'string') {
    return isStorable(value) ? undefined : 'the text holds a sign that cannot be stored. Remove it.'
  }
  if (typeof value === 'number') {
    return isExact(value)
      ? undefined
      : 'the number is too long to be kept exactly. Put it in quotation marks.'
  }
  if (typeof value !== 'object' || value === null) return undefined
  if (depth === DEEPEST) return `the value is nested more than ${DEEPEST} levels deep.`
  return Object.entries(value)
    .map(([name, part]) =>
      isStorable(name)
        ? valueProblem(part, depth + 1)
        : 'a name holds a sign that cannot be stored. Remove it.',
    )
    .find(Boolean)
}

const isExact = (value: number) =>
  Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value)

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

/** A row of a staged file. */
export type StagedRecord = {
  /** Stays with the row through every version; never shown nor edited. */
  readonly id: string
  /** Values under the names of target fields (`partname`, …), and whatever scripts add; what is absent is empty. */
  readonly fields: Readonly<Record<string, JsonValue>>
  /** All cells as the yard's file had them, in the order of the staged file's header; empty for a row made by hand. */
  readonly original: readonly string[]
}

/**
 * What an import calls a record: the chunk that it came in and its line there, the header not counted, so that what is told
 * of a record can be told of the row of the file. Files staged before count rows there, without blank lines.
 */
export const importedRecordId = (chunkIndex: number, line: number): string => `${chunkIndex}.${line}`

/** Chunk and line of such an id, as PostgreSQL reads them. */
export const IMPORTED_RECORD_ID = '^(\\d{1,6})\\.(\\d{1,9})$'

/** A record as a line of a segment. `bytes` is what its row takes in the JSON view. */
export function toSegmentLine({ id, fields, original }: StagedRecord): { line: string; bytes: number } {
  const row = JSON.stringify(fields)
  return { line: `[${JSON.stringify(id)},${row},${JSON.stringify(original)}]`, bytes: Buffer.byteLength(row) }
}

export function fromSegmentLine(line: string): StagedRecord {
  const [id, fields, original] = JSON.parse(line) as [string, Record<string, JsonValue>, string[]]
  return { id, fields, original }
}

/**
 * The fields of a record in its line, without reading its original cells, which nobody may have mapped: half of what
 * reading the record costs, or nearly all of it.
 */
export function fieldsOfLine(line: string): StagedRecord['fields'] {
  const from = line.indexOf(ID_BEFORE_FIELDS) + 2
  const end = line.indexOf(FIELDS_BEFORE_CELLS, from) + 1
  try {
    return JSON.parse(line.slice(from, end)) as StagedRecord['fields']
  } catch {
    // Those signs stand in a value as well. What is cut off within an object is never an object itself.
    return fromSegmentLine(line).fields
  }
}

const ID_BEFORE_FIELDS = '",{'
const FIELDS_BEFORE_CELLS = '},['

/** The id of a record in its line, many times faster than reading the record. */
export function idOfLine(line: string): string {
  const end = line.indexOf(ID_BEFORE_FIELDS)
  return JSON.parse(line.slice(1, end + 1)) as string
}
