import type { ColumnAnswer } from '#contract/column-questions/questions.ts'
import {
  type ImportDefaults,
  type ImportField,
  type ImportMapping,
  importFields,
  isFilledByVin,
  isPriceList,
  priceListFields,
  requiredImportFields,
} from '#contract/csv/import-fields.ts'
import { contradictedDamage, gradeInText, suggestGrade } from '#contract/listing/grade-rule.ts'
import type { TermField } from '#contract/listing/listing-fields.ts'
import { termContradictions } from '#contract/listing/listing-terms.ts'
import { type DescriptionFinding, findInDescription } from '#contract/text/description.ts'
import { isNoValue } from '#contract/text/no-value.ts'
import { isCodeColumn, nameByCode } from '#contract/trade-language/parts/coded-names.ts'
import { UniversalRows } from '#contract/trade-language/parts/universal-parts.ts'
import type { Vocabulary } from '#contract/trade-language/vocabulary.ts'
import type { RecordProblem } from '#contract/yard-file/records.ts'
import { language } from '#server/features/finding/vocabulary/built-in.ts'
import {
  carOfRow,
  compareVin,
  type RowVins,
  rowVins,
  textOrCar,
  type VinFinding,
} from '#server/features/market/vin/row-vins.ts'
import type { ReadVin } from '#server/features/market/vin/vehicles.ts'
import { resolveColumns } from '#server/features/stock-files/table/open-table.ts'
import { AppError } from '#server/platform/errors.ts'
import { type CellReading, moneyReadings } from './amounts.ts'
import { type FieldRules, fieldReaders, isLeftEmpty } from './field-readers.ts'
import { type FoundIssue, issueOf, type ReadValue, shownValue, type ValueProblem } from './field-text.ts'
import { addSide, type JoinCells, joinedCells, settleUnitOfPrice } from './joined-columns.ts'
import { checkVehicle, missing, otherVehicle, otherVehicles, unknownFits } from './makes-and-models.ts'
import { checkLengths, fewestCells, plainCell, raggedIssue, recordIssue } from './row-shape.ts'
import { type SplitColumns, type SplitRow, splitColumns } from './split-columns.ts'
import {
  type AnsweredStates,
  findNotForSale,
  lacksMostFields,
  nameWithoutSoldMark,
  notForSale,
  remarkIn,
  type StatedColumn,
  soldSuffix,
  statedColumns,
} from './unlisted-rows.ts'

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

type GoodRow = {
  fields: RowFields
  /** Blank fields that have their default; absent if there are none. */
  byDefault?: ImportField[]
  /** Blank fields that were filled from the row's other fields; absent if there are none. */
  filled?: ImportField[]
  /** Notes for the seller about its description; absent if there are none. */
  findings?: DescriptionFinding[]
  /** Notes for the seller about its VIN; absent if there are none. */
  ofVin?: VinFinding[]
  /** Optional values that could not be read and are left empty; absent if there are none. */
  unread?: UnreadValue[]
  /** Fitting vehicles that are not in the catalog; absent if there are none. */
  unknownFits?: string[]
}

type UnreadValue = { readonly field: ImportField; readonly value: string }

type RowRules = FieldRules & {
  readonly header: readonly string[]
  readonly mapping: ImportMapping
  readonly defaults: ImportDefaults
  /** For splitting columns, for makes that only the model shows, and for cells with several makes. */
  readonly vocabulary?: Vocabulary | undefined
  /** Fills what a row leaves empty, if the file has a column of VINs. */
  readonly readVin?: ReadVin | undefined
  /** The seller's answers about words for sale states. */
  readonly states?: AnsweredStates | undefined
  /** The seller's answers about other columns. */
  readonly answers?: readonly ColumnAnswer[] | undefined
}

/** How one file's rows fill a target field. */
type FieldCheck = {
  readonly field: ImportField
  /** Its column's index in a row; -1 if no column is mapped. */
  readonly at: number
  /** Joins the cells of other columns to it. */
  readonly join: JoinCells | undefined
  readonly column: string
  /** The column whose value an issue shows: its own, or the one that it is split from. */
  readonly shownAt: number
  readonly reading: CellReading
  /** Used for a row without a value: the default, the problem that it is missing, or nothing. */
  readonly ifEmpty: string | ValueProblem | undefined
}

/** Includes unmapped columns, since their cells are stored as well. */
type CellChecks = {
  /** A price list ends no part. */
  readonly isOfPrices: boolean
  readonly checks: readonly FieldCheck[]
  readonly checkOf: ReadonlyMap<ImportField, FieldCheck>
  readonly unmapped: readonly { readonly at: number; readonly column: string }[]
  readonly stated: readonly StatedColumn[]
  /** Unmapped columns with remarks, if the grade has a default. */
  readonly remarksAt: readonly number[]
  /** Unmapped columns of engine and transmission codes. */
  readonly coded: readonly { readonly at: number; readonly column: string }[]
  readonly universal: UniversalRows | undefined
  /** An unmapped column of fronts and rears beside that of sides. */
  readonly ends: { readonly at: number; readonly column: string } | undefined
  readonly corners: readonly string[]
  readonly isDriverOnRight: boolean
  /** The columns of names and titles. */
  readonly lines: readonly { readonly at: number; readonly column: string }[]
  readonly split: SplitColumns | undefined
  /** The current year. */
  readonly year: number
  readonly vocabulary: Vocabulary | undefined
  readonly vins: RowVins | undefined
}

/**
 * Compiles the check of a file's rows. It caches repeated values, so make one per file.
 * @throws AppError VALIDATION_FAILED if the mapping names a column that the file lacks, or a default is not allowed
 */
export function compileRowCheck(rules: RowRules): RowCheck {
  const { header } = rules
  const cellChecks = compileCellChecks(rules)
  const needed = cellChecks.checks.filter(({ ifEmpty: empty }) => typeof empty === 'object').length
  const fewest = fewestCells(header)
  return (cells, problem) => {
    if (problem) return { issues: [recordIssue(cells, problem)], sent: undefined }
    const ragged = cells.length === header.length ? undefined : raggedIssue(cells, header.length, fewest)
    if (ragged) {
      return (
        remarkRow(cells, Math.max(header.length / 2, 3)) ??
        soldLine(cellChecks, cells, header.length) ?? { issues: [ragged], sent: undefined }
      )
    }
    const checked = checkCells(cellChecks, cells)
    if ('fields' in checked) return checked
    return remarkRow(cells, lacksMostFields(checked.issues, needed) ? header.length : 0) ?? checked
  }
}

function compileCellChecks({
  header,
  mapping,
  defaults: sentDefaults,
  vocabulary,
  readVin,
  states,
  answers = [],
  ...rules
}: RowRules): CellChecks {
  const columns = resolveColumns(header, mapping)
  // In a price list, only numbers and prices count: nothing else of a known part changes.
  const isOfPrices = isPriceList(mapping, sentDefaults)
  const defaults = isOfPrices ? {} : sentDefaults
  const required = isOfPrices ? priceListFields : requiredImportFields
  const split = splitColumns({ header, mapping, year: rules.year, vocabulary })
  const readers = fieldReaders(rules)
  // Defaults come from no column, so its decimal mark does not apply.
  const readDefault = fieldReaders({ year: rules.year })
  const { currency: currencyColumn, amounts } = rules
  const readingOf = moneyReadings({ header, mapping, answers, currencyColumn, amounts })
  const mapped = new Set(columns.values())
  const checks = importFields
    .filter(
      (field) =>
        columns.has(field) ||
        split?.columns.has(field) ||
        defaults[field] ||
        (readVin && isFilledByVin(mapping, field)) ||
        required.includes(field),
    )
    .map((field): FieldCheck => {
      const own = columns.get(field) ?? -1
      // A value split from the column takes precedence over the whole column.
      const at = own !== -1 && split?.columns.get(field) === header[own] ? -1 : own
      const column = header[at] ?? split?.columns.get(field) ?? field
      return {
        field,
        at,
        join: joinedCells(field, { header, mapping, mapped, at: own }),
        column,
        shownAt: header.indexOf(column),
        reading: readingOf(field, { read: readers[field], readDollars: readDefault[field] }),
        ifEmpty: ifEmpty(field, required, { sent: defaults[field], read: readDefault[field] }),
      }
    })
  const unmapped = header.flatMap((column, at) => (mapped.has(at) ? [] : { at, column }))
  const stated = statedColumns(header, fieldsByColumn(columns), states)
  const lines = linesOf(header, columns, split)
  const [vins, year] = [rowVins(columns, readVin), rules.year]
  const coded = unmapped.filter(({ column }) => isCodeColumn(column))
  const remarksAt = defaults.partgrade
    ? unmapped.filter(({ column }) => REMARKS.test(column)).map(({ at }) => at)
    : []
  const universal = vocabulary && !isOfPrices ? new UniversalRows(vocabulary, unmapped) : undefined
  const ends = unmapped.find(({ column }) => language.places.isOfEnds(column))
  const checkOf = new Map(checks.map((check) => [check.field, check]))
  const kinds = {
    isOfPrices,
    checkOf,
    coded,
    universal,
    ends,
    corners: rules.corners ?? [],
    isDriverOnRight: rules.isDriverOnRight ?? false,
  }
  return { ...kinds, checks, unmapped, remarksAt, stated, lines, split, vins, vocabulary, year }
}

/** A remark has no part to identify, so its `sent` is empty rather than undefined. */
function remarkRow(cells: readonly string[], most: number): ReturnType<RowCheck> | undefined {
  const remark = remarkIn(cells, most)
  return remark && { issues: [remark], sent: {} }
}

function checkCells(rules: CellChecks, cells: readonly string[]): ReturnType<RowCheck> {
  const read = readCells(rules, cells)
  if ('fields' in read) fillGrade(rules, cells, read)
  const vehicle = vehicleLeftOut(rules, cells, ('fields' in read ? read.fields : read.sent) ?? {})
  if (vehicle) return vehicle
  return soldOutRow(rules, cells, ('fields' in read ? read.fields : read.sent) ?? {}) ?? read
}

/** Not a part that we list: its `sent` is empty, and its category is not guessed. */
function vehicleLeftOut({ checkOf, split }: CellChecks, cells: readonly string[], fields: RowFields) {
  const { listingid, partmanu = '', partmodel = '' } = fields
  if (listingid !== undefined) return undefined
  const check = checkOf.get('partmanu')
  const at = split && check ? check.shownAt : -1
  const line = at === -1 ? [] : [cells[at] ?? '']
  const found = otherVehicle(partmanu, partmodel, line)
  if (!found) return undefined
  const { column = 'partmanu' } = check ?? {}
  return { issues: [issueOf(column, partmanu || (line[0] ?? ''), otherVehicles[found])], sent: {} }
}

function readCells(rules: CellChecks, cells: readonly string[]): ReturnType<RowCheck> {
  const { checks, checkOf, unmapped, split, vins } = rules
  const fields: RowFields = {}
  const issues: FoundIssue[] = []
  const parts = split?.read(cells)
  const byDefault: ImportField[] = []
  const unread: UnreadValue[] = []
  const row: ReadRow = { cells, fields, issues, byDefault, unread }
  const car = vins && carOfRow(vins, (at) => plainCell(cells[at] ?? ''))
  for (const check of checks) {
    const text = textOrCar(car, check.field, textOf(check, cells, parts))
    if (text === '' && parts && reportUnsure(check.field, parts, issues)) continue
    readField(check, text, row)
  }
  checkLengths(unmapped, cells, issues)
  readCodes(rules, cells, fields)
  contradictingTerms(rules, fields, issues)
  if (fields.partside || rules.ends || rules.isDriverOnRight) addSide(rules, row)
  settleUnitOfPrice(checkOf.get('partprice'), row)
  const columnOf = (field: ImportField) => checkOf.get(field)?.column ?? field
  const filled = checkVehicle(fields, issues, { ...rules, columnOf, car })
  // The wheel of a truck or a motorcycle is no part of no vehicle.
  if (!otherVehicle(fields.partmanu ?? '', fields.partmodel ?? '', []))
    rules.universal?.settle(row, (field) => checkOf.get(field)?.column)
  if (issues.length > 0) return { issues, sent: fields }
  const findings = findingsIn(checkOf.get('partdescription'), cells, fields)
  const ofVin = compareVin(fields, car, rules.vocabulary)
  const unknown = unknownFits(fields.fitment, rules)
  return {
    fields,
    ...withoutEmptyLists({ byDefault, filled, findings, ofVin, unread, unknownFits: unknown }),
  }
}

/** Engines and transmissions by code: the code says which kind it is, and stays as a fact for buyers. */
function readCodes({ coded }: CellChecks, cells: readonly string[], fields: RowFields): void {
  if (coded.length === 0 || !fields.partname) return
  const facts = coded.flatMap(({ at, column }) => {
    const text = plainCell(cells[at] ?? '')
    return text === '' || isNoValue(text) ? [] : { column, text }
  })
  const partname = nameByCode(fields.partname, facts.map(({ text }) => text).join(' '), language.roles)
  if (partname === undefined || facts.length === 0) return
  const said = facts.map(({ column, text }) => `${column}: ${text}`)
  fields.partname = partname
  fields.partdescription = [...said, fields.partdescription ?? []].flat().join('\n')
}

type ReadRow = Required<Pick<GoodRow, 'fields' | 'byDefault' | 'unread'>> & {
  cells: readonly string[]
  issues: FoundIssue[]
}

function readField(check: FieldCheck, text: string, row: ReadRow): void {
  const { field, reading } = check
  const read = text === '' ? '' : (reading.readRow?.(row.cells) ?? reading.read)(text)
  const value = read || check.ifEmpty
  if (value === undefined) return
  if (typeof value === 'string') {
    row.fields[field] = value
    if (read === '') row.byDefault.push(field)
  } else if (isLeftEmpty(field, value)) {
    row.unread.push({ field, value: shownValue(text) })
  } else {
    row.issues.push(issueOf(check.column, shownCell(check, row.cells, text), value))
    row.fields[field] = text
  }
}

const shownCell = ({ shownAt }: FieldCheck, cells: readonly string[], text: string): string =>
  text || (cells[shownAt] ?? '')

function contradictingTerms({ checkOf }: CellChecks, fields: RowFields, issues: FoundIssue[]): void {
  // Few rows have it.
  if (!fields.asis) return
  for (const [field, message] of Object.entries(termContradictions(fields, { fromFile: true }))) {
    const { column } = checkOf.get(field as TermField) ?? { column: field }
    issues.push(issueOf(column, fields[field as TermField] ?? '', { code: 'CONTRADICTING_TERMS', message }))
  }
}

/**
 * An empty grade comes from the damage code, if there is one. Miles alone give none: nobody has looked at the part. A default is the yard's usual grade: what the row itself says
 * goes before it, and a part that is said to be damaged has none. A row that names a listing leaves its grade.
 */
function fillGrade({ year, remarksAt }: CellChecks, cells: readonly string[], row: GoodRow): void {
  const { fields, byDefault = [] } = row
  if (fields.listingid) return
  if (!fields.partgrade) suggestGradeOf(fields, year)
  if (!byDefault.includes('partgrade')) return
  const own = gradeInText([fields.partname, fields.partdescription, ...remarksAt.map((at) => cells[at])])
  const isGood = fields.partgrade === 'A' || fields.partgrade === 'B'
  if (own === undefined && !fields.damagecode) return
  if (own === 'worse' ? isGood : own !== undefined) delete fields.partgrade
  if (own !== undefined && own !== 'worse') fields.partgrade = own
  else if (fields.damagecode) suggestGradeOf(fields, year)
  const others = byDefault.filter((field) => field !== 'partgrade')
  if (others.length > 0) row.byDefault = others
  else delete row.byDefault
}

function suggestGradeOf(fields: RowFields, now: number): void {
  const { damagecode, partmiles, partyear, partname = '', partcategory = '' } = fields
  if (!damagecode) return
  const words = `${partname} ${partcategory}`
  const { grade } = suggestGrade({ damagecode, partmiles, partyear, words, now })
  if (grade !== 'X') fields.partgrade = grade
}

/** Unmapped columns that may describe a part's condition. */
const REMARKS = /remark|note|comment|condition|observa|bemerk|zustand/i

const fieldsByColumn = (columns: ReadonlyMap<ImportField, number>) =>
  new Map([...columns].map(([field, at]) => [at, field] as const))

/** The columns of part names and of titles, each once. */
function linesOf(
  header: readonly string[],
  columns: ReadonlyMap<ImportField, number>,
  split: SplitColumns | undefined,
): CellChecks['lines'] {
  const own = header[columns.get('partname') ?? -1]
  const names = new Set([own, split?.columns.get('partname')].filter((name) => name !== undefined))
  return [...names].map((column) => ({ at: header.indexOf(column), column }))
}

/**
 * A row that names a listing edits it, even to 0. Its `sent` is empty, so that it keeps no part of a full stock from
 * ending.
 */
function soldOutRow(rules: CellChecks, cells: readonly string[], fields: RowFields) {
  const { isOfPrices, checkOf, stated, lines } = rules
  if (isOfPrices || fields.listingid !== undefined) return undefined
  const columnOf = (field: ImportField) => checkOf.get(field)?.column ?? ''
  const found = findNotForSale(fields, columnOf, { stated, lines, cells })
  return found && notListed(fields, found)
}

function notListed(fields: RowFields, { column, text, problem }: ReturnType<typeof notForSale>) {
  const { partname } = fields
  const soldOut = partname === undefined ? fields : { ...fields, partname: nameWithoutSoldMark(partname) }
  return { issues: [issueOf(column, text, problem)], sent: {}, soldOut }
}

function soldLine(rules: CellChecks, cells: readonly string[], width: number) {
  const mark = soldSuffix(cells, width)
  if (mark === undefined) return undefined
  const read = readCells(rules, cells.slice(0, width))
  const fields = 'fields' in read ? read.fields : (read.sent ?? {})
  return fields.listingid === undefined ? notListed(fields, notForSale('', mark)) : undefined
}

/** Only for a description in the file; a default is the seller's choice for all rows. */
function findingsIn(
  check: FieldCheck | undefined,
  cells: readonly string[],
  { damagecode = '', partdescription }: RowFields,
): DescriptionFinding[] {
  const found = check && check.at !== -1 ? findInDescription(textOf(check, cells, undefined)) : []
  return damagecode && contradictedDamage(damagecode, partdescription) ? [...found, 'damage'] : found
}

/** Most rows have none of them. */
function withoutEmptyLists(lists: Omit<Required<GoodRow>, 'fields'>): Omit<GoodRow, 'fields'> | undefined {
  const { byDefault, filled, findings, ofVin, unread, unknownFits: unknown } = lists
  const count = byDefault.length + filled.length + findings.length + ofVin.length + unread.length
  return count + unknown.length === 0
    ? undefined
    : Object.fromEntries(Object.entries(lists).filter(([, { length }]) => length > 0))
}

/** The field's own cell, else what was split from another. */
function textOf(
  { at, join, field }: FieldCheck,
  cells: readonly string[],
  parts: SplitRow | undefined,
): string {
  const own = plainCell(cells[at] ?? '') || parts?.fields[field] || ''
  return join === undefined ? own : join(own, cells)
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

type Default = { readonly sent: string | undefined; readonly read: ReadValue }

function ifEmpty(
  field: ImportField,
  required: readonly ImportField[],
  { sent, read }: Default,
): FieldCheck['ifEmpty'] {
  const text = sent?.trim()
  const value = text ? read(text) : ''
  if (value === '') {
    return required.includes(field) ? missing(field) : undefined
  }
  if (typeof value === 'string') return value
  throw new AppError('VALIDATION_FAILED', `The default is not allowed: ${value.message}`, {
    fields: { defaults: value.message },
  })
}
