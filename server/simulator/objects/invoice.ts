import { newId } from './stripe-id.ts'
import type { Customer, Invoice, InvoiceLine, Subscription } from './stripe-objects.ts'
import { itemIn } from './subscription.ts'

export type Bill = {
  readonly subscription: Subscription
  readonly customer: Customer
  readonly reason: 'subscription_create' | 'subscription_cycle'
  readonly isPaid: boolean
}

/** What an invoice of a plain monthly plan makes no use of. */
const UNUSED = {
  account_country: 'US',
  account_name: null,
  account_tax_ids: null,
  amount_shipping: 0,
  application: null,
  automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
  automatically_finalizes_at: null,
  custom_fields: null,
  customer_account: null,
  customer_address: null,
  customer_phone: null,
  customer_shipping: null,
  customer_tax_exempt: 'none',
  customer_tax_ids: [],
  default_payment_method: null,
  default_source: null,
  default_tax_rates: [],
  description: null,
  discounts: [],
  due_date: null,
  ending_balance: 0,
  footer: null,
  from_invoice: null,
  hosted_invoice_url: null,
  invoice_pdf: null,
  issuer: { type: 'self' },
  last_finalization_error: null,
  latest_revision: null,
  livemode: false,
  on_behalf_of: null,
  payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
  post_payment_credit_notes_amount: 0,
  pre_payment_credit_notes_amount: 0,
  receipt_number: null,
  rendering: null,
  shipping_cost: null,
  shipping_details: null,
  starting_balance: 0,
  statement_descriptor: null,
  test_clock: null,
  total_discount_amounts: [],
  total_pretax_credit_amounts: [],
  total_taxes: [],
} satisfies Partial<Invoice>

/** A final invoice for the subscription's period, paid or open after a failed attempt. */
export function newInvoice({ subscription, customer, reason, isPaid }: Bill, now: number): Invoice {
  const id = newId('in')
  const line = lineOf(id, subscription)
  return {
    id,
    object: 'invoice',
    ...UNUSED,
    ...amounts(line.amount, isPaid),
    attempt_count: 1,
    attempted: true,
    auto_advance: !isPaid,
    billing_reason: reason,
    collection_method: 'charge_automatically',
    created: now,
    currency: line.currency,
    customer: customer.id,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    effective_at: now,
    lines: { object: 'list', data: [line], has_more: false, url: `/v1/invoices/${id}/lines` },
    metadata: {},
    next_payment_attempt: isPaid ? null : now + RETRY_AFTER_S,
    number: `${customer.invoice_prefix}-${id.slice(-4).toUpperCase()}`,
    parent: {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: 'subscription_details',
    },
    period_end: now,
    period_start: now,
    status_transitions: {
      finalized_at: now,
      marked_uncollectible_at: null,
      paid_at: isPaid ? now : null,
      voided_at: null,
    },
    subtotal: line.amount,
    subtotal_excluding_tax: line.amount,
    total: line.amount,
    total_excluding_tax: line.amount,
    webhooks_delivered_at: now,
  }
}

// Stripe tries a card that failed again after some days; here a person decides on the portal.
const RETRY_AFTER_S = 3 * 24 * 3600

type Amounts = Pick<Invoice, 'amount_due' | 'amount_overpaid' | 'amount_paid' | 'amount_remaining' | 'status'>

function amounts(total: number, isPaid: boolean): Amounts {
  return {
    amount_due: total,
    amount_overpaid: 0,
    amount_paid: isPaid ? total : 0,
    amount_remaining: isPaid ? 0 : total,
    status: isPaid ? 'paid' : 'open',
  }
}

function lineOf(invoice: string, subscription: Subscription): InvoiceLine {
  const { id, price, quantity = 1, current_period_start, current_period_end } = itemIn(subscription)
  const amount = (price.unit_amount ?? 0) * quantity
  return {
    id: newId('il'),
    object: 'line_item',
    amount,
    currency: price.currency,
    description: null,
    discount_amounts: [],
    discountable: true,
    discounts: [],
    invoice,
    livemode: false,
    metadata: {},
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: false,
        proration_details: null,
        subscription: subscription.id,
        subscription_item: id,
      },
      type: 'subscription_item_details',
    },
    period: { start: current_period_start, end: current_period_end },
    pretax_credit_amounts: [],
    pricing: null,
    quantity,
    quantity_decimal: String(quantity),
    subscription: subscription.id,
    subtotal: amount,
    taxes: [],
  }
}

/** What changes on an open invoice when it is paid. */
export function whenPaid(invoice: Invoice, now: number): Partial<Invoice> {
  return {
    ...amounts(invoice.total, true),
    attempt_count: invoice.attempt_count + 1,
    auto_advance: false,
    next_payment_attempt: null,
    status_transitions: { ...invoice.status_transitions, paid_at: now },
  }
}
