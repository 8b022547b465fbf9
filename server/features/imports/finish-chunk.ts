import type { CsvReply, DryRunReply } from '#contract/imports.ts'
import { insertKeptRows } from '#server/features/promotion/kept-row-queries.ts'
import { leftOutInWords } from '#server/features/promotion/left-out-row.ts'
import type { PackedRows } from '#server/features/promotion/packed-rows.ts'
import type { Segment } from '#server/features/staging/segment.ts'
import type { Db } from '#server/platform/database.ts'
import { stillRunning } from './chunk-refusals.ts'
import { countWhole, type Whole } from './count-whole.ts'
import { dropPackedRows } from './dry-run-queries.ts'
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

export type ChunkWork = {
  /** Lines of the chunk, blank ones counted, the header not. */
  readonly lines: number
} & (
  | { readonly kind: 'staged'; readonly staged: StagedRows }
  | { readonly kind: 'checked'; readonly reply: DryRunReply; readonly rows: PackedRows }
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
export async function finishChunk(
  { db, plans }: { db: Db; plans: Db },
  claim: ChunkClaim,
  done: Done,
): Promise<CsvReply> {
  const write = (whole?: Whole) =>
    db.transaction().execute((trx) => writeChunk(trx, claim, { ...done, whole }))
  try {
    return await write()
  } catch (error) {
    const { work, of, signal } = done
    if (!(error instanceof WholeIsMissing) || work.kind !== 'checked') throw error
    const { sellerId } = of.ledger
    const { rows, lines } = work
    // In no transaction: it takes seconds. All others are in, so it is the last one whenever it is written.
    return write(await countWhole({ db, plans }, { ...claim, sellerId, rows, lines }, signal))
  }
}

/** Breaks the transaction off of a dry run's last chunk: nobody has counted yet what its file does. */
class WholeIsMissing extends Error {
  override name = 'WholeIsMissing'
}

type Writing = Done & { whole: Whole | undefined }

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
  const packedRows = work.kind === 'checked' && !isLast ? work.rows.packed() : undefined
  await completeChunk(trx, claim, { rows, lines: work.lines, rejected, reply, packedRows })
  return reply
}

async function endDryRun(
  trx: Db,
  { of, whole, reply }: Writing & { reply: DryRunReply },
): Promise<DryRunReply> {
  if (!whole) throw new WholeIsMissing()
  const { id: importId } = of.ledger
  await setChecked(trx, importId)
  await dropPackedRows(trx, importId)
  const warnings = [...reply.warnings, ...leftOutWarnings(whole)]
  return { ...reply, warnings, preview: { ...reply.preview, whole: whole.changes } }
}

// The first few say what it is about.
const MOST_LEFT_OUT_NAMED = 10

function leftOutWarnings({ changes, leftOut }: Whole): string[] {
  const named = leftOut.slice(0, MOST_LEFT_OUT_NAMED).map((row) => leftOutInWords(row, 'row'))
  const more = changes.refused - named.length
  return more > 0 ? [...named, `${more.toLocaleString('en-US')} more rows are left out like these.`] : named
}

const checkedCounts = ({ preview }: DryRunReply) => ({ rows: preview.total, rejected: preview.errors })

/** Only a full stock ends what it does not have. */
const keptRows = (work: ChunkWork, { mode }: LedgerImport) =>
  work.kind === 'staged' && mode === 'replace' ? work.staged.kept : []

const sumBytes = (segments: readonly Segment[]) => segments.reduce((sum, { bytes }) => sum + bytes, 0)
