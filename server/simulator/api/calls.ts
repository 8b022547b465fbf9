import { accountCalls } from './account-calls.ts'
import type { ApiCall } from './api-call.ts'
import { catalogueCalls } from './catalogue-calls.ts'
import { checkoutCalls } from './checkout-calls.ts'
import { customerCalls } from './customer-calls.ts'
import { eventCalls } from './event-calls.ts'
import { portalCalls } from './portal-calls.ts'
import { subscriptionCalls } from './subscription-calls.ts'

/** Every call of Stripe's API that exists here. */
const CALLS: readonly ApiCall[] = [
  ...customerCalls,
  ...checkoutCalls,
  ...subscriptionCalls,
  ...catalogueCalls,
  ...portalCalls,
  ...accountCalls,
  ...eventCalls,
]

const routes = CALLS.map((call) => ({ call, pattern: patternOf(call.path) }))

/** The call of this address, and the id in it. */
export function findCall(method: string, path: string): { call: ApiCall; id: string } | undefined {
  for (const { call, pattern } of routes) {
    const found = call.method === method ? pattern.exec(path) : null
    if (found) return { call, id: decodeURIComponent(found[1] ?? '') }
  }
  return undefined
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace('{id}', '([\\w%-]+)')}$`)
}
