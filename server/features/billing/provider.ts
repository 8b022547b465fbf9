import type { PayoutAccount, Subscription } from './provider-state.ts'

type Facts = {
  /** The provider's own word for what is wrong: `resource_missing`. */
  code: string | undefined
  /** The status of its answer; undefined where none came in time. */
  status: number | undefined
  /** Which parameter it is about. */
  param?: string | undefined
  /** What it is worth trying again for: no answer, too many calls, a failure of theirs. */
  mayPass: boolean
  cause: unknown
}

// What the provider answers while the first call with this key is under way.
const UNDER_WAY = 409
const TOO_MANY_CALLS = 429

/** The provider did not answer, or refused. Its words are for the log; a person is told the sentence of the button. */
export class ProviderFailure extends Error {
  override name = 'ProviderFailure'
  readonly code: string | undefined
  readonly status: number | undefined
  readonly param: string | undefined
  readonly mayPass: boolean

  constructor(message: string, { code, status, param, mayPass, cause }: Facts) {
    super(message, { cause })
    this.code = code
    this.status = status
    this.param = param
    this.mayPass = mayPass
  }

  /** There is no such object, or none of ours. */
  get isMissing(): boolean {
    return this.code === 'resource_missing'
  }

  /** The payout account asked for is gone. Of one that does not exist the provider says no more than of a stranger's. */
  get isAccountMissing(): boolean {
    return this.code === 'account_invalid' || (this.isMissing && this.param === 'account')
  }

  /** Another call with the same key is being answered at this moment: the second of two clicks. */
  get isUnderWay(): boolean {
    return this.status === UNDER_WAY
  }

  /** The key of the request was used for another one, with other parameters. */
  get isKeyUsed(): boolean {
    return this.code === 'idempotency_error'
  }

  /**
   * The provider remembers this answer with the request's key and would give it again and again: the next try needs
   * another key. Where no answer came, it may have done what was asked, and only the same key finds that out.
   */
  get isRemembered(): boolean {
    return this.status !== undefined && this.status !== UNDER_WAY && this.status !== TOO_MANY_CALLS
  }
}

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
