import { describe, expect, test } from 'vitest'
import type { User } from '#contract/account/accounts.ts'
import type { ErrorReply } from '#contract/endpoint.ts'
import {
  buyPro,
  type HandOver,
  press,
  profileOf,
  requestsOf,
  type StartedCheckout,
  startBillingWorker,
  stripeOf,
  untilUser,
} from '#tests/support/payments.ts'
import { SIMULATOR_KEY, startTestSimulator } from '#tests/support/simulator.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const simulator = await startTestSimulator()
const app = await startTestApp({ ...simulator.settings, PUBLIC_URL: 'https://parts.example' })
await startBillingWorker(app)
await simulator.deliverTo(app.http)

type Confirmed = { ok: boolean; user: User }

describe('POST /subscription/checkout', () => {
  test.each(['/subscription/checkout', '/subscription/upgrade'])('%s opens the checkout', async (path) => {
    const seller = await app.signUp()
    const { status, body } = await seller.api.post<StartedCheckout>(path)
    expect(status).toBe(200)
    expect(body.sessionId).toMatch(/^cs_test_/)
    expect(body.url).toContain(simulator.url)
    expect(await profileOf(seller)).toMatchObject({ sellerTier: 'FREE', subscriptionStatus: 'INACTIVE' })
  })

  test('a seller who pays and never returns becomes Pro through the webhook alone', async () => {
    const seller = await app.signUp()
    const { body } = await seller.api.post<StartedCheckout>('/subscription/checkout')
    expect(await press(body.url, 'pay')).toBe(
      `https://parts.example/stripe/callback?session_id=${body.sessionId}`,
    )
    const user = await untilUser(seller, { sellerTier: 'PAID', subscriptionStatus: 'ACTIVE' })
    expect(user.subscriptionId).toMatch(/^sub_/)
    expect(user.subscriptionPriceId).toBe('price_pro_monthly')
    expect(user.stripeCustomerId).toMatch(/^cus_/)
    expect(await auditsOf(user.sellerId)).toEqual(['checkout-started', 'tier-changed'])
  })

  test('a declined card or going back changes nothing, and the checkout stays open', async () => {
    const seller = await app.signUp()
    const { body } = await seller.api.post<StartedCheckout>('/subscription/checkout')
    await press(body.url, 'decline')
    expect(await press(body.url, 'cancel')).toBe('https://parts.example/stripe/cancel')
    expect((await seller.api.post<StartedCheckout>('/subscription/upgrade')).body).toEqual(body)
    expect(await profileOf(seller)).toMatchObject({ sellerTier: 'FREE', subscriptionStatus: 'INACTIVE' })
  })

  test('many clicks at once make one customer and one session', async () => {
    const seller = await app.signUp()
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => seller.api.post<StartedCheckout>('/subscription/checkout')),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ body }) => body.sessionId)).size).toBe(1)
    const requests = await requestsOf(app, seller.user.sellerId)
    expect(requests.map(({ kind, state }) => `${kind} ${state}`).sort()).toEqual([
      'checkout open',
      'customer done',
    ])
    const { stripeCustomerId } = await profileOf(seller)
    expect(await customersOf(seller.person.email)).toEqual([stripeCustomerId])
  })

  test('after a checkout expires, the next click makes another', async () => {
    const seller = await app.signUp()
    const first = (await seller.api.post<StartedCheckout>('/subscription/checkout')).body
    await simulator.behave({ clockAheadMs: 25 * 3_600_000 })
    const second = (await seller.api.post<StartedCheckout>('/subscription/checkout')).body
    await simulator.behave({})
    expect(second.sessionId).not.toBe(first.sessionId)
    const states = (await requestsOf(app, seller.user.sellerId)).map(({ provider_id, state }) => [
      provider_id,
      state,
    ])
    expect(states.slice(1)).toEqual([
      [first.sessionId, 'void'],
      [second.sessionId, 'open'],
    ])
  })

  test('a seller who paid and clicks again before the webhook gets an error and pays once', async () => {
    await simulator.behave({ webhooks: { hold: true } })
    const seller = await app.signUp()
    await buyPro(seller)
    const again = await seller.api.post<ErrorReply>('/subscription/checkout')
    await simulator.behave({})
    expect([again.status, again.body.code]).toEqual([409, 'CONFLICT'])
    expect(again.body.error).toBe('You already have Pro. Open Manage Billing to change or cancel it.')
    expect(await profileOf(seller)).toMatchObject({ sellerTier: 'PAID' })
  })

  test('a second subscription cannot be bought while one waits for its first payment', async () => {
    const seller = await app.signUp()
    const { sessionId } = (await seller.api.post<StartedCheckout>('/subscription/checkout')).body
    const { stripeCustomerId } = await profileOf(seller)
    const sdk = simulator.sdk()
    await sdk.checkout.sessions.expire(sessionId)
    const { id } = await sdk.subscriptions.create({
      customer: stripeCustomerId ?? '',
      items: [{ price: 'price_pro_monthly' }],
      default_payment_method: 'pm_card_chargeCustomerFail',
    })
    await untilUser(seller, { sellerTier: 'FREE', subscriptionStatus: 'PENDING' })
    for (const path of ['/subscription/checkout', '/subscription/upgrade']) {
      const { status, body } = await seller.api.post<ErrorReply>(path)
      expect([status, body.error]).toEqual([
        409,
        'Your payment is still being confirmed. Please wait a few minutes.',
      ])
    }
    // It ended, but no event reported it.
    await simulator.behave({ webhooks: { hold: true } })
    await sdk.subscriptions.cancel(id)
    const again = await seller.api.post<StartedCheckout>('/subscription/checkout')
    await simulator.behave({})
    expect(again.status).toBe(200)
  })

  test('a customer deleted at the provider is created again', async () => {
    const seller = await app.signUp()
    const { sellerId } = seller.user
    await app.db
      .updateTable('seller')
      .set({ stripe_customer_id: 'cus_deleted' })
      .where('id', '=', sellerId)
      .execute()
    expect((await seller.api.post('/subscription/checkout')).status).toBe(200)
    const { stripeCustomerId } = await profileOf(seller)
    expect(await customersOf(seller.person.email)).toEqual([stripeCustomerId])
    await buyPro(seller)
    await untilUser(seller, { sellerTier: 'PAID' })
  })

  test('409 for a Pro seller and for an administrator', async () => {
    const pro = await app.signUp({ tier: 'PAID' })
    const admin = await app.signUp({ role: 'admin' })
    for (const { api, user } of [pro, admin]) {
      const answer = await api.post<ErrorReply>('/subscription/upgrade')
      expect([answer.status, answer.body.code]).toEqual([409, 'CONFLICT'])
      expect(await requestsOf(app, user.sellerId)).toEqual([])
    }
  })
})

describe('POST /subscription/status', () => {
  test('a seller who returns before the webhook is confirmed from the provider’s data', async () => {
    await simulator.behave({ webhooks: { hold: true } })
    const seller = await app.signUp()
    const { body } = await seller.api.post<StartedCheckout>('/subscription/checkout')
    const confirm = () => seller.api.post<Confirmed>('/subscription/status', { sessionId: body.sessionId })
    expect((await confirm()).body).toMatchObject({ ok: false, user: { sellerTier: 'FREE' } })
    await press(body.url, 'pay')
    expect((await confirm()).body).toMatchObject({
      ok: true,
      user: { sellerTier: 'PAID', subscriptionStatus: 'ACTIVE' },
    })
    expect((await confirm()).body.ok).toBe(true)
    await simulator.behave({})
    expect((await requestsOf(app, seller.user.sellerId)).map(({ state }) => state)).toEqual(['done', 'done'])
  })

  test('another customer’s session is not found, paid or not', async () => {
    const payer = await app.signUp()
    const sessionId = await buyPro(payer)
    await untilUser(payer, { sellerTier: 'PAID' })
    const stranger = await app.signUp()
    const customer = await app.signUp()
    await customer.api.post('/subscription/checkout')
    for (const someone of [stranger, customer]) {
      const answer = await someone.api.post<ErrorReply>('/subscription/status', { sessionId })
      expect([answer.status, answer.body.code]).toEqual([404, 'NOT_FOUND'])
      expect(await profileOf(someone)).toMatchObject({ sellerTier: 'FREE' })
    }
  })

  test.each(['cs_test_none', 'sub_123', '../customers', 'cs_test_%2e%2e/x'])(
    '404 for %j',
    async (sessionId) => {
      const seller = await app.signUp()
      await seller.api.post('/subscription/checkout')
      const answer = await seller.api.post('/subscription/status', { sessionId })
      expect(answer.status).toBe(404)
    },
  )

  test('422 without a session', async () => {
    const seller = await app.signUp()
    const answer = await seller.api.post<ErrorReply>('/subscription/status', {})
    expect([answer.status, answer.body.fields]).toEqual([422, { sessionId: 'sessionId is required' }])
  })
})

describe('POST /subscription/portal', () => {
  test('opens the page where the subscription can be canceled, resumed or ended', async () => {
    const seller = await app.signUp()
    await buyPro(seller)
    const { subscriptionId } = await untilUser(seller, { sellerTier: 'PAID' })
    const { body } = await seller.api.post<HandOver>('/subscription/portal')
    const step = (action: string) => press(body.url, action, `?subscription=${subscriptionId}`)
    await step('cancel')
    const ending = await untilUser(seller, { subscriptionEndsAt: expect.any(String) as unknown as string })
    expect(ending).toMatchObject({ sellerTier: 'PAID', subscriptionStatus: 'ACTIVE' })
    expect(Date.parse(ending.subscriptionEndsAt ?? '')).toBeGreaterThan(Date.now())
    await step('resume')
    await untilUser(seller, { subscriptionEndsAt: null })
    await step('fail-payment')
    await untilUser(seller, { sellerTier: 'PAID', subscriptionStatus: 'PAST_DUE' })
    await step('end-period')
    await untilUser(seller, { sellerTier: 'FREE', subscriptionStatus: 'CANCELED', subscriptionEndsAt: null })
    expect((await seller.api.post('/subscription/checkout')).status).toBe(200)
  })

  test('409 for a seller who never had a subscription', async () => {
    const { api } = await app.signUp({ tier: 'PAID' })
    const answer = await api.post<ErrorReply>('/subscription/portal')
    expect([answer.status, answer.body.code]).toEqual([409, 'CONFLICT'])
    expect(answer.body.error).toBe('This account has no subscription to manage.')
  })
})

test('of two subscriptions, the live one counts', async () => {
  const seller = await app.signUp()
  await buyPro(seller)
  const { subscriptionId, stripeCustomerId } = await untilUser(seller, { sellerTier: 'PAID' })
  const { body } = await seller.api.post<HandOver>('/subscription/portal')
  await press(body.url, 'cancel', `?subscription=${subscriptionId}`)
  await press(body.url, 'end-period', `?subscription=${subscriptionId}`)
  await untilUser(seller, { sellerTier: 'FREE' })
  await buyPro(seller)
  const user = await untilUser(seller, { sellerTier: 'PAID', subscriptionStatus: 'ACTIVE' })
  expect(user.subscriptionId).not.toBe(subscriptionId)
  expect(
    await stripeOf(app)
      .within(9_000)
      .listSubscriptions(stripeCustomerId ?? ''),
  ).toHaveLength(2)
})

async function auditsOf(sellerId: string): Promise<string[]> {
  const rows = await app.db
    .selectFrom('audit_entry')
    .select('action')
    .where('target', '=', sellerId)
    .orderBy('id')
    .execute()
  return rows.map(({ action }) => action)
}

/** Ids of all customers ever created with this email. */
async function customersOf(email: string): Promise<string[]> {
  const answer = await fetch(`${simulator.url}/v1/events?type=customer.created&limit=100`, {
    headers: { authorization: `Bearer ${SIMULATOR_KEY}` },
  })
  const { data } = (await answer.json()) as { data: { data: { object: { id: string; email: string } } }[] }
  return data.flatMap(({ data: { object } }) => (object.email === email ? [object.id] : []))
}
