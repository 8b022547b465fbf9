import Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { API_VERSION } from '#server/simulator/objects/stripe-objects.ts'
import { PRO_PRICE, startTestSimulator } from '#tests/support/simulator.ts'

const simulator = await startTestSimulator()
const stripe = simulator.sdk()

const CHECKOUT: Stripe.Checkout.SessionCreateParams = {
  mode: 'subscription',
  line_items: [{ price: PRO_PRICE, quantity: 1 }],
  success_url: 'https://parts.example/done?session_id={CHECKOUT_SESSION_ID}',
  cancel_url: 'https://parts.example/cancel',
}

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

describe('every call of the SDK that we make', () => {
  test('speaks the version that the SDK is pinned to', async () => {
    expect(stripe.getApiField('version')).toBe(API_VERSION)
    const { lastResponse } = await stripe.customers.create({})
    expect(lastResponse.requestId).toMatch(/^req_\w{14}$/)
    expect(lastResponse.apiVersion).toBe(API_VERSION)
  })

  test('customers', async () => {
    const made = await stripe.customers.create({
      email: 'yard@parts.example',
      name: 'Green Country Salvage',
      metadata: { sellerId: '7' },
    })
    expect(made).toMatchObject({
      object: 'customer',
      email: 'yard@parts.example',
      metadata: { sellerId: '7' },
      livemode: false,
    })
    expect(await stripe.customers.retrieve(made.id)).toEqual(made)
    const changed = await stripe.customers.update(made.id, {
      email: 'new@parts.example',
      metadata: { a: 'b' },
    })
    expect(changed).toMatchObject({ email: 'new@parts.example', metadata: { sellerId: '7', a: 'b' } })
  })

  test('checkout sessions', async () => {
    const customer = await stripe.customers.create({})
    const made = await stripe.checkout.sessions.create({
      ...CHECKOUT,
      customer: customer.id,
      client_reference_id: 'seller-7',
    })
    expect(made).toMatchObject({
      status: 'open',
      payment_status: 'unpaid',
      amount_total: 14_900,
      currency: 'usd',
      client_reference_id: 'seller-7',
    })
    expect(made.id).toMatch(/^cs_test_\w{58}$/)
    expect(made.url).toContain(`${simulator.url}/checkout/`)
    expect(made).not.toHaveProperty('line_items')
    expect(await stripe.checkout.sessions.retrieve(made.id)).toEqual(made)
    const whole = await stripe.checkout.sessions.retrieve(made.id, {
      expand: ['customer', 'line_items', 'line_items.data.price.product'],
    })
    expect(whole.customer).toMatchObject({ id: customer.id })
    expect(whole.line_items?.data[0]?.price?.product).toMatchObject({ name: 'PartHarbor Pro' })
    const listed = await stripe.checkout.sessions.list({ customer: customer.id })
    expect(listed.data.map(({ id }) => id)).toEqual([made.id])
    expect(await stripe.checkout.sessions.expire(made.id)).toMatchObject({ status: 'expired', url: null })
    await expect(stripe.checkout.sessions.expire(made.id)).rejects.toThrow('status of `expired`')
  })

  test('subscriptions', async () => {
    const { customer, subscription } = await openSubscription()
    expect(subscription).toMatchObject({ status: 'active', customer: customer.id })
    const [item] = subscription.items.data
    expect(item?.price.unit_amount_decimal?.toString()).toBe('14900')
    expect((item?.current_period_end ?? 0) - (item?.current_period_start ?? 0)).toBeGreaterThan(27 * 86_400)
    const ending = await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true })
    expect(ending).toMatchObject({
      status: 'active',
      cancel_at_period_end: true,
      cancel_at: item?.current_period_end,
    })
    const resumed = await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false })
    expect(resumed).toMatchObject({ cancel_at_period_end: false, cancel_at: null, canceled_at: null })
    expect(await stripe.subscriptions.cancel(subscription.id)).toMatchObject({ status: 'canceled' })
    expect((await stripe.subscriptions.list({ customer: customer.id })).data).toEqual([])
    const all = await stripe.subscriptions.list({ customer: customer.id, status: 'all' })
    expect(all.data.map(({ id }) => id)).toEqual([subscription.id])
    await expect(stripe.subscriptions.cancel(subscription.id)).rejects.toThrow('No such subscription')
  })

  test('a card that does not pay leaves the subscription incomplete, or is refused', async () => {
    const customer = await stripe.customers.create({ payment_method: 'pm_card_chargeCustomerFail' })
    const order = { customer: customer.id, items: [{ price: PRO_PRICE }] }
    expect(await stripe.subscriptions.create(order)).toMatchObject({ status: 'incomplete' })
    await expect(
      stripe.subscriptions.create({ ...order, payment_behavior: 'error_if_incomplete' }),
    ).rejects.toMatchObject({ type: 'StripeCardError', code: 'card_declined' })
    await expect(
      stripe.customers.create({ payment_method: 'pm_card_chargeDeclined' }),
    ).rejects.toBeInstanceOf(Stripe.errors.StripeCardError)
    const without = await stripe.customers.create({})
    await expect(stripe.subscriptions.create({ ...order, customer: without.id })).rejects.toThrow(
      'no attached payment source',
    )
  })

  test('prices, products and the portal', async () => {
    const price = await stripe.prices.retrieve(PRO_PRICE, { expand: ['product'] })
    expect(price).toMatchObject({ unit_amount: 14_900, recurring: { interval: 'month' } })
    expect(price.product).toMatchObject({ object: 'product', name: 'PartHarbor Pro' })
    const customer = await stripe.customers.create({})
    const portal = await stripe.billingPortal.sessions.create({
      customer: customer.id,
      return_url: 'https://parts.example/back',
    })
    expect(portal.url).toContain(`${simulator.url}/portal/`)
  })

  test('accounts, links and balances', async () => {
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

  test('events, and lists by pages', async () => {
    const { subscription } = await openSubscription()
    const events = await stripe.events.list({ limit: 6 })
    expect(events.data.map(({ type }) => type)).toEqual([
      'invoice.payment_succeeded',
      'invoice.paid',
      'invoice.finalized',
      'invoice.created',
      'customer.subscription.created',
      'customer.created',
    ])
    const made = events.data[4]
    expect(made?.data.object).toEqual(JSON.parse(JSON.stringify(subscription)))
    expect(await stripe.events.retrieve(made?.id ?? '')).toEqual(made)
    const seen: string[] = []
    for await (const event of stripe.events.list({ limit: 2, types: ['customer.created'] }))
      seen.push(event.id)
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen.length).toBeGreaterThan(3)
  })
})
