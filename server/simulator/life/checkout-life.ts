import { soldIn } from '#server/simulator/objects/checkout-session.ts'
import { newCustomer } from '#server/simulator/objects/customer.ts'
import type { CheckoutSession, Customer } from '#server/simulator/objects/stripe-objects.ts'
import type { Work } from '#server/simulator/simulator.ts'
import {
  findObject,
  insertObject,
  lockObject,
  lockOverdueSessions,
} from '#server/simulator/state/object-queries.ts'
import { changeObject, recordEvent } from '#server/simulator/webhooks/record-event.ts'
import { openSubscription } from './subscription-life.ts'

/** The card that is used on the hosted page. */
const CARD = 'pm_card_visa'

/** Pays an open session; one that is paid already stays as it is, so that a double click pays once. */
export async function payCheckout(work: Work, id: string): Promise<CheckoutSession | undefined> {
  const session = await lockObject(work.db, 'checkout.session', id)
  if (session?.status !== 'open' || session.expires_at <= work.now) return session
  const customer = await customerOf(work, session)
  const subscription = await openSubscription(work, {
    ...soldIn(session),
    customer,
    paymentMethod: CARD,
    metadata: session.subscription_metadata ?? {},
    isPaid: true,
  })
  return changeObject(work, session, {
    fields: {
      customer: customer.id,
      invoice: subscription.latest_invoice,
      payment_status: 'paid',
      status: 'complete',
      subscription: subscription.id,
      url: null,
    },
    type: 'checkout.session.completed',
  })
}

export function expireCheckout(work: Work, session: CheckoutSession): Promise<CheckoutSession> {
  return changeObject(work, session, {
    fields: { status: 'expired', url: null },
    type: 'checkout.session.expired',
  })
}

/** Closes what nobody paid in time. */
export async function expireOverdueCheckouts(work: Work): Promise<void> {
  for (const session of await lockOverdueSessions(work.db, work.now)) await expireCheckout(work, session)
}

async function customerOf(work: Work, session: CheckoutSession): Promise<Customer> {
  const known =
    typeof session.customer === 'string' ? await findObject(work.db, 'customer', session.customer) : undefined
  if (known) return known
  const customer = newCustomer({ email: session.customer_email ?? undefined }, work.now)
  await insertObject(work.db, customer, customer.id)
  await recordEvent(work, 'customer.created', customer)
  return customer
}
