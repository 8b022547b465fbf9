import type { User } from '#contract/account/accounts.ts'
import { parseRecord, readText, removeText, writeText } from '#web/api/browser-storage.ts'
import { safeReturnPath } from '#web/paths.ts'

/** One user's chosen plan and the checkout opened for it. */
type OnboardingState = { userId: string; plan: User['sellerTier']; checkoutSessionId: string | null }

/** In session storage, because going to Stripe and back loads a new page in the same tab. */
const STORAGE_KEY = 'onboarding'

/** Choosing a plan clears the previous checkout. */
export function keepChosenPlan(userId: string, plan: User['sellerTier']): void {
  write({ userId, plan, checkoutSessionId: null })
}

export function keepCheckout(userId: string, checkoutSessionId: string): void {
  write({ userId, plan: 'PAID', checkoutSessionId })
}

/** Back to FREE once the subscription is confirmed. */
export const resetOnboarding = (): void => removeText(STORAGE_KEY, 'sessionStorage')

/** This user's state; state stored by another user is ignored. */
export function readOnboarding(userId: string | undefined): Omit<OnboardingState, 'userId'> {
  const stored = parseRecord(readText(STORAGE_KEY, 'sessionStorage'))
  if (!stored || stored.userId !== userId || stored.plan !== 'PAID') {
    return { plan: 'FREE', checkoutSessionId: null }
  }
  const { checkoutSessionId } = stored
  return { plan: 'PAID', checkoutSessionId: typeof checkoutSessionId === 'string' ? checkoutSessionId : null }
}

/** If the browser cannot store it, the return URL still contains the checkout. */
function write(state: OnboardingState): void {
  writeText(STORAGE_KEY, JSON.stringify(state), 'sessionStorage')
}

const RETURN_KEY = 'afterPayouts'

/** Remembers the page that a user left for payout onboarding. */
export function keepReturnPath(userId: string, path: string): void {
  writeText(RETURN_KEY, JSON.stringify({ userId, path }), 'sessionStorage')
}

/** The page this user left for payout onboarding, once. */
export function takeReturnPath(userId: string): string | undefined {
  const stored = parseRecord(readText(RETURN_KEY, 'sessionStorage'))
  removeText(RETURN_KEY, 'sessionStorage')
  if (stored?.userId !== userId || typeof stored.path !== 'string') return undefined
  return safeReturnPath(stored.path)
}
