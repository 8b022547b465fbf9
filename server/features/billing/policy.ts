import { type Actor, isAdmin } from '#server/platform/actor.ts'
import { AppError } from '#server/platform/app-error.ts'
import type { Standing } from './queries.ts'

/**
 * Who may be sent to the checkout: administrators are never charged, and nobody pays twice.
 * @throws AppError CONFLICT
 */
export function requireChargeable(actor: Actor, { tier }: Pick<Standing, 'tier'>): void {
  if (isAdmin(actor)) {
    throw new AppError('CONFLICT', 'Administrators are not charged. Choose the Pro plan to get it.')
  }
  if (tier === 'PAID') throw alreadyPro()
}

export function alreadyPro(): AppError {
  return new AppError('CONFLICT', 'You have Pro already. Open Manage Billing to change or end it.')
}
