import type { PayoutAccount, Subscription } from './provider-state.ts'

type FailureFacts = {
  /** The provider's error code: `resource_missing`. */
  code: string | undefined
  /** The response status, or undefined if none came in time. */
  status: number | undefined
  /** The parameter at fault. */
  param?: string | undefined
  /** Worth a retry: no response, too many calls, a failure on their side. */
  mayPass: boolean
  /** The provider's id of the request, by which its own log finds it. */
  requestId?: string | undefined
  cause: unknown
}

// The provider's status while the first call with the same key is in progress.
const UNDER_WAY = 409
const TOO_MANY_CALLS = 429
const FORBIDDEN = 403

/** The provider did not respond or refused. Its message goes to the log; people see the button's own sentence. */
export class ProviderFailure extends Error {
  override name = 'ProviderFailure'
  readonly code: string | undefined
  readonly status: number | undefined
  readonly param: string | undefined
  readonly mayPass: boolean
  readonly requestId: string | undefined

  constructor(message: string, { code, status, param, mayPass, requestId, cause }: FailureFacts) {
    super(message, { cause })
    this.code = code
    this.status = status
    this.param = param
    this.mayPass = mayPass
    this.requestId = requestId
  }

  /** What a log line says about it. */
  get facts(): Record<string, string | number | undefined> {
    const { message: reason, code, status, param, requestId: providerRequest } = this
    return { reason, code, status, param, providerRequest }
  }

  /** The object does not exist or is not ours. */
  get isMissing(): boolean {
    return this.code === 'resource_missing'
  }

  /** The id exists, but a key of the other mode made it. */
  get isOtherMode(): boolean {
    return this.isMissing && /similar object exists in (test|live) mode/.test(this.message)
  }

  /** What a restricted key may not do, such as `rak_customer_write`, or "unknown"; undefined for other failures. */
  get lackingPermission(): string | undefined {
    if (this.status !== FORBIDDEN || !/required permissions/.test(this.message)) return undefined
    return /'(rak_\w+)'/.exec(this.message)?.[1] ?? 'unknown'
  }

  /** The platform never signed up for Connect. */
  get isWithoutConnect(): boolean {
    return /Only Stripe Connect platforms|signed up for Connect/.test(this.message)
  }

  /** The payout account is gone. For the provider that is the same as an account of someone else. */
  get isAccountMissing(): boolean {
    return this.code === 'account_invalid' || (this.isMissing && this.param === 'account')
  }

  /** Another call with the same key is in progress: this is the second of two clicks. */
  get isUnderWay(): boolean {
    return this.status === UNDER_WAY
  }

  /** The key was already used with other parameters. */
  get isKeyUsed(): boolean {
    return this.code === 'idempotency_error'
  }

  /**
   * The provider stores this response with the key and would repeat it: the next try needs another key. Without a
   * response it may have done the work, and only the same key finds out.
   */
  get isRemembered(): boolean {
    return this.status !== undefined && this.status !== UNDER_WAY && this.status !== TOO_MANY_CALLS
  }
}

/* The payment provider, in our own types. */

export type Checkout = {
  readonly id: string
  readonly url: string | null
  readonly status: 'open' | 'complete' | 'expired'
  readonly customerId: string | null
  readonly subscriptionId: string | null
}

/** A price as the provider has it. */
export type Price = {
  readonly id: string
  /** Neither it nor its product is archived. */
  readonly isActive: boolean
  readonly isMonthly: boolean
  /** In minor units; null for a price by quantity or of another kind than a fixed one. */
  readonly amount: number | null
  readonly currency: string
}

export type Money = { readonly amount: number; readonly currency: string }

export type NewCustomer = {
  sellerId: string
  name: string
  email: string
  /** A card for demo data; real people enter theirs at the provider. */
  paymentMethod?: string
}
export type NewAccount = { sellerId: string; email: string; metadata?: Readonly<Record<string, string>> }
type NewCheckout = { sellerId: string; customerId: string; successUrl: string; cancelUrl: string }

/**
 * Calls that share one time limit, such as those of one click. Calls that create something take an idempotency key.
 * All throw ProviderFailure.
 */
export type ProviderCalls = {
  createCustomer(customer: NewCustomer, key: string): Promise<string>
  /** For demo data: the customer already has a card. */
  createSubscription(customerId: string, key: string): Promise<void>
  /** Including ended ones. */
  listSubscriptions(customerId: string): Promise<Subscription[]>
  updateCustomerEmail(id: string, email: string): Promise<void>
  /** It ends with the paid period; the customer may resume it until then. */
  endAtPeriodEnd(subscriptionId: string): Promise<void>
  /** An open checkout can no longer be paid. */
  expireCheckout(id: string): Promise<void>
  /** The price that is sold, or undefined. */
  findPrice(): Promise<Price | undefined>
  /** Mode and platform account of the key, such as "live acct_1", to which all ids belong. Asked once a process. */
  getHome(): Promise<string>
  /** At once and for good; the customer is not charged again. */
  cancelSubscription(id: string): Promise<void>
  createCheckout(checkout: NewCheckout, key: string): Promise<Checkout>
  findCheckout(id: string): Promise<Checkout | undefined>
  createPortal(customerId: string, returnUrl: string): Promise<string>
  createAccount(account: NewAccount, key: string): Promise<string>
  getAccount(id: string): Promise<PayoutAccount>
  createOnboardingLink(accountId: string, urls: { refreshUrl: string; returnUrl: string }): Promise<string>
  createLoginLink(accountId: string): Promise<string>
  getBalance(accountId: string): Promise<{ available: Money[]; pending: Money[] }>
}

/** A webhook delivery; `eventSubject` finds out whom it is about. */
export type ProviderEvent = {
  readonly id: string
  readonly type: string
  /** The connected payout account, if any. */
  readonly account: string | undefined
  /** Which of our signing secrets proved it: the first digits of its hash. */
  readonly signedBy: string
  readonly object: { readonly id?: unknown; readonly customer?: unknown }
}

/** A thin event: signed by the provider, but without the object that a receiver of ours looks at. */
export type ThinEvent = { readonly id: string; readonly type: string; readonly isThin: true }

export type StripeClient = {
  /** The price that is sold. */
  readonly priceId: string
  /** All prices that give Pro. */
  readonly proPriceIds: readonly string[]

  /** Calls that end within this time, no matter what the provider does. */
  within(ms: number): ProviderCalls
  /** Undefined if the body is not an event, or the signature is missing, wrong or too old. */
  readEvent(body: Buffer, signature: string | undefined): ProviderEvent | ThinEvent | undefined
}
