import type { Actor } from '#server/platform/actor.ts'
import { AppError } from '#server/platform/app-error.ts'
import { type OnboardingDeps, openOnboarding } from './open-onboarding.ts'
import { syncConnect } from './sync-connect.ts'

/**
 * The provider's page of the payout account. It has one only once the details are in; until then it is the onboarding.
 * @throws AppError CONFLICT where payouts were never begun, ProviderFailure
 */
export async function openPayoutSettings(deps: OnboardingDeps, actor: Actor): Promise<string> {
  const synced = await syncConnect(deps.db, deps.calls, actor.sellerId)
  if (!synced) {
    throw new AppError('CONFLICT', 'Payouts are not set up yet. Begin payout onboarding first.')
  }
  const { account } = synced
  return account.detailsSubmitted ? deps.calls.createLoginLink(account.id) : openOnboarding(deps, actor)
}
