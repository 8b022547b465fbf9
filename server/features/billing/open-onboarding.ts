import type { Actor } from '#server/platform/actor.ts'
import { AppError } from '#server/platform/app-error.ts'
import { writeAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database.ts'
import { ensureAccount } from './ensure-account.ts'
import type { ProviderCalls } from './provider.ts'
import { getStanding } from './queries.ts'

export type OnboardingDeps = {
  db: Db
  calls: ProviderCalls
  publicUrl: string
  from: { ip: string; requestId: string }
}

/**
 * A fresh link to payout onboarding; the account is made the first time. A link works once and for minutes: the page it
 * sends people to when it has ended asks for another (C14).
 * @throws AppError CONFLICT for an account that the provider rejected, ProviderFailure
 */
export async function openOnboarding(deps: OnboardingDeps, actor: Actor): Promise<string> {
  const { db, calls, publicUrl, from } = deps
  const { sellerId, email } = actor
  const before = await getStanding(db, sellerId)
  if (before.connectStatus === 'REJECTED') {
    throw new AppError(
      'CONFLICT',
      'Stripe has declined this payout account. Please write to Technical Support.',
    )
  }
  const accountId = await ensureAccount(db, calls, { sellerId, email })
  if (before.accountId === null) {
    await writeAudit(db, {
      action: 'payouts-begun',
      actorUserId: actor.userId,
      target: sellerId,
      detail: { account: accountId },
      ...from,
    })
  }
  return calls.createOnboardingLink(accountId, {
    refreshUrl: `${publicUrl}/stripe/refresh`,
    returnUrl: `${publicUrl}/dashboard/seller?connect=returned`,
  })
}
