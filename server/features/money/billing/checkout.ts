import { type Actor, isAdmin } from '#server/platform/actor.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { type ProviderCalls, ProviderFailure } from './provider.ts'
import { isLive } from './provider-state.ts'
import { detachCustomer, getStanding, type Standing } from './queries.ts'
import { closeRequest, ensureCustomer, findOpenCheckout, findOpenRequest, makeOnce } from './requests.ts'
import { requireRightPrice } from './setup/pro-price.ts'
import { syncSubscription } from './sync.ts'

/**
 * Rejects people who must not be charged: administrators, and sellers who already pay.
 * @throws AppError CONFLICT
 */
function requireChargeable(actor: Actor, plan: Plan): void {
  if (isAdmin(actor)) {
    throw new AppError('CONFLICT', 'Administrators are not charged. Choose the Pro plan to get it.')
  }
  if (plan.tier === 'PAID') throw alreadyPro(plan)
}

type Plan = Pick<Standing, 'tier' | 'subscriptionStatus'>

/** Whether a subscription exists that will give Pro once its invoice is paid. */
export function isUnpaid({ tier, subscriptionStatus }: Plan): boolean {
  return tier === 'FREE' && (subscriptionStatus === 'PENDING' || subscriptionStatus === 'PAST_DUE')
}

/**
 * Rejects a second subscription in addition to one that is live or can still become live: both would be charged.
 * @throws AppError CONFLICT
 */
export function requireUnsubscribed(plan: Plan): void {
  if (plan.tier === 'PAID') throw alreadyPro(plan)
  if (!isUnpaid(plan)) return
  throw new AppError(
    'CONFLICT',
    plan.subscriptionStatus === 'PENDING'
      ? 'Your payment is still being confirmed. Please wait a few minutes.'
      : 'Pro stopped because a payment failed. Pay the open invoice under Manage Billing to get it back.',
  )
}

/** Pro without a subscription is an administrator's grant, with no bill to manage. */
function alreadyPro({ subscriptionStatus }: Plan): AppError {
  const given = subscriptionStatus === 'INACTIVE' || subscriptionStatus === 'CANCELED'
  return new AppError(
    'CONFLICT',
    given
      ? 'You already have Pro: an administrator gave it to you, and there is nothing to pay.'
      : 'You already have Pro. Open Manage Billing to change or cancel it.',
  )
}

type Deps = {
  db: Db
  calls: ProviderCalls
  /** The price for sale and its text on the site. */
  sold: Parameters<typeof requireRightPrice>[2]
  publicUrl: string
  from: { ip: string; requestId: string }
}
type CheckoutPage = { readonly sessionId: string; readonly url: string }

/**
 * Opens the checkout for Pro. An open one is reused, so that two clicks or tabs cannot pay twice.
 * @throws AppError CONFLICT if the seller needs none, ProviderFailure
 */
export async function startCheckout(deps: Deps, actor: Actor): Promise<CheckoutPage> {
  const { db, calls } = deps
  const { sellerId, name, email } = actor
  requireChargeable(actor, await getStanding(db, sellerId))
  await requireRightPrice(db, calls, deps.sold)
  const open = await findOpenPage(deps, sellerId)
  if (open) return open
  const person = { sellerId, name, email }
  const customerId = await ensureCustomer(db, calls, person)
  try {
    requireUnsubscribed(await readStanding(deps, sellerId))
    return await startNew(deps, actor, customerId)
  } catch (error) {
    if (!isAboutCustomer(error)) throw error
    // The customer was deleted at the provider by hand. A seller without Pro loses nothing by detaching it.
    await detachCustomer(db, sellerId, customerId)
    return startNew(deps, actor, await ensureCustomer(db, calls, person))
  }
}

const isAboutCustomer = (error: unknown) =>
  error instanceof ProviderFailure && error.isMissing && error.param === 'customer'

/** Returns the seller's checkout if it is still open; otherwise closes its request. */
async function findOpenPage(
  { db, calls }: Pick<Deps, 'db' | 'calls'>,
  sellerId: string,
): Promise<CheckoutPage | undefined> {
  const request = await findOpenRequest(db, sellerId, 'checkout')
  if (!request || request.providerId === null) return undefined
  const checkout = await calls.findCheckout(request.providerId)
  if (checkout?.status === 'open' && checkout.url !== null) {
    return { sessionId: checkout.id, url: checkout.url }
  }
  // They paid and came back before the provider's webhook arrived.
  if (checkout?.status === 'complete') await syncSubscription(db, calls, sellerId)
  await closeRequest(db, request.id, checkout?.status === 'complete' ? 'done' : 'void')
  return undefined
}

/** Reads the seller's plan, from the provider if an invoice may be open: only the provider knows that. */
async function readStanding({ db, calls }: Deps, sellerId: string): Promise<Standing> {
  const known = await getStanding(db, sellerId)
  if (!isUnpaid(known)) return known
  await syncSubscription(db, calls, sellerId)
  return getStanding(db, sellerId)
}

async function startNew(deps: Deps, actor: Actor, customerId: string): Promise<CheckoutPage> {
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
  if (!made?.url) throw new Error('the new checkout has no URL')
  const by = { actorUserId: actor.userId, ...from }
  await writeAudit(db, { action: 'checkout-started', target: sellerId, detail: { session: made.id }, ...by })
  return { sessionId: made.id, url: made.url }
}

// Format of the provider's ids; anything else is rejected without a call.
const SESSION_ID = /^cs_\w{1,190}$/

/**
 * Rereads the seller's subscriptions and returns whether this checkout's is live. A session id in a URL proves nothing,
 * so another customer's checkout is not found.
 * @throws AppError NOT_FOUND, ProviderFailure
 */
export async function confirmCheckout(
  { db, calls }: { db: Db; calls: ProviderCalls },
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
  return new AppError('NOT_FOUND', 'This account has no such checkout. Log in with the account that paid.')
}

/**
 * The provider's page for managing a subscription.
 * @throws AppError CONFLICT for a seller who never had one, ProviderFailure
 */
export async function openBillingPortal(
  { db, calls, publicUrl }: { db: Db; calls: ProviderCalls; publicUrl: string },
  sellerId: string,
): Promise<string> {
  const { customerId } = await getStanding(db, sellerId)
  if (customerId === null) {
    throw new AppError('CONFLICT', 'This account has no subscription to manage.')
  }
  return calls.createPortal(customerId, `${publicUrl}/dashboard/seller/account-settings?billing=returned`)
}
