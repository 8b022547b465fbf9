import { z } from 'zod'
import { type ApiCall, apiCall, listOf } from './api-call.ts'
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
import {
  createdRange,
  integer,
  nested,
  nestedParameters,
  noSuch,
  one,
  parameters,
  StripeError,
  text,
  webAddress,
} from './parameters.ts'
import {
  declinePayment,
  endIntentOf,
  findBasket,
  openPayment,
  payDelayed,
  paymentSession,
  payPayment,
} from './payments/payment-sessions.ts'
import { clockOf, type Work } from './simulator.ts'
import { changeObject, insertObject, insertPage, listObjects, lockObject, setDue } from './store.ts'
import { type CheckoutSession, type LineItem, newId } from './stripe-objects.ts'
import { checkPrice, customerNamed, subscribe } from './subscriptions.ts'

/* Checkout sessions: the calls and the payment page. */

const DAY_S = 24 * 3_600
const AGAIN_MS = 60_000

const subscriptionSession = z.strictObject({
  mode: z.literal('subscription'),
  line_items: z.array(z.strictObject({ price: text, quantity: one })).length(1),
  success_url: webAddress,
  cancel_url: webAddress.optional(),
  customer: text,
  client_reference_id: text.optional(),
})

const newSession = z.preprocess(nested, z.discriminatedUnion('mode', [subscriptionSession, paymentSession]))

export const checkoutCalls: readonly ApiCall[] = [
  apiCall('POST /checkout/sessions', newSession, (work, given) =>
    given.mode === 'payment' ? openPayment(work, given) : openSubscription(work, given),
  ),
  apiCall('GET /checkout/sessions/:id', parameters({}), async (work, _given, { id }) => {
    const session = await lockSession(work, id)
    if (!session) throw noSuch('checkout.session', id)
    return session
  }),
  apiCall(
    'GET /checkout/sessions',
    nestedParameters({
      created: createdRange,
      customer: text.optional(),
      limit: integer.pipe(z.number().min(1).max(100)).default(10),
      payment_intent: text.optional(),
      starting_after: text.optional(),
      status: z.enum(['complete', 'expired', 'open']).optional(),
    }),
    async (work, { customer: owner, created, limit, payment_intent, starting_after: after, status }) => {
      const where = { payment_intent, status }
      const kind = 'checkout.session'
      const found = await listObjects(work.db, { kind, owner, where, created, after, limit })
      const read: CheckoutSession[] = []
      for (const session of found) read.push((await lockSession(work, session.id)) ?? session)
      return listOf(read, '/v1/checkout/sessions', limit)
    },
  ),
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

async function openSubscription(
  work: Work,
  given: z.output<typeof subscriptionSession>,
): Promise<CheckoutSession> {
  const { db, now, simulator } = work
  const { id: customer } = await customerNamed(work, given.customer)
  checkPrice(work, 'line_items[0][price]', given.line_items[0]?.price ?? '')
  const id = newId('cs_test')
  const path = await insertPage(work, 'checkout', { subject: id, seconds: DAY_S })
  const amount = simulator.plan.unitAmountCents
  const session: CheckoutSession = {
    id,
    object: 'checkout.session',
    amount_subtotal: amount,
    amount_total: amount,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    cancel_url: given.cancel_url ?? null,
    client_reference_id: given.client_reference_id ?? null,
    created: now,
    currency: 'usd',
    customer,
    customer_details: null,
    customer_email: null,
    expires_at: now + DAY_S,
    livemode: false,
    locale: null,
    metadata: {},
    mode: 'subscription',
    payment_intent: null,
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    phone_number_collection: { enabled: false },
    status: 'open',
    submit_type: null,
    subscription: null,
    success_url: given.success_url,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
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

async function expire(work: Work, session: CheckoutSession): Promise<CheckoutSession> {
  await setDue(work.db, session.id, null)
  await endIntentOf(work, session)
  return changeObject(work, session, {
    fields: { status: 'expired', url: null },
    type: 'checkout.session.expired',
  })
}

/** A session that nobody read in time expires by itself. */
export async function expireUnread(work: Work, session: CheckoutSession): Promise<void> {
  if (session.status !== 'open') return
  if (work.simulator.behavior.expireUnread) await expire(work, session)
  // Asked again later: the behavior may have changed.
  else await setDue(work.db, session.id, clockOf(work.simulator) + AGAIN_MS)
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
      if (session.status === 'complete') return successUrl(session)
      return session.status === 'open' ? `${visit.address}?declined=1` : visit.address
    },
    decline,
    fail: decline,
    cancel: async (visit) => (await sessionOf(visit)).cancel_url ?? visit.address,
  },
}

async function decline(visit: Visit): Promise<string> {
  const session = await sessionOf(visit)
  if (session.status === 'open' && session.mode === 'payment') await declinePayment(visit.work, session)
  return `${visit.address}?declined=1`
}

/**
 * Pays an open session; a paid one is unchanged, so that a double click pays once. With `?late=1` also one whose time is
 * over, as long as nobody has read it as expired: the bank's question was answered at the last moment. With `?delayed=1` by
 * a bank debit that takes days.
 */
async function pay(visit: Visit): Promise<CheckoutSession> {
  const { work, page, query } = visit
  const late = query.late === '1' ? await lockObject(work.db, 'checkout.session', page.subject) : undefined
  const session = late ?? (await sessionOf(visit))
  if (session.status !== 'open') return session
  if (session.mode === 'payment') {
    return query.delayed === '1' ? payDelayed(work, session) : payPayment(work, session)
  }
  const { id: subscription } = await subscribe(work, session.customer ?? '')
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

async function showOpen(visit: Visit, session: CheckoutSession): Promise<Html> {
  const { work, address, query } = visit
  const { productName, plan } = work.simulator
  const total = inMoney(session.amount_total ?? 0)
  const isPayment = session.mode === 'payment'
  const basket = isPayment ? await findBasket(work, session.id) : undefined
  const isManual = basket?.intent.capture_method === 'manual'
  const declined = html`<p role="alert">Your card was declined. Nothing was charged; pay with another card.</p>`
  const authorized = html`<p>Your card is authorized for ${total} now. It is charged only when the seller confirms.</p>`
  const tax = session.total_details?.amount_tax ?? 0
  const content = html`
${query.declined ? declined : undefined}
${factList([
  ...(basket?.lines ?? []).map(lineFact),
  ...(tax === 0 ? [] : [['Sales tax', inMoney(tax)] as const]),
  ['Total', isPayment ? total : `${total} a month`],
  ['Card', 'Test card 4242'],
])}
${isManual ? authorized : undefined}
${actionButton(`${address}/pay`, `${isManual ? 'Authorize' : 'Pay'} ${total}`, 'main')}
${actionButton(`${address}/decline`, 'Fail (card declined)')}
${session.cancel_url === null ? undefined : actionButton(`${address}/cancel`, 'Cancel')}`
  const title = isPayment ? `Pay ${productName}` : `Subscribe to ${plan.productName}`
  return wholePage(work.simulator, title, content)
}

function lineFact({ description, quantity, amount_subtotal: cents }: LineItem): [string, string] {
  const times = quantity === 1 ? '' : `${quantity} × `
  return [`${times}${description}`, inMoney(cents)]
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
