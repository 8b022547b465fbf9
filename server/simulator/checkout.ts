import { z } from 'zod'
import { type ApiCall, apiCall } from './api-call.ts'
import {
  actionButton,
  factList,
  type Hosted,
  type Html,
  html,
  inMoney,
  linkBack,
  type Visit,
  wholePage,
} from './page.ts'
import { noSuch, one, parameters, StripeError, text, webAddress } from './parameters.ts'
import type { Work } from './simulator.ts'
import { changeObject, insertObject, insertPage, lockObject } from './store.ts'
import { type CheckoutSession, newId } from './stripe-objects.ts'
import { checkPrice, customerNamed, subscribe } from './subscriptions.ts'

/* Checkout sessions: the calls and the payment page. */

const DAY_S = 24 * 3_600

const newSession = parameters({
  mode: z.literal('subscription'),
  'line_items[0][price]': text,
  'line_items[0][quantity]': one,
  success_url: webAddress,
  cancel_url: webAddress.optional(),
  customer: text,
  client_reference_id: text.optional(),
})

export const checkoutCalls: readonly ApiCall[] = [
  apiCall('POST /checkout/sessions', newSession, openCheckout),
  apiCall('GET /checkout/sessions/:id', parameters({}), async (work, _given, { id }) => {
    const session = await lockSession(work, id)
    if (!session) throw noSuch('checkout.session', id)
    return session
  }),
  apiCall('POST /checkout/sessions/:id/expire', parameters({}), async (work, _given, { id }) => {
    const session = await lockSession(work, id)
    if (!session) throw noSuch('checkout.session', id)
    if (session.status === 'open') return expire(work, session)
    throw new StripeError(
      400,
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
    )
  }),
]

async function openCheckout(work: Work, given: z.output<typeof newSession>): Promise<CheckoutSession> {
  const { db, now, simulator } = work
  const { id: customer } = await customerNamed(work, given.customer)
  checkPrice(work, 'line_items[0][price]', given['line_items[0][price]'])
  const id = newId('cs_test')
  const path = await insertPage(work, 'checkout', { subject: id, seconds: DAY_S })
  const session: CheckoutSession = {
    id,
    object: 'checkout.session',
    amount_total: simulator.plan.unitAmountCents,
    cancel_url: given.cancel_url ?? null,
    client_reference_id: given.client_reference_id ?? null,
    created: now,
    currency: 'usd',
    customer,
    expires_at: now + DAY_S,
    livemode: false,
    mode: 'subscription',
    payment_status: 'unpaid',
    status: 'open',
    subscription: null,
    success_url: given.success_url,
    url: `${simulator.url}${path}`,
  }
  await insertObject(db, session, customer)
  return session
}

/** A session that was not paid in time expires when it is next read. */
async function lockSession(work: Work, id: string): Promise<CheckoutSession | undefined> {
  const session = await lockObject(work.db, 'checkout.session', id)
  return session?.status === 'open' && session.expires_at <= work.now ? expire(work, session) : session
}

function expire(work: Work, session: CheckoutSession): Promise<CheckoutSession> {
  return changeObject(work, session, {
    fields: { status: 'expired', url: null },
    type: 'checkout.session.expired',
  })
}

export const checkoutPage: Hosted = {
  path: 'checkout',
  show: async (visit) => {
    const session = await sessionOf(visit)
    return session.status === 'open' ? showOpen(visit, session) : showClosed(visit, session)
  },
  actions: {
    pay: async (visit) => {
      const session = await pay(visit)
      return session.status === 'complete' ? successUrl(session) : visit.address
    },
    decline: async ({ address }) => `${address}?declined=1`,
    cancel: async (visit) => (await sessionOf(visit)).cancel_url ?? visit.address,
  },
}

/** Pays an open session; a paid one is unchanged, so that a double click pays once. */
async function pay(visit: Visit): Promise<CheckoutSession> {
  const { work } = visit
  const session = await sessionOf(visit)
  if (session.status !== 'open') return session
  const { id: subscription } = await subscribe(work, session.customer)
  return changeObject(work, session, {
    fields: { payment_status: 'paid', status: 'complete', subscription, url: null },
    type: 'checkout.session.completed',
  })
}

async function sessionOf({ work, page }: Visit): Promise<CheckoutSession> {
  const session = await lockSession(work, page.subject)
  if (!session) throw new Error(`${page.subject} has a page and no session`)
  return session
}

/** Where a person goes after paying; the URL may contain a placeholder for the session's id. */
function successUrl({ success_url: url, id }: CheckoutSession): string {
  return (url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', id)
}

function showOpen({ work: { simulator }, address, query }: Visit, session: CheckoutSession): Html {
  const { plan } = simulator
  const total = inMoney(session.amount_total ?? 0)
  const declined = html`<p role="alert">Your card was declined. Nothing was charged; pay with another card.</p>`
  const content = html`
${query.declined ? declined : undefined}
${factList([
  ['Total', `${total} a month`],
  ['Card', 'Test card 4242'],
])}
${actionButton(`${address}/pay`, `Pay ${total}`, 'main')}
${actionButton(`${address}/decline`, 'Fail (card declined)')}
${session.cancel_url === null ? undefined : actionButton(`${address}/cancel`, 'Cancel')}`
  return wholePage(simulator, `Subscribe to ${plan.productName}`, content)
}

function showClosed({ work: { simulator } }: Visit, session: CheckoutSession): Html {
  const { productName } = simulator
  if (session.status === 'complete') {
    const back = linkBack(successUrl(session), productName)
    return wholePage(simulator, 'This checkout is paid', html`<p>There is nothing left to pay.</p>${back}`)
  }
  const back = linkBack(session.cancel_url, productName)
  const content = html`<p>Nothing was charged. Start again in ${productName}.</p>${back}`
  return wholePage(simulator, 'This checkout has expired', content)
}
