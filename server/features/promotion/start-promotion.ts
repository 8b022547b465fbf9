import type { Db } from '#server/platform/database.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import { findStartedPromotion, insertPromotion, setPlanJob } from './promotion-queries.ts'
import { planPromotionQueue } from './promotion-queues.ts'
import type { NewPromotion } from './promotion-state.ts'

/**
 * Puts a version of a staged file on its way to live: the promotion and the job that plans it, in the caller's
 * transaction. A version that is on its way already keeps its promotion, however many ask at once.
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
