import { AppError } from '#server/platform/app-error.ts'
import type { Db } from '#server/platform/database.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import { approvePlan, isJobAlive, type PromotionRow, setIngestJob } from './promotion-queries.ts'
import { ingestQueue } from './promotion-queues.ts'

type Approval = {
  userId: string
  /** The plan that was seen. */
  planId: string | undefined
}

/**
 * Lets a locked promotion go live and answers the job that makes it so; one that is on its way or live already answers its
 * job again.
 * @throws AppError STALE where another plan was seen, CONFLICT while it is taken back or where its endings were not seen
 */
export async function approvePromotion(
  trx: Db,
  promotion: PromotionRow,
  { userId, planId }: Approval,
): Promise<string> {
  if (planId !== undefined && planId !== promotion.planId) {
    throw new AppError('STALE', 'The plan was made anew since you saw it. Look at it again, then promote.')
  }
  if (promotion.state === 'undoing') {
    throw new AppError('CONFLICT', 'This import is being taken back. Promote it when that is done.')
  }
  const { ingestJobId } = promotion
  const isApproved = promotion.approvedAt !== null
  if (isApproved && ingestJobId && (promotion.state === 'applied' || (await isJobAlive(trx, ingestJobId)))) {
    return ingestJobId
  }
  const endings = promotion.review.find(({ code }) => code === 'endings')
  if (endings && planId === undefined) {
    throw new AppError('CONFLICT', `${endings.message} Send the planId of the plan you saw to go on.`)
  }
  if (!isApproved) await approvePlan(trx, promotion.id, userId)
  const jobId = await enqueueJob(trx, {
    queue: ingestQueue,
    payload: { dataset: promotion.dataset, promotionId: promotion.id },
    sellerId: promotion.sellerId,
    createdBy: userId,
  })
  await setIngestJob(trx, promotion.id, jobId)
  return jobId
}
