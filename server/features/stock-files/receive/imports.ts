import { type RawBuilder, sql } from 'kysely'
import type { ColumnAnswer } from '#contract/column-questions/questions.ts'
import {
  type HeldAnswer,
  IMPORT_ROOT,
  type ImportMode,
  type ImportReceipt,
  type ImportRecord,
  type StagedReply,
} from '#contract/imports.ts'
import { userSource, withChangeSet } from '#server/features/market/history/change-sets.ts'
import { countHeldOf } from '#server/features/market/listings/search-row/held-statements.ts'
import { answerHeldRows, listHeldRows } from '#server/features/stock-files/apply/held-rows.ts'
import { listCorrected, listKeptEdits, useFileValues } from '#server/features/stock-files/apply/kept-edits.ts'
import { requestUndo, type UndoRequest } from '#server/features/stock-files/apply/undo.ts'
import { USE_FILE_VALUES } from '#server/features/stock-files/identity/merge.ts'
import { correctsOlderReading } from '#server/features/stock-files/identity/older-reading.ts'
import { leftOutWithFileRow, listLeftOut } from '#server/features/stock-files/plan/left-out.ts'
import { listOrderedParts } from '#server/features/stock-files/plan/ordered-parts.ts'
import { listLeft } from '#server/features/stock-files/plan/show-plan.ts'
import {
  findPromotionRow,
  lockPromotion,
  type PromotionRow,
} from '#server/features/stock-files/promotion/promotions.ts'
import {
  canConfirm,
  canUndo,
  canWithdraw,
  findPromotionOfImport,
  findPromotionsOfImports,
  type PromotionSummary,
  wasWithdrawn,
} from '#server/features/stock-files/promotion/summaries.ts'
import type { Caller } from '#server/features/stock-files/store/staging-path.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { shownAnswers } from './chunk-facts.ts'
import { withdrawUnfinishedImport } from './receiving-import.ts'

/* Imports as their sellers see them. */

export type FoundImport = {
  id: string
  sellerId: string
  state: 'receiving' | 'staged' | 'abandoned' | 'withdrawn'
  mode: ImportMode
  fileName: string
  header: string[] | null
  answers: ColumnAnswer[] | null
  chunkCount: number
  received: number
  /** Of the received chunks. */
  total: number
  rejected: number
  /** Rows of chunks that are being read. */
  inProgress: number
  createdAt: Date
  stagedAt: Date | null
  withdrawnAt: Date | null
  /** Of the staged file. */
  path: string | null
}

/** `which` is the rest of the condition, with an order if there are several. */
async function readImports(db: Db, which: RawBuilder<unknown>): Promise<FoundImport[]> {
  const { rows } = await sql<FoundImport>`
    select i.id, i.seller_id as "sellerId", i.state, i.mode, i.file_name as "fileName", i.header, i.answers,
           i.chunk_count as "chunkCount", i.received, i.total, i.rejected,
           case when i.state = 'receiving' then (
             select coalesce(sum(c.rows), 0) from import_chunk c where c.import_id = i.id and c.done_at is null
           ) else 0 end as "inProgress",
           i.created_at as "createdAt", i.staged_at as "stagedAt", i.withdrawn_at as "withdrawnAt", f.path
    from import i left join staging_file f on f.id = i.staging_file_id
    where not i.dry_run and ${which}
  `.execute(db)
  return rows
}

export async function findImport(db: Db, id: string): Promise<FoundImport | undefined> {
  return (await readImports(db, sql`i.id = ${id}`))[0]
}

/** Newest first. */
export async function listImportsOfSeller(
  db: Db,
  sellerId: string,
  { page, perPage }: { page: number; perPage: number },
): Promise<{ items: FoundImport[]; total: number }> {
  const condition = sql`i.seller_id = ${sellerId}`
  const [items, counted] = await Promise.all([
    readImports(db, sql`${condition} order by i.id desc limit ${perPage} offset ${(page - 1) * perPage}`),
    sql<{ total: number }>`select count(*) as total from import i where not dry_run and ${condition}`.execute(
      db,
    ),
  ])
  return { items, total: counted.rows[0]?.total ?? 0 }
}

/** A range of chunks, both ends included. */
type ChunkRun = { from: number; to: number }

/**
 * The missing chunks of each of these imports, as ranges in order, by import id. They are computed as the gaps between
 * received chunks, so that the work depends on what was sent and not on the chunk count that the caller chose.
 */
async function listMissingChunks(db: Db, importIds: readonly string[]): Promise<Map<string, ChunkRun[]>> {
  const { rows } = await sql<ChunkRun & { id: string }>`
    select id, "from", "to"
    from (
      select i.id, n + 1 as "from", lead(n, 1, i.chunk_count) over (partition by i.id order by n) - 1 as "to"
      from import i cross join lateral (
        select -1 as n
        union all
        select chunk_index from import_chunk c where c.import_id = i.id and c.done_at is not null
      ) before
      where i.id = any(${importIds}::uuid[])
    ) gap
    where "from" <= "to" order by id, "from"
  `.execute(db)
  const runs = new Map<string, ChunkRun[]>(importIds.map((id) => [id, []]))
  for (const { id, from, to } of rows) runs.get(id)?.push({ from, to })
  return runs
}

export type RejectedSegment = {
  sha256: string
  /** Lines of the file before this segment's chunk, counting blank ones but not the header. */
  linesBefore: number
}

/** The segments of rejected rows, in file order. */
export async function listRejectedSegments(db: Db, importId: string): Promise<RejectedSegment[]> {
  const { rows } = await sql<RejectedSegment>`
    select s.sha256, c.before as "linesBefore"
    from import_segment s
    join (
      select chunk_index, sum(lines) over (order by chunk_index) - lines as before
      from import_chunk where import_id = ${importId} and done_at is not null
    ) c using (chunk_index)
    where s.import_id = ${importId} and s.kind = 'rejected'
    order by s.chunk_index, s.position
  `.execute(db)
  return rows
}

/* The files of an import in API replies. */

/** The staged file, its CSV view, and the URL of its rejected rows. */
function importFiles(importId: string, path: string, rejected: number): StagedReply['files'] {
  return {
    json: path,
    csv: path.replace(/\.json$/, '.csv'),
    ...(rejected > 0 && { rejected: `/api/pro/imports/${importId}/rejected.csv` }),
  }
}

export function stagedReply(staged: {
  importId: string
  path: string
  total: number
  rejected: number
  report: Pick<StagedReply, 'warnings' | 'reading'>
}): StagedReply {
  const { importId, path, total, rejected, report } = staged
  const query = new URLSearchParams({ view: 'preprocess', root: IMPORT_ROOT, path })
  return {
    ok: true,
    ...report,
    total,
    rejected,
    files: importFiles(importId, path, rejected),
    stagingRef: `${IMPORT_ROOT}:${path}`,
    missionControlUrl: `/dashboard/admin/mission-control?${query}`,
    importId,
  }
}

type ImportContext = { promotion: PromotionSummary | undefined; missing: readonly ChunkRun[]; now: Date }

/** An import and its results, as the API shows it. */
function presentImport(found: FoundImport, { promotion, missing, now }: ImportContext): ImportRecord {
  const { id, path, rejected } = found
  return {
    id,
    state: stateOf(found, promotion),
    mode: found.mode,
    fileName: found.fileName,
    createdAt: found.createdAt.toISOString(),
    stagedAt: found.stagedAt?.toISOString() ?? null,
    appliedAt: promotion?.appliedAt?.toISOString() ?? null,
    undoneAt: (promotion?.undoneAt ?? found.withdrawnAt)?.toISOString() ?? null,
    chunkCount: found.chunkCount,
    received: found.received,
    missingChunks: firstOf(missing),
    missing: [...missing],
    total: found.total + found.inProgress,
    rejected,
    files: path === null ? null : importFiles(id, path, rejected),
    plan: promotion ? presentPlan(promotion, rejected) : null,
    review: promotion?.review ?? [],
    error: promotion?.error ?? null,
    progress: promotion?.progress ?? null,
    canUndo: promotion !== undefined && canUndo(promotion, now),
    canWithdraw: found.state === 'receiving' || (promotion !== undefined && canWithdraw(promotion)),
    canConfirm: promotion !== undefined && canConfirm(promotion),
    rest: restOf(promotion),
    answers: shownAnswers(found.answers),
  }
}

function restOf(promotion: PromotionSummary | undefined): ImportRecord['rest'] {
  if (promotion?.state !== 'applying' || promotion.restAt === null) return null
  const { progress, restAt, restHeldAt } = promotion
  const changes = progress ? progress.total - progress.done : 0
  return { changes, liveAt: restAt.toISOString(), heldAt: restHeldAt?.toISOString() ?? null }
}

const MISSING_SHOWN = 20

function firstOf(missing: readonly ChunkRun[]): number[] {
  const first: number[] = []
  for (const { from, to } of missing) {
    for (let chunk = from; chunk <= to && first.length < MISSING_SHOWN; chunk++) first.push(chunk)
  }
  return first
}

function stateOf(found: FoundImport, promotion: PromotionSummary | undefined): ImportRecord['state'] {
  if (!promotion) return found.state
  if (wasWithdrawn(promotion)) return 'withdrawn'
  // Used until its job starts.
  return promotion.state === 'planned' && promotion.approvedAt !== null ? 'applying' : promotion.state
}

function presentPlan(
  { planId, version, plan, waiting: held }: PromotionSummary,
  rejectedBefore: number,
): ImportRecord['plan'] {
  if (!plan) return null
  const { create, update, unchanged, merged, newNames } = plan
  const rejected = rejectedBefore + plan.refused
  return { id: planId, version, create, update, unchanged, ended: plan.end, merged, rejected, held, newNames }
}

/** Imports and their results, as the API shows them. */
export async function describeImports(
  db: Db,
  found: readonly FoundImport[],
  now: Date,
): Promise<ImportRecord[]> {
  const ids = found.map(({ id }) => id)
  const receiving = found.filter(({ state }) => state === 'receiving').map(({ id }) => id)
  const promotions = await findPromotionsOfImports(db, ids)
  const missing = await listMissingChunks(db, receiving)
  return found.map((item) =>
    presentImport(item, { promotion: promotions.get(item.id), missing: missing.get(item.id) ?? [], now }),
  )
}

// More than anyone reads through; the count gives the total.
const LEFT_SHOWN = 200
// As many as rows rejected by a check.
const LEFT_OUT_SHOWN = 50

/**
 * What an import did, and what its undo left unchanged.
 * @throws AppError CONFLICT while nothing of it is live
 */
export async function readReceipt(db: Db, files: FileStore, found: FoundImport): Promise<ImportReceipt> {
  const promotion = await findPromotionOfImport(db, found.id)
  const isOver = promotion?.state === 'applied' || promotion?.state === 'undone'
  if (!promotion?.plan || wasWithdrawn(promotion) || (!isOver && promotion.applied === 0)) {
    throw new AppError('CONFLICT', 'There is no receipt: nothing from this import went live.')
  }
  // Of the promoted version: an edited file may have other rows than the upload.
  const { create: toCreate, update: toUpdate, unchanged, merged, refused } = promotion.plan
  const left = await listLeft(db, promotion.id, LEFT_SHOWN)
  const leftOut = await listLeftOut(db, promotion.id)
  const statementsHeld = await countHeldOf(db, promotion.id)
  return {
    importId: found.id,
    fileName: found.fileName,
    mode: found.mode,
    state: promotion.state,
    appliedAt: promotion.appliedAt?.toISOString() ?? null,
    approvedBy: promotion.approvedByName,
    total: found.rejected + refused + promotion.waiting + merged + toCreate + toUpdate + unchanged,
    created: promotion.created,
    updated: promotion.updated,
    // Including planned rows whose listings were already equal when they went live.
    unchanged: promotion.appliedAt
      ? toCreate + toUpdate + unchanged - promotion.created - promotion.updated
      : unchanged,
    // Its plan and a dry run counted them as updates.
    ...(promotion.appliedAt && { alreadyEqual: Math.max(toUpdate - promotion.updated, 0) }),
    ...(statementsHeld > 0 && { statementsHeld }),
    ended: promotion.ended,
    merged,
    rejected: found.rejected + refused,
    waiting: promotion.waiting,
    refused,
    leftOut: leftOut
      .filter(({ why }) => why !== 'held')
      .slice(0, LEFT_OUT_SHOWN)
      .map(leftOutWithFileRow),
    ...(await readQuestions(db, files, promotion)),
    undone: promotion.undone,
    leftAsIs: promotion.leftAsIs,
    left: left.map(({ id, slug, title, reason }) => ({ id, partslug: slug, title, reason })),
    answers: shownAnswers(found.answers),
  }
}

/** A receipt's questions to the seller; none once the import was undone. */
async function readQuestions(
  db: Db,
  files: FileStore,
  { id, importId, state }: PromotionSummary,
): Promise<Pick<ImportReceipt, 'held' | 'ordered' | 'kept' | 'corrected'>> {
  const promotion = state === 'applied' ? await findPromotionRow(db, id) : undefined
  const none = { total: 0, rows: [] }
  if (!promotion) return { held: none, ordered: none, kept: none }
  return {
    held: await listHeldRows(db, files, { promotion, limit: LEFT_OUT_SHOWN }),
    ordered: await listOrderedParts(db, promotion.id, LEFT_OUT_SHOWN),
    kept: await listKeptEdits(db, id, LEFT_SHOWN),
    ...((await correctsOlderReading(db, importId)) && {
      corrected: await listCorrected(db, promotion, LEFT_SHOWN),
    }),
  }
}

type Answer = Caller & { readonly importId: string; readonly records: readonly number[] | undefined }

/** @throws AppError CONFLICT unless the import is live */
async function lockLive(trx: Db, importId: string): Promise<PromotionRow & { changeSetId: string }> {
  const found = await findPromotionOfImport(trx, importId)
  const promotion = found && (await lockPromotion(trx, found.id))
  if (promotion?.state !== 'applied' || promotion.changeSetId === null) {
    throw new AppError('CONFLICT', 'This import is not live. Its rows can be answered as soon as it is.')
  }
  return { ...promotion, changeSetId: promotion.changeSetId }
}

/**
 * Applies the seller's answer to rows that an import held back.
 * @throws AppError CONFLICT unless the import is live and has such rows
 */
export function answerHeld(
  db: Db,
  deps: { files: FileStore; now: () => Date },
  { importId, records, answer, ...by }: Answer & { readonly answer: HeldAnswer },
): Promise<void> {
  return inTransaction(db, async (trx) => {
    const promotion = await lockLive(trx, importId)
    const { userId } = by.actor
    const rows = await answerHeldRows(trx, deps, { promotion, answer, records, userId })
    await writeAudit(trx, {
      action: 'import-rows-answered',
      actorUserId: userId,
      target: importId,
      ip: by.ip,
      requestId: by.requestId,
      detail: { promotionId: promotion.id, answer, rows },
    })
  })
}

/**
 * Replaces edits that an import kept with its own values.
 * @throws AppError CONFLICT unless the import is live and kept edits
 */
export function takeFileValues(db: Db, { importId, records, ...by }: Answer): Promise<void> {
  return withChangeSet(db, userSource(by, USE_FILE_VALUES, by.actor.sellerId), async (trx, changeSetId) => {
    const { id: promotionId, sellerId } = await lockLive(trx, importId)
    await useFileValues(trx, { promotionId, changeSetId, sellerId, records })
  })
}

/**
 * Undoes an import at any stage: deletes the chunks of one that is still being received; withdraws or undoes the promotion
 * of a complete one.
 * @throws AppError CONFLICT if there is nothing (more) to undo
 */
export function undoImport(db: Db, undo: UndoRequest): Promise<void> {
  return inTransaction(db, async (trx) => {
    if (!(await withdrawUnfinishedImport(trx, undo.importId, undo.now))) return requestUndo(trx, undo)
    await writeAudit(trx, {
      action: 'import-withdrawn',
      actorUserId: undo.actor.userId,
      target: undo.importId,
      ip: undo.ip,
      requestId: undo.requestId,
      detail: { state: 'receiving' },
    })
  })
}
