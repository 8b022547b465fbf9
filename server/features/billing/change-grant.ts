import { type AuditEntry, writeAudit } from '#server/platform/database/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import { readProviderQueue } from './billing-queues.ts'
import { planState } from './plan-state.ts'
import { setGrant, setTier, writePlan } from './queries.ts'

type Grant = {
  sellerId: string
  granted: boolean
  /** Whether there is a provider to ask; where payments are off a customer of earlier times counts for nothing. */
  canRead: boolean
  by: Pick<AuditEntry, 'actorUserId' | 'ip' | 'requestId'>
}

/**
 * Gives Pro to a seller without a subscription, or takes it back, in the caller's transaction. What is given holds at
 * once; whether a seller who has a customer keeps Pro without it, the provider says a moment later.
 */
export async function changeGrant(trx: Db, { sellerId, granted, canRead, by }: Grant): Promise<void> {
  const before = await setGrant(trx, sellerId, granted)
  await writeAudit(trx, { action: granted ? 'pro-granted' : 'pro-taken-back', target: sellerId, ...by })
  const customerId = canRead ? before.customerId : null
  const withoutGrant = customerId === null ? 'FREE' : before.tier
  const tier = granted ? 'PAID' : withoutGrant
  if (customerId === null) {
    await writePlan(trx, sellerId, planState([], granted))
  } else {
    await setTier(trx, sellerId, tier)
    await enqueueJob(trx, { queue: readProviderQueue, payload: { subject: customerId } })
  }
  if (tier !== before.tier) {
    const detail = { from: before.tier, to: tier, grant: granted }
    await writeAudit(trx, { action: 'tier-changed', target: sellerId, detail, ...by })
  }
}
