import { type KeptRow, keepRow } from '#server/features/promotion/kept-row.ts'
import type { Segment } from '#server/features/staging/segment.ts'
import { openSegmentWriter } from '#server/features/staging/segment-writer.ts'
import { importedRecordId, toSegmentLine } from '#server/features/staging/staged-record.ts'
import type { FileStore } from '#server/platform/file-store/file-store.ts'
import type { WorkLife } from './keep-claim.ts'
import type { JudgedRow } from './read-checked-rows.ts'
import { toRejectedLine } from './rejected-row.ts'

export type StagedRows = {
  readonly rows: number
  readonly rejected: number
  readonly segments: { readonly staged: Segment[]; readonly rejected: Segment[] }
  /** The parts that rejected rows are. */
  readonly kept: KeptRow[]
}

/**
 * Stores the checked rows of a chunk as segments, the good ones apart from the rejected ones; never more than
 * one segment of each is in memory. What a chunk that is never finished leaves in the store, the sweeper removes.
 * @throws AppError STORAGE_FULL, BUSY
 */
export async function stageRows(
  files: FileStore,
  chunk: { rows: AsyncIterable<readonly JudgedRow[]>; chunkIndex: number },
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
        keepRow(kept, counts.rows, checked.said)
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
