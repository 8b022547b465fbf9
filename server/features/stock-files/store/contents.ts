import { setImmediate } from 'node:timers/promises'
import { withoutFormulaGuard } from '#contract/csv/csv-cell.ts'
import { findJsonError } from '#contract/text/json-error.ts'
import { standardDialect } from '#contract/yard-file/reading.ts'
import { type FileRecord, RecordReader } from '#contract/yard-file/records.ts'
import type { JsonValue } from '#db/schema.gen.ts'
import { cellsOf, type Fields, fieldOf, fieldText, isStorable, valueProblem } from './staged-record.ts'

/** The rows of an edited text, ready to compare with the previous version. */
export type EditedRows = {
  /** Names of all its fields. */
  readonly columns: readonly string[]
  readonly count: number
  /** `keyOf` a record equals `keyAt` a row if both have the same content. */
  keyOf(before: Fields): string
  keyAt(place: number): string
  /** The fields of a row; `before` is the record it comes from, if any. */
  fieldsAt(place: number, before: Fields | undefined): Fields
}

// The editor takes up to 8 MB of text; a table of parts fits well within these.
const MAX_EDITED_ROWS = 100_000
export const MAX_COLUMNS = 500
const LONGEST_NAME = 200

const tooManyRows = `A file saved as a whole can have at most ${MAX_EDITED_ROWS} rows.`
export const tooManyColumns = `A file can have at most ${MAX_COLUMNS} different fields.`

/** What is wrong with a field's name, as the rest of a sentence. */
function nameProblem(name: string): string | undefined {
  if (name.trim() === '') return 'has no name'
  if (name.length > LONGEST_NAME) return `has a name longer than ${LONGEST_NAME} characters`
  return isStorable(name) ? undefined : 'has a character in its name that cannot be stored'
}

/** Parses the edited JSON view of a file. Returns an error message if it cannot be saved. */
export function readJsonContents(text: string): EditedRows | string {
  const parsed = parseJson(text.replace(/^\ufeff/, ''))
  if (typeof parsed === 'string') return parsed
  const { value } = parsed
  if (!Array.isArray(value)) return 'The contents must be a list of rows: [ {"partname": "Alternator"} ].'
  if (value.length > MAX_EDITED_ROWS) return tooManyRows
  const columns = new Set<string>()
  for (const [index, row] of value.entries()) {
    const problem = rowProblem(row)
    if (problem) return `Row ${index + 1}${problem}`
    for (const name of Object.keys(row)) columns.add(name)
    if (columns.size > MAX_COLUMNS) return tooManyColumns
  }
  return toEditedRows(value as Fields[], [...columns])
}

const toEditedRows = (rows: readonly Fields[], columns: readonly string[]): EditedRows => {
  const at = (place: number) => rows[place] ?? {}
  return {
    columns,
    count: rows.length,
    keyOf: (before) => JSON.stringify(before),
    keyAt: (place) => JSON.stringify(at(place)),
    fieldsAt: at,
  }
}

function parseJson(text: string): { value: unknown } | string {
  try {
    return { value: JSON.parse(text) }
  } catch {
    const error = findJsonError(text)
    const place = error && ` at line ${error.line}, column ${error.column}: expected ${error.expected}`
    return `The contents are not valid JSON${place ?? ''}.`
  }
}

/** What is wrong with a row, as the rest of a sentence that starts with its number. */
export function rowProblem(row: unknown): string | undefined {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) {
    return ` is ${kindOf(row)}; every row must be an object such as {"partname": "Alternator"}.`
  }
  for (const [name, value] of Object.entries(row)) {
    const wrong = nameProblem(name)
    if (wrong) return `: a field ${wrong}.`
    const problem = valueProblem(value)
    if (problem) return `, field ${name}: ${problem}`
  }
  return undefined
}

function kindOf(row: unknown): string {
  if (row === null) return 'null'
  return Array.isArray(row) ? 'a list' : `a ${typeof row}`
}

// Records read before yielding to the event loop: a few milliseconds of work.
const RECORDS_AT_ONCE = 500

/**
 * Parses the edited CSV view of a file; the first line names the fields. Strips the apostrophes that guard against
 * formulas. Returns an error message if it cannot be saved.
 */
export async function readCsvContents(text: string): Promise<EditedRows | string> {
  let columns: readonly string[] | undefined
  const rows: string[][] = []
  for await (const { line, record } of filledRecords(text)) {
    if (!isStrict(record)) return notCsv(line)
    const cells = record.cells.map(withoutFormulaGuard)
    const problem = columns ? csvContentsRowProblem(cells, columns) : headerProblem(cells)
    if (problem) return `Line ${line}: ${problem}`
    if (!columns) columns = cells
    else if (rows.push(cells) > MAX_EDITED_ROWS) return tooManyRows
  }
  return columns
    ? csvContentsToEditedRows(rows, columns)
    : 'The file is empty. Its first line must name the columns.'
}

/** Each record with the number of the line it begins on. */
async function* filledRecords(text: string): AsyncGenerator<{ line: number; record: FileRecord }> {
  const reader = new RecordReader(standardDialect).feed(text.replace(/^\ufeff/, '')).end()
  let line = 1
  for (const batch of reader.batches(RECORDS_AT_ONCE)) {
    for (const record of batch) {
      if (record.text !== '') yield { line, record }
      line += record.text.split(/\r\n|\n|\r/).length
    }
    await setImmediate()
  }
}

/**
 * Whether every quotation mark is where a program would write one. Uploads are parsed leniently, but what someone saves
 * is what they typed, and a typo in it is theirs to fix.
 */
function isStrict({ text, cells, problem }: FileRecord): boolean {
  if (problem) return false
  let at = 0
  for (const cell of cells) {
    const written = text.charAt(at) === '"' ? `"${cell.replaceAll('"', '""')}"` : cell
    if (!text.startsWith(written, at) || (written === cell && cell.includes('"'))) return false
    at += written.length + 1
  }
  return at === text.length + 1
}

const notCsv = (line: number) =>
  `The contents are not valid CSV at line ${line}: a quotation mark is inside a cell or is not closed. Enclose a cell that contains quotation marks in quotation marks, and double those inside.`

function headerProblem(names: readonly string[]): string | undefined {
  if (names.length > MAX_COLUMNS) return tooManyColumns
  for (const [index, name] of names.entries()) {
    const problem = nameProblem(name)
    if (problem) return `column ${index + 1} ${problem}.`
    if (names.indexOf(name) < index) return `there are two columns “${name}”. Each needs its own name.`
  }
  return undefined
}

function csvContentsRowProblem(cells: readonly string[], columns: readonly string[]): string | undefined {
  if (cells.length !== columns.length) {
    return `it has ${cells.length} cells, but the first line names ${columns.length} columns.`
  }
  const place = cells.findIndex((cell) => !isStorable(cell))
  return place < 0 ? undefined : `${columns[place]} contains a character that cannot be stored. Remove it.`
}

const csvContentsToEditedRows = (rows: readonly string[][], columns: readonly string[]): EditedRows => {
  const at = (place: number) => rows[place] ?? []
  return {
    columns,
    count: rows.length,
    keyOf: (before) => JSON.stringify(cellsOf(before, columns)),
    keyAt: (place) => JSON.stringify(at(place)),
    fieldsAt: (place, before = {}) => toFields(columns, at(place), before),
  }
}

/** Fields keep their previous order, so that an unchanged row stays the same text. */
function toFields(columns: readonly string[], cells: readonly string[], before: Fields): Fields {
  const values = new Map<string, JsonValue>()
  for (const [index, name] of columns.entries()) {
    const value = readCell(cells[index] ?? '', fieldOf(before, name))
    if (value !== undefined) values.set(name, value)
  }
  const kept = Object.keys(before).filter((name) => values.has(name))
  return Object.fromEntries(
    [...new Set([...kept, ...values.keys()])].map((name) => [name, values.get(name) ?? null]),
  )
}

/** A cell's value: the previous one if its text is unchanged, otherwise one of the same kind if the text allows. */
function readCell(text: string, before: JsonValue | undefined): JsonValue | undefined {
  if (fieldText(before) === text) return before
  if (text === '') return undefined
  if (typeof before === 'string') return text
  if (typeof before === 'number' && String(Number(text)) === text) return Number(text)
  if (typeof before === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return /^[[{]/.test(text) ? (nestedValue(text) ?? text) : text
}

function nestedValue(text: string): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(text)
    return valueProblem(value) === undefined ? value : undefined
  } catch {
    return undefined
  }
}
