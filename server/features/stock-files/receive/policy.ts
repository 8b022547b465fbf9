import { requireConfirmedEmail } from '#server/features/people/accounts/email/confirmed-email.ts'
import { type Actor, isAdmin } from '#server/platform/actor.ts'
import { AppError } from '#server/platform/errors.ts'

/** How this installation pays sellers. */
export type Payouts = {
  /** False if payments are off: then nobody can start onboarding, and nobody is asked to. */
  readonly hasPayouts: boolean
}

/**
 * Only sellers on the paid tier who have begun payout onboarding may import, from an account with a confirmed address.
 * The tier is checked first, so that a seller who has to pay for the plan is not sent to onboarding.
 * @throws AppError PRO_ONLY, ONBOARDING_REQUIRED, EMAIL_UNCONFIRMED
 */
export function requireImporter(actor: Actor, { hasPayouts }: Payouts): void {
  if (actor.tier !== 'PAID') {
    throw new AppError('PRO_ONLY', 'Access denied (Pro feature). Please upgrade to continue.')
  }
  if (hasPayouts && actor.connectStatus === 'NOT_STARTED') {
    throw new AppError(
      'ONBOARDING_REQUIRED',
      'Payouts are not set up yet. Begin payout onboarding, then import again.',
    )
  }
  requireConfirmedEmail(actor, 'before you import.')
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** An administrator previewing a seller's view (`x-admin-preview: 1`) may check files but not import them. */
export function isAdminPreview(actor: Actor, headers: Headers, allowed: boolean): boolean {
  return allowed && isAdmin(actor) && headers['x-admin-preview'] === '1'
}

/** Same as for imports; administrators also manage the global templates. */
export function requireTemplateRights(actor: Actor, payouts: Payouts): void {
  if (!isAdmin(actor)) requireImporter(actor, payouts)
}

type Owned = { readonly sellerId: string }

export const ownsImport = (actor: Actor, found: Owned): boolean => actor.sellerId === found.sellerId

/** Sellers can always read and undo their imports, whatever their current tier. */
export const canReadImport = (actor: Actor, found: Owned): boolean =>
  ownsImport(actor, found) || isAdmin(actor)

/** The same error for imports of other sellers. */
export const importNotFound = () => new AppError('NOT_FOUND', 'There is no such import.')
