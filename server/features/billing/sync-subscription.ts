import { writeAudit } from '#server/platform/database/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { type PlanState, planState, type Subscription } from './plan-state.ts'
import type { ProviderCalls } from './provider.ts'
import { beginRead, lockPlan, markPlanRead, writePlan } from './queries.ts'

export type SyncedPlan = {
  /** As they were read. */
  readonly subscriptions: readonly Subscription[]
  /** Undefined where a read that began later had been written already. */
  readonly written: { readonly before: PlanState; readonly after: PlanState } | undefined
}

/**
 * Reads a seller's subscriptions and writes how they stand with the plans. Many may run at once and end in any order: of
 * two reads the one that began last wins, since it saw no less. A seller without a customer is left alone.
 * @throws ProviderFailure
 */
export async function syncSubscription(
  db: Db,
  calls: ProviderCalls,
  sellerId: string,
): Promise<SyncedPlan | undefined> {
  const { number, customerId } = await beginRead(db, sellerId)
  if (customerId === null) return undefined
  const subscriptions = await calls.listSubscriptions(customerId)
  const written = await db.transaction().execute(async (trx) => {
    const known = await lockPlan(trx, sellerId, number)
    if (!known) return undefined
    const { granted, ...before } = known
    const after = planState(subscriptions, granted)
    await writePlan(trx, sellerId, after)
    await markPlanRead(trx, sellerId, number)
    if (before.tier !== after.tier) {
      const detail = { from: before.tier, to: after.tier, subscription: after.subscriptionStatus }
      await writeAudit(trx, { action: 'tier-changed', target: sellerId, detail })
    }
    return { before, after }
  })
  return { subscriptions, written }
}
