import Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { API_VERSION } from '#server/simulator/stripe-objects.ts'
import { PRO_PRICE, startTestSimulator } from '#tests/support/simulator.ts'

const simulator = await startTestSimulator()
const stripe = simulator.sdk()

const CHECKOUT = {
  mode: 'subscription',
  line_items: [{ price: PRO_PRICE, quantity: 1 }],
  success_url: 'https://parts.example/done?session_id={CHECKOUT_SESSION_ID}',
  cancel_url: 'https://parts.example/cancel',
} as const

async function openSubscription() {
  const customer = await stripe.customers.create({
    email: 'yard@parts.example',
    payment_method: 'pm_card_visa',
  })
  const subscription = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: PRO_PRICE }],
  })
  return { customer, subscription }
}

describe('every SDK call that we make', () => {
  test('uses the version that the SDK is pinned to', async () => {
    expect(stripe.getApiField('version')).toBe(API_VERSION)
    const { lastResponse } = await stripe.customers.create({})
    expect(lastResponse.requestId).toMatch(/^req_\w{14}$/)
    expect(lastResponse.apiVersion).toBe(API_VERSION)
  })

  test('manages customers', async () => {
    const name = 'Green Country Salvage'
    const made = await stripe.customers.create({
      email: 'yard@parts.example',
      name,
      metadata: { sellerId: '7' },
      payment_method: 'pm_card_visa',
      invoice_settings: { default_payment_method: 'pm_card_visa' },
    })
    expect(made).toMatchObject({
      object: 'customer',
      email: 'yard@parts.example',
      name,
      metadata: { sellerId: '7' },
      livemode: false,
    })
  })

  test('creates checkout sessions', async () => {
    const customer = await stripe.customers.create({})
    const made = await stripe.checkout.sessions.create({
      ...CHECKOUT,
      line_items: [...CHECKOUT.line_items],
      customer: customer.id,
      client_reference_id: 'seller-7',
    })
    expect(made).toMatchObject({
      status: 'open',
      payment_status: 'unpaid',
      amount_total: 14_900,
      currency: 'usd',
      customer: customer.id,
      client_reference_id: 'seller-7',
    })
    expect(made.id).toMatch(/^cs_test_\w{58}$/)
    expect(made.url).toContain(`${simulator.url}/checkout/`)
    expect(await stripe.checkout.sessions.retrieve(made.id)).toEqual(made)
    expect(await stripe.checkout.sessions.expire(made.id)).toMatchObject({ status: 'expired', url: null })
    await expect(stripe.checkout.sessions.expire(made.id)).rejects.toThrow('status of `expired`')
  })

  test('lists subscriptions page by page', async () => {
    const { customer, subscription } = await openSubscription()
    expect(subscription).toMatchObject({ status: 'active', customer: customer.id })
    const [item] = subscription.items.data
    expect(item?.price).toMatchObject({ id: PRO_PRICE, unit_amount: 14_900 })
    expect((item?.current_period_end ?? 0) - (item?.current_period_start ?? 0)).toBeGreaterThan(27 * 86_400)
    expect(await stripe.subscriptions.cancel(subscription.id)).toMatchObject({ status: 'canceled' })
    await expect(stripe.subscriptions.cancel(subscription.id)).rejects.toThrow('No such subscription')
    expect((await stripe.subscriptions.list({ customer: customer.id })).data).toEqual([])
    const second = await stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: PRO_PRICE }],
    })
    const seen: string[] = []
    for await (const { id } of stripe.subscriptions.list({ customer: customer.id, status: 'all', limit: 1 }))
      seen.push(id)
    expect(seen).toEqual([second.id, subscription.id])
  })

  test('refuses subscriptions of an unknown customer, as Stripe does', async () => {
    await expect(stripe.subscriptions.list({ customer: 'cus_nobody', status: 'all' })).rejects.toMatchObject({
      statusCode: 400,
      code: 'resource_missing',
      param: 'customer',
    })
  })

  test('a failing card leaves the subscription incomplete; without a card none is created', async () => {
    const { id: customer } = await stripe.customers.create({})
    const order = { customer, items: [{ price: PRO_PRICE }] }
    const failing = { ...order, default_payment_method: 'pm_card_chargeCustomerFail' }
    expect(await stripe.subscriptions.create(failing)).toMatchObject({ status: 'incomplete' })
    await expect(stripe.subscriptions.create(order)).rejects.toThrow('no attached payment source')
  })

  test('opens the portal', async () => {
    const customer = await stripe.customers.create({})
    const portal = await stripe.billingPortal.sessions.create({
      customer: customer.id,
      return_url: 'https://parts.example/back',
    })
    expect(portal.url).toContain(`${simulator.url}/portal/`)
  })

  test('manages accounts, links and balances', async () => {
    const fresh = await stripe.accounts.create({
      type: 'express',
      email: 'yard@parts.example',
      capabilities: { transfers: { requested: true } },
    })
    expect(fresh).toMatchObject({
      charges_enabled: false,
      details_submitted: false,
      requirements: { disabled_reason: 'requirements.past_due' },
    })
    await expect(stripe.accounts.createLoginLink(fresh.id)).rejects.toThrow('not completed onboarding')
    const link = await stripe.accountLinks.create({
      account: fresh.id,
      type: 'account_onboarding',
      refresh_url: 'https://parts.example/again',
      return_url: 'https://parts.example/back',
    })
    expect(link.expires_at - link.created).toBe(300)
    const empty = await stripe.balance.retrieve({}, { stripeAccount: fresh.id })
    expect(empty.available).toMatchObject([{ amount: 0, currency: 'usd' }])
    const verified = await stripe.accounts.create({ type: 'express', metadata: { simulator: 'verified' } })
    expect(await stripe.accounts.retrieve(verified.id)).toMatchObject({
      charges_enabled: true,
      payouts_enabled: true,
    })
    const balance = await stripe.balance.retrieve({}, { stripeAccount: verified.id })
    expect(balance.available[0]?.amount).toBeGreaterThan(0)
    expect(await stripe.balance.retrieve({}, { stripeAccount: verified.id })).toEqual(balance)
    expect((await stripe.accounts.createLoginLink(verified.id)).url).toContain('/express/')
    await expect(stripe.balance.retrieve({}, { stripeAccount: 'acct_nobody' })).rejects.toBeInstanceOf(
      Stripe.errors.StripePermissionError,
    )
  })

  test('lists events newest first, filtered by type', async () => {
    const { customer, subscription } = await openSubscription()
    const { data } = await stripe.events.list({ limit: 5 })
    expect(data.map(({ type }) => type)).toEqual([
      'invoice.payment_succeeded',
      'invoice.paid',
      'invoice.finalized',
      'customer.subscription.created',
      'customer.created',
    ])
    expect(data[3]?.data.object).toEqual(JSON.parse(JSON.stringify(subscription)))
    const [made] = (await stripe.events.list({ type: 'customer.created', limit: 1 })).data
    expect(made?.data.object).toMatchObject({ id: customer.id })
  })
})
