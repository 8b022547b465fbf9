import type { User } from '#contract/account/accounts.ts'
import { endingDate } from '#contract/account/ending-date.ts'

type Plan = Pick<User, 'sellerTier' | 'subscriptionStatus' | 'subscriptionId'>
type Subscriber = Plan & Pick<User, 'connectStatus'>

/** "Pro Seller" or "Free Seller". */
export function planName({ sellerTier }: Pick<User, 'sellerTier'>): string {
  return sellerTier === 'PAID' ? 'Pro Seller' : 'Free Seller'
}

/** A status as the spec shows it: "IN_PROGRESS" reads "in progress". */
export function statusWords(status: string): string {
  return status.replaceAll('_', ' ').toLowerCase()
}

/** Pro granted by an administrator: there is no subscription and no bill to manage. */
export function isByArrangement(user: Plan): boolean {
  const isSubscribed =
    user.subscriptionId !== null &&
    (user.subscriptionStatus === 'ACTIVE' || user.subscriptionStatus === 'PAST_DUE')
  return user.sellerTier === 'PAID' && !isSubscribed
}

/** The free plan has no subscription: there it shows whether payouts are set up. */
export function subscriptionWords(user: Subscriber): string {
  if (isByArrangement(user)) {
    // The status of a former subscription does not describe the Pro plan granted later.
    return user.subscriptionStatus === 'ACTIVE' ? 'active, complimentary' : 'complimentary'
  }
  if (user.sellerTier === 'PAID') return statusWords(user.subscriptionStatus)
  return user.connectStatus === 'VERIFIED' ? 'Active' : 'Inactive'
}

export const connectColors: Record<User['connectStatus'], string> = {
  NOT_STARTED: 'gray',
  IN_PROGRESS: 'sea',
  PENDING: 'warning',
  VERIFIED: 'good',
  REJECTED: 'bad',
}

const subscriptionColors: Record<User['subscriptionStatus'], string> = {
  INACTIVE: 'gray',
  PENDING: 'warning',
  ACTIVE: 'good',
  PAST_DUE: 'bad',
  CANCELED: 'gray',
}

/** The color of `subscriptionWords`. */
export function subscriptionColor(user: Subscriber): string {
  if (isByArrangement(user)) return 'sea'
  if (user.sellerTier === 'PAID') return subscriptionColors[user.subscriptionStatus]
  return user.connectStatus === 'VERIFIED' ? 'good' : 'gray'
}

/** What the payout status means and what comes next. */
export const payoutSentences: Record<User['connectStatus'], string> = {
  NOT_STARTED: 'No payout account yet. Stripe will ask who you are and where to send your money.',
  IN_PROGRESS: 'Started. Stripe needs more details.',
  PENDING: 'Submitted. Stripe is reviewing your details, which can take a few days.',
  VERIFIED: 'Payouts are active. Stripe pays out to your bank.',
  REJECTED:
    'Stripe declined this payout account. Contact Technical Support and we will help you find out why.',
}

export type PlanNotice = { tone: 'bad' | 'warning' | 'sea'; text: string; billing: boolean }

/** A notice about the plan, if it needs one; `billing` if the user should open the billing portal. */
export function planNotice(user: Plan & Pick<User, 'subscriptionEndsAt'>, now: Date): PlanNotice | undefined {
  const { sellerTier, subscriptionStatus, subscriptionEndsAt } = user
  if (subscriptionStatus === 'PAST_DUE') return pastDue(sellerTier)
  if (isByArrangement(user)) return undefined
  if (sellerTier === 'PAID' && subscriptionEndsAt !== null && new Date(subscriptionEndsAt) > now) {
    const text = `Pro until ${endingDate(subscriptionEndsAt)}. After that, your listings stay live on the free plan.`
    return { tone: 'warning', text, billing: true }
  }
  if (sellerTier === 'PAID') return undefined
  if (subscriptionStatus === 'CANCELED') {
    const text =
      'Your Pro subscription has ended. Your listings stay live; upgrade to get the Pro tools back.'
    return { tone: 'sea', text, billing: false }
  }
  if (subscriptionStatus === 'PENDING') {
    const text =
      'Your Pro subscription is waiting for its first payment. If you have already paid, it starts automatically.'
    return { tone: 'warning', text, billing: false }
  }
  return undefined
}

function pastDue(tier: User['sellerTier']): PlanNotice {
  const text =
    tier === 'PAID'
      ? 'Your last payment failed. Update your card under Manage Billing to keep Pro.'
      : 'Pro stopped because a payment failed. Pay the open invoice under Manage Billing to get it back.'
  return { tone: 'bad', text, billing: true }
}

/** The letter on the avatar, as a whole character even outside the basic multilingual plane. */
export function firstLetter(name: string): string {
  return ([...name.trim()][0] ?? '?').toUpperCase()
}
