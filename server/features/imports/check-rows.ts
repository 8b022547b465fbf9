import { headerWarnings } from '#contract/csv-header.ts'
import { type CheckedRow, type DryRunReply, MOST_ROWS_ANSWERED } from '#contract/imports.ts'
import { countExpectedChanges } from '#server/features/promotion/queries.ts'
import { contentHash, sourceKey } from '#server/features/promotion/row-identity.ts'
import type { Db } from '#server/platform/database.ts'
import type { RowCheck } from './check-row.ts'
import type { WorkLife } from './keep-claim.ts'
import { RowPairs } from './row-pairs.ts'
import type { RowSource } from './row-source.ts'

/** Checks rows and says what a run would do with them. Writes nothing. */
export async function checkRows(
  db: Db,
  sent: { source: RowSource; check: RowCheck; sellerId: string },
  life?: WorkLife,
): Promise<DryRunReply> {
  const pairs = new RowPairs()
  const failing: CheckedRow[] = []
  let total = 0
  let errors = 0
  for await (const batch of sent.source.batches) {
    life?.signal.throwIfAborted()
    for (const { row, cells } of batch) {
      total += 1
      const checked = sent.check(cells)
      if ('fields' in checked) {
        pairs.add({ key: sourceKey(checked.fields), hash: contentHash(checked.fields) })
        continue
      }
      errors += 1
      if (failing.length >= MOST_ROWS_ANSWERED) continue
      const issues = checked.issues.map((issue) => ({ row, ...issue }))
      failing.push({ index: total, ok: false, errors: issues.map(({ message }) => message), issues })
    }
    life?.rows(total)
  }
  const changes = { create: 0, update: 0, unchanged: 0, merged: 0 }
  for (const batch of pairs.batches()) {
    life?.signal.throwIfAborted()
    const counted = await countExpectedChanges(db, sent.sellerId, batch)
    changes.create += counted.create
    changes.update += counted.update
    changes.unchanged += counted.unchanged
    changes.merged += counted.merged
  }
  const warnings = headerWarnings(sent.source.header)
  return { ok: true, warnings, preview: { total, errors, rows: failing, changes } }
}
