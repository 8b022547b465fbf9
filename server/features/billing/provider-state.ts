import type { User } from '#contract/accounts.ts'

/** The facts about a subscription at the provider that matter here. */
export type Subscription = {
  readonly id: string
  /** The provider's status word. */
  readonly status: string
  readonly priceId: string | null
  readonly createdAt: Date
  /** The end of the paid period. */
  readonly periodEnd: Date | null
  readonly cancelAtPeriodEnd: boolean
  /** When it is set to be canceled, which need not be the end of a period. */
  readonly cancelAt: Date | null
}

/** A seller's plan: the columns of `seller` that only this module may fill. */
export type PlanState = {
  readonly tier: User['sellerTier']
  readonly subscriptionStatus: User['subscriptionStatus']
  readonly subscriptionId: string | null
  readonly subscriptionPriceId: string | null
  /** Set only for a live subscription that was canceled. */
  readonly subscriptionEndsAt: Date | null
}

type Meaning = Pick<PlanState, 'tier' | 'subscriptionStatus'> & {
  /** Of several subscriptions, the one with the lowest rank counts. */
  readonly rank: number
}

/**
 * What each status of the provider means here. A seller with a late payment (`past_due`) keeps Pro while the provider
 * still tries to collect; once it gives up (`unpaid`), Pro ends but the subscription exists on.
 */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  active: { rank: 0, tier: 'PAID', subscriptionStatus: 'ACTIVE' },
  trialing: { rank: 0, tier: 'PAID', subscriptionStatus: 'ACTIVE' },
  past_due: { rank: 1, tier: 'PAID', subscriptionStatus: 'PAST_DUE' },
  unpaid: { rank: 2, tier: 'FREE', subscriptionStatus: 'PAST_DUE' },
  incomplete: { rank: 3, tier: 'FREE', subscriptionStatus: 'PENDING' },
  paused: { rank: 4, tier: 'FREE', subscriptionStatus: 'INACTIVE' },
  canceled: { rank: 5, tier: 'FREE', subscriptionStatus: 'CANCELED' },
  incomplete_expired: { rank: 6, tier: 'FREE', subscriptionStatus: 'INACTIVE' },
}

// A status that the provider adds later does not give Pro.
const UNKNOWN: Meaning = { rank: 7, tier: 'FREE', subscriptionStatus: 'INACTIVE' }

const meaningOf = ({ status }: Subscription): Meaning => MEANINGS[status] ?? UNKNOWN

/** Whether this subscription gives Pro. */
export const isLive = (subscription: Subscription): boolean => meaningOf(subscription).tier === 'PAID'

/**
 * A seller's plan, from all subscriptions of their customer (in any order) and an administrator's grant. With a grant
 * the tier is always Pro; without any subscription a granted plan shows as active.
 */
export function planState(subscriptions: readonly Subscription[], granted: boolean): PlanState {
  const [leading] = subscriptions.toSorted(byLiveliness)
  if (!leading) return withoutSubscription(granted)
  const { tier, subscriptionStatus } = meaningOf(leading)
  return {
    tier: granted ? 'PAID' : tier,
    subscriptionStatus,
    subscriptionId: leading.id,
    subscriptionPriceId: leading.priceId,
    subscriptionEndsAt: tier === 'PAID' ? endOf(leading) : null,
  }
}

function withoutSubscription(granted: boolean): PlanState {
  return {
    tier: granted ? 'PAID' : 'FREE',
    subscriptionStatus: granted ? 'ACTIVE' : 'INACTIVE',
    subscriptionId: null,
    subscriptionPriceId: null,
    subscriptionEndsAt: null,
  }
}

/** Lowest rank first, then newest; ids decide between two of one second, so that the input order never matters. */
function byLiveliness(a: Subscription, b: Subscription): number {
  return (
    meaningOf(a).rank - meaningOf(b).rank ||
    b.createdAt.getTime() - a.createdAt.getTime() ||
    (a.id < b.id ? 1 : -1)
  )
}

function endOf({ cancelAt, cancelAtPeriodEnd, periodEnd }: Subscription): Date | null {
  return cancelAt ?? (cancelAtPeriodEnd ? periodEnd : null)
}

/** A payout account at the provider. */
export type PayoutAccount = {
  readonly id: string
  readonly detailsSubmitted: boolean
  readonly chargesEnabled: boolean
  readonly payoutsEnabled: boolean
  /** The provider's reason why the account is restricted, or null. */
  readonly disabledReason: string | null
}

export type ConnectState = {
  readonly connectStatus: User['connectStatus']
  readonly chargesEnabled: boolean
}

/** How far a seller's payout onboarding is. */
export function connectState(account: PayoutAccount): ConnectState {
  return { connectStatus: statusOf(account), chargesEnabled: account.chargesEnabled }
}

function statusOf(account: PayoutAccount): ConnectState['connectStatus'] {
  // `rejected.fraud`, `rejected.terms_of_service`, `rejected.other` …
  if (account.disabledReason?.startsWith('rejected')) return 'REJECTED'
  if (!account.detailsSubmitted) return 'IN_PROGRESS'
  return account.chargesEnabled && account.payoutsEnabled ? 'VERIFIED' : 'PENDING'
}
