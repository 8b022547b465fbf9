import type { Db } from '#server/platform/database.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import type { JobRun } from '#server/platform/jobs/job-definition.ts'
import { makePlan, type PlanDeps, type PlanOutcome } from './make-plan.ts'
import { orFailPromotion } from './or-fail-promotion.ts'
import { findPromotionRow, lockPromotion, setIngestJob } from './promotion-queries.ts'
import { ingestQueue } from './promotion-queues.ts'
import { resolveNames } from './resolve-names.ts'

/**
 * Plans a promotion that was started. A trusted seller's goes on by itself where the plan needs nobody to look: its ingest
 * job comes with the plan or not at all.
 */
export async function planPromotion(
  deps: PlanDeps & { db: Db },
  run: JobRun<{ promotionId: string }>,
): Promise<{ outcome: string }> {
  const promotion = await findPromotionRow(deps.db, run.payload.promotionId)
  if (promotion?.state !== 'planning') return { outcome: 'planned before' }
  const outcome = await orFailPromotion({ run, promotionId: promotion.id }, async () => {
    const resolved = await resolveNames(deps, run, promotion)
    if (resolved?.state !== 'planning') return undefined
    return makePlan(deps, run, resolved, (trx, next) => goOn(trx, promotion.id, next))
  })
  return { outcome: outcome ?? 'planned before' }
}

async function goOn(trx: Db, promotionId: string, next: PlanOutcome): Promise<void> {
  const promotion = await lockPromotion(trx, promotionId)
  // Whoever approved it while it was planned has enqueued the job already.
  if (next !== 'apply' || !promotion || promotion.ingestJobId) return
  const jobId = await enqueueJob(trx, {
    queue: ingestQueue,
    payload: { dataset: promotion.dataset, promotionId },
    sellerId: promotion.sellerId,
  })
  await setIngestJob(trx, promotionId, jobId)
}
