import type { User } from '#contract/account/accounts.ts'
import { type Actor, isAdmin } from '#server/platform/actor.ts'
import { type AuditEntry, writeAudit } from '#server/platform/database/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import { readProviderQueue } from './events.ts'
import { planState } from './provider-state.ts'
import { getStanding, setGrant, setTier, writePlan } from './queries.ts'

type Grant = {
  sellerId: string
  granted: boolean
  /** Whether payments are on; if off, an earlier customer is ignored. */
  canRead: boolean
  by: Pick<AuditEntry, 'actorUserId' | 'ip' | 'requestId'>
}

/**
 * Grants Pro without a subscription, or revokes the grant, in the caller's transaction. A grant takes effect at once.
 * After a revocation, a seller with a customer keeps Pro until a job has read their subscriptions.
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

type Next = 'connect' | 'checkout' | 'dashboard'
type PlanChoice = { plan: User['sellerTier']; from: { ip: string; requestId: string }; canRead: boolean }

/**
 * Logs the plan a seller chose and returns the next step. Changes the plan only for administrators, who are not
 * charged: Pro is granted to them, and Free revokes it.
 */
export function choosePlan(db: Db, actor: Actor, { plan, from, canRead }: PlanChoice): Promise<Next> {
  const { sellerId } = actor
  const by = { actorUserId: actor.userId, ...from }
  return db.transaction().execute(async (trx) => {
    await writeAudit(trx, { action: 'plan-chosen', target: sellerId, detail: { plan }, ...by })
    if (isAdmin(actor)) await changeGrant(trx, { sellerId, granted: plan === 'PAID', canRead, by })
    const { tier, connectStatus } = await getStanding(trx, sellerId)
    if (plan === 'PAID') return tier === 'PAID' ? 'dashboard' : 'checkout'
    return connectStatus === 'VERIFIED' ? 'dashboard' : 'connect'
  })
}
