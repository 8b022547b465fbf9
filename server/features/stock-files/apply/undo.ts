import { sql } from 'kysely'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import { deleteLookup } from '#server/features/market/lookups/edit-lookups.ts'
import { listCreatedNames } from '#server/features/market/lookups/new-names.ts'
import { enqueuePictures } from '#server/features/market/pictures/store-picture.ts'
import {
  findPromotionRow,
  isJobAlive,
  lockFileOf,
  lockPromotion,
  type PromotionRow,
} from '#server/features/stock-files/promotion/promotions.ts'
import {
  canUndo,
  canWithdraw,
  findPromotionOfFile,
  findPromotionOfImport,
  UNDO_DAYS,
  wasWithdrawn,
} from '#server/features/stock-files/promotion/summaries.ts'
import { undoPromotionQueue } from '#server/features/stock-files/stock-file-queues.ts'
import { type FileRequest, requireTypedFile } from '#server/features/stock-files/store/staged-files.ts'
import type { Caller } from '#server/features/stock-files/store/staging-path.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import { type Db, inTransaction, isWriteConflict } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { requestCancel } from '#server/platform/jobs/control.ts'
import { enqueueJob, findJobAuthor } from '#server/platform/jobs/enqueue-job.ts'
import type { JobRun } from '#server/platform/jobs/job-definition.ts'
import { listAppliedActions, type UndoneSums } from './actions.ts'
import { type PageToUndo, undoPage } from './undo-page.ts'

/* Undoes an import or a staged file: starts the undo, withdraws what is not live yet, and runs the undo page by page. */

/** Withdraws all promotions of a file, of any version, from which nothing went live. */
async function withdrawPromotions(trx: Db, fileId: string, at: Date): Promise<void> {
  await sql`
    update promotion set state = 'undone', undone_at = ${at}
    where file_id = ${fileId} and (state in ('planning', 'planned', 'review') or (state = 'failed' and applied = 0))
  `.execute(trx)
}

async function beginUndoing(trx: Db, id: string, jobId: string): Promise<void> {
  await sql`
    update promotion set state = 'undoing', error = null, undo_job_id = ${jobId} where id = ${id}
  `.execute(trx)
}

async function setUndoChangeSet(trx: Db, id: string, changeSetId: string): Promise<void> {
  await sql`update promotion set undo_change_set_id = ${changeSetId} where id = ${id}`.execute(trx)
}

/** Marks the undo as complete. */
async function endUndoing(trx: Db, id: string): Promise<void> {
  await lockFileOf(trx, id)
  await sql`
    update promotion set state = 'undone', undone_at = now(), touched_at = clock_timestamp()
    where id = ${id} and state = 'undoing'
  `.execute(trx)
}

type UndoTarget = {
  /** Undefined if there is none. */
  readonly promotionId: string | undefined
  readonly userId: string
  readonly now: Date
  /** Its name in messages. */
  readonly what: 'import' | 'file'
}

/** `again`: an undo is already running, and nothing was done. */
type UndoStart = {
  readonly did: 'withdrawn' | 'undone' | 'again'
  /** Null for a withdrawal, which takes no job. */
  readonly jobId: string | null
  readonly promotion: PromotionRow
}

/**
 * Starts undoing a promotion: stops the jobs that apply it, and enqueues one that reverts what is live. If nothing is live,
 * withdraws it at once, together with all other waiting promotions of its file.
 * @throws AppError CONFLICT if there is nothing (more) to undo
 */
async function startUndo(trx: Db, { promotionId, userId, now, what }: UndoTarget): Promise<UndoStart> {
  const promotion = promotionId === undefined ? undefined : await lockAndStop(trx, promotionId)
  if (promotion && canWithdraw(promotion)) {
    await withdrawPromotions(trx, promotion.fileId, now)
    // Its other rows are live already.
    if (promotion.continues) return startUndo(trx, { promotionId: promotion.continues, userId, now, what })
    return { did: 'withdrawn', jobId: null, promotion }
  }
  const isUndoing = promotion?.state === 'undoing'
  if (isUndoing && (await isJobAlive(trx, promotion.undoJobId))) {
    return { did: 'again', jobId: promotion.undoJobId, promotion }
  }
  if (!promotion || !(isUndoing || canUndo(promotion, now))) {
    throw new AppError('CONFLICT', whyNot(promotion, what))
  }
  const jobId = await enqueueJob(trx, {
    queue: undoPromotionQueue,
    payload: { promotionId: promotion.id },
    sellerId: promotion.sellerId,
    createdBy: userId,
  })
  await beginUndoing(trx, promotion.id, jobId)
  return { did: 'undone', jobId, promotion }
}

/**
 * Locks it, then stops the jobs that plan or apply it. In this order, since a page that goes live locks the promotion
 * before it saves its checkpoint in its job's row. A job that starts later sees the new state.
 */
async function lockAndStop(trx: Db, promotionId: string): Promise<PromotionRow | undefined> {
  const promotion = await lockPromotion(trx, promotionId)
  if (!promotion) return undefined
  for (const jobId of [promotion.planJobId, promotion.applyJobId]) if (jobId) await requestCancel(trx, jobId)
  return promotion
}

function whyNot(promotion: PromotionRow | undefined, what: UndoTarget['what']): string {
  if (promotion && wasWithdrawn(promotion)) return `This ${what} was already withdrawn.`
  if (promotion?.state === 'undone') return `This ${what} was already undone.`
  if (!promotion?.applied) return `Nothing from this ${what} is live, so there is nothing to undo.`
  const one = what === 'import' ? 'An import' : 'A file'
  return `${one} can be undone for ${UNDO_DAYS} days; this one is older.`
}

export type UndoRequest = Caller & { readonly importId: string; readonly now: Date }

/**
 * Starts undoing an import's current promotion. Repeating the request while it runs changes nothing.
 * @throws AppError CONFLICT if there is nothing (more) to undo
 */
export function requestUndo(db: Db, undo: UndoRequest): Promise<void> {
  return inTransaction(db, async (trx) => {
    const found = await findPromotionOfImport(trx, undo.importId)
    const { did, promotion } = await startUndo(trx, {
      promotionId: found?.id,
      userId: undo.actor.userId,
      now: undo.now,
      what: 'import',
    })
    if (did === 'again') return
    await writeAudit(trx, {
      action: `import-${did}`,
      actorUserId: undo.actor.userId,
      target: undo.importId,
      ip: undo.ip,
      requestId: undo.requestId,
      detail: { promotionId: promotion.id, state: promotion.state },
    })
  })
}

/**
 * Starts undoing what a staged file published, from any of its versions, or withdraws its plan. Returns the job's id, or
 * null for a withdrawal. Repeating the request while it runs returns the same.
 * @throws AppError VALIDATION_FAILED, NOT_FOUND, CONFLICT if there is nothing (more) to undo
 */
export async function undoStagedFile(
  db: Db,
  { now, ...request }: FileRequest & { now: Date },
): Promise<string | null> {
  const { file } = await requireTypedFile(db, request)
  const { userId } = request.actor
  return inTransaction(db, async (trx) => {
    const found = await findPromotionOfFile(trx, file.id, { withoutFailed: true })
    const { did, jobId, promotion } = await startUndo(trx, {
      promotionId: found?.id,
      userId,
      now,
      what: 'file',
    })
    if (did === 'again') return jobId
    await writeAudit(trx, {
      action: `staging-${did}`,
      actorUserId: userId,
      target: `${file.root}:${file.path}`,
      ip: request.ip,
      requestId: request.requestId,
      detail: { promotionId: promotion.id, state: promotion.state, version: promotion.version, jobId },
    })
    return jobId
  })
}

const ACTIONS_PER_PAGE = 1_000

/** Undoes a promotion page by page, from its last applied action to its first; an interrupted undo resumes. */
export async function undoPromotion(
  { db, now }: { db: Db; now: () => Date },
  run: JobRun<{ promotionId: string }>,
): Promise<UndoneSums> {
  const sums = { undone: 0, left: 0 }
  const promotion = await findPromotionRow(db, run.payload.promotionId)
  if (promotion?.state !== 'undoing') return sums
  const changeSetId = await run.withFence((trx) => openUndo(trx, run.jobId, promotion))
  let through = promotion.undoneThrough
  for (;;) {
    run.signal.throwIfAborted()
    const before = through || promotion.appliedThrough + 1
    const actions = await listAppliedActions(db, promotion.id, { before, limit: ACTIONS_PER_PAGE })
    const lowest = actions.at(-1)?.rowNo
    if (lowest === undefined) break
    const page = { now, run, promotion, changeSetId, actions, from: through, through: lowest }
    const undone = await undoWithRetries(page)
    if (!undone) return sums
    sums.undone += undone.undone
    sums.left += undone.left
    through = lowest
    const done = promotion.undone + promotion.leftAsIs + sums.undone + sums.left
    run.progress({ done, total: promotion.applied, note: 'undoing' })
  }
  await removeNewNames(db, run.jobId, promotion)
  await run.withFence(async (trx) => {
    await endUndoing(trx, promotion.id)
    if (promotion.continues) await undoContinued(trx, run.jobId, promotion.continues)
    // Updated listings have their previous picture URLs again, which must be fetched.
    if (promotion.fields?.includes('imageUrl')) await enqueuePictures(trx, promotion.sellerId)
  })
  return sums
}

/** An import whose waiting rows went live later is undone with its first rows. */
async function undoContinued(trx: Db, jobId: string, promotionId: string): Promise<void> {
  const promotion = await lockPromotion(trx, promotionId)
  if (promotion?.state !== 'applied' && promotion?.state !== 'applying') return
  const createdBy = await findJobAuthor(trx, jobId)
  const undoJobId = await enqueueJob(trx, {
    queue: undoPromotionQueue,
    payload: { promotionId },
    sellerId: promotion.sellerId,
    ...(createdBy && { createdBy }),
  })
  await beginUndoing(trx, promotionId, undoJobId)
}

/** Deletes the names that the promotion created, unless someone confirmed them or anything else uses them. */
async function removeNewNames(db: Db, jobId: string, { changeSetId }: PromotionRow): Promise<void> {
  if (changeSetId === null) return
  const by = { jobId, actorUserId: await findJobAuthor(db, jobId) }
  for (const { kind, id } of await listCreatedNames(db, changeSetId)) {
    await deleteLookup(db, { kind, id, by }).catch((error: unknown) => {
      // It is used or already gone; the name then stays for an administrator.
      if (!(error instanceof AppError)) throw error
    })
  }
}

// Same as for applying a page.
const MAX_TRIES = 5

/** Retries from the current state after a concurrent write or a deadlock. */
async function undoWithRetries(page: PageToUndo): Promise<UndoneSums | undefined> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await undoPage(page)
    } catch (error) {
      if (attempt === MAX_TRIES || !isWriteConflict(error)) throw error
    }
  }
}

async function openUndo(trx: Db, jobId: string, { id }: PromotionRow): Promise<string> {
  const promotion = await lockPromotion(trx, id)
  if (promotion?.undoChangeSetId) return promotion.undoChangeSetId
  const source = {
    actorKind: 'job' as const,
    jobId,
    reason: 'undo import',
    ...(promotion && { onBehalfOf: promotion.sellerId }),
    ...(promotion?.importId && { importId: promotion.importId }),
  }
  return withChangeSet(trx, source, async (same, changeSetId) => {
    await setUndoChangeSet(same, id, changeSetId)
    return changeSetId
  })
}
