import {
  type ImportDefaults,
  type ImportField,
  type ImportMapping,
  importFieldLabels,
  importFields,
  requiredImportFields,
} from '#contract/import-fields.ts'
import { AppError } from '#server/platform/app-error.ts'
import { fieldReaders } from './field-readers.ts'
import type { ReadValue } from './field-text.ts'
import { resolveColumns } from './header.ts'
import { type FoundIssue, shownValue, type ValueProblem } from './row-issue.ts'

/** Values under the names of target fields, as they are kept: what is absent is empty. */
export type RowFields = Partial<Record<ImportField, string>>

/**
 * A row that is good, or everything that is wrong with it; then `said` is what its cells say, wrong values as sent, and
 * nothing where the cells cannot be told apart.
 */
export type RowCheck = (
  cells: readonly string[],
) => { fields: RowFields } | { issues: FoundIssue[]; said: RowFields | undefined }

type RowRules = {
  readonly header: readonly string[]
  readonly mapping: ImportMapping
  readonly defaults: ImportDefaults
  /** The current one, for the years of cars. */
  readonly year: number
}

/** A target field as the rows of one file fill it. */
type FieldCheck = {
  readonly field: ImportField
  /** Where it stands in a row; -1 where no column is mapped. */
  readonly at: number
  readonly column: string
  readonly read: ReadValue
  /** What a row without a value has: the default, or the problem that it is missing, or nothing. */
  readonly ifEmpty: string | ValueProblem | undefined
}

/** Columns that nothing is made of are kept as well. */
type CellChecks = {
  readonly checks: readonly FieldCheck[]
  readonly unmapped: readonly { readonly at: number; readonly column: string }[]
}

// Three times what a spreadsheet has in a cell: rows stay small enough to be read many at a time.
const LONGEST_CELL = 100_000

const cellTooLong = (column: string): ValueProblem => ({
  code: 'TOO_LONG',
  message: `“${shownValue(column)}” is too long (max ${LONGEST_CELL.toLocaleString('en-US')} characters)`,
})

/**
 * The check of a file's rows. It remembers values that repeat, so it is made once for each file.
 * @throws AppError VALIDATION_FAILED where the mapping names a column that the file lacks, or a default is not allowed
 */
export function compileRowCheck({ header, mapping, defaults, year }: RowRules): RowCheck {
  const columns = resolveColumns(header, mapping)
  const readers = fieldReaders(year)
  const checks = importFields
    .filter((field) => columns.has(field) || defaults[field] || requiredImportFields.includes(field))
    .map((field): FieldCheck => {
      const at = columns.get(field) ?? -1
      const read = readers[field]
      return { field, at, column: header[at] ?? field, read, ifEmpty: ifEmpty(field, defaults[field], read) }
    })
  const mapped = new Set(columns.values())
  const unmapped = header.flatMap((column, at) => (mapped.has(at) ? [] : { at, column }))
  return (cells) => {
    if (cells.length !== header.length) {
      const ragged = raggedIssue(cells, header.length)
      if (ragged) return { issues: [ragged], said: undefined }
    }
    return checkCells({ checks, unmapped }, cells)
  }
}

function checkCells({ checks, unmapped }: CellChecks, cells: readonly string[]): ReturnType<RowCheck> {
  const fields: RowFields = {}
  const issues: FoundIssue[] = []
  for (const check of checks) {
    const text = trimmed(check.at === -1 ? '' : (cells[check.at] ?? ''))
    const value = text === '' ? check.ifEmpty : check.read(text)
    if (typeof value === 'string') fields[check.field] = value
    else if (value !== undefined) {
      issues.push(issueOf(check.column, text, value))
      fields[check.field] = text
    }
  }
  for (const { at, column } of unmapped) {
    const text = cells[at] ?? ''
    if (text.length > LONGEST_CELL) issues.push(issueOf(column, text, cellTooLong(column)))
  }
  return issues.length === 0 ? { fields } : { issues, said: fields }
}

const issueOf = (column: string, text: string, { code, message }: ValueProblem): FoundIssue => ({
  column,
  code,
  value: shownValue(text),
  message,
})

/** As trim(), which most cells do not need. */
function trimmed(text: string): string {
  if (text === '') return text
  const first = text.charCodeAt(0)
  const last = text.charCodeAt(text.length - 1)
  return first > 0x20 && first < 0x7f && last > 0x20 && last < 0x7f ? text : text.trim()
}

/** The row's cells cannot be told apart where there are too few or too many; empty ones too many do no harm. */
function raggedIssue(cells: readonly string[], width: number): FoundIssue | undefined {
  const isFew = cells.length < width
  if (!isFew && cells.slice(width).every((cell) => cell.trim() === '')) return undefined
  const has = cells.length === 1 ? '1 cell' : `${cells.length.toLocaleString('en-US')} cells`
  const start = cells.slice(0, 5).map(shownValue).join(',')
  return {
    column: '',
    code: isFew ? 'TOO_FEW_CELLS' : 'TOO_MANY_CELLS',
    value: shownValue(start),
    message: `The row has ${has} and the header ${width}. A comma or a quotation mark may be missing or too much`,
  }
}

function ifEmpty(field: ImportField, sent: string | undefined, read: ReadValue): FieldCheck['ifEmpty'] {
  const text = sent?.trim()
  if (!text) {
    if (!requiredImportFields.includes(field)) return undefined
    return { code: 'REQUIRED', message: `${importFieldLabels[field]} is required` }
  }
  const value = read(text)
  if (typeof value === 'string') return value
  throw new AppError('VALIDATION_FAILED', `The default is not allowed: ${value.message}`, {
    fields: { defaults: value.message },
  })
}
