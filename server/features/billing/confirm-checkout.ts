import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { isLive } from './plan-state.ts'
import type { ProviderCalls } from './provider.ts'
import { getStanding } from './queries.ts'
import { closeRequest, findOpenCheckout } from './request-queries.ts'
import { syncSubscription } from './sync-subscription.ts'

type Deps = { db: Db; calls: ProviderCalls }

// What an id of the provider looks like; anything else is not worth asking for.
const SESSION_ID = /^cs_\w{1,190}$/

/**
 * Whether the subscription of a seller's own checkout is live, as the provider says now; writes what it says. An address
 * with a session in it proves nothing: another customer's does not exist here.
 * @throws AppError NOT_FOUND, ProviderFailure
 */
export async function confirmCheckout(
  { db, calls }: Deps,
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
