import { randomBytes } from 'node:crypto'
import type { Stripe } from 'stripe'

/*
 * The parts of Stripe's objects that the marketplace, the hosted pages or the webhooks use. Names and values come from
 * the types of Stripe's SDK (types only: none of its code runs here), so an upgrade that renames a field does not compile.
 */

/** The version the SDK is pinned to; another version could return other shapes. */
export const API_VERSION = '2026-10-28.endive'

export type List<Item> = {
  readonly object: 'list'
  readonly data: Item[]
  readonly has_more: boolean
  readonly url: string
}

export type Customer = Pick<
  Stripe.Customer,
  'id' | 'object' | 'address' | 'created' | 'email' | 'livemode' | 'metadata' | 'name' | 'phone'
> & {
  invoice_settings: { default_payment_method: string | null }
  shipping?: { name: string; phone: string | null; address: Stripe.Address } | null
}

export type SubscriptionItem = Pick<
  Stripe.SubscriptionItem,
  'id' | 'object' | 'current_period_end' | 'current_period_start' | 'subscription'
> & { price: Pick<Stripe.Price, 'id' | 'object' | 'currency' | 'unit_amount'> }

export type Subscription = Pick<
  Stripe.Subscription,
  | 'id'
  | 'object'
  | 'cancel_at'
  | 'cancel_at_period_end'
  | 'canceled_at'
  | 'created'
  | 'ended_at'
  | 'livemode'
  | 'metadata'
  | 'status'
> & { customer: string; items: List<SubscriptionItem>; latest_invoice: string | null }

export type Invoice = Pick<
  Stripe.Invoice,
  'id' | 'object' | 'billing_reason' | 'created' | 'currency' | 'livemode' | 'status' | 'total'
> & { customer: string }

export type CheckoutSession = Pick<
  Stripe.Checkout.Session,
  | 'id'
  | 'object'
  | 'amount_subtotal'
  | 'amount_total'
  | 'automatic_tax'
  | 'cancel_url'
  | 'client_reference_id'
  | 'created'
  | 'currency'
  | 'customer_details'
  | 'customer_email'
  | 'expires_at'
  | 'livemode'
  | 'locale'
  | 'metadata'
  | 'mode'
  | 'payment_method_types'
  | 'payment_status'
  | 'phone_number_collection'
  | 'status'
  | 'submit_type'
  | 'success_url'
  | 'total_details'
  | 'url'
> & { customer: string | null; payment_intent: string | null; subscription: string | null }

export type LineItem = Pick<
  Stripe.LineItem,
  | 'id'
  | 'object'
  | 'amount_discount'
  | 'amount_subtotal'
  | 'amount_tax'
  | 'amount_total'
  | 'currency'
  | 'description'
  | 'quantity'
> & { price: Pick<Stripe.Price, 'id' | 'object' | 'currency' | 'tax_behavior' | 'type' | 'unit_amount'> }

export type PaymentIntent = Pick<
  Stripe.PaymentIntent,
  | 'id'
  | 'object'
  | 'amount'
  | 'amount_capturable'
  | 'amount_received'
  | 'canceled_at'
  | 'cancellation_reason'
  | 'capture_method'
  | 'created'
  | 'currency'
  | 'description'
  | 'livemode'
  | 'metadata'
  | 'payment_method_types'
  | 'statement_descriptor_suffix'
  | 'status'
  | 'transfer_group'
> & {
  customer: string | null
  last_payment_error: Pick<
    Stripe.PaymentIntent.LastPaymentError,
    'charge' | 'code' | 'decline_code' | 'message' | 'type'
  > | null
  latest_charge: string | null
  review: string | null
}

export type Charge = Pick<
  Stripe.Charge,
  | 'id'
  | 'object'
  | 'amount'
  | 'amount_captured'
  | 'amount_refunded'
  | 'billing_details'
  | 'calculated_statement_descriptor'
  | 'captured'
  | 'created'
  | 'currency'
  | 'description'
  | 'disputed'
  | 'failure_code'
  | 'failure_message'
  | 'livemode'
  | 'metadata'
  | 'paid'
  | 'receipt_url'
  | 'refunded'
  | 'status'
  | 'statement_descriptor_suffix'
  | 'transfer_group'
> & {
  balance_transaction: string | null
  customer: string | null
  outcome: Pick<
    Stripe.Charge.Outcome,
    'network_status' | 'reason' | 'risk_level' | 'risk_score' | 'seller_message' | 'type'
  >
  payment_intent: string
  payment_method_details: {
    type: 'card'
    card: Pick<
      Stripe.Charge.PaymentMethodDetails.Card,
      'amount_authorized' | 'brand' | 'capture_before' | 'country' | 'exp_month' | 'exp_year' | 'last4'
    >
  }
  review: string | null
}

export type BalanceTransaction = Pick<
  Stripe.BalanceTransaction,
  | 'id'
  | 'object'
  | 'amount'
  | 'available_on'
  | 'balance_type'
  | 'created'
  | 'currency'
  | 'description'
  | 'exchange_rate'
  | 'fee'
  | 'net'
  | 'reporting_category'
  | 'status'
  | 'type'
> & {
  fee_details: Pick<Stripe.BalanceTransaction.FeeDetail, 'amount' | 'currency' | 'description' | 'type'>[]
  source: string
}

export type Refund = Pick<
  Stripe.Refund,
  | 'id'
  | 'object'
  | 'amount'
  | 'created'
  | 'currency'
  | 'failure_reason'
  | 'metadata'
  | 'pending_reason'
  | 'reason'
  | 'receipt_number'
  | 'status'
> & {
  balance_transaction: string | null
  charge: string
  failure_balance_transaction?: string
  payment_intent: string
}

export type Transfer = Pick<
  Stripe.Transfer,
  | 'id'
  | 'object'
  | 'amount'
  | 'amount_reversed'
  | 'created'
  | 'currency'
  | 'description'
  | 'livemode'
  | 'metadata'
  | 'reversed'
  | 'source_type'
  | 'transfer_group'
> & {
  balance_transaction: string
  destination: string
  destination_payment: string
  reversals: List<TransferReversal>
  source_transaction: string | null
}

export type TransferReversal = Pick<
  Stripe.TransferReversal,
  'id' | 'object' | 'amount' | 'created' | 'currency' | 'metadata'
> & { balance_transaction: string; transfer: string }

export type Payout = Pick<
  Stripe.Payout,
  | 'id'
  | 'object'
  | 'amount'
  | 'arrival_date'
  | 'automatic'
  | 'created'
  | 'currency'
  | 'failure_code'
  | 'failure_message'
  | 'livemode'
  | 'metadata'
  | 'method'
  | 'source_type'
  | 'status'
  | 'type'
> & { balance_transaction: string; failure_balance_transaction: string | null }

export type Dispute = Pick<
  Stripe.Dispute,
  | 'id'
  | 'object'
  | 'amount'
  | 'created'
  | 'currency'
  | 'is_charge_refundable'
  | 'livemode'
  | 'metadata'
  | 'reason'
  | 'status'
> & {
  balance_transactions: BalanceTransaction[]
  charge: string
  evidence: Partial<Record<keyof Stripe.Dispute.Evidence, string>>
  evidence_details: Pick<
    Stripe.Dispute.EvidenceDetails,
    'due_by' | 'has_evidence' | 'past_due' | 'submission_count'
  >
  payment_intent: string
}

export type File = Pick<
  Stripe.File,
  'id' | 'object' | 'created' | 'expires_at' | 'filename' | 'purpose' | 'size' | 'title' | 'type'
>

export type Review = Pick<
  Stripe.Review,
  'id' | 'object' | 'closed_reason' | 'created' | 'livemode' | 'open' | 'opened_reason' | 'reason'
> & { charge: string; payment_intent: string }

export type EarlyFraudWarning = Pick<
  Stripe.Radar.EarlyFraudWarning,
  'id' | 'object' | 'actionable' | 'created' | 'fraud_type' | 'livemode'
> & { charge: string; payment_intent: string }

export type Account = Pick<
  Stripe.Account,
  | 'id'
  | 'object'
  | 'charges_enabled'
  | 'created'
  | 'default_currency'
  | 'details_submitted'
  | 'email'
  | 'metadata'
  | 'payouts_enabled'
  | 'type'
> & {
  /** Only those that were requested. */
  capabilities: Pick<Stripe.Account.Capabilities, 'card_payments' | 'transfers'>
  controller?: Stripe.Account.Controller
  requirements: Pick<
    Stripe.Account.Requirements,
    'current_deadline' | 'currently_due' | 'disabled_reason' | 'past_due'
  >
}

export type EventType = Stripe.Event['type']
export type Event = Pick<
  Stripe.EventBase,
  'id' | 'object' | 'account' | 'api_version' | 'created' | 'livemode'
> & {
  type: EventType
  data: { object: object }
}

/** Not Stripe's: a hosted page. Its id is the secret part of its address; anyone who has it may use the page. */
export type HostedPage = {
  readonly id: string
  readonly object: 'page'
  /** The first part of its address. */
  readonly path: 'checkout' | 'portal' | 'setup' | 'onboarding' | 'express'
  /** The id of the session, customer or account it is about. */
  readonly subject: string
  readonly return_url: string | null
  /** Where a used or expired link leads. */
  readonly refresh_url: string | null
  readonly created: number
  readonly expires_at: number
  readonly used: boolean
}

/** Not Stripe's: what a Checkout Session in payment mode is for. */
export type Basket = {
  /** The session's id with another prefix (`basketOf`). */
  readonly id: string
  readonly object: 'basket'
  readonly lines: LineItem[]
  readonly intent: Pick<
    PaymentIntent,
    'capture_method' | 'description' | 'metadata' | 'statement_descriptor_suffix' | 'transfer_group'
  >
}

export const basketOf = (session: string) => session.replace('cs_', 'basket_')

/** What is stored, by the value of its field `object`. */
export type Stored = {
  customer: Customer
  subscription: Subscription
  invoice: Invoice
  'checkout.session': CheckoutSession
  account: Account
  event: Event
  page: HostedPage
  basket: Basket
  payment_intent: PaymentIntent
  charge: Charge
  balance_transaction: BalanceTransaction
  refund: Refund
  transfer: Transfer
  transfer_reversal: TransferReversal
  payout: Payout
  dispute: Dispute
  file: File
  review: Review
  'radar.early_fraud_warning': EarlyFraudWarning
}
export type Kind = keyof Stored

// The lengths of Stripe's ids, so that columns are tested with realistic lengths.
const ID_LENGTHS = {
  cus: 14,
  cs_test: 58,
  sub: 24,
  si: 14,
  in: 24,
  acct: 16,
  evt: 24,
  bps: 24,
  req: 14,
  li: 24,
  price: 24,
  pi: 24,
  ch: 24,
  txn: 24,
  re: 24,
  tr: 24,
  trr: 24,
  py: 24,
  pyr: 24,
  po: 24,
  du: 24,
  file: 24,
  prv: 24,
  issfr: 24,
}

/** An id in Stripe's format: the kind, then unguessable characters. */
export function newId(prefix: keyof typeof ID_LENGTHS): string {
  return `${prefix}_${randomCharacters(ID_LENGTHS[prefix])}`
}

/** The secret part of a page's address. */
export function newToken(): string {
  return randomCharacters(40)
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

function randomCharacters(length: number): string {
  // 62 does not divide 256: the first characters come slightly more often, which costs 0.02 bits each.
  return Array.from(randomBytes(length), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
}
