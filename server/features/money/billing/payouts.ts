import type { Actor } from '#server/platform/actor.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { type ProviderCalls, ProviderFailure } from './provider.ts'
import { detachAccount, getStanding } from './queries.ts'
import { ensureAccount } from './requests.ts'
import { syncConnect } from './sync.ts'

type OnboardingDeps = {
  db: Db
  calls: ProviderCalls
  publicUrl: string
  from: { ip: string; requestId: string }
}

/**
 * Creates a link to payout onboarding, and the account if there is none or it was deleted at the provider. A link works
 * once and only for minutes; the page at `refreshUrl` requests another.
 * @throws AppError CONFLICT if the provider rejected the account, ProviderFailure
 */
export async function openOnboarding(deps: OnboardingDeps, actor: Actor): Promise<string> {
  const { accountId, connectStatus } = await getStanding(deps.db, actor.sellerId)
  if (connectStatus === 'REJECTED') {
    throw new AppError(
      'CONFLICT',
      'Stripe has declined this payout account. Please contact Technical Support.',
    )
  }
  if (accountId === null) return beginPayouts(deps, actor)
  try {
    return await linkTo(deps, accountId)
  } catch (error) {
    if (!(error instanceof ProviderFailure) || !error.isAccountMissing) throw error
    await forgetAccount(deps, actor, accountId)
    return beginPayouts(deps, actor)
  }
}

async function beginPayouts(deps: OnboardingDeps, actor: Actor): Promise<string> {
  const { db, calls, from } = deps
  const { userId: actorUserId, sellerId, email } = actor
  const account = await ensureAccount(db, calls, { sellerId, email })
  await writeAudit(db, {
    action: 'payouts-begun',
    actorUserId,
    target: sellerId,
    detail: { account },
    ...from,
  })
  return linkTo(deps, account)
}

function forgetAccount({ db, from }: OnboardingDeps, actor: Actor, account: string): Promise<void> {
  const { userId: actorUserId, sellerId } = actor
  return db.transaction().execute(async (trx) => {
    // After two clicks only the first detaches: by the second, a new account may exist.
    if (!(await detachAccount(trx, sellerId, account))) return
    const entry = { action: 'payout-account-missing', actorUserId, target: sellerId, detail: { account } }
    await writeAudit(trx, { ...entry, ...from })
  })
}

function linkTo({ calls, publicUrl }: OnboardingDeps, accountId: string): Promise<string> {
  return calls.createOnboardingLink(accountId, {
    refreshUrl: `${publicUrl}/stripe/refresh`,
    returnUrl: `${publicUrl}/dashboard/seller?connect=returned`,
  })
}

/**
 * Returns the provider's page of the payout account, or the onboarding if details are missing or the account was
 * deleted.
 * @throws AppError CONFLICT if the seller never started payouts, ProviderFailure
 */
export async function openPayoutSettings(deps: OnboardingDeps, actor: Actor): Promise<string> {
  try {
    const synced = await syncConnect(deps.db, deps.calls, actor.sellerId)
    if (!synced) {
      throw new AppError('CONFLICT', 'Payouts are not set up yet. Start payout onboarding first.')
    }
    if (synced.account.detailsSubmitted) return await deps.calls.createLoginLink(synced.account.id)
  } catch (error) {
    if (!(error instanceof ProviderFailure) || !error.isAccountMissing) throw error
  }
  return openOnboarding(deps, actor)
}
