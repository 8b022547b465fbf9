import type Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { PRO_PRICE, startTestSimulator } from '#tests/support/simulator.ts'

/* The hosted pages, as a browser without scripts visits them. */

const simulator = await startTestSimulator()
const stripe = simulator.sdk()

type Page = { status: number; text: string; address: string }

async function open(address: string): Promise<Page> {
  const answer = await fetch(address, { redirect: 'manual' })
  const location = answer.headers.get('location')
  // Our pages are followed; the marketplace’s are not running here.
  if (location?.startsWith('/')) return open(new URL(location, simulator.url).href)
  return { status: answer.status, text: await answer.text(), address: location ?? address }
}

const buttonsOf = ({ text }: Page) =>
  [...text.matchAll(/action="([^"]+)"><button[^>]*>([^<]+)</g)].map(([, action = '', label = '']) => ({
    action: action.replaceAll('&#38;', '&'),
    label,
  }))

const labels = (page: Page) => buttonsOf(page).map(({ label }) => label)

async function press(page: Page, wanted: string): Promise<Page> {
  const button = buttonsOf(page).find(({ label }) => label.startsWith(wanted))
  if (!button) throw new Error(`No button ${wanted}, only ${labels(page).join(', ')}`)
  return post(new URL(button.action, simulator.url).href)
}

async function post(address: string): Promise<Page> {
  const answer = await fetch(address, { method: 'POST', redirect: 'manual' })
  expect(answer.status).toBe(303)
  const location = answer.headers.get('location') ?? ''
  if (location.startsWith('/')) return open(new URL(location, simulator.url).href)
  return { status: 303, text: '', address: location }
}

async function openCheckout(): Promise<Stripe.Checkout.Session> {
  const { id: customer } = await stripe.customers.create({ email: 'yard@parts.example' })
  return stripe.checkout.sessions.create({
    customer,
    mode: 'subscription',
    line_items: [{ price: PRO_PRICE, quantity: 1 }],
    success_url: 'https://parts.example/done?session_id={CHECKOUT_SESSION_ID}',
    cancel_url: 'https://parts.example/cancel',
  })
}

async function subscriptionsOf({ customer }: { customer: Stripe.Checkout.Session['customer'] }) {
  return (await stripe.subscriptions.list({ customer: String(customer), status: 'all' })).data
}

describe('checkout', () => {
  test('a payment completes the checkout', async () => {
    const session = await openCheckout()
    const page = await open(session.url ?? '')
    expect(page.text).toContain('Test payments</strong> – no money moves')
    expect(page.text).toContain('PartHarbor Pro')
    expect(page.text).toContain('$149.00 a month')
    expect(page.text).not.toContain('<script')
    expect(labels(page)).toEqual(['Pay $149.00', 'Fail (card declined)', 'Cancel'])
    const paid = await press(page, 'Pay')
    expect(paid.address).toBe(`https://parts.example/done?session_id=${session.id}`)
    const complete = await stripe.checkout.sessions.retrieve(session.id)
    expect(complete).toMatchObject({ status: 'complete', payment_status: 'paid', url: null })
    expect(await subscriptionsOf(session)).toMatchObject([{ id: complete.subscription, status: 'active' }])
    const { data } = await stripe.events.list({ limit: 5 })
    expect(data.map(({ type }) => type)).toEqual([
      'checkout.session.completed',
      'invoice.payment_succeeded',
      'invoice.paid',
      'invoice.finalized',
      'customer.subscription.created',
    ])
    expect((await open(session.url ?? '')).text).toContain('This checkout is paid')
  })

  test('paying twice at the same time makes one subscription', async () => {
    const session = await openCheckout()
    const page = await open(session.url ?? '')
    const both = await Promise.all([press(page, 'Pay'), press(page, 'Pay')])
    expect(both.map(({ address }) => address)).toEqual(
      Array(2).fill(`https://parts.example/done?session_id=${session.id}`),
    )
    expect(await subscriptionsOf(session)).toHaveLength(1)
  })

  test('a card is declined, and the next one pays', async () => {
    const session = await openCheckout()
    const declined = await press(await open(session.url ?? ''), 'Fail')
    expect(declined.text).toContain('Your card was declined.')
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ status: 'open' })
    await press(declined, 'Pay')
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ status: 'complete' })
  })

  test('canceling leaves the checkout open', async () => {
    const session = await openCheckout()
    const left = await press(await open(session.url ?? ''), 'Cancel')
    expect(left.address).toBe('https://parts.example/cancel')
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ status: 'open' })
  })

  test('an expired checkout takes no payment', async () => {
    const session = await openCheckout()
    const page = await open(session.url ?? '')
    await stripe.checkout.sessions.expire(session.id)
    expect((await press(page, 'Pay')).text).toContain('This checkout has expired')
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ status: 'expired' })
  })
})

describe('onboarding', () => {
  async function begin(): Promise<{ account: string; link: string; page: Page }> {
    const { id: account } = await stripe.accounts.create({
      type: 'express',
      capabilities: { transfers: { requested: true } },
    })
    const link = await newLink(account)
    return { account, link, page: await open(link) }
  }

  async function newLink(account: string): Promise<string> {
    const { url } = await stripe.accountLinks.create({
      account,
      type: 'account_onboarding',
      refresh_url: 'https://parts.example/again',
      return_url: 'https://parts.example/back',
    })
    return url
  }

  test.each([
    ['Complete', { charges_enabled: true, payouts_enabled: true, details_submitted: true }],
    ['Leave unfinished', { charges_enabled: false, details_submitted: false }],
    ['Submit', { charges_enabled: false, details_submitted: true }],
    ['Reject', { charges_enabled: false, requirements: { disabled_reason: 'rejected.other' } }],
  ])('%s', async (button, expected) => {
    const { account, page } = await begin()
    expect((await press(page, button)).address).toBe('https://parts.example/back')
    expect(await stripe.accounts.retrieve(account)).toMatchObject(expected)
  })

  test('a link works once, and for five minutes', async () => {
    const { account, link, page } = await begin()
    expect((await open(link)).address).toBe('https://parts.example/again')
    expect((await open(page.address)).text).toContain('Set up payouts')
    const late = await newLink(account)
    await simulator.behave({ clockAheadMs: 301_000 })
    expect((await open(late)).address).toBe('https://parts.example/again')
    await simulator.behave({})
    expect((await open(late)).text).toContain('Set up payouts')
  })
})

describe('portal', () => {
  async function begin(): Promise<{ id: string; customer: string; page: Page }> {
    const customer = await stripe.customers.create({ payment_method: 'pm_card_visa' })
    const { id } = await stripe.subscriptions.create({ customer: customer.id, items: [{ price: PRO_PRICE }] })
    const portal = await stripe.billingPortal.sessions.create({
      customer: customer.id,
      return_url: 'https://parts.example/back',
    })
    return { id, customer: customer.id, page: await open(portal.url) }
  }
  const state = async (customer: string) => (await subscriptionsOf({ customer }))[0]

  test('cancel at the end, resume, cancel, and the period ends', async () => {
    const { customer, page } = await begin()
    expect(page.text).toContain('PartHarbor Pro')
    expect(page.text).toContain('https://parts.example/back')
    const ending = await press(page, 'Cancel')
    expect(ending.text).toContain('ends with the period')
    expect(await state(customer)).toMatchObject({ status: 'active', cancel_at_period_end: true })
    const resumed = await press(ending, 'Resume')
    expect(await state(customer)).toMatchObject({ cancel_at_period_end: false, cancel_at: null })
    const ended = await press(await press(resumed, 'Cancel'), 'Let the period end')
    expect(labels(ended)).toEqual([])
    expect(await state(customer)).toMatchObject({ status: 'canceled', ended_at: expect.any(Number) })
  })

  test('the next payment fails and is paid later', async () => {
    const { customer, page } = await begin()
    const failed = await press(page, 'The next payment fails')
    expect(failed.text).toContain('Past due')
    expect(await state(customer)).toMatchObject({ status: 'past_due' })
    await press(failed, 'Pay the open invoice')
    expect(await state(customer)).toMatchObject({ status: 'active' })
    const { data } = await stripe.events.list({ limit: 6 })
    expect(data.map(({ type }) => type)).toEqual([
      'customer.subscription.updated',
      'invoice.payment_succeeded',
      'invoice.paid',
      'customer.subscription.updated',
      'invoice.payment_failed',
      'invoice.finalized',
    ])
  })

  test('the next payment fails, and the period ends', async () => {
    const { customer, page } = await begin()
    await press(await press(page, 'The next payment fails'), 'Let the period end now')
    expect(await state(customer)).toMatchObject({ status: 'canceled' })
    const { data } = await stripe.events.list({ limit: 1 })
    expect(data[0]?.type).toBe('customer.subscription.deleted')
  })

  test('a second click has no effect, and no one can reach another customer’s subscription', async () => {
    const { id, page } = await begin()
    await press(page, 'Cancel')
    await press(page, 'Cancel')
    const { data } = await stripe.events.list({ type: 'customer.subscription.updated', limit: 2 })
    expect(data.filter(({ data: { object } }) => 'id' in object && object.id === id)).toHaveLength(1)
    const mine = await begin()
    const other = await begin()
    const [cancel] = buttonsOf(mine.page)
    await post(new URL(cancel?.action.replace(mine.id, other.id) ?? '', simulator.url).href)
    expect(await state(other.customer)).toMatchObject({ cancel_at_period_end: false })
  })
})

test('the payout page shows the account’s balance', async () => {
  const { id } = await stripe.accounts.create({ type: 'express', metadata: { simulator: 'verified' } })
  const { available } = await stripe.balance.retrieve({}, { stripeAccount: id })
  const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
  const page = await open((await stripe.accounts.createLoginLink(id)).url)
  expect(page.text).toContain(dollars.format((available[0]?.amount ?? 0) / 100))
})

test('an incomplete address or a token of another kind is 404', async () => {
  const session = await openCheckout()
  const token = session.url?.split('/').at(-1)
  for (const path of [
    '/',
    '/checkout',
    '/checkout/x',
    `/portal/${token}`,
    `/checkout/${token}/constructor`,
  ]) {
    expect((await open(simulator.url + path)).status).toBe(404)
  }
})

test('names are rendered as text, never as markup', async () => {
  const customer = await stripe.customers.create({ email: '"<b>"@parts.example' }).catch(() => undefined)
  expect(customer).toBeUndefined()
  const back = 'https://parts.example/?a=<b>&c="d'
  const { id } = await stripe.customers.create({})
  const portal = await stripe.billingPortal.sessions.create({ customer: id, return_url: back })
  const page = await open(portal.url)
  expect(page.text).not.toContain('<b>')
  expect(page.text).toContain('&#60;b&#62;&#38;c=&#34;d')
})
