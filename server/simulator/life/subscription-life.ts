import { newInvoice, whenPaid } from '#server/simulator/objects/invoice.ts'
import type { Customer, Invoice, Subscription } from '#server/simulator/objects/stripe-objects.ts'
import {
  itemIn,
  itemsRenewed,
  newSubscription,
  type SubscriptionOrder,
} from '#server/simulator/objects/subscription.ts'
import type { Work } from '#server/simulator/simulator.ts'
import { findObject, insertObject, lockObject } from '#server/simulator/state/object-queries.ts'
import { changeObject, recordEvent } from '#server/simulator/webhooks/record-event.ts'

/* What happens to a subscription, each with the events that Stripe sends for it. */

export type Ordered = Omit<SubscriptionOrder, 'customerId'> & { readonly customer: Customer }

/** A new subscription and its first invoice. */
export async function openSubscription(work: Work, { customer, ...order }: Ordered): Promise<Subscription> {
  const draft = newSubscription({ ...order, customerId: customer.id }, work.now)
  const { isPaid } = order
  const invoice = newInvoice(
    { subscription: draft, customer, reason: 'subscription_create', isPaid },
    work.now,
  )
  const subscription: Subscription = { ...draft, latest_invoice: invoice.id }
  await insertObject(work.db, subscription, customer.id)
  await recordEvent(work, 'customer.subscription.created', subscription)
  await issue(work, invoice)
  return subscription
}

/** It goes on to the end of the period that is paid for, and ends then. */
export function cancelAtPeriodEnd(work: Work, subscription: Subscription): Promise<Subscription> {
  return changeSubscription(work, subscription, {
    cancel_at: itemIn(subscription).current_period_end,
    cancel_at_period_end: true,
    canceled_at: work.now,
    cancellation_details: { ...NO_REASON, reason: 'cancellation_requested' },
  })
}

/** Takes a cancellation back that has not come into effect. */
export function resumeSubscription(work: Work, subscription: Subscription): Promise<Subscription> {
  return changeSubscription(work, subscription, {
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: NO_REASON,
  })
}

/** The next period begins, and its payment fails. */
export async function failNextPayment(work: Work, subscription: Subscription): Promise<Subscription> {
  const renewed = { ...subscription, items: itemsRenewed(subscription, work.now) }
  const customer = await customerOf(work, subscription)
  const invoice = newInvoice(
    { subscription: renewed, customer, reason: 'subscription_cycle', isPaid: false },
    work.now,
  )
  await issue(work, invoice)
  return changeSubscription(work, subscription, {
    items: renewed.items,
    latest_invoice: invoice.id,
    status: 'past_due',
  })
}

/** The invoice that could not be charged is paid with another card. */
export async function payOpenInvoice(work: Work, subscription: Subscription): Promise<Subscription> {
  const id = subscription.latest_invoice
  const invoice = id === null ? undefined : await lockObject(work.db, 'invoice', id)
  if (invoice?.status !== 'open') return subscription
  const fields = whenPaid(invoice, work.now)
  const paid = await changeObject(work, invoice, { fields, type: 'invoice.paid' })
  await recordEvent(work, 'invoice.payment_succeeded', paid)
  return changeSubscription(work, subscription, { status: 'active' })
}

/** It ends now, for good. */
export function endSubscription(work: Work, subscription: Subscription): Promise<Subscription> {
  const reason = subscription.status === 'past_due' ? 'payment_failed' : 'cancellation_requested'
  return changeObject(work, subscription, {
    fields: {
      cancel_at_period_end: false,
      cancel_at: null,
      canceled_at: subscription.canceled_at ?? work.now,
      cancellation_details: { ...NO_REASON, reason },
      ended_at: work.now,
      status: 'canceled',
    },
    type: 'customer.subscription.deleted',
  })
}

const NO_REASON: NonNullable<Subscription['cancellation_details']> = {
  comment: null,
  feedback: null,
  feedback_option: null,
  reason: null,
}

export function changeSubscription(
  work: Work,
  subscription: Subscription,
  fields: Partial<Subscription>,
): Promise<Subscription> {
  return changeObject(work, subscription, { fields, type: 'customer.subscription.updated' })
}

async function issue(work: Work, invoice: Invoice): Promise<void> {
  await insertObject(work.db, invoice, typeof invoice.customer === 'string' ? invoice.customer : null)
  await recordEvent(work, 'invoice.created', invoice)
  await recordEvent(work, 'invoice.finalized', invoice)
  if (invoice.status === 'paid') {
    await recordEvent(work, 'invoice.paid', invoice)
    await recordEvent(work, 'invoice.payment_succeeded', invoice)
  } else await recordEvent(work, 'invoice.payment_failed', invoice)
}

async function customerOf(work: Work, { customer }: Subscription): Promise<Customer> {
  const found = await findObject(work.db, 'customer', customer)
  if (!found) throw new Error(`${customer} is nobody's`)
  return found
}
