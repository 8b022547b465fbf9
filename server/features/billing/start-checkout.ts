import type { Actor } from '#server/platform/actor.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { ensureCustomer } from './ensure-customer.ts'
import { makeOnce } from './make-once.ts'
import { isUnpaid, requireChargeable, requireUnsubscribed } from './policy.ts'
import type { ProviderCalls } from './provider.ts'
import { ProviderFailure } from './provider-failure.ts'
import { detachCustomer, getStanding, type Standing } from './queries.ts'
import { closeRequest, findOpenRequest } from './request-queries.ts'
import { syncSubscription } from './sync-subscription.ts'

type Deps = { db: Db; calls: ProviderCalls; publicUrl: string; from: { ip: string; requestId: string } }
export type Started = { readonly sessionId: string; readonly url: string }

/**
 * The checkout of Pro. While one is open it is answered again, so that two clicks, or two tabs, cannot pay twice.
 * @throws AppError CONFLICT for whoever needs none, ProviderFailure
 */
export async function startCheckout(deps: Deps, actor: Actor): Promise<Started> {
  const { db, calls } = deps
  const { sellerId, name, email } = actor
  requireChargeable(actor, await getStanding(db, sellerId))
  const started = await findStarted(deps, sellerId)
  if (started) return started
  const person = { sellerId, name, email }
  const customerId = await ensureCustomer(db, calls, person)
  try {
    requireUnsubscribed(await readStanding(deps, sellerId))
    return await startNew(deps, actor, customerId)
  } catch (error) {
    if (!isAboutCustomer(error)) throw error
    // Deleted at the provider, by hand. Who is not on Pro has nothing there that would be lost with them.
    await detachCustomer(db, sellerId, customerId)
    return startNew(deps, actor, await ensureCustomer(db, calls, person))
  }
}

const isAboutCustomer = (error: unknown) =>
  error instanceof ProviderFailure && error.isMissing && error.param === 'customer'

/** The seller's checkout if it is still open; one that has ended is closed here, too. */
async function findStarted({ db, calls }: Deps, sellerId: string): Promise<Started | undefined> {
  const request = await findOpenRequest(db, sellerId, 'checkout')
  if (!request || request.providerId === null) return undefined
  const checkout = await calls.findCheckout(request.providerId)
  if (checkout?.status === 'open' && checkout.url !== null) {
    return { sessionId: checkout.id, url: checkout.url }
  }
  // They paid, and came back before the provider's message about it.
  if (checkout?.status === 'complete') await syncSubscription(db, calls, sellerId)
  await closeRequest(db, request.id, checkout?.status === 'complete' ? 'done' : 'void')
  return undefined
}

/** How a seller stands; whether an invoice is still open only the provider knows. */
async function readStanding({ db, calls }: Deps, sellerId: string): Promise<Standing> {
  const known = await getStanding(db, sellerId)
  if (!isUnpaid(known)) return known
  await syncSubscription(db, calls, sellerId)
  return getStanding(db, sellerId)
}

async function startNew(deps: Deps, actor: Actor, customerId: string): Promise<Started> {
  const { db, calls, publicUrl, from } = deps
  const { sellerId } = actor
  const urls = {
    successUrl: `${publicUrl}/stripe/callback?session_id={CHECKOUT_SESSION_ID}`,
    cancelUrl: `${publicUrl}/stripe/cancel`,
  }
  const made = await makeOnce(
    db,
    { sellerId, kind: 'checkout' },
    { make: (key) => calls.createCheckout({ sellerId, customerId, ...urls }, key) },
  )
  if (!made?.url) throw new Error('a checkout has no page to go to')
  const by = { actorUserId: actor.userId, ...from }
  await writeAudit(db, { action: 'checkout-started', target: sellerId, detail: { session: made.id }, ...by })
  return { sessionId: made.id, url: made.url }
}
