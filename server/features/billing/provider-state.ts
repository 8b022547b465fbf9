import type { User } from '#contract/accounts.ts'

/** What the provider says of one subscription, as far as it decides anything here. */
export type Subscription = {
  readonly id: string
  /** In the provider's words. */
  readonly status: string
  readonly priceId: string | null
  readonly createdAt: Date
  /** Until when it is paid for. */
  readonly periodEnd: Date | null
  readonly cancelAtPeriodEnd: boolean
  /** Cancelled for a certain moment, which need not be the end of a period. */
  readonly cancelAt: Date | null
}

/** How a seller stands with the plans; the columns of `seller` that nothing but this may fill. */
export type PlanState = {
  readonly tier: User['sellerTier']
  readonly subscriptionStatus: User['subscriptionStatus']
  readonly subscriptionId: string | null
  readonly subscriptionPriceId: string | null
  /** Of a live subscription that was cancelled; null of any other. */
  readonly subscriptionEndsAt: Date | null
}

type Meaning = Pick<PlanState, 'tier' | 'subscriptionStatus'> & {
  /** Of several subscriptions the one with the lowest number speaks for the seller. */
  readonly rank: number
}

/**
 * What each status of the provider means here. Whoever is late with a payment (`past_due`) keeps Pro while the provider
 * still tries to collect; once it has given up (`unpaid`) the plan is gone, though the subscription is not.
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

// A status that the provider may invent one day gives nothing away.
const UNKNOWN: Meaning = { rank: 7, tier: 'FREE', subscriptionStatus: 'INACTIVE' }

const meaningOf = ({ status }: Subscription): Meaning => MEANINGS[status] ?? UNKNOWN

/** Does this subscription pay for Pro at the moment? */
export const isLive = (subscription: Subscription): boolean => meaningOf(subscription).tier === 'PAID'

/**
 * How a seller stands, from all subscriptions of their customer (in any order) and an administrator's grant. A grant is
 * Pro whatever the subscriptions say; without any of them it reads as active.
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

/** The liveliest first, of those the newest; ids decide between two of one second, so that the order never matters. */
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

/** What the provider says of a payout account. */
export type PayoutAccount = {
  readonly id: string
  readonly detailsSubmitted: boolean
  readonly chargesEnabled: boolean
  readonly payoutsEnabled: boolean
  /** Why it may not work, in the provider's words; null where nothing keeps it from working. */
  readonly disabledReason: string | null
}

export type ConnectState = {
  readonly connectStatus: User['connectStatus']
  readonly chargesEnabled: boolean
}

/** How far a seller's payouts are, from their account at the provider. */
export function connectState(account: PayoutAccount): ConnectState {
  return { connectStatus: statusOf(account), chargesEnabled: account.chargesEnabled }
}

function statusOf(account: PayoutAccount): ConnectState['connectStatus'] {
  // `rejected.fraud`, `rejected.terms_of_service`, `rejected.other` …
  if (account.disabledReason?.startsWith('rejected')) return 'REJECTED'
  if (!account.detailsSubmitted) return 'IN_PROGRESS'
  return account.chargesEnabled && account.payoutsEnabled ? 'VERIFIED' : 'PENDING'
}
