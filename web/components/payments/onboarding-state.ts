import type { User } from '#contract/accounts.ts'

/** One user's chosen plan and the checkout opened for it (spec, section 3). */
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
export function resetOnboarding(): void {
  try {
    sessionStorage.removeItem(STORAGE_KEY)
  } catch {
    // Storage is blocked, so nothing was stored.
  }
}

/** This user's state; state stored by another user is ignored. */
export function readOnboarding(userId: string | undefined): Omit<OnboardingState, 'userId'> {
  const none = { plan: 'FREE', checkoutSessionId: null } as const
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null')
    if (typeof kept !== 'object' || kept === null) return none
    const { userId: of, plan, checkoutSessionId } = kept as Partial<Record<keyof OnboardingState, unknown>>
    if (of !== userId || plan !== 'PAID') return none
    return { plan, checkoutSessionId: typeof checkoutSessionId === 'string' ? checkoutSessionId : null }
  } catch {
    return none
  }
}

function write(state: OnboardingState): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(state))
  } catch {
    // Storage is full or blocked. The return URL contains the checkout too.
  }
}
