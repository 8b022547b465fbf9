import type { BuyerOrder } from '#contract/order/order-views.ts'
import { currentSession } from '#web/api/session.ts'
import { outcomeOf } from './order-calls.ts'

export type ShipTo = NonNullable<BuyerOrder['address']>

const MOST_ADDRESSES = 3

/** Where the signed-in buyer had parts sent to, the last first. None if they cannot be read: the form works without. */
export async function readOwnAddresses(): Promise<ShipTo[]> {
  const { token } = currentSession()
  const headers = { accept: 'application/json', authorization: `Bearer ${token}` }
  const response = await fetch('/api/orders?perPage=24', { headers }).catch(() => undefined)
  const outcome = await outcomeOf<{ items: BuyerOrder[] }>(response)
  if (!('done' in outcome)) return []
  const sentTo = outcome.done.items.flatMap(({ address }) => address ?? [])
  return [...new Map(sentTo.toReversed().map((to) => [JSON.stringify(to), to])).values()]
    .toReversed()
    .slice(0, MOST_ADDRESSES)
}
