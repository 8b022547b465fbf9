import { findJsonError } from '#contract/json-error.ts'
import {
  type EditedRows,
  MOST_COLUMNS,
  MOST_EDITED_ROWS,
  nameProblem,
  tooManyColumns,
  tooManyRows,
} from './edited-rows.ts'
import type { Fields } from './staged-fields.ts'
import { valueProblem } from './stored-value.ts'

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
