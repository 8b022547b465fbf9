import { connectStatuses, subscriptionStatuses, type User } from '#contract/accounts.ts'
import { statusWords } from '#web/components/account/account-words.ts'

type Tier = User['sellerTier']

/** What of a seller decides what their dashboard shows, as it stands in the address. */
export type SellerState = Pick<User, 'connectStatus' | 'subscriptionStatus'>

const usual: Record<Tier, SellerState> = {
  FREE: { connectStatus: 'NOT_STARTED', subscriptionStatus: 'INACTIVE' },
  PAID: { connectStatus: 'VERIFIED', subscriptionStatus: 'ACTIVE' },
}

export function readSellerState(params: URLSearchParams, tier: Tier): SellerState {
  return {
    connectStatus:
      connectStatuses.find((status) => status === params.get('connectStatus')) ?? usual[tier].connectStatus,
    subscriptionStatus:
      subscriptionStatuses.find((status) => status === params.get('subscriptionStatus')) ??
      usual[tier].subscriptionStatus,
  }
}

/** A seller who is nobody: the admin's own account in another's state. */
export function sampleSeller(admin: User, tier: Tier, state: SellerState): User {
  const subscribed = state.subscriptionStatus === 'ACTIVE' || state.subscriptionStatus === 'PAST_DUE'
  return {
    ...admin,
    ...state,
    role: 0,
    name: tier === 'PAID' ? 'A Pro seller' : 'A free seller',
    sellerTier: tier,
    subscriptionId: subscribed ? 'sample' : null,
    subscriptionEndsAt: null,
    stripe_seller: { charges_enabled: state.connectStatus === 'VERIFIED' },
  }
}

const choices = (statuses: readonly string[]) =>
  statuses.map((value) => ({ value, label: statusWords(value) }))

export const stateChoices = [
  { name: 'connectStatus', label: 'Payouts', data: choices(connectStatuses) },
  { name: 'subscriptionStatus', label: 'Subscription', data: choices(subscriptionStatuses) },
] as const
