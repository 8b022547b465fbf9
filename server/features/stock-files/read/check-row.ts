import { withoutFormulaGuard } from '#contract/csv/csv-cell.ts'
import {
  furtherPictureColumns,
  type ImportDefaults,
  type ImportField,
  type ImportMapping,
  importFieldLabels,
  importFields,
  isFilledByVin,
  requiredImportFields,
  type vinFields,
} from '#contract/csv/import-fields.ts'
import { withFurtherPictures } from '#contract/csv/picture-addresses.ts'
import { contradictedDamage, suggestGrade } from '#contract/listing/grade-rule.ts'
import type { TermField } from '#contract/listing/listing-fields.ts'
import { termContradictions } from '#contract/listing/listing-terms.ts'
import { readYearSpan } from '#contract/listing/year-span.ts'
import { type DescriptionFinding, findInDescription } from '#contract/text/description.ts'
import { nameKey } from '#contract/trade-language/names.ts'
import type { TitleVocabulary } from '#contract/trade-language/vehicles/titles.ts'
import { plainVin, VIN_LENGTH } from '#contract/vehicle/vin-rules.ts'
import type { RecordProblem } from '#contract/yard-file/records.ts'
import type { ReadVin, VinFields } from '#server/features/vin/vehicles.ts'
import { withPosition } from '#server/features/vocabulary/built-in.ts'
import { AppError } from '#server/platform/errors.ts'
import { type FieldRules, fieldReaders } from './field-readers.ts'
import { type FoundIssue, type ReadValue, shownValue, type ValueProblem } from './field-text.ts'
import { listed, makeOfModel, severalMakes, severalModels } from './makes-and-models.ts'
import { resolveColumns } from './open-table.ts'
import { type SplitColumns, type SplitRow, splitColumns } from './split-columns.ts'
import { findSold, lacksMost, remarkIn } from './unlisted-rows.ts'

/** Values by target field; empty ones are absent. */
export type RowFields = Partial<Record<ImportField, string>>

/**
 * The fields of a valid row, or all issues of an invalid one. `sent`: its values as sent, or undefined if the row could
 * not be split into cells. `soldOut`: the values of a row whose part is sold. `problem`: what was wrong with the record
 * itself.
 */
export type RowCheck = (
  cells: readonly string[],
  problem?: RecordProblem,
) => GoodRow | { issues: FoundIssue[]; sent: RowFields | undefined; soldOut?: RowFields }

/** What a row's VIN shows: another year or make than its cells, or a typo in the VIN. */
export const vinFindings = ['vin year', 'vin make', 'vin typo'] as const
export type VinFinding = (typeof vinFindings)[number]

type GoodRow = {
  fields: RowFields
  /** Blank fields that have their default; absent if there are none. */
  byDefault?: ImportField[]
  /** Blank fields that were filled from the row's other fields; absent if there are none. */
  filled?: ImportField[]
  /** What its seller should know about its description; absent if nothing. */
  findings?: DescriptionFinding[]
  /** What its seller should know about its VIN; absent if nothing. */
  ofVin?: VinFinding[]
}

type RowRules = FieldRules & {
  readonly header: readonly string[]
  readonly mapping: ImportMapping
  readonly defaults: ImportDefaults
  /** For splitting columns, for makes that only the model shows, and for cells with several makes. */
  readonly vocabulary?: TitleVocabulary | undefined
  /** Fills what a row leaves empty, if the file has a column of VINs. */
  readonly readVin?: ReadVin | undefined
}

/** How one file's rows fill a target field. */
type FieldCheck = {
  readonly field: ImportField
  /** Its column's index in a row; -1 if no column is mapped. */
  readonly at: number
  /** Columns whose cells are joined to it, if any. */
  readonly further: readonly number[] | undefined
  readonly column: string
  /** The column whose value an issue shows: its own, or the one that it is split from. */
  readonly shownAt: number
  readonly read: ReadValue
  /** Used for a row without a value: the default, the problem that it is missing, or nothing. */
  readonly ifEmpty: string | ValueProblem | undefined
}

/** Includes unmapped columns, since their cells are stored as well. */
type CellChecks = {
  readonly checks: readonly FieldCheck[]
  readonly unmapped: readonly { readonly at: number; readonly column: string }[]
  readonly split: SplitColumns | undefined
  /** The current year. */
  readonly year: number
  readonly vocabulary: TitleVocabulary | undefined
  readonly vins: RowVins | undefined
}

/** The columns of the VIN and of the id that makes a row an edit of one listing, whose empty cells mean no change. */
type RowVins = { readonly at: number; readonly idAt: number; readonly read: ReadVin }

// Three times a spreadsheet's limit for a cell, so that many rows can be in memory at once.
const LONGEST_CELL = 100_000

const cellTooLong = (column: string): ValueProblem => ({
  code: 'TOO_LONG',
  message: `“${shownValue(column)}” is too long (max ${LONGEST_CELL.toLocaleString('en-US')} characters)`,
})

/**
 * Compiles the check of a file's rows. It caches repeated values, so make one per file.
 * @throws AppError VALIDATION_FAILED if the mapping names a column that the file lacks, or a default is not allowed
 */
export function compileRowCheck({
  header,
  mapping,
  defaults,
  vocabulary,
  readVin,
  ...rules
}: RowRules): RowCheck {
  const columns = resolveColumns(header, mapping)
  const split = splitColumns({ header, mapping, year: rules.year, vocabulary })
  const readers = fieldReaders(rules)
  // Defaults come from no column, so its decimal mark does not apply.
  const readDefault = fieldReaders({ year: rules.year })
  const vinAt = columns.get('vin')
  const vins =
    readVin && vinAt !== undefined
      ? { at: vinAt, idAt: columns.get('listingid') ?? -1, read: readVin }
      : undefined
  const checks = importFields
    .filter(
      (field) =>
        columns.has(field) ||
        split?.columns.has(field) ||
        defaults[field] ||
        (readVin && isFilledByVin(mapping, field)) ||
        requiredImportFields.includes(field),
    )
    .map((field): FieldCheck => {
      const own = columns.get(field) ?? -1
      // A value split from the column takes precedence over the whole column.
      const at = own !== -1 && split?.columns.get(field) === header[own] ? -1 : own
      const read = readers[field]
      const column = header[at] ?? split?.columns.get(field) ?? field
      return {
        field,
        at,
        further: field === 'imageUrl' ? furtherColumns(header, mapping) : undefined,
        column,
        shownAt: header.indexOf(column),
        read,
        ifEmpty: ifEmpty(field, defaults[field], readDefault[field]),
      }
    })
  const needed = checks.filter(({ ifEmpty: empty }) => typeof empty === 'object').length
  const mapped = new Set(columns.values())
  const fewest = fewestCells(header)
  const unmapped = header.flatMap((column, at) => (mapped.has(at) ? [] : { at, column }))
  return (cells, problem) => {
    if (problem) return { issues: [recordIssue(cells, problem)], sent: undefined }
    const ragged = cells.length === header.length ? undefined : raggedIssue(cells, header.length, fewest)
    if (ragged)
      return remarkRow(cells, Math.max(header.length / 2, 3)) ?? { issues: [ragged], sent: undefined }
    const checked = checkCells({ checks, unmapped, split, vins, vocabulary, year: rules.year }, cells)
    if ('fields' in checked) return checked
    return remarkRow(cells, lacksMost(checked.issues, needed) ? header.length : 0) ?? checked
  }
}

/** Undefined if there are none. */
function furtherColumns(header: readonly string[], mapping: ImportMapping): number[] | undefined {
  const further = furtherPictureColumns(header, mapping).map((name) => header.indexOf(name))
  return further.length > 0 ? further : undefined
}

/** A remark has no part to identify, so its `sent` is empty rather than undefined. */
function remarkRow(cells: readonly string[], most: number): ReturnType<RowCheck> | undefined {
  const remark = remarkIn(cells, most)
  return remark && { issues: [remark], sent: {} }
}

function checkCells(rules: CellChecks, cells: readonly string[]): ReturnType<RowCheck> {
  const read = readCells(rules, cells)
  if ('fields' in read) fillGrade(read.fields, rules.year)
  return soldOutRow(rules, cells, ('fields' in read ? read.fields : read.sent) ?? {}) ?? read
}

function readCells(rules: CellChecks, cells: readonly string[]): ReturnType<RowCheck> {
  const { checks, unmapped, split, vins } = rules
  const fields: RowFields = {}
  const issues: FoundIssue[] = []
  const parts = split?.read(cells)
  const byDefault: ImportField[] = []
  const car = carOfRow(vins, cells)
  for (const check of checks) {
    const text = textOrCar(car, check.field, textOf(check, cells, parts))
    if (text === '' && parts && reportUnsure(check.field, parts, issues)) continue
    const read = text === '' ? '' : check.read(text)
    const value = read || check.ifEmpty
    if (typeof value === 'string') {
      fields[check.field] = value
      if (read === '') byDefault.push(check.field)
    } else if (value !== undefined) {
      issues.push(issueOf(check.column, shownCell(check, cells, text), value))
      fields[check.field] = text
    }
  }
  checkLengths(unmapped, cells, issues)
  contradictingTerms(checks, fields, issues)
  addSide(checks, fields, issues)
  const filled = checkVehicle(rules, fields, issues)
  if (issues.length > 0) return { issues, sent: fields }
  const findings = findingsIn(checks, cells, fields)
  return goodRow(fields, { byDefault, filled, findings, ofVin: compareVin(fields, car, rules.vocabulary) })
}

/** Fills a missing make from the model, and refuses cells with several makes or models. Returns what it filled. */
function checkVehicle(
  { checks, vocabulary, year }: CellChecks,
  fields: RowFields,
  issues: FoundIssue[],
): ImportField[] {
  const { partmanu = '', partmodel = '' } = fields
  if (!vocabulary || partmodel === '') return []
  const { titles: names } = vocabulary
  if (partmanu === '') return fillMake({ vocabulary, year }, fields, issues)
  for (const [field, problem] of [
    ['partmanu', severalMakes(partmanu, names)],
    ['partmodel', severalModels({ make: partmanu, model: partmodel }, names)],
  ] as const) {
    const { column = field } = checks.find((check) => check.field === field) ?? {}
    const isKnown = issues.some((issue) => issue.column === column)
    if (problem && !isKnown) issues.push(issueOf(column, fields[field] ?? '', problem))
  }
  return []
}

function fillMake(
  rules: { vocabulary: TitleVocabulary; year: number },
  fields: RowFields,
  issues: FoundIssue[],
): ImportField[] {
  const missing = issues.findIndex(({ code, message }) => code === 'REQUIRED' && message === NO_MAKE)
  const found = missing === -1 || fields.listingid ? undefined : makeOfModel(fields.partmodel ?? '', rules)
  const issue = issues[missing]
  if (!found || !issue) return []
  if ('makes' in found) {
    const message = `${NO_MAKE}: “${shownValue(fields.partmodel ?? '')}” is a model of ${listed(found.makes)}`
    issues[missing] = { ...issue, message }
    return []
  }
  issues.splice(missing, 1)
  fields.partmanu = found.make
  return ['partmanu']
}

const shownCell = ({ shownAt }: FieldCheck, cells: readonly string[], text: string): string =>
  text || (cells[shownAt] ?? '')

function contradictingTerms(checks: readonly FieldCheck[], fields: RowFields, issues: FoundIssue[]): void {
  // Few rows have it.
  if (!fields.asis) return
  for (const [field, message] of Object.entries(termContradictions(fields, { fromFile: true }))) {
    const { column } = checks.find((check) => check.field === field) ?? { column: field }
    issues.push(issueOf(column, fields[field as TermField] ?? '', { code: 'CONTRADICTING_TERMS', message }))
  }
}

/** What a column of sides says goes into the name. `partside` remains as what was added, since earlier imports lack it. */
function addSide(checks: readonly FieldCheck[], fields: RowFields, issues: FoundIssue[]): void {
  const { partside, partname } = fields
  if (partside === undefined) return
  delete fields.partside
  if (!partname) return
  const columnOf = (field: ImportField) => checks.find((check) => check.field === field)
  const found = withPosition(partname, partside, columnOf('partside')?.column)
  if (found === 'contradiction') {
    const { column = 'partside' } = columnOf('partside') ?? {}
    const message = `The name says “${shownValue(partname)}” and ${column} says “${shownValue(partside)}”. Correct the one that is wrong`
    issues.push(issueOf(column, partside, { code: 'CONTRADICTING_SIDE', message }))
  } else if (found) {
    const name = columnOf('partname')
    const read = name?.read(found.name)
    if (typeof read === 'object') issues.push(issueOf(name?.column ?? 'partname', found.name, read))
    else Object.assign(fields, { partname: found.name, partside: found.added })
  }
}

/** An empty grade comes from the damage code or the miles, if they give one. A row that names a listing leaves its grade. */
function fillGrade(fields: RowFields, now: number): void {
  const { damagecode, partmiles, partyear, partname = '', partcategory = '' } = fields
  if (fields.partgrade || fields.listingid || !(damagecode || partmiles)) return
  const words = `${partname} ${partcategory}`
  const { grade } = suggestGrade({ damagecode, partmiles, partyear, words, now })
  if (grade !== 'X') fields.partgrade = grade
}

function carOfRow(vins: RowVins | undefined, cells: readonly string[]): VinFields | undefined {
  if (!vins) return undefined
  const { at, idAt, read } = vins
  const vin = plainVin(plainCell(cells[at] ?? ''))
  if (vin.length !== VIN_LENGTH || plainCell(cells[idAt] ?? '') !== '') return undefined
  return read(vin)
}

/** The text, or the VIN's value if it is empty. */
const textOrCar = (car: VinFields | undefined, field: ImportField, text: string): string =>
  text || (car?.[field as (typeof vinFields)[number]] ?? '')

/** A year outside of the row's, or another make. Models have too many names to compare. */
function compareVin(
  fields: RowFields,
  car: VinFields | undefined,
  vocabulary: TitleVocabulary | undefined,
): VinFinding[] {
  if (!car) return []
  if (car.isMistyped) return ['vin typo']
  const found: VinFinding[] = []
  const span = readYearSpan(fields.partyear ?? '')
  const year = Number(car.partyear ?? Number.NaN)
  if (span && (year < span.from || year > span.to)) found.push('vin year')
  const makeKey = (make = '') => nameKey(vocabulary?.titles.make(nameKey(make)) ?? make)
  if (car.partmanu !== undefined && makeKey(fields.partmanu) !== makeKey(car.partmanu)) found.push('vin make')
  return found
}

/**
 * A row that names a listing edits it, even to 0. Its `sent` is empty, so that it keeps no part of a full stock from
 * ending.
 */
function soldOutRow({ checks, unmapped }: CellChecks, cells: readonly string[], fields: RowFields) {
  if (fields.listingid !== undefined) return undefined
  const columnOf = (field: ImportField) => checks.find((check) => check.field === field)?.column ?? ''
  const sold = findSold(fields, columnOf, { unmapped, cells })
  return sold && { issues: [issueOf(sold.column, sold.text, sold.problem)], sent: {}, soldOut: fields }
}

/** Only for a description in the file; a default is the seller's choice for all rows. */
function findingsIn(
  checks: readonly FieldCheck[],
  cells: readonly string[],
  { damagecode = '', partdescription }: RowFields,
): DescriptionFinding[] {
  const check = checks.find(({ field, at }) => field === 'partdescription' && at !== -1)
  const found = check ? findInDescription(textOf(check, cells, undefined)) : []
  return damagecode && contradictedDamage(damagecode, partdescription) ? [...found, 'damage'] : found
}

// Most rows have neither.
const goodRow = (
  fields: RowFields,
  { byDefault, filled, findings, ofVin }: Required<Omit<GoodRow, 'fields'>>,
): GoodRow =>
  byDefault.length + filled.length + findings.length + ofVin.length === 0
    ? { fields }
    : {
        fields,
        ...(byDefault.length > 0 && { byDefault }),
        ...(filled.length > 0 && { filled }),
        ...(findings.length > 0 && { findings }),
        ...(ofVin.length > 0 && { ofVin }),
      }

/** The field's own cell, else what was split from another. */
function textOf(
  { at, further, field }: FieldCheck,
  cells: readonly string[],
  parts: SplitRow | undefined,
): string {
  const own = plainCell(at === -1 ? '' : (cells[at] ?? '')) || parts?.fields[field] || ''
  return further === undefined
    ? own
    : withFurtherPictures(
        own,
        further.map((column) => cells[column] ?? ''),
      )
}

/**
 * Whether a split column was unclear about a required field, so that no default replaces it. Reported once per column.
 */
function reportUnsure(field: ImportField, { problems }: SplitRow, issues: FoundIssue[]): boolean {
  const problem = problems.find(({ fields }) => fields.includes(field))
  if (!problem || !requiredImportFields.includes(field)) return false
  const { column, code, text } = problem
  if (!issues.some((issue) => issue.code === code && issue.column === column)) {
    issues.push(issueOf(column, text, problem))
  }
  return true
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
 * Strips surrounding spaces, the apostrophes that our exports put before formulas, and the formula that other programs put
 * around a number to keep its leading zeros: ="02134".
 */
function plainCell(cell: string): string {
  const text = trimmed(cell)
  if (text.charCodeAt(0) !== EQUALS) return withoutFormulaGuard(text)
  return TEXT_AS_FORMULA.exec(text)?.[1]?.trim() ?? text
}

const EQUALS = 0x3d
const TEXT_AS_FORMULA = /^="([^"]*)"$/

/** Like trim(), which most cells do not need. */
function trimmed(text: string): string {
  if (text === '') return text
  const first = text.charCodeAt(0)
  const last = text.charCodeAt(text.length - 1)
  return first > 0x20 && first < 0x7f && last > 0x20 && last < 0x7f ? text : text.trim()
}

const recordProblemMessages: Record<RecordProblem, string> = {
  UNCLOSED_QUOTE:
    'A quotation mark opens in this row and never closes, so the row cannot be split into cells. Close it, or delete it',
  RECORD_TOO_LONG:
    'The row is longer than 16 MB. A quotation mark before it may not be closed, or its line break may be missing',
}

function recordIssue(cells: readonly string[], code: RecordProblem): FoundIssue {
  return { column: '', code, value: startOf(cells), message: recordProblemMessages[code] }
}

const startOf = (cells: readonly string[]) => shownValue(cells.slice(0, 5).map(shownValue).join(','))

/** A header that ends with commas has unnamed columns at its end, which rows may leave out. */
function fewestCells(header: readonly string[]): number {
  const named = header.findLastIndex((name, at) => name !== `Column ${at + 1}`)
  return named === -1 ? header.length : named + 1
}

/** A row with too few or too many cells cannot be mapped to columns; extra empty cells are harmless. */
function raggedIssue(cells: readonly string[], width: number, fewest: number): FoundIssue | undefined {
  const isFew = cells.length < width
  if (isFew && cells.length >= fewest) return undefined
  if (!isFew && cells.slice(width).every((cell) => cell.trim() === '')) return undefined
  const has = cells.length === 1 ? '1 cell' : `${cells.length.toLocaleString('en-US')} cells`
  return {
    column: '',
    code: isFew ? 'TOO_FEW_CELLS' : 'TOO_MANY_CELLS',
    value: startOf(cells),
    message: `This line has ${has} and the header ${width}. A separator or a quotation mark may be missing or extra`,
  }
}

const missingMessage = (field: ImportField) => `${importFieldLabels[field]} is required`
const NO_MAKE = missingMessage('partmanu')

function ifEmpty(field: ImportField, sent: string | undefined, read: ReadValue): FieldCheck['ifEmpty'] {
  const text = sent?.trim()
  if (!text) {
    if (!requiredImportFields.includes(field)) return undefined
    return { code: 'REQUIRED', message: missingMessage(field) }
  }
  const value = read(text)
  if (value === '') return ifEmpty(field, undefined, read)
  if (typeof value === 'string') return value
  throw new AppError('VALIDATION_FAILED', `The default is not allowed: ${value.message}`, {
    fields: { defaults: value.message },
  })
}
