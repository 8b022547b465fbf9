import { headerWarnings } from '#contract/csv-header.ts'
import { type CheckedRow, type DryRunReply, MOST_ROWS_ANSWERED } from '#contract/imports.ts'
import { type IdentifiedRow, PackedRows } from '#server/features/promotion/packed-rows.ts'
import { contentHash, identityOf, type RowIdentity, rowKey } from '#server/features/promotion/row-identity.ts'
import type { RowResolver } from '#server/features/taxonomy/row-resolver.ts'
import type { RowFields } from './check-row.ts'
import type { WorkLife } from './keep-claim.ts'
import type { JudgedRow } from './read-checked-rows.ts'

type SentRows = {
  rows: AsyncIterable<readonly JudgedRow[]>
  header: readonly string[]
  /** Where names are resolved before the plan is made: what the rows say is compared as it stands then. */
  resolver: RowResolver | undefined
}

/** Says what is wrong with rows, and keeps which parts the good ones are. Writes nothing. */
export async function checkRows(
  sent: SentRows,
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
        rows.add({ rowNo: row.row, ...identified(checked.fields, { named, resolver: sent.resolver }) })
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

type About = { named: JudgedRow['named']; resolver: RowResolver | undefined }

function identified(fields: RowFields, { named, resolver }: About): Omit<IdentifiedRow, 'rowNo'> {
  if (!named) {
    const resolved = resolver && identityOf({ ...fields, ...resolver.resolve(fields) })
    return { ...asSent(identityOf(fields), resolved), stock: fields.stocknum, listing: undefined }
  }
  const listing = { id: named.part.listing.id, changes: named.changes }
  return { key: rowKey(fields), hash: contentHash(fields), part: undefined, stock: undefined, listing }
}

/** A row keeps the keys that it was sent with; what it says is what it says once it is resolved. */
function asSent(sent: RowIdentity, resolved: RowIdentity | undefined): RowIdentity {
  if (!resolved) return sent
  const { key, part } = sent
  return { key, hash: resolved.hash, part: part && { key: part.key, hash: resolved.part?.hash ?? part.hash } }
}
