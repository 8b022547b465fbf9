import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { CsvError, parse } from 'csv-parse'
import { withoutFormulaGuard } from '#contract/csv-cell.ts'
import type { JsonValue } from '#db/schema.gen.ts'
import {
  type EditedRows,
  MOST_COLUMNS,
  MOST_EDITED_ROWS,
  nameProblem,
  tooManyColumns,
  tooManyRows,
} from './edited-rows.ts'
import { cellsOf, type Fields, fieldOf, fieldText } from './staged-fields.ts'
import { isStorable, valueProblem } from './stored-value.ts'

// As much as is parsed at one go, some milliseconds' work.
const PIECE = 64 * 1024

/**
 * Reads the CSV view of a file after it was edited: the first line names the fields. Apostrophes that guard against
 * formulas are taken away again. Answers a sentence for what cannot be saved.
 */
export async function readCsvContents(text: string): Promise<EditedRows | string> {
  const lines = Readable.from(piecesOf(text)).pipe(
    parse({
      bom: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      record_delimiter: ['\r\n', '\n', '\r'],
    }),
  )
  let columns: readonly string[] | undefined
  const rows: string[][] = []
  try {
    for await (const { record, info } of lines as AsyncIterable<{
      record: string[]
      info: { lines: number }
    }>) {
      const cells = record.map(withoutFormulaGuard)
      const problem = columns ? rowProblem(cells, columns) : headerProblem(cells)
      if (problem) return `Line ${info.lines}: ${problem}`
      if (!columns) columns = cells
      else if (rows.push(cells) > MOST_EDITED_ROWS) return tooManyRows
    }
  } catch (error) {
    if (error instanceof CsvError) return csvProblem(error)
    throw error
  }
  return columns ? toEditedRows(rows, columns) : 'The contents are empty; the first line names the columns.'
}

async function* piecesOf(text: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text)
  for (let from = 0; from < bytes.length; from += PIECE) {
    yield bytes.subarray(from, from + PIECE)
    // Streams alone never leave the event loop to others.
    await setImmediate()
  }
}

function headerProblem(names: readonly string[]): string | undefined {
  if (names.length > MOST_COLUMNS) return tooManyColumns
  for (const [index, name] of names.entries()) {
    const problem = nameProblem(name)
    if (problem) return `column ${index + 1} ${problem}.`
    if (names.indexOf(name) < index) return `there are two columns “${name}”. Each needs a name of its own.`
  }
  return undefined
}

function rowProblem(cells: readonly string[], columns: readonly string[]): string | undefined {
  if (cells.length !== columns.length) {
    return `the number of cells is ${cells.length}, that of the columns in the first line ${columns.length}.`
  }
  const place = cells.findIndex((cell) => !isStorable(cell))
  return place < 0 ? undefined : `${columns[place]} holds a sign that cannot be stored. Remove it.`
}

function csvProblem(error: CsvError): string {
  const line = typeof error.lines === 'number' ? ` at line ${error.lines}` : ''
  return `The contents are not valid CSV${line}: a quotation mark stands inside of a cell or is not closed. A cell with quotation marks stands in quotation marks, and those inside are doubled.`
}

const toEditedRows = (rows: readonly string[][], columns: readonly string[]): EditedRows => {
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
