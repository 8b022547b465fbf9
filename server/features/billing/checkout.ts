import { type Actor, isAdmin } from '#server/platform/actor.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { type ProviderCalls, ProviderFailure } from './provider.ts'
import { isLive } from './provider-state.ts'
import { detachCustomer, getStanding, type Standing } from './queries.ts'
import { closeRequest, ensureCustomer, findOpenCheckout, findOpenRequest, makeOnce } from './requests.ts'
import { syncSubscription } from './sync.ts'

/**
 * Who may be sent to the checkout: administrators are never charged, and nobody pays twice.
 * @throws AppError CONFLICT
 */
function requireChargeable(actor: Actor, plan: Plan): void {
  if (isAdmin(actor)) {
    throw new AppError('CONFLICT', 'Administrators are not charged. Choose the Pro plan to get it.')
  }
  if (plan.tier === 'PAID') throw alreadyPro(plan)
}

type Plan = Pick<Standing, 'tier' | 'subscriptionStatus'>

/** There is a subscription that gives no Pro yet, or none any more, and starts as soon as its invoice is paid. */
export function isUnpaid({ tier, subscriptionStatus }: Plan): boolean {
  return tier === 'FREE' && (subscriptionStatus === 'PENDING' || subscriptionStatus === 'PAST_DUE')
}

/**
 * Who may begin another subscription: beside one that can still start it would be paid twice.
 * @throws AppError CONFLICT
 */
export function requireUnsubscribed(plan: Plan): void {
  if (plan.tier === 'PAID') throw alreadyPro(plan)
  if (!isUnpaid(plan)) return
  throw new AppError(
    'CONFLICT',
    plan.subscriptionStatus === 'PENDING'
      ? 'Your payment is still being confirmed. Please wait a few minutes.'
      : 'Pro stopped because a payment failed. Pay the open invoice under Manage Billing to have it back.',
  )
}

/** Who has Pro without a subscription got it from an administrator: there is no bill to manage. */
function alreadyPro({ subscriptionStatus }: Plan): AppError {
  const given = subscriptionStatus === 'INACTIVE' || subscriptionStatus === 'CANCELED'
  return new AppError(
    'CONFLICT',
    given
      ? 'You have Pro already: an administrator gave it to you, and there is nothing to pay.'
      : 'You have Pro already. Open Manage Billing to change or end it.',
  )
}

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

type ConfirmCheckoutDeps = { db: Db; calls: ProviderCalls }

// What an id of the provider looks like; anything else is not worth asking for.
const SESSION_ID = /^cs_\w{1,190}$/

/**
 * Whether the subscription of a seller's own checkout is live, as the provider says now; writes what it says. An address
 * with a session in it proves nothing: another customer's does not exist here.
 * @throws AppError NOT_FOUND, ProviderFailure
 */
export async function confirmCheckout(
  { db, calls }: ConfirmCheckoutDeps,
  { sellerId, sessionId }: { sellerId: string; sessionId: string },
): Promise<boolean> {
  const { customerId } = await getStanding(db, sellerId)
  if (customerId === null || !SESSION_ID.test(sessionId)) throw notFound()
  const checkout = await calls.findCheckout(sessionId)
  if (checkout?.customerId !== customerId) throw notFound()
  const synced = await syncSubscription(db, calls, sellerId)
  const request = await findOpenCheckout(db, sessionId)
  if (request !== undefined && checkout.status !== 'open') {
    await closeRequest(db, request, checkout.status === 'complete' ? 'done' : 'void')
  }
  const bought = synced?.subscriptions.find(({ id }) => id === checkout.subscriptionId)
  return checkout.status === 'complete' && bought !== undefined && isLive(bought)
}

function notFound(): AppError {
  return new AppError('NOT_FOUND', 'Your account has no such checkout. Log in with the account that paid.')
}

type OpenBillingPortalDeps = { db: Db; calls: ProviderCalls; publicUrl: string }

/**
 * The provider's page where a subscription is managed.
 * @throws AppError CONFLICT for whoever never had one, ProviderFailure
 */
export async function openBillingPortal(
  { db, calls, publicUrl }: OpenBillingPortalDeps,
  sellerId: string,
): Promise<string> {
  const { customerId } = await getStanding(db, sellerId)
  if (customerId === null) {
    throw new AppError('CONFLICT', 'There is no subscription to manage on this account.')
  }
  return calls.createPortal(customerId, `${publicUrl}/dashboard/seller/account-settings?billing=returned`)
}
