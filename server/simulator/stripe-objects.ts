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
  'id' | 'object' | 'created' | 'email' | 'livemode' | 'metadata' | 'name'
> & { invoice_settings: { default_payment_method: string | null } }

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
  | 'amount_total'
  | 'cancel_url'
  | 'client_reference_id'
  | 'created'
  | 'currency'
  | 'expires_at'
  | 'livemode'
  | 'mode'
  | 'payment_status'
  | 'status'
  | 'success_url'
  | 'url'
> & { customer: string; subscription: string | null }

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

/** What is stored, by the value of its field `object`. */
export type Stored = {
  customer: Customer
  subscription: Subscription
  invoice: Invoice
  'checkout.session': CheckoutSession
  account: Account
  event: Event
  page: HostedPage
}
export type Kind = keyof Stored

// The lengths of Stripe's ids, so that columns are tested with realistic lengths.
const ID_LENGTHS = { cus: 14, cs_test: 58, sub: 24, si: 14, in: 24, acct: 16, evt: 24, bps: 24, req: 14 }

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
