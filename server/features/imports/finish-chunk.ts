import type { CsvReply, DryRunReply } from '#contract/imports.ts'
import { insertKeptRows } from '#server/features/promotion/kept-row-queries.ts'
import type { ExpectedChanges } from '#server/features/promotion/queries.ts'
import type { Segment } from '#server/features/staging/segment.ts'
import type { Db } from '#server/platform/database.ts'
import { stillRunning } from './chunk-refusals.ts'
import { countWhole } from './count-whole.ts'
import { dropRowPairs } from './dry-run-queries.ts'
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
import type { RowPairs } from './row-pairs.ts'
import type { StagedRows } from './stage-rows.ts'

export type ChunkWork = {
  /** Lines of the chunk, blank ones counted, the header not. */
  readonly lines: number
} & (
  | { readonly kind: 'staged'; readonly staged: StagedRows }
  | { readonly kind: 'checked'; readonly reply: DryRunReply; readonly pairs: RowPairs }
)

type Done = {
  readonly work: ChunkWork
  readonly of: Omit<FinishedImport, 'sums'>
  readonly signal: AbortSignal
}

/**
 * Counts a chunk in and, where it was the last one missing, stages the import, or says what the checked file does as a
 * whole: one transaction, which only the holder of the claim gets through. Answers the reply that is sent again to whoever
 * sends this chunk again.
 * @throws AppError STILL_RUNNING where the chunk is somebody else's by now, BUSY; then nothing was written
 */
export async function finishChunk(db: Db, claim: ChunkClaim, done: Done): Promise<CsvReply> {
  const write = (whole?: ExpectedChanges) =>
    db.transaction().execute((trx) => writeChunk(trx, claim, { ...done, whole }))
  try {
    return await write()
  } catch (error) {
    const { work, of, signal } = done
    if (!(error instanceof WholeIsMissing) || work.kind !== 'checked') throw error
    const { id: importId, sellerId } = of.ledger
    // In no transaction: it takes seconds. All others are in, so it is the last one whenever it is written.
    return write(await countWhole(db, { importId, sellerId, pairs: work.pairs }, signal))
  }
}

/** Breaks the transaction off of a dry run's last chunk: nobody has counted yet what its file does. */
class WholeIsMissing extends Error {
  override name = 'WholeIsMissing'
}

type Writing = Done & { whole: ExpectedChanges | undefined }

async function writeChunk(trx: Db, claim: ChunkClaim, writing: Writing): Promise<CsvReply> {
  const { work, of } = writing
  const { rows, rejected } = work.kind === 'staged' ? work.staged : checkedCounts(work.reply)
  const segments = work.kind === 'staged' ? work.staged.segments : { staged: [], rejected: [] }
  const bytes = sumBytes([...segments.staged, ...segments.rejected])
  // Locks the import, so that of its chunks exactly one comes last.
  const sums = await addToSums(trx, claim.importId, { rows, rejected, bytes })
  if (!sums || !(await lockClaim(trx, claim))) throw stillRunning()
  await insertSegments(trx, claim, segments)
  await insertKeptRows(trx, claim, keptRows(work, of.ledger))
  const isLast = sums.received === of.ledger.chunkCount
  const checked = (found: DryRunReply): DryRunReply => ({ ...found, ...of.told })
  let reply: CsvReply
  if (work.kind === 'checked') {
    reply = isLast ? await endDryRun(trx, { ...writing, reply: checked(work.reply) }) : checked(work.reply)
  } else if (isLast) {
    reply = await finaliseImport(trx, { ...of, sums })
  } else {
    const { id: importId, chunkCount } = of.ledger
    reply = { ok: true, ...of.told, received: sums.received, chunkCount, importId }
  }
  const rowPairs = work.kind === 'checked' && !isLast ? work.pairs.packed() : undefined
  await completeChunk(trx, claim, { rows, lines: work.lines, rejected, reply, rowPairs })
  return reply
}

async function endDryRun(
  trx: Db,
  { of, whole: counted, reply }: Writing & { reply: DryRunReply },
): Promise<DryRunReply> {
  const { id: importId, chunkCount } = of.ledger
  const whole = chunkCount === 1 ? reply.preview.changes : counted
  if (!whole) throw new WholeIsMissing()
  await setChecked(trx, importId)
  await dropRowPairs(trx, importId)
  return { ...reply, preview: { ...reply.preview, whole } }
}

const checkedCounts = ({ preview }: DryRunReply) => ({ rows: preview.total, rejected: preview.errors })

/** Only a full stock ends what it does not have. */
const keptRows = (work: ChunkWork, { mode }: LedgerImport) =>
  work.kind === 'staged' && mode === 'replace' ? work.staged.kept : []

const sumBytes = (segments: readonly Segment[]) => segments.reduce((sum, { bytes }) => sum + bytes, 0)
