import type { Stripe } from 'stripe'

/*
 * The objects as Stripe's API answers them, taken from the types of its SDK (types alone: no line of the SDK runs here),
 * so that a field that is missing or misspelt does not compile. Where the SDK turns text into a Decimal the wire has text.
 */

/** What the SDK is pinned to; another version would answer other shapes. */
export const API_VERSION = '2026-10-28.endive'

export type Metadata = Record<string, string>

/** One page of a list. */
export type List<Item> = {
  readonly object: 'list'
  readonly data: Item[]
  readonly has_more: boolean
  readonly url: string
}

type WithText<T, Field extends keyof T> = Omit<T, Field> & { [name in Field]: string | null }

export type Price = WithText<Stripe.Price, 'unit_amount_decimal'>
export type Product = Stripe.Product
export type Plan = WithText<Stripe.Plan, 'amount_decimal'>
export type Customer = Stripe.Customer
export type LineItem = Omit<Stripe.LineItem, 'price'> & { price: Price }
export type CheckoutSession = Omit<Stripe.Checkout.Session, 'line_items'> & {
  line_items?: List<LineItem>
  /** Not Stripe's: what the subscription is to get, which no answer shows. */
  subscription_metadata?: Metadata
}
export type SubscriptionItem = Omit<Stripe.SubscriptionItem, 'plan' | 'price'> & { plan: Plan; price: Price }
export type Subscription = Omit<Stripe.Subscription, 'items' | 'customer' | 'latest_invoice'> & {
  items: List<SubscriptionItem>
  customer: string
  latest_invoice: string | null
}
export type InvoiceLine = WithText<Stripe.InvoiceLineItem, 'quantity_decimal'>
export type Invoice = Omit<Stripe.Invoice, 'lines'> & { lines: List<InvoiceLine> }
export type Account = Stripe.Account
export type Balance = Stripe.Balance
export type PortalSession = Stripe.BillingPortal.Session
export type AccountLink = Stripe.AccountLink
export type LoginLink = Stripe.LoginLink

export type EventType = Stripe.Event['type']
export type Event = Omit<Stripe.EventBase, 'data' | 'type'> & {
  type: EventType
  data: { object: object; previous_attributes?: object }
}

/** What is kept, by the word in its field `object`. */
export type KeptObjects = {
  customer: Customer
  'checkout.session': CheckoutSession
  subscription: Subscription
  invoice: Invoice
  account: Account
  event: Event
}
export type Kind = keyof KeptObjects
