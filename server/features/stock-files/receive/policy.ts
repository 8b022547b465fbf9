import { type Actor, isAdmin } from '#server/platform/actor.ts'
import { AppError } from '#server/platform/errors.ts'

/**
 * Who may import: sellers on the paid tier who began payout onboarding.
 * @throws AppError PRO_ONLY, ONBOARDING_REQUIRED
 */
export function requireImporter(actor: Actor): void {
  if (actor.tier !== 'PAID') {
    throw new AppError('PRO_ONLY', 'Access denied (Pro feature). Please upgrade to continue.')
  }
  if (actor.connectStatus === 'NOT_STARTED') {
    throw new AppError(
      'ONBOARDING_REQUIRED',
      'Payouts are not set up yet. Begin payout onboarding, then import again.',
    )
  }
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** An administrator looking at what sellers see (`x-admin-preview: 1`): may check a file, never bring it in. */
export function isAdminPreview(actor: Actor, headers: Headers, allowed: boolean): boolean {
  return allowed && isAdmin(actor) && headers['x-admin-preview'] === '1'
}

/** Templates have the gate of importing; administrators keep those that everybody sees. */
export function requireTemplateRights(actor: Actor): void {
  if (!isAdmin(actor)) requireImporter(actor)
}

type Owned = { readonly sellerId: string }

export const ownsImport = (actor: Actor, found: Owned): boolean => actor.sellerId === found.sellerId

/** What was imported stays the seller's to see and to take back, whatever became of the tier. */
export const canReadImport = (actor: Actor, found: Owned): boolean =>
  ownsImport(actor, found) || isAdmin(actor)

/** What is not yours is answered like what does not exist. */
export const importNotFound = () => new AppError('NOT_FOUND', 'There is no such import.')
