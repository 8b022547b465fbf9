import type { Db } from '#server/platform/database/database.ts'
import { makeOnce } from './make-once.ts'
import type { NewCustomer, ProviderCalls } from './provider.ts'
import { attachCustomer, getStanding } from './queries.ts'

/** The seller's customer at the provider, made the first time. @throws ProviderFailure */
export async function ensureCustomer(db: Db, calls: ProviderCalls, customer: NewCustomer): Promise<string> {
  const { sellerId } = customer
  const known = await getStanding(db, sellerId)
  if (known.customerId !== null) return known.customerId
  const made = await makeOnce(
    db,
    { sellerId, kind: 'customer' },
    {
      make: async (key) => ({ id: await calls.createCustomer(customer, key) }),
      attach: (trx, id) => attachCustomer(trx, sellerId, id),
    },
  )
  const customerId = made?.id ?? (await getStanding(db, sellerId)).customerId
  if (customerId === null) throw new Error(`seller ${sellerId} got no customer`)
  return customerId
}
