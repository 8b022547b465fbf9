import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { ProviderCalls } from './provider.ts'
import { getStanding } from './queries.ts'

type Deps = { db: Db; calls: ProviderCalls; publicUrl: string }

/**
 * The provider's page where a subscription is managed.
 * @throws AppError CONFLICT for whoever never had one, ProviderFailure
 */
export async function openBillingPortal({ db, calls, publicUrl }: Deps, sellerId: string): Promise<string> {
  const { customerId } = await getStanding(db, sellerId)
  if (customerId === null) {
    throw new AppError('CONFLICT', 'There is no subscription to manage on this account.')
  }
  return calls.createPortal(customerId, `${publicUrl}/dashboard/seller/account-settings?billing=returned`)
}
