import { datasetOf } from '#contract/admin/staging.ts'
import type { ColumnQuestion } from '#contract/column-questions/questions.ts'
import {
  type ImportDefaults,
  type ImportField,
  type ImportMapping,
  importFields,
  isMapped,
  isPriceList,
} from '#contract/csv/import-fields.ts'
import {
  type CsvReply,
  type DryRunReply,
  IMPORT_ROOT,
  type ImportMode,
  type ImportQuestion,
  type StagedReply,
} from '#contract/imports.ts'
import { type FileNames, joinNames } from '#server/features/stock-files/match/name-uses.ts'
import { expectGoLive, type ImportPolicy } from '#server/features/stock-files/plan/decisions.ts'
import {
  countExpectedChanges,
  type ExpectedPlan,
} from '#server/features/stock-files/plan/expected-changes.ts'
import {
  insertKeptRows,
  insertSoldOutRows,
  leftOutMessage,
} from '#server/features/stock-files/plan/left-out.ts'
import {
  type IdentifiedRow,
  type PackedRows,
  unpackedRows,
} from '#server/features/stock-files/plan/plan-rows.ts'
import { startPromotion } from '#server/features/stock-files/plan/promote.ts'
import { createStagingFile } from '#server/features/stock-files/store/staged-files.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { taskQueue } from '#server/platform/processes/concurrency.ts'
import { type ChunkClaim, completeChunk, insertSegments, lockClaim, stillRunning } from './chunk-claims.ts'
import { askOrRememberReading, type ChunkFacts, type CompleteFile, checkColumns } from './chunk-facts.ts'
import { stagingPath } from './import-order.ts'
import { stagedReply } from './imports.ts'
import {
  addToSums,
  deleteImport,
  dropPackedRows,
  type ImportSums,
  listChunkNames,
  listImportSegments,
  listPackedRows,
  setChecked,
  setStaged,
} from './receiving-import.ts'
import type { StagedRows } from './rows.ts'

type LastChunk = {
  readonly importId: string
  readonly chunkIndex: number
  readonly sellerId: string
  readonly mode: ImportMode
  readonly hasIds: boolean
  readonly rows: PackedRows
  /** Lines of the chunk, including blank ones but not the header. */
  readonly lines: number
}

// Each uses a connection of its own; a file of a few rows is counted in a moment.
export const COUNTS_AT_ONCE = 2
const inTurn = taskQueue({ atOnce: COUNTS_AT_ONCE, waiting: 60 })

/**
 * What a dry run's whole file would change, once all its other chunks are in.
 * @throws AppError BUSY if too many are being counted
 */
function checkWholeFile(
  { db, plans }: { db: Db; plans: Db },
  last: LastChunk,
  signal: AbortSignal,
): Promise<ExpectedPlan> {
  const { sellerId, mode, hasIds } = last
  return inTurn(() =>
    countExpectedChanges(plans, { sellerId, mode, hasIds, batches: rowsOfFile(db, last), signal }),
  )
}

/** In file order, with spreadsheet row numbers. */
async function* rowsOfFile(db: Db, last: LastChunk): AsyncGenerator<IdentifiedRow[]> {
  let before = 0
  let isOwnDone = false
  const own = function* () {
    for (const piece of last.rows.pieces()) yield* unpackedRows(piece, before)
    before += last.lines
    isOwnDone = true
  }
  for (let after = -1; ; ) {
    const chunks = await listPackedRows(db, last.importId, after)
    for (const { chunkIndex, lines, rows } of chunks) {
      if (!isOwnDone && chunkIndex > last.chunkIndex) yield* own()
      yield* unpackedRows(rows, before)
      before += lines
    }
    const through = chunks.at(-1)?.chunkIndex
    if (through === undefined) break
    after = through
  }
  if (!isOwnDone) yield* own()
}

/** Notes on the file as a whole, for the reply. */
export type FileReport = Pick<StagedReply, 'warnings' | 'reading'>

type FinishedImport = Omit<CompleteFile, 'last'> & {
  readonly report: FileReport
  readonly sums: ImportSums
  readonly sellerSlug: string
  readonly userId: string
  readonly now: Date
}

/** The fields that the records of a file may have. A grade may come from the damage code or the miles (`check-row.ts`). */
export const fieldsOfFile = (mapping: ImportMapping, defaults: ImportDefaults): ImportField[] =>
  importFields.filter(
    (field) =>
      isMapped(mapping, field) ||
      field in defaults ||
      (field === 'listingid' && isPriceList(mapping, defaults)) ||
      (field === 'partgrade' && (isMapped(mapping, 'damagecode') || isMapped(mapping, 'partmiles'))),
  )

/**
 * Creates the staged file of a complete import and starts its promotion. Metadata only: the rows are already stored. Runs
 * in the transaction of the last chunk, which holds the import's lock.
 */
async function finishImport(trx: Db, finished: FinishedImport): Promise<StagedReply> {
  const { receiving, sums, sellerSlug, userId, now } = finished
  const { id: importId, sellerId, key, mode } = receiving
  const { fileId, path } = await createStagingFile(trx, {
    root: IMPORT_ROOT,
    path: stagingPath(receiving.place, { sellerId, sellerSlug, key, today: now }),
    sellerId,
    createdBy: userId,
    header: finished.header,
    segments: await listImportSegments(trx, importId, 'staged'),
    columns: fieldsOfFile(receiving.mapping, receiving.defaults),
    message: 'Imported',
  })
  await setStaged(trx, importId, { fileId, at: now })
  await dropPackedRows(trx, importId)
  await startPromotion(trx, {
    fileId,
    version: 1,
    sellerId,
    importId,
    mode,
    dataset: datasetOf(IMPORT_ROOT),
    createdBy: userId,
  })
  return stagedReply({ importId, path, report: finished.report, ...sums })
}

type ChunkWork = {
  /** Lines of the chunk, including blank ones but not the header. */
  readonly lines: number
  readonly facts: ChunkFacts
} & (
  | { readonly kind: 'staged'; readonly staged: StagedRows }
  | {
      readonly kind: 'checked'
      readonly reply: DryRunReply
      readonly rows: PackedRows
      readonly names: FileNames
    }
)

type ChunkResult = {
  readonly work: ChunkWork
  readonly context: Omit<FinishedImport, 'sums'>
  readonly signal: AbortSignal
}

/**
 * Finishes a chunk in one transaction, which requires its claim. The last one also stages the import, or reports what a
 * dry run's whole file would change. Returns the reply, which is stored for repeated calls.
 * @throws AppError STILL_RUNNING if another call took the chunk over, BUSY; then nothing was written. ANSWER_NEEDED if
 *   columns of the complete file may be misread; then the import is gone
 */
export async function finishChunk(
  { db, plans, policy }: { db: Db; plans: Db; policy: ImportPolicy },
  claim: ChunkClaim,
  result: ChunkResult,
): Promise<CsvReply> {
  const write = async (whole?: ExpectedPlan) => {
    const written = await db
      .transaction()
      .execute((trx) => writeChunk(trx, claim, { ...result, policy, whole }))
    if ('questions' in written) throw answerNeeded(written.questions)
    return written.reply
  }
  try {
    return await write()
  } catch (error) {
    const { work, context, signal } = result
    if (!(error instanceof FullCheckMissing) || work.kind !== 'checked') throw error
    const { sellerId, mode, mapping } = context.receiving
    const { rows, lines } = work
    const hasIds = isMapped(mapping, 'listingid')
    // Outside of a transaction, since it takes seconds. All other chunks are in, so this stays the last one.
    return write(
      await checkWholeFile({ db, plans }, { ...claim, sellerId, mode, hasIds, rows, lines }, signal),
    )
  }
}

/** Aborts the transaction of a dry run's last chunk until its whole file is counted. */
class FullCheckMissing extends Error {
  override name = 'FullCheckMissing'
}

const answerNeeded = (questions: readonly ColumnQuestion[]): AppError => {
  const [first] = questions
  const more = questions.length > 1 ? ` There are ${questions.length} questions.` : ''
  return new AppError('ANSWER_NEEDED', `Nothing was imported yet. ${first?.sentence ?? ''}${more}`, {
    questions: [...questions],
  })
}

type ChunkToWrite = ChunkResult & { policy: ImportPolicy; whole: ExpectedPlan | undefined }

type WrittenChunk = { reply: CsvReply } | { questions: readonly ColumnQuestion[] }

async function writeChunk(trx: Db, claim: ChunkClaim, writing: ChunkToWrite): Promise<WrittenChunk> {
  const { work, context } = writing
  const {
    rows,
    rejected,
    segments,
    kept: keptRows,
    soldOut,
  } = work.kind === 'staged' ? work.staged : checkedRows(work.reply)
  const bytes = [...segments.staged, ...segments.rejected].reduce((sum, segment) => sum + segment.bytes, 0)
  // Locks the import, so that exactly one of its chunks is the last.
  const sums = await addToSums(trx, claim.importId, { rows, rejected, bytes })
  if (!sums || !(await lockClaim(trx, claim))) throw stillRunning()
  await insertSegments(trx, claim, segments)
  // Only a full stock ends the parts it lacks; in other files a quantity of 0 ends a part.
  if (context.receiving.mode === 'replace') await insertKeptRows(trx, claim, keptRows)
  else await insertSoldOutRows(trx, claim, soldOut)
  const isLast = sums.received === context.receiving.chunkCount
  const { lines, facts } = work
  const file = { ...context, last: { chunkIndex: claim.chunkIndex, lines, facts } }
  const asksFirst = isLast && work.kind === 'staged'
  const questions = asksFirst ? await askOrRememberReading(trx, file) : []
  if (questions.length > 0) {
    await deleteImport(trx, claim.importId)
    return { questions }
  }
  const reply = await replyOf(trx, { ...writing, sums, file, isLast })
  const ofCheck = work.kind === 'checked' ? { packedRows: work.rows.packed(), names: work.names } : {}
  const kept = isLast ? {} : { facts, ...ofCheck }
  await completeChunk(trx, claim, { rows, lines, rejected, reply, ...kept })
  return { reply }
}

type WrittenFile = ChunkToWrite & { sums: ImportSums; file: CompleteFile; isLast: boolean }

async function replyOf(trx: Db, written: WrittenFile): Promise<CsvReply> {
  const { work, context, sums, isLast } = written
  const { receiving, report } = context
  if (work.kind === 'checked') {
    // Both name the header's problems.
    const warnings = [...new Set([...report.warnings, ...work.reply.warnings])]
    const reply = { ...work.reply, ...report, warnings }
    return isLast ? endDryRun(trx, { ...written, reply, names: work.names }) : reply
  }
  if (isLast) return finishImport(trx, { ...context, sums })
  const { id: importId, chunkCount } = receiving
  return { ok: true, ...report, received: sums.received, chunkCount, importId }
}

async function endDryRun(
  trx: Db,
  {
    context,
    policy,
    whole,
    sums,
    reply,
    names,
    file,
  }: WrittenFile & { reply: DryRunReply; names: FileNames },
): Promise<DryRunReply> {
  if (!whole) throw new FullCheckMissing()
  const { id: importId, sellerId } = context.receiving
  const joined = joinNames([...(await listChunkNames(trx, importId)), names])
  const { held: waiting, newNames, questions } = joined
  const { create: creates, update: updates, refused } = whole.changes
  const plan = {
    creates,
    updates,
    ends: whole.endings.toEnd,
    missing: whole.missing,
    held: waiting + refused,
    newNames: [...newNames],
  }
  const figures = {
    ...noNewNames,
    rows: sums.total - sums.rejected,
    mode: context.receiving.mode,
    ...whole.endings,
  }
  const goesLive = await expectGoLive(trx, { sellerId, creates, figures }, policy)
  const { questions: ofColumns, ...columns } = await checkColumns(trx, file)
  await setChecked(trx, importId)
  await dropPackedRows(trx, importId)
  const warnings = [...reply.warnings, ...leftOutWarnings(whole)]
  const { changes, repeats } = whole
  const asked = [...questions.map((question) => inPreview(question, file)), ...ofColumns]
  const leftOut = joined.leftOut.map((question) => inPreview(question, file))
  const found = { whole: changes, plan, questions: asked, leftOut, goesLive, ...columns }
  const preview = { ...reply.preview, ...found, ...(repeats > 0 && { repeats }) }
  return { ...reply, warnings, preview }
}

const fieldsOfNames = {
  category: 'partcategory',
  manufacturer: 'partmanu',
  'car-model': 'partmodel',
} as const satisfies Record<ImportQuestion['kind'], ImportField>

/** A question about a name in the form of those about columns. */
function inPreview(question: ImportQuestion, { mapping }: CompleteFile) {
  const { kind, about, typed, rows } = question
  return {
    ...question,
    id: `${kind}:${about}:${typed}`,
    column: mapping[fieldsOfNames[kind]] ?? '',
    values: [{ value: typed, rows }],
  }
}

// Rows with new names wait on their own.
const noNewNames = { newNames: 0, rowsWithNewNames: 0 }

// The first few show what it is about.
const MAX_LEFT_OUT_NAMED = 10

function leftOutWarnings({ changes, leftOut }: ExpectedPlan): string[] {
  const named = leftOut.slice(0, MAX_LEFT_OUT_NAMED).map((row) => leftOutMessage(row, 'row'))
  const more = changes.refused - named.length
  return more > 0 ? [...named, `${more.toLocaleString('en-US')} more rows are left out like these.`] : named
}

const checkedRows = ({ preview }: DryRunReply): StagedRows => ({
  rows: preview.total,
  rejected: preview.errors,
  segments: { staged: [], rejected: [] },
  kept: [],
  soldOut: [],
})
