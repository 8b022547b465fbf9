import { datasetOf } from '#contract/staging.ts'
import type { AskedFile } from '#server/features/staging/find-typed-file.ts'
import { lockStagingFile, type StagingFile } from '#server/features/staging/queries.ts'
import { requireTypedFile } from '#server/features/staging/require-typed-file.ts'
import { AppError } from '#server/platform/app-error.ts'
import { writeAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database.ts'
import { inTransaction } from '#server/platform/in-transaction.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import {
  beginPlanning,
  findFirstPromotion,
  holdPlan,
  isJobAlive,
  lockPromotion,
  lockPromotionOfVersion,
  type PromotionRow,
  setPlanJob,
} from './promotion-queries.ts'
import { planPromotionQueue } from './promotion-queues.ts'
import { startPromotion } from './start-promotion.ts'

export type AskedPlan = { planId: string; jobId: string }

/**
 * Has the plan of a file's newest version made, to be looked at: it waits for an administrator whoever its seller is. A
 * plan that stands is answered again; one that other imports made stale, or whose job ended, is made anew.
 * @throws AppError VALIDATION_FAILED, NOT_FOUND, CONFLICT where the version is live or was let through
 */
export async function planStagedFile(db: Db, asked: AskedFile): Promise<AskedPlan> {
  const { file } = await requireTypedFile(db, asked)
  return inTransaction(db, async (trx) => {
    // Under the file's lock, so that of two presses at once the second finds the first one's plan.
    const version = (await lockStagingFile(trx, file.id)) ?? file.version
    const current = await lockPromotionOfVersion(trx, { fileId: file.id, version })
    const by = asked.actor.userId
    const plan = current ? await planAgain(trx, current, by) : await planFirst(trx, { ...file, version }, by)
    // The plan that was asked for before is answered, and nothing done.
    if (current?.held && current.planJobId === plan.jobId) return plan
    await writeAudit(trx, {
      action: 'staging-planned',
      actorUserId: by,
      target: `${file.root}:${file.path}`,
      ip: asked.ip,
      requestId: asked.requestId,
      detail: { version, jobId: plan.jobId },
    })
    return plan
  })
}

async function planFirst(
  trx: Db,
  { id: fileId, version, sellerId, root }: StagingFile,
  createdBy: string,
): Promise<AskedPlan> {
  const first = await findFirstPromotion(trx, fileId)
  const { promotionId, jobId } = await startPromotion(trx, {
    fileId,
    version,
    sellerId,
    mode: first?.mode ?? 'add',
    dataset: datasetOf(root),
    createdBy,
    held: true,
    ...(first?.importId && { importId: first.importId }),
  })
  return asStarted(trx, promotionId, jobId)
}

async function asStarted(trx: Db, promotionId: string, jobId: string): Promise<AskedPlan> {
  const started = await lockPromotion(trx, promotionId)
  if (!started) throw new Error('a promotion vanished in its own transaction')
  return { planId: started.planId, jobId }
}

async function planAgain(trx: Db, promotion: PromotionRow, createdBy: string): Promise<AskedPlan> {
  const reason = whyNot(promotion)
  if (reason) throw new AppError('CONFLICT', reason)
  const { id, planId, planJobId, sellerId } = promotion
  await holdPlan(trx, id)
  const stands =
    promotion.state === 'planning' ? await isJobAlive(trx, planJobId) : !promotion.stale && planJobId !== null
  if (stands && planJobId !== null) return { planId, jobId: planJobId }
  await beginPlanning(trx, id)
  const queue = planPromotionQueue
  const jobId = await enqueueJob(trx, { queue, payload: { promotionId: id }, sellerId, createdBy })
  await setPlanJob(trx, id, jobId)
  return asStarted(trx, id, jobId)
}

function whyNot({ state, approvedAt, version }: PromotionRow): string | undefined {
  if (state === 'applied')
    return `Version ${version} of this file is live already, so there is nothing to plan.`
  if (state === 'undoing') return 'This file is being taken back. Plan it when that is done.'
  if (state === 'applying') return `Version ${version} of this file is going live already.`
  return approvedAt
    ? `Version ${version} of this file was promoted already and goes live once it is planned.`
    : undefined
}
