import type { Actor } from '#server/platform/actor.ts'
import { AppError } from '#server/platform/errors.ts'
import { type OnboardingDeps, openOnboarding } from './open-onboarding.ts'
import { ProviderFailure } from './provider-failure.ts'
import { syncConnect } from './sync-connect.ts'

/**
 * The provider's page of the payout account. It has one only once the details are in; until then, and where the account
 * was deleted there, it is the onboarding.
 * @throws AppError CONFLICT where payouts were never begun, ProviderFailure
 */
export async function openPayoutSettings(deps: OnboardingDeps, actor: Actor): Promise<string> {
  try {
    const synced = await syncConnect(deps.db, deps.calls, actor.sellerId)
    if (!synced) {
      throw new AppError('CONFLICT', 'Payouts are not set up yet. Begin payout onboarding first.')
    }
    if (synced.account.detailsSubmitted) return await deps.calls.createLoginLink(synced.account.id)
  } catch (error) {
    if (!(error instanceof ProviderFailure) || !error.isAccountMissing) throw error
  }
  return openOnboarding(deps, actor)
}
