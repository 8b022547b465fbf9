import { z } from 'zod'
import { type ApiCall, apiCall, listOf } from './api-call.ts'
import {
  listParameters,
  metadata,
  nestedParameters,
  noSuch,
  noSuchIn,
  one,
  parameters,
  StripeError,
  text,
} from './parameters.ts'
import type { Plan, Work } from './simulator.ts'
import { changeObject, findObject, insertObject, listObjects, lockObject, recordEvent } from './store.ts'
import {
  type Customer,
  type Invoice,
  newId,
  type Subscription,
  type SubscriptionItem,
} from './stripe-objects.ts'

/* Customers and their subscriptions: the calls, and what can happen to a subscription with the events Stripe sends. */

// Two of Stripe's test cards; the second always fails. Stripe requires a card to be attached and set as the default;
// here either is enough.
const FAILING_CARD = 'pm_card_chargeCustomerFail'
const card = z.enum(['pm_card_visa', FAILING_CARD]).optional()

const addressLine = z.string().max(5_000).nullable().default(null)

const address = z.strictObject({
  city: addressLine,
  country: addressLine.pipe(
    z
      .string()
      .regex(/^[A-Z]{2}$/)
      .nullable(),
  ),
  line1: addressLine,
  line2: addressLine,
  postal_code: addressLine,
  state: addressLine,
})

const personFields = {
  address: address.optional(),
  email: z.email().optional(),
  name: text.optional(),
  phone: text.max(20).optional(),
  shipping: z.strictObject({ address, name: text, phone: text.max(20).nullable().default(null) }).optional(),
}

export const subscriptionCalls: readonly ApiCall[] = [
  apiCall(
    'POST /customers',
    nestedParameters({
      ...personFields,
      metadata,
      payment_method: card,
      invoice_settings: z.strictObject({ default_payment_method: card }).optional(),
    }),
    async (work, { metadata, payment_method, invoice_settings, ...person }) => {
      const method = invoice_settings?.default_payment_method ?? payment_method
      const customer: Customer = {
        id: newId('cus'),
        object: 'customer',
        address: person.address ?? null,
        created: work.now,
        email: person.email ?? null,
        invoice_settings: { default_payment_method: method ?? null },
        livemode: false,
        metadata,
        name: person.name ?? null,
        phone: person.phone ?? null,
        shipping: person.shipping ?? null,
      }
      await insertObject(work.db, customer)
      await recordEvent(work, 'customer.created', customer)
      return customer
    },
  ),
  apiCall(
    'POST /customers/:id',
    nestedParameters({ ...personFields, metadata }),
    async (work, { metadata, ...person }, { id }) => {
      const customer = await lockObject(work.db, 'customer', id)
      if (!customer) throw noSuch('customer', id)
      const fields = {
        address: person.address ?? customer.address ?? null,
        email: person.email ?? customer.email,
        metadata: { ...customer.metadata, ...metadata },
        name: person.name ?? customer.name ?? null,
        phone: person.phone ?? customer.phone ?? null,
        shipping: person.shipping ?? customer.shipping ?? null,
      }
      return changeObject(work, customer, { fields, type: 'customer.updated' })
    },
  ),
  apiCall('GET /customers/:id', parameters({}), async ({ db }, _given, { id }) => {
    const customer = await findObject(db, 'customer', id)
    if (!customer) throw noSuch('customer', id)
    return customer
  }),
  apiCall(
    'POST /subscriptions/:id',
    parameters({ cancel_at_period_end: z.literal('true') }),
    async (work, _given, { id }) => {
      const subscription = await lockObject(work.db, 'subscription', id)
      if (!subscription || subscription.status === 'canceled') throw noSuch('subscription', id)
      return cancelAtPeriodEnd(work, subscription)
    },
  ),
  apiCall(
    'POST /subscriptions',
    parameters({
      customer: text,
      'items[0][price]': text,
      'items[0][quantity]': one.optional(),
      default_payment_method: card,
    }),
    async (work, { customer: id, default_payment_method: method, ...given }) => {
      const customer = await customerNamed(work, id)
      checkPrice(work, 'items[0][price]', given['items[0][price]'])
      const charged = method ?? customer.invoice_settings.default_payment_method
      if (charged) return subscribe(work, customer.id, charged !== FAILING_CARD)
      throw new StripeError(
        400,
        'This customer has no attached payment source or default payment method. Please consider adding a default payment method.',
        { code: 'resource_missing' },
      )
    },
  ),
  apiCall(
    'GET /subscriptions',
    listParameters({ customer: text, status: z.literal('all').optional() }),
    async (work, { customer, status, limit, starting_after: after }) => {
      const { id: owner } = await customerNamed(work, customer)
      const found = await listObjects(work.db, { kind: 'subscription', owner, after, limit })
      const shown =
        status === 'all' ? found : found.filter((subscription) => subscription.status !== 'canceled')
      return listOf(shown, '/v1/subscriptions', limit)
    },
  ),
  apiCall('DELETE /subscriptions/:id', parameters({}), async (work, _given, { id }) => {
    const subscription = await lockObject(work.db, 'subscription', id)
    if (!subscription || subscription.status === 'canceled') throw noSuch('subscription', id)
    return endSubscription(work, subscription)
  }),
]

/** The customer that the parameter `customer` names. */
export async function customerNamed({ db }: Work, id: string): Promise<Customer> {
  const customer = await findObject(db, 'customer', id)
  if (!customer) throw noSuchIn('customer', 'customer', id)
  return customer
}

export function checkPrice({ simulator }: Work, param: string, id: string): void {
  if (id !== simulator.plan.priceId) throw noSuchIn(param, 'price', id)
}

/** Opens a subscription with its first invoice, which a failing card leaves open. */
export async function subscribe(work: Work, customer: string, isPaid = true): Promise<Subscription> {
  const { now, simulator } = work
  const id = newId('sub')
  const invoice = newInvoice(work, { customer, reason: 'subscription_create', isPaid })
  const subscription: Subscription = {
    id,
    object: 'subscription',
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    created: now,
    customer,
    ended_at: null,
    items: {
      object: 'list',
      data: [newItem(id, simulator.plan, now)],
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    latest_invoice: invoice.id,
    livemode: false,
    metadata: {},
    status: isPaid ? 'active' : 'incomplete',
  }
  await insertObject(work.db, subscription, customer)
  await recordEvent(work, 'customer.subscription.created', subscription)
  await issue(work, invoice)
  return subscription
}

function newItem(subscription: string, { priceId, unitAmountCents }: Plan, now: number): SubscriptionItem {
  return {
    id: newId('si'),
    object: 'subscription_item',
    current_period_end: monthAfter(now),
    current_period_start: now,
    price: { id: priceId, object: 'price', currency: 'usd', unit_amount: unitAmountCents },
    subscription,
  }
}

/** A calendar month: from January 31 to the last day of February, as Stripe counts. */
export function monthAfter(seconds: number): number {
  const start = new Date(seconds * 1000)
  const end = new Date(start)
  end.setUTCMonth(start.getUTCMonth() + 1)
  // The day does not exist in the next month: back to the last day of that month.
  if (end.getUTCDate() !== start.getUTCDate()) end.setUTCDate(0)
  return Math.floor(end.getTime() / 1000)
}

/** The only item of a subscription. */
export function itemIn({ id, items: { data } }: Subscription): SubscriptionItem {
  const [item] = data
  if (!item) throw new Error(`${id} has no item`)
  return item
}

/** Lets the subscription end with the paid period. */
export function cancelAtPeriodEnd(work: Work, subscription: Subscription): Promise<Subscription> {
  const cancelAt = itemIn(subscription).current_period_end
  return update(work, subscription, {
    cancel_at: cancelAt,
    cancel_at_period_end: true,
    canceled_at: work.now,
  })
}

export function resumeSubscription(work: Work, subscription: Subscription): Promise<Subscription> {
  return update(work, subscription, { cancel_at: null, cancel_at_period_end: false, canceled_at: null })
}

/** Starts the next period with a failed payment. */
export async function failNextPayment(work: Work, subscription: Subscription): Promise<Subscription> {
  const { customer, items } = subscription
  const invoice = newInvoice(work, { customer, reason: 'subscription_cycle', isPaid: false })
  await issue(work, invoice)
  const period = { current_period_start: work.now, current_period_end: monthAfter(work.now) }
  return update(work, subscription, {
    items: { ...items, data: [{ ...itemIn(subscription), ...period }] },
    latest_invoice: invoice.id,
    status: 'past_due',
  })
}

/** Pays the open invoice with another card. */
export async function payOpenInvoice(work: Work, subscription: Subscription): Promise<Subscription> {
  const invoice = await lockObject(work.db, 'invoice', subscription.latest_invoice ?? '')
  if (invoice?.status !== 'open') return subscription
  const paid = await changeObject(work, invoice, { fields: { status: 'paid' }, type: 'invoice.paid' })
  await recordEvent(work, 'invoice.payment_succeeded', paid)
  return update(work, subscription, { status: 'active' })
}

/** Ends the subscription now. */
export function endSubscription(work: Work, subscription: Subscription): Promise<Subscription> {
  return changeObject(work, subscription, {
    fields: {
      cancel_at: null,
      cancel_at_period_end: false,
      canceled_at: subscription.canceled_at ?? work.now,
      ended_at: work.now,
      status: 'canceled',
    },
    type: 'customer.subscription.deleted',
  })
}

function update(
  work: Work,
  subscription: Subscription,
  fields: Partial<Subscription>,
): Promise<Subscription> {
  return changeObject(work, subscription, { fields, type: 'customer.subscription.updated' })
}

type Bill = {
  readonly customer: string
  readonly reason: 'subscription_create' | 'subscription_cycle'
  readonly isPaid: boolean
}

function newInvoice({ now, simulator }: Work, { customer, reason, isPaid }: Bill): Invoice {
  return {
    id: newId('in'),
    object: 'invoice',
    billing_reason: reason,
    created: now,
    currency: 'usd',
    customer,
    livemode: false,
    status: isPaid ? 'paid' : 'open',
    total: simulator.plan.unitAmountCents,
  }
}

async function issue(work: Work, invoice: Invoice): Promise<void> {
  await insertObject(work.db, invoice, invoice.customer)
  await recordEvent(work, 'invoice.finalized', invoice)
  if (invoice.status === 'paid') {
    await recordEvent(work, 'invoice.paid', invoice)
    await recordEvent(work, 'invoice.payment_succeeded', invoice)
  } else await recordEvent(work, 'invoice.payment_failed', invoice)
}
