import { type Actor, isAdmin } from '#server/platform/actor.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Standing } from './queries.ts'

/**
 * Who may be sent to the checkout: administrators are never charged, and nobody pays twice.
 * @throws AppError CONFLICT
 */
export function requireChargeable(actor: Actor, plan: Plan): void {
  if (isAdmin(actor)) {
    throw new AppError('CONFLICT', 'Administrators are not charged. Choose the Pro plan to get it.')
  }
  if (plan.tier === 'PAID') throw alreadyPro(plan)
}

type Plan = Pick<Standing, 'tier' | 'subscriptionStatus'>

/** There is a subscription that gives no Pro yet, or none any more, and starts as soon as its invoice is paid. */
export function isUnpaid({ tier, subscriptionStatus }: Plan): boolean {
  return tier === 'FREE' && (subscriptionStatus === 'PENDING' || subscriptionStatus === 'PAST_DUE')
}

/**
 * Who may begin another subscription: beside one that can still start it would be paid twice.
 * @throws AppError CONFLICT
 */
export function requireUnsubscribed(plan: Plan): void {
  if (plan.tier === 'PAID') throw alreadyPro(plan)
  if (!isUnpaid(plan)) return
  throw new AppError(
    'CONFLICT',
    plan.subscriptionStatus === 'PENDING'
      ? 'Your payment is still being confirmed. Please wait a few minutes.'
      : 'Pro stopped because a payment failed. Pay the open invoice under Manage Billing to have it back.',
  )
}

/** Who has Pro without a subscription got it from an administrator: there is no bill to manage. */
function alreadyPro({ subscriptionStatus }: Plan): AppError {
  const given = subscriptionStatus === 'INACTIVE' || subscriptionStatus === 'CANCELED'
  return new AppError(
    'CONFLICT',
    given
      ? 'You have Pro already: an administrator gave it to you, and there is nothing to pay.'
      : 'You have Pro already. Open Manage Billing to change or end it.',
  )
}
