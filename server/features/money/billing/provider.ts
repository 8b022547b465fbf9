import type { PayoutAccount, Subscription } from './provider-state.ts'

type FailureFacts = {
  /** The provider's error code: `resource_missing`. */
  code: string | undefined
  /** The response status, or undefined if none came in time. */
  status: number | undefined
  /** The parameter at fault. */
  param?: string | undefined
  /** Worth a retry: no response, too many calls, or a failure on the provider's side. */
  mayPass: boolean
  /** The provider's request id, for finding the request in its log. */
  requestId?: string | undefined
  cause: unknown
}

// The provider's status while the first call with the same key is in progress.
const UNDER_WAY = 409
const TOO_MANY_CALLS = 429
const FORBIDDEN = 403

/** The provider did not respond or refused. Its message goes to the log; people see the button's own message. */
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

  /** Fields for a log line. */
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

  /**
   * The permission that a restricted key lacks, such as `rak_customer_write`, or "unknown"; undefined for other
   * failures.
   */
  get lackingPermission(): string | undefined {
    if (this.status !== FORBIDDEN || !/required permissions/.test(this.message)) return undefined
    return /'(rak_\w+)'/.exec(this.message)?.[1] ?? 'unknown'
  }

  /** The platform never signed up for Connect. */
  get isWithoutConnect(): boolean {
    return /Only Stripe Connect platforms|signed up for Connect/.test(this.message)
  }

  /** The payout account was deleted; the provider does not distinguish that from someone else's account. */
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
   * The provider stored this response with the key and would repeat it, so the next try needs another key. Without a
   * response, the provider may have done the work, and only the same key can tell.
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
  /** In minor units; null unless it is a fixed price. */
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

/* Payments of orders. */

type PaymentLine = {
  readonly name: string
  readonly description?: string
  readonly cents: number
  readonly quantity: number
  readonly isShipping?: boolean
}

/** Where a part is sold: sales tax depends on it. */
export type NewBuyer = {
  readonly orderId: string
  readonly email: string
  readonly name: string
  readonly address: {
    readonly line1: string | null
    readonly line2: string | null
    readonly city: string | null
    readonly state: string | null
    readonly zip: string | null
  }
}

export type NewPayment = {
  readonly orderId: string
  readonly email: string
  /** The customer whose address decides the sales tax; without, none is added. */
  readonly taxedBy?: string
  readonly lines: readonly PaymentLine[]
  /** Authorize first: the money is taken, or let go, by a later call. */
  readonly isManual: boolean
  /** What the buyer's bank shows behind our name. */
  readonly statementSuffix?: string
  /** Seconds since 1970, 30 minutes to 24 hours ahead by the provider's clock. */
  readonly expiresAt: number
  readonly successUrl: string
  readonly cancelUrl: string
}

/** The page on which a buyer pays. */
export type PaymentSession = {
  readonly id: string
  readonly status: 'open' | 'complete' | 'expired'
  readonly url: string | null
  readonly expiresAt: Date
  readonly paymentId: string | null
  readonly taxCents: number
}

export type Payment = {
  readonly id: string
  readonly status: string
  readonly amountCents: number
  /** What was captured. */
  readonly receivedCents: number
  /** The charge of the last attempt that was not declined, or null. */
  readonly chargeId: string | null
  /** When the bank lets go of what is only authorized. */
  readonly captureBefore: Date | null
  readonly risk: string | null
  /** Whether the buyer's bank ever disputed it. */
  readonly isDisputed: boolean
  /** The provider's fee and what it adds to our balance; null until it is known. */
  readonly balance: { readonly id: string; readonly feeCents: number; readonly netCents: number } | null
}

export type ProviderRefund = {
  readonly id: string
  readonly status: 'pending' | 'succeeded' | 'failed'
  readonly problem: string | null
  /** What it takes from our balance; null while it waits. */
  readonly balance: { readonly id: string; readonly netCents: number } | null
}

export type ProviderDispute = {
  readonly id: string
  readonly state: 'needs-response' | 'under-review' | 'won' | 'lost'
  /** The provider's word: "product_not_received". */
  readonly reason: string
  readonly amountCents: number
  /** Until when the bank takes evidence. */
  readonly dueBy: Date | null
  readonly isSubmitted: boolean
  /** What it took from our balance, or gave back. Empty as long as the bank only asks. */
  readonly balance: readonly {
    readonly id: string
    readonly amountCents: number
    readonly feeCents: number
  }[]
}

type NewRefund = {
  readonly paymentId: string
  readonly cents: number
  readonly orderId: string
  readonly refundId: string
}

/* The yard's share of an order. */

type NewTransfer = {
  readonly stepId: string
  readonly orderId: string
  /** The charge that it is taken from: it is available to the yard when the charge's money is. */
  readonly chargeId: string
  readonly accountId: string
  readonly cents: number
}

export type ProviderReversal = { readonly id: string; readonly cents: number; readonly stepId: string | null }

export type ProviderTransfer = {
  readonly id: string
  readonly cents: number
  /** Null for one that somebody made by hand. */
  readonly orderId: string | null
  readonly stepId: string | null
  readonly chargeId: string | null
  readonly accountId: string | null
  /** The payment that it is in the yard's account. */
  readonly paymentId: string | null
  readonly reversedCents: number
}

/** What a payout account's bank got, or is about to get. */
export type ProviderPayout = {
  readonly id: string
  readonly cents: number
  /** One that is `paid` can still become `failed`. */
  readonly status: 'pending' | 'in_transit' | 'paid' | 'failed' | 'canceled'
  readonly arrivesAt: Date
  readonly createdAt: Date
  readonly problem: string | null
}

/** A change of the platform's balance. */
export type BalanceChange = {
  readonly id: string
  readonly type: string
  /** The object that caused it. */
  readonly source: string | null
  readonly cents: number
  readonly feeCents: number
  readonly netCents: number
  /** Our order, if the object names it. */
  readonly orderId: string | null
  /** The charge or transfer that a refund, dispute or reversal is of. */
  readonly causeId: string | null
  readonly at: Date
}

/** Calls that create something take an idempotency key. All throw ProviderFailure. */
export type TransferCalls = {
  createTransfer(transfer: NewTransfer, key: string): Promise<ProviderTransfer>
  /** Those of an order, newest first. */
  listTransfersOf(orderId: string): Promise<ProviderTransfer[]>
  /** All of the platform, newest first. */
  listTransfers(): AsyncGenerator<ProviderTransfer>
  readTransfer(id: string): Promise<ProviderTransfer>
  /** Newest first. */
  listReversals(transferId: string): Promise<ProviderReversal[]>
  createReversal(
    reversal: { transferId: string; stepId: string; orderId: string; cents: number },
    key: string,
  ): Promise<ProviderReversal>
  /** A payout account's payouts since, newest first. */
  listPayouts(accountId: string, since: Date): AsyncGenerator<ProviderPayout>
  /** The payments of the account that a payout brought to its bank. */
  listPaidOut(accountId: string, payoutId: string): AsyncGenerator<string>
}

/** Calls that create something take an idempotency key. All throw ProviderFailure. */
export type PaymentCalls = {
  /** A customer with a shipping address, for a payment that is taxed. */
  createBuyer(buyer: NewBuyer, key: string): Promise<string>
  openPayment(payment: NewPayment, key: string): Promise<PaymentSession>
  readSession(id: string): Promise<PaymentSession>
  /** An open session can no longer be paid; any other stays as it is. Returns it as it is then. */
  closeSession(id: string): Promise<PaymentSession>
  readPayment(id: string): Promise<Payment>
  /** Takes authorized money; less than all of it lets the rest go. */
  capturePayment(id: string, cents: number, key: string): Promise<Payment>
  /** Lets authorized money go. */
  dropPayment(id: string, key: string): Promise<Payment>
  createRefund(refund: NewRefund, key: string): Promise<ProviderRefund>
  readRefund(id: string): Promise<ProviderRefund>
  /** Whether the provider reviews a payment, or the card's network warned of it. */
  readAlarms(paymentId: string): Promise<{ isReviewed: boolean; fraudWarning: boolean }>
  /** The disputes of a payment, oldest first. */
  readDisputes(paymentId: string): Promise<ProviderDispute[]>
  /** Payments that a bank disputed since, newest first. */
  listDisputedPayments(since: Date): AsyncGenerator<string>
  /** Hands in a PDF that evidence may name, and returns its id. */
  uploadEvidence(file: { name: string; bytes: Uint8Array }, key: string): Promise<string>
  /** Sends texts and ids of files, by the provider's names, to the bank: once for each dispute. */
  submitEvidence(
    disputeId: string,
    evidence: Readonly<Record<string, string>>,
    key: string,
  ): Promise<ProviderDispute>
  /** All changes of the platform's balance, newest first. */
  listBalance(): AsyncGenerator<BalanceChange>
  /** Payments of orders that were paid or authorized since, newest first. */
  listOrderPayments(since: Date): AsyncGenerator<{ paymentId: string; orderId: string; cents: number }>
  /** US cents of the platform that may be paid out now, before what belongs to others. */
  readAvailable(): Promise<number>
  /** The provider's clock, in seconds: expiries are counted by it. */
  readClock(): Promise<number>
}

/**
 * Calls that share one time limit, such as those of one click. Calls that create something take an idempotency key.
 * All throw ProviderFailure.
 */
export type ProviderCalls = PaymentCalls &
  TransferCalls & {
    createCustomer(customer: NewCustomer, key: string): Promise<string>
    /** For demo data: the customer already has a card. */
    createSubscription(customerId: string, key: string): Promise<void>
    /** Including ended ones. */
    listSubscriptions(customerId: string): Promise<Subscription[]>
    updateCustomerEmail(id: string, email: string): Promise<void>
    /** The subscription ends with the paid period; the customer may resume it until then. */
    endAtPeriodEnd(subscriptionId: string): Promise<void>
    /** Expires an open checkout, so that it can no longer be paid. */
    expireCheckout(id: string): Promise<void>
    /** The price for sale, or undefined. */
    findPrice(): Promise<Price | undefined>
    /** Mode and platform account of the key, such as "live acct_1", to which all ids belong. Read once per process. */
    getHome(): Promise<string>
    /** Ends the subscription now and for good; the customer is not charged again. */
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

/** A webhook delivery; `eventSubject` returns whom it is about. */
export type ProviderEvent = {
  readonly id: string
  readonly type: string
  /** The connected payout account, if any. */
  readonly account: string | undefined
  /** Which of our signing secrets verified it: the first digits of the secret's hash. */
  readonly signedBy: string
  readonly object: Readonly<Record<string, unknown>>
}

/** A thin event: signed by the provider, but without the object that our receiver needs. */
export type ThinEvent = { readonly id: string; readonly type: string; readonly isThin: true }

export type StripeClient = {
  /** The price for sale. */
  readonly priceId: string
  /** All prices that give Pro. */
  readonly proPriceIds: readonly string[]

  /** Calls that end within this time, whatever the provider does. */
  within(ms: number): ProviderCalls
  /** Undefined if the body is not an event, or the signature is missing, wrong or too old. */
  readEvent(body: Buffer, signature: string | undefined): ProviderEvent | ThinEvent | undefined
}
