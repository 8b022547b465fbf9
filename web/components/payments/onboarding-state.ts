import type { User } from '#contract/accounts.ts'

/** Of one person: the plan they chose and the checkout that was opened for it (spec, section 3). */
type OnboardingState = { userId: string; plan: User['sellerTier']; checkoutSessionId: string | null }

/** Kept for this tab: leaving for the provider and coming back is a new page. */
const STORAGE_KEY = 'onboarding'

/** A plan chosen anew forgets the checkout of the one before. */
export function keepChosenPlan(userId: string, plan: User['sellerTier']): void {
  write({ userId, plan, checkoutSessionId: null })
}

export function keepCheckout(userId: string, checkoutSessionId: string): void {
  write({ userId, plan: 'PAID', checkoutSessionId })
}

/** Back to FREE, once the subscription is confirmed. */
export function resetOnboarding(): void {
  try {
    sessionStorage.removeItem(STORAGE_KEY)
  } catch {
    // Storage is closed to this page; nothing was kept there.
  }
}

/** What is kept of this person; nothing of anybody else. */
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
    // Storage is full or closed: the address of the way back carries the checkout too.
  }
}
