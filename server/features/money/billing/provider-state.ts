import type { User } from '#contract/account/accounts.ts'
import type { PayoutNeeds } from '#contract/account/payout-needs.ts'

/** The data that we need about a subscription at the provider. */
export type Subscription = {
  readonly id: string
  /** The provider's status. */
  readonly status: string
  readonly priceId: string | null
  /** Whether its price is a current or former price of Pro. */
  readonly isOfPro: boolean
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
  /** The end of the paid period; if long past, a webhook was lost. */
  readonly subscriptionPeriodEnd: Date | null
  /**
   * A problem for an administrator. OTHER_PRICE: the seller pays us for a subscription that is not Pro. OTHER_HOME: the
   * customer belongs to another account or mode of the provider and cannot be read.
   */
  readonly planProblem: 'OTHER_PRICE' | 'OTHER_HOME' | null
}

type Meaning = Pick<PlanState, 'tier' | 'subscriptionStatus'> & {
  /** Of several subscriptions, the one with the lowest rank counts. */
  readonly rank: number
}

/**
 * What each status of the provider means here. A seller with a late payment (`past_due`) keeps Pro while the provider
 * retries; once it gives up (`unpaid`), Pro ends but the subscription still exists.
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

// Unknown future statuses do not give Pro.
const UNKNOWN: Meaning = { rank: 7, tier: 'FREE', subscriptionStatus: 'INACTIVE' }

// Whatever its status, a subscription to something else does not give Pro.
const OTHER_PRICE: Meaning = { rank: 8, tier: 'FREE', subscriptionStatus: 'INACTIVE' }

const meaningOf = ({ status, isOfPro }: Subscription): Meaning =>
  isOfPro ? (MEANINGS[status] ?? UNKNOWN) : OTHER_PRICE

/** Whether this subscription gives Pro. */
export const isLive = (subscription: Subscription): boolean => meaningOf(subscription).tier === 'PAID'

/** Whether the seller still pays for it, or soon will. */
const isCharged = ({ status }: Subscription): boolean =>
  MEANINGS[status]?.tier === 'PAID' || status === 'unpaid'

/**
 * Computes a seller's plan from all subscriptions of their customer (in any order) and an administrator's grant. With a
 * grant the tier is always Pro; a granted plan without a subscription shows as active.
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
    subscriptionPeriodEnd: leading.periodEnd,
    planProblem: subscriptions.some((each) => !each.isOfPro && isCharged(each)) ? 'OTHER_PRICE' : null,
  }
}

function withoutSubscription(granted: boolean): PlanState {
  return {
    tier: granted ? 'PAID' : 'FREE',
    subscriptionStatus: granted ? 'ACTIVE' : 'INACTIVE',
    subscriptionId: null,
    subscriptionPriceId: null,
    subscriptionEndsAt: null,
    subscriptionPeriodEnd: null,
    planProblem: null,
  }
}

/** Lowest rank first, then newest; ids break ties within a second, so that the input order never matters. */
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
  /** Whether the marketplace may send it the money of sales. */
  readonly canTransfer: boolean
  /** The provider's reason why the account is restricted, or null. */
  readonly disabledReason: string | null
  /** The provider's names of what it needs from the seller, such as `individual.id_number`. */
  readonly currentlyDue: readonly string[]
  /** The part of `currentlyDue` that is late. */
  readonly pastDue: readonly string[]
  readonly deadline: Date | null
}

export type ConnectState = {
  readonly connectStatus: User['connectStatus']
  readonly chargesEnabled: boolean
  readonly canTransfer: boolean
  /** Null if the provider needs nothing and has not restricted the account. */
  readonly payoutNeeds: PayoutNeeds | null
}

/** How far a seller's payout onboarding is. */
export function connectState(account: PayoutAccount): ConnectState {
  return {
    connectStatus: statusOf(account),
    chargesEnabled: account.chargesEnabled,
    canTransfer: account.canTransfer,
    payoutNeeds: needsOf(account),
  }
}

// A business with many owners has a few dozen needs; further ones appear once these are done.
const LISTED_NEEDS = 60

function needsOf(account: PayoutAccount): PayoutNeeds | null {
  const { currentlyDue, pastDue, deadline, disabledReason: reason } = account
  const due = [...new Set([...pastDue, ...currentlyDue])]
  if (due.length === 0 && reason === null) return null
  return {
    due: due.slice(0, LISTED_NEEDS),
    isLate: pastDue.length > 0,
    deadline: deadline?.toISOString() ?? null,
    reason,
  }
}

function statusOf(account: PayoutAccount): ConnectState['connectStatus'] {
  // `rejected.fraud`, `rejected.terms_of_service`, `rejected.other` …
  if (account.disabledReason?.startsWith('rejected')) return 'REJECTED'
  if (!account.detailsSubmitted) return 'IN_PROGRESS'
  return account.chargesEnabled && account.payoutsEnabled ? 'VERIFIED' : 'PENDING'
}
