import { withoutFormulaGuard } from '#contract/csv-cell.ts'
import type { ImportField } from '#contract/import-fields.ts'
import {
  isListed,
  type ListedPart,
  saysTheSame,
  standardText,
} from '#server/features/promotion/listed-part.ts'
import type { RowCheck } from './check-row.ts'
import { goneListing, unknownListing } from './field-listing-id.ts'
import { shownValue } from './row-issue.ts'

type Checked = ReturnType<RowCheck>

/** Where each mapped field stands in the file, and what its columns are called. */
export type FileColumns = {
  readonly header: readonly string[]
  readonly columns: ReadonlyMap<ImportField, number>
}

type NamedRow = { cells: readonly string[]; part: ListedPart | undefined; file: FileColumns }

/**
 * A row that names its listing, once that is known. A cell that stands as our export wrote it is right, whatever the rules
 * for new parts say of it: the listing has that value already.
 */
export function settleNamedRow(checked: Checked, { cells, part, file }: NamedRow): Checked {
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
