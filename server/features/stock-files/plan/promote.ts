import { sql } from 'kysely'
import { datasetOf } from '#contract/admin/staging.ts'
import type { ImportMode } from '#contract/imports.ts'
import {
  isJobAlive,
  lockPromotion,
  lockPromotionOfVersion,
  type PromotionRow,
} from '#server/features/stock-files/promotion/promotions.ts'
import { planPromotionQueue } from '#server/features/stock-files/stock-file-queues.ts'
import {
  type FileRequest,
  findStagingFile,
  findTypedFile,
  lockStagingFile,
  repeatVersion,
  requireTypedFile,
  type StagingFile,
} from '#server/features/stock-files/store/staged-files.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import { approvePromotion } from './decisions.ts'

/* Promotes staged files for administrators and imports: starts a promotion, or plans it for a review first. */

type NewPromotion = {
  fileId: string
  version: number
  sellerId: string
  importId?: string
  mode: ImportMode
  dataset: string
  datasetTag?: string
  /** Who approved it in advance. */
  approvedBy?: string
  createdBy?: string
  /** It waits for an administrator even if its seller is trusted. */
  held?: boolean
  /** The promotion whose waiting rows it publishes. */
  continues?: string
}

/**
 * Starts promoting a version of a staged file: inserts the promotion and the job that plans it, in the caller's
 * transaction. A version that already has one keeps it, even if several callers start it at once.
 */
export async function startPromotion(
  trx: Db,
  started: NewPromotion,
): Promise<{ promotionId: string; jobId: string }> {
  const promotionId = await insertPromotion(trx, started)
  if (promotionId === undefined) return findStartedPromotion(trx, started)
  const jobId = await enqueueJob(trx, {
    queue: planPromotionQueue,
    payload: { promotionId },
    sellerId: started.sellerId,
    ...(started.createdBy && { createdBy: started.createdBy }),
  })
  await setPlanJob(trx, promotionId, jobId)
  return { promotionId, jobId }
}

export type Promote = Omit<FileRequest, 'path'> & {
  /** As typed. */
  paths: readonly string[]
  datasetTag: string | undefined
  planId: string | undefined
}

export type PromotedFile = { path: string; jobId: string; planId: string }

/**
 * Resolves the paths and returns the function that promotes the newest version of each file, all or none. A version that
 * is live or on its way returns its current job; one that was undone or withdrawn needs a plan that was made and seen
 * since.
 * @throws AppError VALIDATION_FAILED, NOT_FOUND, STALE, CONFLICT
 */
export async function promoteFiles(db: Db, promote: Promote): Promise<(db: Db) => Promise<PromotedFile[]>> {
  // Outside of the transaction, so that a refused path is logged anyway.
  const plain: string[] = []
  for (const path of promote.paths) plain.push((await findTypedFile(db, { ...promote, path }, 'paths')).path)
  const paths = [...new Set(plain)]
  return (writeDb) =>
    inTransaction(writeDb, async (trx) => {
      const files = new Map<string, PromotedFile>()
      // Always locked in the same order, so that concurrent calls cannot deadlock.
      for (const path of paths.toSorted()) files.set(path, await promoteFile(trx, path, promote))
      return paths.flatMap((path) => files.get(path) ?? [])
    })
}

async function promoteFile(trx: Db, path: string, promote: Promote): Promise<PromotedFile> {
  const { root, actor } = promote
  const file = await findStagingFile(trx, root, path)
  // Under the file's lock, so that the second of two clicks finds the first one's promotion.
  const version = file && (await lockStagingFile(trx, file.id))
  if (!file || version === undefined) {
    throw new AppError('NOT_FOUND', `There is no staged file ${path} in ${root}.`)
  }
  const promotion = await startedPromotion(trx, { ...file, version }, promote)
  const jobId = await approvePromotion(trx, promotion, { userId: actor.userId, planId: promote.planId })
  if (promote.datasetTag) await setDatasetTag(trx, promotion.id, promote.datasetTag)
  await writeAudit(trx, {
    action: 'staging-promoted',
    actorUserId: actor.userId,
    target: `${root}:${path}`,
    ip: promote.ip,
    requestId: promote.requestId,
    detail: { promotionId: promotion.id, version, jobId },
  })
  return { path, jobId, planId: promotion.planId }
}

type FileVersion = Pick<StagingFile, 'id' | 'root' | 'path' | 'version' | 'sellerId' | 'columns'>

async function startedPromotion(trx: Db, file: FileVersion, promote: Promote): Promise<PromotionRow> {
  const { id: fileId, version, path } = file
  const current = await lockPromotionOfVersion(trx, { fileId, version })
  if (current?.state === 'applied' && current.waiting > 0) return promoteAgain(trx, file, promote)
  if (current) return current
  // It was rejected before; to publish it after all, a plan must have been made and seen since.
  if (promote.planId === undefined && (await wasUndone(trx, fileId))) {
    throw new AppError(
      'CONFLICT',
      `${path} was undone or withdrawn. To publish it again, make a new plan, review it, and promote that plan.`,
    )
  }
  const { promotion } = await startVersion(trx, file, { createdBy: promote.actor.userId })
  return promotion
}

/** Rows that wait for the seller go live with the next version, which has the same rows. */
async function promoteAgain(trx: Db, file: FileVersion, promote: Promote): Promise<PromotionRow> {
  const version = await repeatVersion(trx, file, { message: 'Promoted', authorUserId: promote.actor.userId })
  return (await startVersion(trx, { ...file, version }, { createdBy: promote.actor.userId })).promotion
}

/** Starts the promotion of a version, with the mode and import of the file's first one. */
async function startVersion(
  trx: Db,
  { id: fileId, version, sellerId, root }: FileVersion,
  by: Pick<NewPromotion, 'createdBy' | 'held'>,
): Promise<{ promotion: PromotionRow; jobId: string }> {
  const first = await findFirstPromotion(trx, fileId)
  const { promotionId, jobId } = await startPromotion(trx, {
    fileId,
    version,
    sellerId,
    mode: first?.mode ?? 'add',
    dataset: datasetOf(root),
    ...by,
    ...(first?.importId && { importId: first.importId }),
  })
  return { promotion: await getLocked(trx, promotionId), jobId }
}

async function getLocked(trx: Db, promotionId: string): Promise<PromotionRow> {
  const promotion = await lockPromotion(trx, promotionId)
  if (!promotion) throw new Error('a promotion vanished in its own transaction')
  return promotion
}

export type RequestedPlan = { planId: string; jobId: string }

/**
 * Plans a file's newest version for review: the plan waits for an administrator even if the seller is trusted. A current
 * plan is returned as it is; one that other imports made stale, or whose job ended, is made again.
 * @throws AppError VALIDATION_FAILED, NOT_FOUND, CONFLICT if the version is live or approved
 */
export async function planStagedFile(db: Db, request: FileRequest): Promise<RequestedPlan> {
  const { file } = await requireTypedFile(db, request)
  return inTransaction(db, async (trx) => {
    // Under the file's lock, so that the second of two clicks finds the first one's plan.
    const version = (await lockStagingFile(trx, file.id)) ?? file.version
    const current = await lockPromotionOfVersion(trx, { fileId: file.id, version })
    const by = request.actor.userId
    const plan = current
      ? await planAgain(trx, current, by)
      : toPlan(await startVersion(trx, { ...file, version }, { createdBy: by, held: true }))
    // The same plan was requested before.
    if (current?.held && current.planJobId === plan.jobId) return plan
    await writeAudit(trx, {
      action: 'staging-planned',
      actorUserId: by,
      target: `${file.root}:${file.path}`,
      ip: request.ip,
      requestId: request.requestId,
      detail: { version, jobId: plan.jobId },
    })
    return plan
  })
}

const toPlan = ({ promotion, jobId }: { promotion: PromotionRow; jobId: string }): RequestedPlan => ({
  planId: promotion.planId,
  jobId,
})

async function planAgain(trx: Db, promotion: PromotionRow, createdBy: string): Promise<RequestedPlan> {
  const reason = whyNot(promotion)
  if (reason) throw new AppError('CONFLICT', reason)
  const { id, planId, planJobId, sellerId } = promotion
  await holdPlan(trx, id)
  const isCurrent =
    promotion.state === 'planning' ? await isJobAlive(trx, planJobId) : !promotion.stale && planJobId !== null
  if (isCurrent && planJobId !== null) return { planId, jobId: planJobId }
  await beginPlanning(trx, id)
  const queue = planPromotionQueue
  const jobId = await enqueueJob(trx, { queue, payload: { promotionId: id }, sellerId, createdBy })
  await setPlanJob(trx, id, jobId)
  return toPlan({ promotion: await getLocked(trx, id), jobId })
}

function whyNot({ state, approvedAt, version }: PromotionRow): string | undefined {
  if (state === 'applied')
    return `Version ${version} of this file is already live, so there is nothing to plan.`
  if (state === 'undoing') return 'This file is being undone. Plan it when that is done.'
  if (state === 'applying') return `Version ${version} of this file is already going live.`
  return approvedAt
    ? `Version ${version} of this file was already promoted and goes live once it is planned.`
    : undefined
}

/* The columns that promoting reads and writes. */

/** Returns undefined if the version already has a promotion that is neither undone nor failed. */
async function insertPromotion(trx: Db, started: NewPromotion): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    insert into promotion (file_id, version, seller_id, import_id, dataset, dataset_tag, mode, held, approved_by, approved_at,
                           continues, created_before, updated_before, ended_before)
    select ${started.fileId}::uuid, ${started.version}::integer, ${started.sellerId}::uuid, ${started.importId ?? null}::uuid,
           ${started.dataset}, ${started.datasetTag ?? null}, ${started.mode}, ${started.held ?? false}::boolean,
           ${started.approvedBy ?? null}::uuid, case when ${started.approvedBy !== undefined}::boolean then now() end,
           c.id, coalesce(c.created + c.created_before, 0), coalesce(c.updated + c.updated_before, 0),
           coalesce(c.ended + c.ended_before, 0)
    from (select ${started.continues ?? null}::uuid as id) asked left join promotion c using (id)
    on conflict (file_id, version) where state not in ('undone', 'failed') do nothing
    returning id
  `.execute(trx)
  return rows[0]?.id
}

async function findStartedPromotion(
  db: Db,
  file: { fileId: string; version: number },
): Promise<{ promotionId: string; jobId: string }> {
  const { rows } = await sql<{ promotionId: string; jobId: string }>`
    select id as "promotionId", plan_job_id as "jobId" from promotion
    where file_id = ${file.fileId} and version = ${file.version} and state not in ('undone', 'failed')
  `.execute(db)
  const [found] = rows
  if (!found) throw new Error(`version ${file.version} of file ${file.fileId} has no promotion`)
  return found
}

async function setPlanJob(trx: Db, promotionId: string, jobId: string): Promise<void> {
  await sql`update promotion set plan_job_id = ${jobId} where id = ${promotionId}`.execute(trx)
}

/** Makes the plan wait for the administrator who requested it. */
export async function holdPlan(trx: Db, id: string): Promise<void> {
  await sql`update promotion set held = true where id = ${id} and not held`.execute(trx)
}

/** Starts planning an unapproved promotion again, with a new plan id if it had a plan. */
async function beginPlanning(trx: Db, id: string): Promise<void> {
  await sql`
    update promotion
    set state = 'planning', review = '[]', error = null, to_end = null, planned_at = null,
        plan_id = case when planned_at is null then plan_id else uuidv7() end
    where id = ${id} and state in ('planning', 'planned', 'review') and approved_at is null
  `.execute(trx)
}

/** Whether the file's last promotion was undone, or withdrawn before it was live. */
async function wasUndone(db: Db, fileId: string): Promise<boolean> {
  const { rows } = await sql<{ undone: boolean }>`
    select state = 'undone' as undone from promotion
    where file_id = ${fileId} and state <> 'failed' order by id desc limit 1
  `.execute(db)
  return rows[0]?.undone ?? false
}

/** The mode and import of a file's first version, which its later versions share. */
async function findFirstPromotion(
  db: Db,
  fileId: string,
): Promise<{ mode: ImportMode; importId: string | null } | undefined> {
  const { rows } = await sql<{ mode: ImportMode; importId: string | null }>`
    select mode, import_id as "importId" from promotion where file_id = ${fileId} order by id limit 1
  `.execute(db)
  return rows[0]
}

async function setDatasetTag(trx: Db, id: string, tag: string): Promise<void> {
  await sql`update promotion set dataset_tag = ${tag} where id = ${id}`.execute(trx)
}
