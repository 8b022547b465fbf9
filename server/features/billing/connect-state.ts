import type { User } from '#contract/accounts.ts'

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
