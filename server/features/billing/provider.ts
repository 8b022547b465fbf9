import type { PayoutAccount } from './connect-state.ts'
import type { Subscription } from './plan-state.ts'

/* The payment provider, in words of our own. */

export type Checkout = {
  readonly id: string
  readonly url: string | null
  readonly status: 'open' | 'complete' | 'expired'
  readonly customerId: string | null
  readonly subscriptionId: string | null
}

export type Money = { readonly amount: number; readonly currency: string }

export type NewCustomer = {
  sellerId: string
  name: string
  email: string
  /** A card for test data; real people type theirs at the provider. */
  paymentMethod?: string
}
export type NewAccount = { sellerId: string; email: string; metadata?: Readonly<Record<string, string>> }
export type NewCheckout = { sellerId: string; customerId: string; successUrl: string; cancelUrl: string }

/**
 * Calls that belong together (to one click, say) and share the time they may take. Those that make something take the
 * key under which the provider makes it once. All throw ProviderFailure.
 */
export type ProviderCalls = {
  createCustomer(customer: NewCustomer, key: string): Promise<string>
  /** Of a customer who can be charged at once; for test data. */
  createSubscription(customerId: string, key: string): Promise<void>
  /** All there ever were. */
  listSubscriptions(customerId: string): Promise<Subscription[]>
  createCheckout(checkout: NewCheckout, key: string): Promise<Checkout>
  /** Undefined where the provider knows no such session. */
  findCheckout(id: string): Promise<Checkout | undefined>
  createPortal(customerId: string, returnUrl: string): Promise<string>
  createAccount(account: NewAccount, key: string): Promise<string>
  getAccount(id: string): Promise<PayoutAccount>
  createOnboardingLink(accountId: string, urls: { refreshUrl: string; returnUrl: string }): Promise<string>
  createLoginLink(accountId: string): Promise<string>
  getBalance(accountId: string): Promise<{ available: Money[]; pending: Money[] }>
}

/** A delivery of the provider; whom it is about is worked out by `eventSubject`. */
export type ProviderEvent = {
  readonly id: string
  readonly type: string
  /** The payout account in whose name it happened. */
  readonly account: string | undefined
  readonly object: { readonly id?: unknown; readonly customer?: unknown }
}

export type StripeClient = {
  /** Calls that are over after this time, whatever the provider does. */
  within(ms: number): ProviderCalls
  /** The event of these bytes; undefined where it is none, or the signature is wrong, too old, or missing. */
  readEvent(body: Buffer, signature: string | undefined): ProviderEvent | undefined
}
