import { withoutFormulaGuard } from '#contract/csv/csv-cell.ts'
import {
  type ImportDefaults,
  type ImportField,
  type ImportMapping,
  importFieldLabels,
  importFields,
  requiredImportFields,
} from '#contract/csv/import-fields.ts'
import type { RecordProblem } from '#contract/yard-file/records.ts'
import { AppError } from '#server/platform/errors.ts'
import { type FieldRules, fieldReaders } from './field-readers.ts'
import { type FoundIssue, type ReadValue, shownValue, type ValueProblem } from './field-text.ts'
import { resolveColumns } from './open-table.ts'

/*
 * Rows below and between the parts of a report: totals, how many records there are, when it was printed. Only a row that is
 * no good part is looked at, so that no part is taken for a remark.
 */

const REMARK = new RegExp(
  [
    '^(?:grand |sub-?|report |page )?(?:total|count)s?\\b',
    '^(?:number|total|count|sum) of\\b',
    '^\\(?[\\d,.]+ (?:total |matching )?(?:record|row|item|part|line|listing|result|vehicle|entr)',
    '^\\**\\s*end(?:s)? of\\b',
    '^page \\d+(?: of \\d+)?$',
    '^(?:report|run|print(?:ed)?|export(?:ed)?|generated|created|as of|prepared)\\b.{0,20}\\b(?:on|by|at|date|time|from)\\b',
    '^(?:records?|rows?|items?|sum|average|continued)\\s*:?$',
    '^(?:records|rows|items|parts|lines|total[^,]{0,30})\\s*[:=]',
    '^[-=_*#~. ]{3,}$',
  ].join('|'),
  'i',
)

/** What a row says where it is a remark and no part. `most`: as many cells may be filled, lines drawn below columns aside. */
function remarkIn(cells: readonly string[], most: number): FoundIssue | undefined {
  let first = ''
  let filled = 0
  for (const cell of cells) {
    const text = cell.length > 1_000 ? cell : cell.trim()
    if (text === '') continue
    if (filled === 0) first = text
    filled += 1
    if (filled > most && !isRule(text)) return undefined
  }
  if (first.length > 200 || !REMARK.test(first)) return undefined
  return {
    column: '',
    code: 'NOT_A_PART',
    value: shownValue(first),
    message: 'The row is no part but a total or a remark, and is left out. Nothing needs to be done',
  }
}

const isRule = (text: string) => /^[-=_*#~. ]{3,}$/.test(text)

/** Values under the names of target fields, as they are kept: what is absent is empty. */
export type RowFields = Partial<Record<ImportField, string>>

/**
 * A row that is good, or everything that is wrong with it; then `said` is what its cells say, wrong values as sent, and
 * nothing where the cells cannot be told apart. `problem`: what was wrong with the record before it had cells.
 */
export type RowCheck = (
  cells: readonly string[],
  problem?: RecordProblem,
) => { fields: RowFields } | { issues: FoundIssue[]; said: RowFields | undefined }

type RowRules = FieldRules & {
  readonly header: readonly string[]
  readonly mapping: ImportMapping
  readonly defaults: ImportDefaults
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
export function compileRowCheck({ header, mapping, defaults, ...rules }: RowRules): RowCheck {
  const columns = resolveColumns(header, mapping)
  const readers = fieldReaders(rules)
  // Defaults are typed for us and come from no column.
  const readDefault = fieldReaders({ year: rules.year })
  const checks = importFields
    .filter((field) => columns.has(field) || defaults[field] || requiredImportFields.includes(field))
    .map((field): FieldCheck => {
      const at = columns.get(field) ?? -1
      const read = readers[field]
      return {
        field,
        at,
        column: header[at] ?? field,
        read,
        ifEmpty: ifEmpty(field, defaults[field], readDefault[field]),
      }
    })
  const needed = checks.filter(({ ifEmpty: empty }) => typeof empty === 'object').length
  const mapped = new Set(columns.values())
  const fewest = fewestCells(header)
  const unmapped = header.flatMap((column, at) => (mapped.has(at) ? [] : { at, column }))
  return (cells, problem) => {
    if (problem) return { issues: [recordIssue(cells, problem)], said: undefined }
    const ragged = cells.length === header.length ? undefined : raggedIssue(cells, header.length, fewest)
    if (ragged) return noPart(cells, Math.max(header.length / 2, 3)) ?? { issues: [ragged], said: undefined }
    const checked = checkCells({ checks, unmapped }, cells)
    if ('fields' in checked) return checked
    return noPart(cells, lacksMost(checked.issues, needed) ? header.length : 0) ?? checked
  }
}

/** A remark says nothing of any part: what it says counts as said, so that nobody is asked which part it was. */
function noPart(cells: readonly string[], most: number): ReturnType<RowCheck> | undefined {
  const remark = remarkIn(cells, most)
  return remark && { issues: [remark], said: {} }
}

/** Half of what a part must have. */
const lacksMost = (issues: readonly FoundIssue[], needed: number): boolean =>
  2 * issues.filter(({ code }) => code === 'REQUIRED').length >= Math.max(needed, 1)

function checkCells({ checks, unmapped }: CellChecks, cells: readonly string[]): ReturnType<RowCheck> {
  const fields: RowFields = {}
  const issues: FoundIssue[] = []
  for (const check of checks) {
    const text = plainCell(check.at === -1 ? '' : (cells[check.at] ?? ''))
    const value = (text === '' ? '' : check.read(text)) || check.ifEmpty
    if (typeof value === 'string') fields[check.field] = value
    else if (value !== undefined) {
      issues.push(issueOf(check.column, text, value))
      fields[check.field] = text
    }
  }
  checkLengths(unmapped, cells, issues)
  return issues.length === 0 ? { fields } : { issues, said: fields }
}

function checkLengths(
  unmapped: CellChecks['unmapped'],
  cells: readonly string[],
  issues: FoundIssue[],
): void {
  for (const { at, column } of unmapped) {
    const text = cells[at] ?? ''
    if (text.length > LONGEST_CELL) issues.push(issueOf(column, text, cellTooLong(column)))
  }
}

const issueOf = (column: string, text: string, { code, message }: ValueProblem): FoundIssue => ({
  column,
  code,
  value: shownValue(text),
  message,
})

/**
 * Without spaces at its ends, without the apostrophe that our own files have before what looks like a formula, and without
 * the formula that others put around a number so that a spreadsheet leaves its zeros alone: ="02134".
 */
function plainCell(cell: string): string {
  const text = trimmed(cell)
  const first = text.charCodeAt(0)
  if (first === APOSTROPHE) return withoutFormulaGuard(text)
  return first === EQUALS ? (TEXT_AS_FORMULA.exec(text)?.[1]?.trim() ?? text) : text
}

const APOSTROPHE = 0x27
const EQUALS = 0x3d
const TEXT_AS_FORMULA = /^="([^"]*)"$/

/** As trim(), which most cells do not need. */
function trimmed(text: string): string {
  if (text === '') return text
  const first = text.charCodeAt(0)
  const last = text.charCodeAt(text.length - 1)
  return first > 0x20 && first < 0x7f && last > 0x20 && last < 0x7f ? text : text.trim()
}

const problemsOfRecords: Record<RecordProblem, string> = {
  UNCLOSED_QUOTE:
    'A quotation mark opens in this row and never closes, so its cells cannot be told apart. Close it, or delete it',
  RECORD_TOO_LONG:
    'The row is longer than 16 MB. A quotation mark before it may not be closed, or its line end may be missing',
}

function recordIssue(cells: readonly string[], code: RecordProblem): FoundIssue {
  return { column: '', code, value: startOf(cells), message: problemsOfRecords[code] }
}

const startOf = (cells: readonly string[]) => shownValue(cells.slice(0, 5).map(shownValue).join(','))

/** A header that ends with a comma or two has columns without names at its end, and rows may have nothing there. */
function fewestCells(header: readonly string[]): number {
  const named = header.findLastIndex((name, at) => name !== `Column ${at + 1}`)
  return named === -1 ? header.length : named + 1
}

/** The row's cells cannot be told apart where there are too few or too many; empty ones too many do no harm. */
function raggedIssue(cells: readonly string[], width: number, fewest: number): FoundIssue | undefined {
  const isFew = cells.length < width
  if (isFew && cells.length >= fewest) return undefined
  if (!isFew && cells.slice(width).every((cell) => cell.trim() === '')) return undefined
  const has = cells.length === 1 ? '1 cell' : `${cells.length.toLocaleString('en-US')} cells`
  return {
    column: '',
    code: isFew ? 'TOO_FEW_CELLS' : 'TOO_MANY_CELLS',
    value: startOf(cells),
    message: `The row has ${has} and the header ${width}. A delimiter or a quotation mark may be missing or too much`,
  }
}

function ifEmpty(field: ImportField, sent: string | undefined, read: ReadValue): FieldCheck['ifEmpty'] {
  const text = sent?.trim()
  if (!text) {
    if (!requiredImportFields.includes(field)) return undefined
    return { code: 'REQUIRED', message: `${importFieldLabels[field]} is required` }
  }
  const value = read(text)
  if (value === '') return ifEmpty(field, undefined, read)
  if (typeof value === 'string') return value
  throw new AppError('VALIDATION_FAILED', `The default is not allowed: ${value.message}`, {
    fields: { defaults: value.message },
  })
}
