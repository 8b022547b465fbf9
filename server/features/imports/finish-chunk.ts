import { headerWarnings } from '#contract/csv-header.ts'
import type { CsvReply } from '#contract/imports.ts'
import { insertKeptRows } from '#server/features/promotion/kept-row-queries.ts'
import type { Segment } from '#server/features/staging/segment.ts'
import type { Db } from '#server/platform/database.ts'
import { stillRunning } from './chunk-refusals.ts'
import { type FinishedImport, finaliseImport } from './finalise-import.ts'
import {
  addToSums,
  type ChunkClaim,
  completeChunk,
  insertSegments,
  type LedgerImport,
  lockClaim,
  setChecked,
} from './ledger-queries.ts'
import type { StagedRows } from './stage-rows.ts'

export type ChunkWork =
  | { readonly kind: 'staged'; readonly staged: StagedRows }
  | ({ readonly kind: 'checked'; readonly reply: CsvReply } & Pick<StagedRows, 'rows' | 'lines' | 'rejected'>)

/**
 * Counts a chunk in and, where it was the last one missing, stages the import: one transaction, which only the holder of
 * the claim gets through. Answers the reply that is sent again to whoever sends this chunk again.
 * @throws AppError STILL_RUNNING where the chunk is somebody else's by now; then nothing was written
 */
export function finishChunk(
  db: Db,
  claim: ChunkClaim,
  done: { work: ChunkWork; of: Omit<FinishedImport, 'sums'> },
): Promise<CsvReply> {
  return db.transaction().execute(async (trx) => {
    const { work, of } = done
    const { rows, lines, rejected } = work.kind === 'staged' ? work.staged : work
    const segments = work.kind === 'staged' ? work.staged.segments : { staged: [], rejected: [] }
    const bytes = sumBytes([...segments.staged, ...segments.rejected])
    // Locks the import, so that of its chunks exactly one comes last.
    const sums = await addToSums(trx, claim.importId, { rows, rejected, bytes })
    if (!sums || !(await lockClaim(trx, claim))) throw stillRunning()
    await insertSegments(trx, claim, segments)
    await insertKeptRows(trx, claim, keptRows(work, of.ledger))
    const isLast = sums.received === of.ledger.chunkCount
    let reply: CsvReply
    if (work.kind === 'checked') {
      reply = work.reply
      if (isLast) await setChecked(trx, claim.importId)
    } else if (isLast) {
      reply = await finaliseImport(trx, { ...of, sums })
    } else {
      const { id: importId, chunkCount } = of.ledger
      reply = { ok: true, warnings: headerWarnings(of.header), received: sums.received, chunkCount, importId }
    }
    await completeChunk(trx, claim, { rows, lines, rejected, reply })
    return reply
  })
}

/** Only a full stock ends what it does not have. */
const keptRows = (work: ChunkWork, { mode }: LedgerImport) =>
  work.kind === 'staged' && mode === 'replace' ? work.staged.kept : []

const sumBytes = (segments: readonly Segment[]) => segments.reduce((sum, { bytes }) => sum + bytes, 0)
