import { withoutFormulaGuard } from '#contract/csv/csv-cell.ts'
import {
  type ImportDefaults,
  type ImportField,
  type ImportMapping,
  isPriceList,
} from '#contract/csv/import-fields.ts'
import {
  type FoundPart,
  findListedParts,
  isListed,
  isSameText,
  type ListedPart,
  standardText,
} from '#server/features/stock-files/identity/listed-part.ts'
import { findPartsByNumber } from '#server/features/stock-files/identity/parts-by-number.ts'
import {
  type RowSource,
  resolveColumns,
  type SentRow,
} from '#server/features/stock-files/table/open-table.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { RowCheck } from './check-row.ts'
import { endedListingProblem, isListingId, unknownListingProblem } from './field-readers.ts'
import { shownValue } from './field-text.ts'

type RowResult = ReturnType<RowCheck>

/** The columns of the mapped fields. */
type FileColumns = {
  readonly header: readonly string[]
  readonly columns: ReadonlyMap<ImportField, number>
}

type NamedRow = { cells: readonly string[]; part: ListedPart | undefined; file: FileColumns }

/**
 * The check of a row that names its listing, once the listing is known. A cell that equals our export is valid even if the
 * rules for new parts refuse it: the listing already has that value.
 */
function checkNamedRow(checked: RowResult, { cells, part, file }: NamedRow): RowResult {
  const sent = 'fields' in checked ? checked.fields : checked.sent
  if (!sent) return checked
  const found = 'issues' in checked ? checked.issues : []
  if (!part || !isListed(part)) {
    const { code, message } = part ? endedListingProblem : unknownListingProblem
    const column = columnOf(file, 'listingid')
    return { issues: [...found, { column, code, value: shownValue(sent.listingid ?? ''), message }], sent }
  }
  // A name with a side from another column is another one.
  const unchanged = unchangedCells(cells, part, file).filter(
    ({ field }) => field !== 'partname' || sent.partside === undefined,
  )
  const columns = new Set(unchanged.map(({ field }) => columnOf(file, field)))
  const issues = found.filter(({ column }) => !columns.has(column))
  const fields = { ...sent }
  for (const { field, value } of unchanged) if (value !== '') fields[field] = value
  if (issues.length > 0) return { issues, sent: fields }
  const isOld = unchanged.some(({ field, value }) => field === 'partdescription' && value !== '')
  const findings = 'findings' in checked && !isOld ? checked.findings : undefined
  return { fields: withoutEmpty(fields), ...(findings && { findings }) }
}

type UnchangedCell = { readonly field: ImportField; readonly value: string }

/** The cells that equal the listing's values; unmapped fields count as unchanged. */
function unchangedCells(
  cells: readonly string[],
  part: ListedPart,
  { columns }: FileColumns,
): UnchangedCell[] {
  const known = Object.entries(standardText(part)) as [ImportField, string][]
  return known.flatMap(([field, value]) => {
    const at = columns.get(field)
    if (at === undefined) return { field, value: '' }
    const cell = withoutFormulaGuard((cells[at] ?? '').trim())
    return isSameText(cell, value) ? { field, value: value.trim() } : []
  })
}

const columnOf = ({ header, columns }: FileColumns, field: ImportField): string =>
  header[columns.get(field) ?? -1] ?? field

const withoutEmpty = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '')) as T

export type CheckedSentRow = {
  readonly sent: SentRow
  readonly checked: ReturnType<RowCheck>
  /** For a valid row that names its listing by id: the listing. */
  readonly named: FoundPart | undefined
}

export type CheckedFile = {
  readonly source: RowSource
  readonly check: RowCheck
  readonly mapping: ImportMapping
  readonly defaults: ImportDefaults
  readonly sellerId: string
}

/** The rows of a call with their issues. The database is queried only for files that name listings. */
export async function* readCheckedRows(db: Db, file: CheckedFile): AsyncGenerator<CheckedSentRow[]> {
  const { source, check } = file
  const namesListings = file.mapping.listingid !== undefined || file.defaults.listingid !== undefined
  const isOfPrices = isPriceList(file.mapping, file.defaults)
  const checkNamed = namesListings || isOfPrices ? namedRowChecker(db, file) : undefined
  for await (const batch of source.batches) {
    const rows = batch.map((sent) => ({ sent, checked: check(sent.cells, sent.problem), named: undefined }))
    if (isOfPrices) await nameByNumber(db, file, rows)
    yield checkNamed ? await checkNamed(rows) : rows
  }
}

/** A row of a price list names the part for sale under its stock number, if that is one part. */
async function nameByNumber(
  db: Db,
  { sellerId, mapping }: CheckedFile,
  rows: CheckedSentRow[],
): Promise<void> {
  const numberOf = ({ checked }: CheckedSentRow) =>
    'fields' in checked ? checked.fields.stocknum : undefined
  const found = await findPartsByNumber(
    db,
    sellerId,
    rows.flatMap((row) => numberOf(row) ?? []),
  )
  for (const [at, row] of rows.entries()) {
    const number = numberOf(row)
    if (number === undefined || !('fields' in row.checked)) continue
    const ids = found.get(number) ?? []
    const { stocknum: _, ...fields } = row.checked.fields
    const [id, ...others] = ids
    if (id !== undefined && others.length === 0) {
      rows[at] = { ...row, checked: { fields: { ...fields, listingid: id } } }
      continue
    }
    const message =
      id === undefined
        ? 'None of your parts for sale has this stock number. Add its other columns to list it'
        : `${ids.length} of your parts have this stock number. Add a column that tells them apart, such as their listing ids`
    const issue = {
      column: mapping.stocknum ?? 'stocknum',
      code: 'UNKNOWN_LISTING',
      value: shownValue(number),
      message,
    } as const
    rows[at] = { ...row, checked: { issues: [issue], sent: {} } }
  }
}

function namedRowChecker(db: Db, { source, mapping, sellerId }: CheckedFile) {
  const file: FileColumns = { header: source.header, columns: resolveColumns(source.header, mapping) }
  return async (rows: readonly CheckedSentRow[]): Promise<CheckedSentRow[]> => {
    const ids = rows.flatMap(({ checked }) => listingIdIn(checked) ?? [])
    const parts = await findListedParts(db, sellerId, ids)
    return rows.map(({ sent, checked: before }) => {
      const id = listingIdIn(before)
      const part = parts.get(id ?? '')
      const checked = id === undefined ? before : checkNamedRow(before, { cells: sent.cells, part, file })
      return { sent, checked, named: 'fields' in checked ? part : undefined }
    })
  }
}

function listingIdIn(checked: CheckedSentRow['checked']): string | undefined {
  const id = ('fields' in checked ? checked.fields : checked.sent)?.listingid
  return id !== undefined && isListingId(id) ? id : undefined
}
