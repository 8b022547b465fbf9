import { withoutFormulaGuard } from '#contract/csv/csv-cell.ts'
import {
  type ImportDefaults,
  type ImportField,
  type ImportMapping,
  importFields,
} from '#contract/csv/import-fields.ts'
import { loadLookupNames, lookupNames } from '#server/features/lookups/lookup-names.ts'
import {
  changesListing,
  type FoundPart,
  findListedParts,
  isListed,
  type ListedPart,
  newsOfRow,
  saysTheSame,
  standardText,
  textOfRow,
} from '#server/features/stock-files/identity/listed-part.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { RowCheck } from './check-row.ts'
import { goneListing, isListingId, unknownListing } from './field-readers.ts'
import { shownValue } from './field-text.ts'
import { type RowSource, resolveColumns, type SentRow } from './open-table.ts'

type Checked = ReturnType<RowCheck>

/** Where each mapped field stands in the file, and what its columns are called. */
type FileColumns = {
  readonly header: readonly string[]
  readonly columns: ReadonlyMap<ImportField, number>
}

type NamedRow = { cells: readonly string[]; part: ListedPart | undefined; file: FileColumns }

/**
 * A row that names its listing, once that is known. A cell that stands as our export wrote it is right, whatever the rules
 * for new parts say of it: the listing has that value already.
 */
function settleNamedRow(checked: Checked, { cells, part, file }: NamedRow): Checked {
  const said = 'fields' in checked ? checked.fields : checked.said
  if (!said) return checked
  const found = 'issues' in checked ? checked.issues : []
  if (!part || !isListed(part)) {
    const { code, message } = part ? goneListing : unknownListing
    const column = columnOf(file, 'listingid')
    return { issues: [...found, { column, code, value: shownValue(said.listingid ?? ''), message }], said }
  }
  const standing = standingCells(cells, part, file)
  const columns = new Set(standing.map(({ field }) => columnOf(file, field)))
  const issues = found.filter(({ column }) => !columns.has(column))
  const fields = { ...said }
  for (const { field, value } of standing) if (value !== '') fields[field] = value
  return issues.length > 0 ? { issues, said: fields } : { fields: withoutEmpty(fields) }
}

type StandingCell = { readonly field: ImportField; readonly value: string }

/** The cells that say what the listing says; a field that has no column says nothing. */
function standingCells(cells: readonly string[], part: ListedPart, { columns }: FileColumns): StandingCell[] {
  const known = Object.entries(standardText(part)) as [ImportField, string][]
  return known.flatMap(([field, value]) => {
    const at = columns.get(field)
    if (at === undefined) return { field, value: '' }
    const cell = withoutFormulaGuard((cells[at] ?? '').trim())
    return saysTheSame(cell, value) ? { field, value: value.trim() } : []
  })
}

const columnOf = ({ header, columns }: FileColumns, field: ImportField): string =>
  header[columns.get(field) ?? -1] ?? field

/** What is absent is empty. */
const withoutEmpty = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '')) as T

export type JudgedRow = {
  readonly sent: SentRow
  readonly checked: ReturnType<RowCheck>
  /** Of a good row that names its listing by its id: that listing, and whether the row changes it. */
  readonly named: { readonly part: FoundPart; readonly changes: boolean } | undefined
}

export type CheckedFile = {
  readonly source: RowSource
  readonly check: RowCheck
  readonly mapping: ImportMapping
  readonly defaults: ImportDefaults
  readonly sellerId: string
}

/** The rows of a call with what is wrong with them. Of a file that names no listings the database is asked nothing. */
export async function* readCheckedRows(db: Db, file: CheckedFile): AsyncGenerator<JudgedRow[]> {
  const { source, check } = file
  const namesListings = file.mapping.listingid !== undefined || file.defaults.listingid !== undefined
  const settle = namesListings ? namedRowSettler(db, file) : undefined
  for await (const batch of source.batches) {
    const rows = batch.map((sent) => ({ sent, checked: check(sent.cells, sent.problem), named: undefined }))
    yield settle ? await settle(rows) : rows
  }
}

function namedRowSettler(db: Db, { source, mapping, defaults, sellerId }: CheckedFile) {
  const file: FileColumns = { header: source.header, columns: resolveColumns(source.header, mapping) }
  const ofFile = importFields.filter((field) => field in mapping || field in defaults)
  let names: ReturnType<typeof lookupNames> | undefined
  return async (rows: readonly JudgedRow[]): Promise<JudgedRow[]> => {
    const ids = rows.flatMap(({ checked }) => listingIdIn(checked) ?? [])
    const parts = await findListedParts(db, sellerId, ids)
    const settled: JudgedRow[] = []
    for (const { sent, checked: before } of rows) {
      const id = listingIdIn(before)
      const part = parts.get(id ?? '')
      const checked = id === undefined ? before : settleNamedRow(before, { cells: sent.cells, part, file })
      if (!part || !('fields' in checked)) {
        settled.push({ sent, checked, named: undefined })
        continue
      }
      const news = newsOfRow(textOfRow(checked.fields, ofFile), part)
      const isNews = Object.keys(news).length > 0
      if (isNews) names ??= lookupNames(await loadLookupNames(db))
      const changes = isNews && names !== undefined && changesListing(part, news, names)
      settled.push({ sent, checked, named: { part, changes } })
    }
    return settled
  }
}

function listingIdIn(checked: JudgedRow['checked']): string | undefined {
  const id = ('fields' in checked ? checked.fields : checked.said)?.listingid
  return id !== undefined && isListingId(id) ? id : undefined
}
