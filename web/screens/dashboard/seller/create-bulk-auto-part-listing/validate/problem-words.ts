import { type ImportMapping, importField, importFieldLabels, splitsOf } from '#contract/csv/import-fields.ts'
import { formatCount } from '#web/components/imports/import-words.ts'
import type { IssueKind } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/dry-run-result.ts'

/** A column's name on the page. A field without a column is shown by its label, never by its API name. */
export function columnWords(column: string, headers: readonly string[]): string {
  if (column === '') return 'Whole row'
  const field = headers.includes(column) ? undefined : importField(column)
  return field === undefined ? column : importFieldLabels[field]
}

type Columns = { headers: readonly string[]; mapping: ImportMapping }

/** A kind of problem as a sentence: “33 parts don’t say which car they fit.” */
export function problemWords(
  { column, code, message, varies = false, count }: IssueKind,
  { headers, mapping }: Columns,
): { column: string | undefined; sentence: string } {
  if (code === 'REQUIRED') return { column: undefined, sentence: missingWords({ column, count, mapping }) }
  const name = columnWords(column, headers)
  return { column: varies ? `${name}, in the first row` : name, sentence: message }
}

function missingWords({
  column,
  count,
  mapping,
}: Pick<IssueKind, 'column' | 'count'> & Pick<Columns, 'mapping'>) {
  const parts = count === 1 ? '1 part' : `${formatCount(count)} parts`
  if (splitsOf(mapping).some(({ from, as }) => from === column && as !== 'years')) {
    return `${parts} ${count === 1 ? 'doesn’t' : 'don’t'} say which car ${count === 1 ? 'it fits' : 'they fit'}.`
  }
  const field = Object.entries(mapping).find(([, header]) => header === column)?.[0] ?? column
  const known = importField(field)
  const what = known === undefined ? `nothing in “${column}”` : `no ${importFieldLabels[known].toLowerCase()}`
  return `${parts} ${count === 1 ? 'has' : 'have'} ${what}.`
}
