import type { User } from '#contract/accounts.ts'
import { type Actor, isAdmin } from '#server/platform/actor.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { changeGrant } from './change-grant.ts'
import { getStanding } from './queries.ts'

type Next = 'connect' | 'checkout' | 'dashboard'
type Choice = { plan: User['sellerTier']; from: { ip: string; requestId: string }; canRead: boolean }

/**
 * Writes down which plan a seller chose, and answers what has to follow. Nothing changes by it, except for administrators:
 * they are not charged, so choosing Pro gives it to them, and choosing Free takes it back.
 */
export function choosePlan(db: Db, actor: Actor, { plan, from, canRead }: Choice): Promise<Next> {
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
