import { headerWarnings } from '#contract/csv/csv-header.ts'
import type { ImportField } from '#contract/csv/import-fields.ts'
import { type CheckedRow, type DryRunReply, MOST_ROWS_ANSWERED } from '#contract/imports.ts'
import {
  contentHash,
  identityOf,
  type RowIdentity,
  rowKey,
} from '#server/features/stock-files/identity/row-identity.ts'
import type { RowResolver } from '#server/features/stock-files/match/row-resolver.ts'
import { type KeptRow, keepRow } from '#server/features/stock-files/plan/left-out.ts'
import { type IdentifiedRow, PackedRows } from '#server/features/stock-files/plan/plan-rows.ts'
import type { RowFields } from '#server/features/stock-files/read/check-row.ts'
import type { CheckedSentRow } from '#server/features/stock-files/read/checked-rows.ts'
import { openSegmentWriter, type Segment } from '#server/features/stock-files/store/segments.ts'
import { importedRecordId, toSegmentLine } from '#server/features/stock-files/store/staged-record.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import type { WorkLife } from './claims.ts'
import { toRejectedLine } from './downloads.ts'

type SentRows = {
  rows: AsyncIterable<readonly CheckedSentRow[]>
  header: readonly string[]
  /** Set if names are resolved before the plan is made: rows are compared with their resolved names. */
  resolver: RowResolver | undefined
}

/** Reports the issues of rows, and packs the good ones. Writes nothing. */
export async function checkRows(
  sent: SentRows,
  life: WorkLife,
): Promise<{ reply: DryRunReply; rows: PackedRows }> {
  const rows = new PackedRows()
  const failing: CheckedRow[] = []
  const byDefault = new Map<ImportField, number>()
  let total = 0
  let errors = 0
  for await (const batch of sent.rows) {
    life.signal.throwIfAborted()
    for (const { sent: row, checked, named } of batch) {
      total += 1
      if ('fields' in checked) {
        countFields(byDefault, checked.byDefault)
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
  const preview = { total, errors, rows: failing, ...defaultsOf(byDefault) }
  return { reply: { ok: true, warnings, preview }, rows }
}

function countFields(counts: Map<ImportField, number>, fields: readonly ImportField[] = []): void {
  for (const field of fields) counts.set(field, (counts.get(field) ?? 0) + 1)
}

function defaultsOf(counts: ReadonlyMap<ImportField, number>): Pick<DryRunReply['preview'], 'defaults'> {
  return counts.size === 0 ? {} : { defaults: [...counts].map(([field, rows]) => ({ field, rows })) }
}

type About = { named: CheckedSentRow['named']; resolver: RowResolver | undefined }

function identified(fields: RowFields, { named, resolver }: About): Omit<IdentifiedRow, 'rowNo'> {
  if (!named) {
    const resolved = resolver && identityOf({ ...fields, ...resolver.resolve((field) => fields[field]) })
    return { ...asSent(identityOf(fields), resolved), stock: fields.stocknum, listing: undefined }
  }
  const listing = { id: named.part.listing.id, changes: named.changes }
  return { key: rowKey(fields), hash: contentHash(fields), part: undefined, stock: undefined, listing }
}

/** A row keeps its original keys; its content is that after resolving names. */
function asSent(sent: RowIdentity, resolved: RowIdentity | undefined): RowIdentity {
  if (!resolved) return sent
  const { key, part } = sent
  return { key, hash: resolved.hash, part: part && { key: part.key, hash: resolved.part?.hash ?? part.hash } }
}

export type StagedRows = {
  readonly rows: number
  readonly rejected: number
  readonly segments: { readonly staged: Segment[]; readonly rejected: Segment[] }
  /** The parts of rejected rows. */
  readonly kept: KeptRow[]
}

/**
 * Stores the checked rows of a chunk as segments, good and rejected ones separately; at most one segment of each is in
 * memory. The sweep removes the segments of chunks that are never finished.
 * @throws AppError STORAGE_FULL, BUSY
 */
export async function stageRows(
  files: FileStore,
  chunk: { rows: AsyncIterable<readonly CheckedSentRow[]>; chunkIndex: number },
  life: WorkLife,
): Promise<StagedRows> {
  const staged = openSegmentWriter(files)
  const rejected = openSegmentWriter(files)
  const counts = { rows: 0, rejected: 0 }
  const kept: KeptRow[] = []
  for await (const batch of chunk.rows) {
    life.signal.throwIfAborted()
    for (const { sent, checked } of batch) {
      const { row, cells } = sent
      counts.rows += 1
      if ('issues' in checked) {
        counts.rejected += 1
        const { line, bytes } = toRejectedLine({ row, issues: checked.issues, cells })
        await rejected.add(line, bytes)
        keepRow(kept, counts.rows, checked.sent)
      } else {
        const id = importedRecordId(chunk.chunkIndex, row - 1)
        const { line, bytes } = toSegmentLine({ id, fields: checked.fields, original: cells })
        await staged.add(line, bytes)
      }
    }
    life.rows(counts.rows)
  }
  return {
    ...counts,
    kept,
    segments: { staged: await staged.finish(), rejected: await rejected.finish() },
  }
}
