import { headerWarnings } from '#contract/csv-header.ts'
import { type CheckedRow, type DryRunReply, MOST_ROWS_ANSWERED } from '#contract/imports.ts'
import { namedPairs, type RowPair } from '#server/features/promotion/expected-pair.ts'
import { contentHash, sourceKey } from '#server/features/promotion/row-identity.ts'
import type { Db } from '#server/platform/database.ts'
import type { RowFields } from './check-row.ts'
import { countChanges } from './count-changes.ts'
import type { WorkLife } from './keep-claim.ts'
import type { JudgedRow } from './read-checked-rows.ts'
import { RowPairs } from './row-pairs.ts'

/** Says what is wrong with rows and what a run would do with them. Writes nothing. */
export async function checkRows(
  db: Db,
  sent: { rows: AsyncIterable<readonly JudgedRow[]>; header: readonly string[]; sellerId: string },
  life: WorkLife,
): Promise<{ reply: DryRunReply; pairs: RowPairs }> {
  const pairs = new RowPairs()
  const add = (pair: RowPair) => pairs.add(pair)
  const failing: CheckedRow[] = []
  let total = 0
  let errors = 0
  for await (const batch of sent.rows) {
    life.signal.throwIfAborted()
    for (const { sent: row, checked, named } of batch) {
      total += 1
      if ('fields' in checked) {
        pairsOf(checked.fields, named).forEach(add)
        continue
      }
      errors += 1
      if (failing.length >= MOST_ROWS_ANSWERED) continue
      const issues = checked.issues.map((issue) => ({ row: row.row, ...issue }))
      failing.push({ index: total, ok: false, errors: issues.map(({ message }) => message), issues })
    }
    life.rows(total)
  }
  const changes = await countChanges(db, { sellerId: sent.sellerId, pairs }, life.signal)
  const warnings = headerWarnings(sent.header)
  return { reply: { ok: true, warnings, preview: { total, errors, rows: failing, changes } }, pairs }
}

const pairsOf = (fields: RowFields, named: JudgedRow['named']): RowPair[] =>
  named ? namedPairs(named.part, named.changes) : [{ key: sourceKey(fields), hash: contentHash(fields) }]
