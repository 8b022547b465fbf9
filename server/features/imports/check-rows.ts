import { headerWarnings } from '#contract/csv-header.ts'
import { type CheckedRow, type DryRunReply, MOST_ROWS_ANSWERED } from '#contract/imports.ts'
import { type IdentifiedRow, PackedRows } from '#server/features/promotion/packed-rows.ts'
import { contentHash, identityOf, rowKey } from '#server/features/promotion/row-identity.ts'
import type { RowFields } from './check-row.ts'
import type { WorkLife } from './keep-claim.ts'
import type { JudgedRow } from './read-checked-rows.ts'

/** Says what is wrong with rows, and keeps which parts the good ones are. Writes nothing. */
export async function checkRows(
  sent: { rows: AsyncIterable<readonly JudgedRow[]>; header: readonly string[] },
  life: WorkLife,
): Promise<{ reply: DryRunReply; rows: PackedRows }> {
  const rows = new PackedRows()
  const failing: CheckedRow[] = []
  let total = 0
  let errors = 0
  for await (const batch of sent.rows) {
    life.signal.throwIfAborted()
    for (const { sent: row, checked, named } of batch) {
      total += 1
      if ('fields' in checked) {
        rows.add({ rowNo: row.row, ...identified(checked.fields, named) })
        continue
      }
      errors += 1
      if (failing.length >= MOST_ROWS_ANSWERED) continue
      const issues = checked.issues.map((issue) => ({ row: row.row, ...issue }))
      failing.push({ index: total, ok: false, errors: issues.map(({ message }) => message), issues })
    }
    life.rows(total)
  }
  const warnings = headerWarnings(sent.header)
  return { reply: { ok: true, warnings, preview: { total, errors, rows: failing } }, rows }
}

function identified(fields: RowFields, named: JudgedRow['named']): Omit<IdentifiedRow, 'rowNo'> {
  if (!named) return { ...identityOf(fields, true), stock: fields.stocknum, listing: undefined }
  const listing = { id: named.part.listing.id, changes: named.changes }
  return { key: rowKey(fields), hash: contentHash(fields), part: undefined, stock: undefined, listing }
}
