import { AppError } from '#server/platform/app-error.ts'
import type { Db } from '#server/platform/database.ts'
import type { ProviderCalls } from './provider.ts'
import { syncConnect } from './sync-connect.ts'

type Deps = { db: Db; calls: ProviderCalls; openOnboarding: () => Promise<string> }

/**
 * The provider's page of the payout account. It has one only once the details are in; until then it is the onboarding.
 * @throws AppError CONFLICT where payouts were never begun, ProviderFailure
 */
export async function openPayoutSettings(
  { db, calls, openOnboarding }: Deps,
  sellerId: string,
): Promise<string> {
  const synced = await syncConnect(db, calls, sellerId)
  if (!synced) {
    throw new AppError('CONFLICT', 'Payouts are not set up yet. Begin payout onboarding first.')
  }
  const { account } = synced
  return account.detailsSubmitted ? calls.createLoginLink(account.id) : openOnboarding()
}
