import { setImmediate } from 'node:timers/promises'
import { withoutFormulaGuard } from '#contract/csv/csv-cell.ts'
import { findJsonError } from '#contract/text/json-error.ts'
import { standardDialect } from '#contract/yard-file/reading.ts'
import { type FileRecord, recordReader } from '#contract/yard-file/records.ts'
import type { JsonValue } from '#db/schema.gen.ts'
import { cellsOf, type Fields, fieldOf, fieldText, isStorable, valueProblem } from './staged-record.ts'

/** The rows of a text that somebody edited, ready to be compared with those of the version before. */
export type EditedRows = {
  /** Names of all their fields. */
  readonly columns: readonly string[]
  readonly count: number
  /** The same text for a record of the version before and a row of the text that say the same. */
  keyOf(before: Fields): string
  keyAt(place: number): string
  /** The fields of a row, where it comes from a record with what was there before. */
  fieldsAt(place: number, before: Fields | undefined): Fields
}

// What is edited as one text is at most 8 MB; beyond these it is no table of parts.
const MOST_EDITED_ROWS = 100_000
export const MOST_COLUMNS = 500
const LONGEST_NAME = 200

const tooManyRows = `A file that is saved as a whole has at most ${MOST_EDITED_ROWS} rows.`
export const tooManyColumns = `A file has at most ${MOST_COLUMNS} different fields.`

/** What is wrong with the name of a field, as the rest of a sentence. */
function nameProblem(name: string): string | undefined {
  if (name.trim() === '') return 'has no name'
  if (name.length > LONGEST_NAME) return `has a name of more than ${LONGEST_NAME} signs`
  return isStorable(name) ? undefined : 'has a sign in its name that cannot be stored'
}

/** Reads the JSON view of a file after it was edited; answers a sentence for what cannot be saved. */
export function readJsonContents(text: string): EditedRows | string {
  const parsed = parseJson(text.replace(/^\ufeff/, ''))
  if (typeof parsed === 'string') return parsed
  const { value } = parsed
  if (!Array.isArray(value)) return 'The contents must be a list of rows: [ {"partname": "Alternator"} ].'
  if (value.length > MOST_EDITED_ROWS) return tooManyRows
  const columns = new Set<string>()
  for (const [index, row] of value.entries()) {
    const problem = rowProblem(row)
    if (problem) return `Row ${index + 1}${problem}`
    for (const name of Object.keys(row)) columns.add(name)
    if (columns.size > MOST_COLUMNS) return tooManyColumns
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
    const place =
      error && ` at line ${error.line}, column ${error.column}: ${error.expected} is expected there`
    return `The contents are not valid JSON${place ?? ''}.`
  }
}

/** What is wrong with a row, as the rest of a sentence that begins with its number. */
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

// As many as are looked at in one go, some milliseconds' work.
const RECORDS_AT_ONCE = 500

/**
 * Reads the CSV view of a file after it was edited: the first line names the fields. Apostrophes that guard against
 * formulas are taken away again. Answers a sentence for what cannot be saved.
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
    else if (rows.push(cells) > MOST_EDITED_ROWS) return tooManyRows
  }
  return columns
    ? csvContentsToEditedRows(rows, columns)
    : 'The contents are empty; the first line names the columns.'
}

/** With the numbers of the lines in which they begin. */
async function* filledRecords(text: string): AsyncGenerator<{ line: number; record: FileRecord }> {
  const reader = recordReader(standardDialect)
  reader.feed(text.startsWith('\ufeff') ? text.slice(1) : text)
  reader.end()
  let line = 1
  for (let few = reader.take(RECORDS_AT_ONCE); few.length > 0; few = reader.take(RECORDS_AT_ONCE)) {
    for (const record of few) {
      if (record.text !== '') yield { line, record }
      line += record.text.split(/\r\n|\n|\r/).length
    }
    await setImmediate()
  }
}

/**
 * Whether every quotation mark stands where a program writes one. What people upload is read as it was meant; what they
 * save is what they typed, and a slip in it is theirs to mend.
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
  `The contents are not valid CSV at line ${line}: a quotation mark stands inside of a cell or is not closed. A cell with quotation marks stands in quotation marks, and those inside are doubled.`

function headerProblem(names: readonly string[]): string | undefined {
  if (names.length > MOST_COLUMNS) return tooManyColumns
  for (const [index, name] of names.entries()) {
    const problem = nameProblem(name)
    if (problem) return `column ${index + 1} ${problem}.`
    if (names.indexOf(name) < index) return `there are two columns “${name}”. Each needs a name of its own.`
  }
  return undefined
}

function csvContentsRowProblem(cells: readonly string[], columns: readonly string[]): string | undefined {
  if (cells.length !== columns.length) {
    return `the number of cells is ${cells.length}, that of the columns in the first line ${columns.length}.`
  }
  const place = cells.findIndex((cell) => !isStorable(cell))
  return place < 0 ? undefined : `${columns[place]} holds a sign that cannot be stored. Remove it.`
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

/** Fields keep the order they had, so that a row that says the same stays the same text. */
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

/** The value behind a cell: what was there if it still reads so, else of the same kind where the text allows. */
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
