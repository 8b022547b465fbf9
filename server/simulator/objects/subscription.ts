import { planOf } from './catalogue.ts'
import { newId } from './stripe-id.ts'
import type { Metadata, Price, Subscription, SubscriptionItem } from './stripe-objects.ts'

export type SubscriptionOrder = {
  readonly customerId: string
  readonly price: Price
  readonly quantity: number
  readonly paymentMethod: string | null
  readonly metadata: Metadata
  /** False: the first payment failed, and the subscription waits for another card. */
  readonly isPaid: boolean
}

export type Period = { readonly current_period_start: number; readonly current_period_end: number }

/** What a plain monthly plan makes no use of. */
const UNUSED = {
  application: null,
  application_fee_percent: null,
  automatic_tax: { disabled_reason: null, enabled: false, liability: null },
  billing_cycle_anchor_config: null,
  billing_schedules: [],
  billing_thresholds: null,
  cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
  customer_account: null,
  days_until_due: null,
  default_source: null,
  default_tax_rates: [],
  description: null,
  discounts: [],
  livemode: false,
  managed_payments: null,
  next_pending_invoice_item_invoice: null,
  on_behalf_of: null,
  pause_collection: null,
  pending_invoice_item_interval: null,
  pending_setup_intent: null,
  pending_update: null,
  schedule: null,
  test_clock: null,
  transfer_data: null,
  trial_end: null,
  trial_start: null,
} satisfies Partial<Subscription>

export function newSubscription(order: SubscriptionOrder, now: number): Subscription {
  const id = newId('sub')
  return {
    id,
    object: 'subscription',
    ...UNUSED,
    billing_cycle_anchor: now,
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible', updated_at: now },
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    collection_method: 'charge_automatically',
    created: now,
    currency: order.price.currency,
    customer: order.customerId,
    default_payment_method: order.paymentMethod,
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: {
      object: 'list',
      data: [itemOf(id, order, now)],
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    latest_invoice: null,
    metadata: order.metadata,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: 'off',
    },
    start_date: now,
    status: order.isPaid ? 'active' : 'incomplete',
    trial_settings: {
      end_behavior: { billing_cycle_anchor: null, missing_payment_method: 'create_invoice' },
    },
  }
}

function itemOf(subscription: string, order: SubscriptionOrder, now: number): SubscriptionItem {
  return {
    id: newId('si'),
    object: 'subscription_item',
    billing_thresholds: null,
    created: now,
    current_trial: null,
    ...periodFrom(now, order.price),
    discounts: [],
    metadata: {},
    plan: planOf(order.price),
    price: order.price,
    quantity: order.quantity,
    subscription,
    tax_rates: [],
  }
}

/** A month (or year) by the calendar: from 31 January to the last day of February, as Stripe counts. */
export function periodFrom(now: number, price: Price): Period {
  const start = new Date(now * 1000)
  const months = price.recurring?.interval === 'year' ? 12 : 1
  const end = new Date(start)
  end.setUTCDate(1)
  end.setUTCMonth(end.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate()
  end.setUTCDate(Math.min(start.getUTCDate(), lastDay))
  return { current_period_start: now, current_period_end: Math.floor(end.getTime() / 1000) }
}

/** The one thing that is subscribed to. */
export function itemIn(subscription: Subscription): SubscriptionItem {
  const [item] = subscription.items.data
  if (!item) throw new Error(`${subscription.id} has no item`)
  return item
}

/** The same items, in the period that begins now. */
export function itemsRenewed(subscription: Subscription, now: number): Subscription['items'] {
  const item = itemIn(subscription)
  return { ...subscription.items, data: [{ ...item, ...periodFrom(now, item.price) }] }
}
