import type Stripe from 'stripe'
import { afterEach, describe, expect, test } from 'vitest'
import { openSale, press, read, sell, takeMoney } from '#tests/support/simulated-sales.ts'
import { startTestSimulator } from '#tests/support/simulator.ts'

/* One-off payments at the simulator: sessions, PaymentIntents, charges and what they bring. */

const simulator = await startTestSimulator()
const stripe = simulator.sdk()

afterEach(() => simulator.behave({}))

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const ahead = (clockAheadMs: number, more: object = {}) => simulator.behave({ clockAheadMs, ...more })
const seconds = (fromNow: number) => Math.floor(Date.now() / 1_000) + fromNow

/** The types of the latest events about an object, oldest first. */
async function eventsOf(id: string): Promise<string[]> {
  const { data } = await stripe.events.list({ limit: 100 })
  return data
    .filter((event) => JSON.stringify(event.data.object).includes(id))
    .map(({ type }) => type)
    .reverse()
}

describe('checkout sessions in payment mode', () => {
  test('a session sums up its lines and has no payment before the buyer pays', async () => {
    const session = await openSale(stripe, {
      session: {
        line_items: [
          {
            price_data: { currency: 'usd', unit_amount: 4_000, product_data: { name: 'Headlight' } },
            quantity: 2,
          },
          {
            price_data: { currency: 'usd', unit_amount: 1_500, product_data: { name: 'Shipping' } },
            quantity: 1,
          },
        ],
        client_reference_id: 'order-7',
        metadata: { order: '7' },
        locale: 'en',
        submit_type: 'pay',
        phone_number_collection: { enabled: false },
      },
    })
    expect(session).toMatchObject({
      mode: 'payment',
      amount_subtotal: 9_500,
      amount_total: 9_500,
      customer: null,
      customer_email: 'buyer@parts.example',
      payment_intent: null,
      payment_status: 'unpaid',
      status: 'open',
      client_reference_id: 'order-7',
      metadata: { order: '7' },
    })
    expect(session.expires_at - session.created).toBe(24 * 3_600)
    expect(session).not.toHaveProperty('line_items')
    const { line_items: lines } = await stripe.checkout.sessions.retrieve(session.id, {
      expand: ['line_items'],
    })
    expect(lines?.data).toMatchObject([
      { description: 'Headlight', quantity: 2, amount_total: 8_000 },
      { description: 'Shipping', quantity: 1, amount_total: 1_500 },
    ])
  })

  test('manual capture authorizes: the session is complete and unpaid', async () => {
    const session = await openSale(stripe)
    const page = await (await fetch(session.url ?? '')).text()
    expect(page).toContain('Alternator, used')
    expect(page).toContain('Authorize $115.00')
    expect(page).toContain('charged only when the seller confirms')
    expect(await press(session, 'pay')).toBe(`https://parts.example/done?session_id=${session.id}`)
    const done = await stripe.checkout.sessions.retrieve(session.id)
    expect(done).toMatchObject({ status: 'complete', payment_status: 'unpaid', url: null })
    const { intent, charge } = await read(stripe, session.id)
    expect(intent).toMatchObject({
      status: 'requires_capture',
      amount: 11_500,
      amount_capturable: 11_500,
      amount_received: 0,
      transfer_group: 'order_7',
    })
    expect(charge).toMatchObject({
      captured: false,
      amount_captured: 0,
      balance_transaction: null,
      billing_details: { email: 'buyer@parts.example' },
      calculated_statement_descriptor: 'PARTHARBOR* GREEN CTY',
      outcome: { type: 'authorized', risk_level: 'normal', network_status: 'approved_by_network' },
      receipt_url: null,
      status: 'succeeded',
      transfer_group: 'order_7',
    })
    const before = charge.payment_method_details?.card?.capture_before ?? 0
    expect(before - charge.created).toBe(7 * 86_400)
    expect(await eventsOf(intent.id)).toEqual([
      'payment_intent.created',
      'charge.succeeded',
      'payment_intent.amount_capturable_updated',
      'checkout.session.completed',
    ])
    const { data } = await stripe.checkout.sessions.list({ payment_intent: intent.id })
    expect(data.map(({ id }) => id)).toEqual([session.id])
  })

  test.each(['automatic', 'automatic_async'] as const)('capture_method %s is paid', async (method) => {
    const session = await openSale(stripe, { intent: { capture_method: method } })
    await press(session, 'pay')
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ payment_status: 'paid' })
    const { intent, charge } = await read(stripe, session.id)
    expect(intent).toMatchObject({ status: 'succeeded', amount_received: 11_500, amount_capturable: 0 })
    expect(charge).toMatchObject({ captured: true, amount_captured: 11_500 })
    expect(charge.payment_method_details?.card).not.toHaveProperty('capture_before')
  })

  test('paying twice at the same time makes one charge', async () => {
    const session = await openSale(stripe)
    await Promise.all([press(session, 'pay'), press(session, 'pay'), press(session, 'pay')])
    const { intent } = await read(stripe, session.id)
    expect((await stripe.charges.list({ payment_intent: intent.id })).data).toHaveLength(1)
  })

  test('a declined card leaves the session open, and the next one pays', async () => {
    const session = await openSale(stripe)
    expect(await press(session, 'fail')).toContain('?declined=1')
    const { intent, charge } = await read(stripe, session.id)
    expect(intent).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'card_declined', charge: charge.id },
    })
    expect(charge).toMatchObject({ status: 'failed', paid: false, failure_code: 'card_declined' })
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ status: 'open' })
    expect(await eventsOf(intent.id)).toEqual([
      'payment_intent.created',
      'charge.failed',
      'payment_intent.payment_failed',
    ])
    await expect(stripe.paymentIntents.cancel(intent.id)).rejects.toThrow('open Checkout Session')
    await press(session, 'pay')
    const paid = await read(stripe, session.id)
    expect(paid.intent).toMatchObject({
      id: intent.id,
      status: 'requires_capture',
      last_payment_error: null,
    })
    const { data } = await stripe.charges.list({ payment_intent: intent.id })
    expect(data.map(({ status }) => status)).toEqual(['succeeded', 'failed'])
  })

  test.each([
    ['succeeded', 'paid', 'succeeded'],
    ['failed', 'unpaid', 'requires_payment_method'],
  ])('a bank debit is processing for days, then %s', async (outcome, paymentStatus, status) => {
    const session = await openSale(stripe, { intent: { capture_method: 'automatic' } })
    await press(session, 'pay?delayed=1')
    const waiting = await stripe.checkout.sessions.retrieve(session.id, { expand: ['payment_intent'] })
    expect(waiting).toMatchObject({
      status: 'complete',
      payment_status: 'unpaid',
      payment_intent: { status: 'processing', latest_charge: null, amount_received: 0 },
    })
    await simulator.control('POST', '/delayed', { session: session.id, outcome })
    const ended = await stripe.checkout.sessions.retrieve(session.id, { expand: ['payment_intent'] })
    expect(ended).toMatchObject({ payment_status: paymentStatus, payment_intent: { status } })
    expect((await eventsOf(session.id)).at(-1)).toBe(`checkout.session.async_payment_${outcome}`)
    await expect(simulator.control('POST', '/delayed', { session: session.id, outcome })).rejects.toThrow(
      'awaits no bank',
    )
  })

  test('only an open session can be expired; its payment is canceled', async () => {
    const session = await openSale(stripe)
    await press(session, 'decline')
    expect(await stripe.checkout.sessions.expire(session.id)).toMatchObject({ status: 'expired', url: null })
    const { intent } = await read(stripe, session.id)
    expect(intent).toMatchObject({ status: 'canceled', cancellation_reason: 'expired' })
    await expect(stripe.checkout.sessions.expire(session.id)).rejects.toThrow('status of `expired`')
    await press(session, 'pay')
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ status: 'expired' })
    const paid = await openSale(stripe)
    await press(paid, 'pay')
    await expect(stripe.checkout.sessions.expire(paid.id)).rejects.toMatchObject({
      statusCode: 400,
      message: expect.stringContaining('status of `complete`'),
    })
  })

  test('expires_at is 30 minutes to 24 hours from now, by the simulator’s clock', async () => {
    const open = (expires_at: number) => openSale(stripe, { session: { expires_at } })
    for (const wrong of [seconds(1_700), seconds(86_500)]) {
      await expect(open(wrong)).rejects.toMatchObject({ statusCode: 400, param: 'expires_at' })
    }
    expect((await open(seconds(31 * 60))).status).toBe('open')
    await ahead(10 * MINUTE_MS)
    await expect(open(seconds(31 * 60))).rejects.toThrow('at least 30 minutes')
  })

  test('a session whose time is over reads as expired, with its event', async () => {
    const session = await openSale(stripe, { session: { expires_at: seconds(31 * 60) } })
    await ahead(32 * MINUTE_MS)
    await press(session, 'pay')
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ status: 'expired' })
    expect(await eventsOf(session.id)).toEqual(['checkout.session.expired'])
  })

  test('a session that nobody reads expires by itself', async () => {
    const session = await openSale(stripe, { session: { expires_at: seconds(31 * 60) } })
    await ahead(37 * MINUTE_MS)
    await expect.poll(() => eventsOf(session.id)).toEqual(['checkout.session.expired'])
  })

  test('a payment that ends late completes the session if nobody has read it as expired', async () => {
    const choices = { session: { expires_at: seconds(31 * 60) } }
    const late = await openSale(stripe, choices)
    const over = await openSale(stripe, choices)
    await ahead(3 * 60 * MINUTE_MS, { expireUnread: false })
    await press(late, 'pay?late=1')
    expect(await stripe.checkout.sessions.retrieve(late.id)).toMatchObject({ status: 'complete' })
    await stripe.checkout.sessions.retrieve(over.id)
    await press(over, 'pay?late=1')
    expect(await stripe.checkout.sessions.retrieve(over.id)).toMatchObject({
      status: 'expired',
      payment_intent: null,
    })
  })

  test.each([
    ['no letter', '12345'],
    ['a star', 'GREEN*'],
    ['an angle bracket', 'GREEN<'],
    ['a quote', "GREEN'S"],
    ['letters that are not Latin', 'Гараж'],
    ['more than 22 characters with the prefix', 'GREEN COUNTRY'],
  ])('a statement descriptor with %s is 400', async (_what, suffix) => {
    await expect(openSale(stripe, { intent: { statement_descriptor_suffix: suffix } })).rejects.toMatchObject(
      { statusCode: 400, param: 'payment_intent_data[statement_descriptor_suffix]' },
    )
  })

  test.each<[string, Partial<Stripe.Checkout.SessionCreateParams>, object]>([
    [
      'an unknown parameter inside a parameter',
      { payment_intent_data: { capture: 'manual' } as object },
      { code: 'parameter_unknown', param: 'payment_intent_data[capture]' },
    ],
    [
      'customer and email',
      { customer: 'cus_1' },
      { message: 'You may only specify one of these parameters: customer, customer_email.' },
    ],
    ['a total below 50 cents', { line_items: [line(49)] }, { code: 'amount_too_small' }],
    ['no lines', { line_items: [] }, { code: 'parameter_missing', param: 'line_items' }],
    [
      'another currency',
      {
        line_items: [
          { ...line(500), price_data: { currency: 'eur', unit_amount: 1, product_data: { name: 'x' } } },
        ],
      },
      { param: 'line_items[0][price_data][currency]' },
    ],
    [
      'an unknown customer',
      { customer: 'cus_nobody', customer_email: undefined as never },
      { code: 'resource_missing', param: 'customer' },
    ],
  ])('%s is 400', async (_what, session, refusal) => {
    await expect(openSale(stripe, { session })).rejects.toMatchObject({ statusCode: 400, ...refusal })
  })

  test('the pinned version has no payment_method_types; a configuration is accepted', async () => {
    const configured = { payment_method_configuration: 'pmc_cards' }
    expect((await openSale(stripe, { session: configured })).payment_method_types).toEqual(['card'])
    await expect(
      openSale(stripe, { session: { payment_method_types: ['card'] } as object }),
    ).rejects.toMatchObject({ code: 'parameter_unknown', param: 'payment_method_types' })
  })
})

const line = (cents: number): Stripe.Checkout.SessionCreateParams.LineItem => ({
  price_data: { currency: 'usd', unit_amount: cents, product_data: { name: 'Clip' } },
  quantity: 1,
})

describe('sales tax', () => {
  const address = { line1: '1 Main St', city: 'Tulsa', state: 'OK', postal_code: '74101', country: 'US' }
  const openTaxed = async (given: Stripe.CustomerCreateParams, behavior?: 'inclusive') => {
    const { id } = await stripe.customers.create({ email: 'buyer@parts.example', ...given })
    const item = line(10_000)
    if (behavior && item.price_data) item.price_data.tax_behavior = behavior
    return openSale(stripe, {
      session: {
        automatic_tax: { enabled: true, liability: { type: 'self' } },
        customer: id,
        customer_email: undefined as never,
        line_items: [item],
      },
    })
  }
  const shipping = { name: 'A Buyer', address }

  test('is added where the platform is registered, and 0 elsewhere without an error', async () => {
    await simulator.behave({ setup: { taxStates: ['OK'], taxRate: 0.0852 } })
    expect(await openTaxed({ shipping })).toMatchObject({
      amount_subtotal: 10_000,
      amount_total: 10_852,
      total_details: { amount_tax: 852 },
      automatic_tax: { enabled: true, status: 'complete' },
    })
    expect(await openTaxed({ shipping }, 'inclusive')).toMatchObject({
      amount_total: 10_000,
      total_details: { amount_tax: 785 },
    })
    const texas = { ...shipping, address: { ...address, state: 'TX' } }
    expect(await openTaxed({ shipping: texas })).toMatchObject({ amount_total: 10_000 })
    await simulator.behave({})
    expect(await openTaxed({ shipping })).toMatchObject({ total_details: { amount_tax: 0 } })
  })

  test('needs a customer with an address', async () => {
    await expect(openTaxed({})).rejects.toMatchObject({
      statusCode: 400,
      code: 'customer_tax_location_invalid',
    })
  })
})

describe('PaymentIntents', () => {
  const refused = { statusCode: 400, code: 'payment_intent_unexpected_state' }

  test('are captured once', async () => {
    const { intent, charge } = await sell(stripe)
    const captured = await stripe.paymentIntents.capture(intent.id)
    expect(captured).toMatchObject({ status: 'succeeded', amount_received: 11_500, amount_capturable: 0 })
    await expect(stripe.paymentIntents.capture(intent.id)).rejects.toMatchObject(refused)
    await expect(stripe.paymentIntents.cancel(intent.id)).rejects.toMatchObject(refused)
    expect((await eventsOf(charge.id)).filter((type) => type !== 'charge.updated').slice(-2)).toEqual([
      'charge.captured',
      'payment_intent.succeeded',
    ])
  })

  test('release the rest when less is captured; more is 400', async () => {
    const { intent } = await sell(stripe)
    await expect(
      stripe.paymentIntents.capture(intent.id, { amount_to_capture: 11_501 }),
    ).rejects.toMatchObject({ statusCode: 400, param: 'amount_to_capture' })
    const captured = await stripe.paymentIntents.capture(intent.id, {
      amount_to_capture: 8_000,
      expand: ['latest_charge'],
    })
    expect(captured).toMatchObject({
      amount: 11_500,
      amount_received: 8_000,
      amount_capturable: 0,
      latest_charge: { amount: 11_500, amount_captured: 8_000, captured: true, amount_refunded: 0 },
    })
  })

  test('are canceled before capture, which ends them', async () => {
    const { intent } = await sell(stripe)
    const canceled = await stripe.paymentIntents.cancel(intent.id, {
      cancellation_reason: 'requested_by_customer',
    })
    expect(canceled).toMatchObject({ status: 'canceled', cancellation_reason: 'requested_by_customer' })
    await expect(stripe.paymentIntents.capture(intent.id)).rejects.toMatchObject(refused)
    await expect(stripe.paymentIntents.cancel(intent.id)).rejects.toMatchObject(refused)
    expect((await eventsOf(intent.id)).at(-1)).toBe('payment_intent.canceled')
  })

  test('lapse when they are not captured in time', async () => {
    const { intent, charge } = await sell(stripe)
    await ahead(7 * DAY_MS + 1_000)
    await expect(stripe.paymentIntents.capture(intent.id)).rejects.toMatchObject(refused)
    expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({
      status: 'canceled',
      cancellation_reason: 'automatic',
      amount_capturable: 0,
    })
    expect((await eventsOf(charge.id)).slice(-2)).toEqual(['charge.expired', 'payment_intent.canceled'])
  })

  test('that do not exist are 404', async () => {
    for (const call of [
      () => stripe.paymentIntents.retrieve('pi_nothing'),
      () => stripe.paymentIntents.capture('pi_nothing'),
      () => stripe.paymentIntents.cancel('pi_nothing'),
    ]) {
      await expect(call()).rejects.toMatchObject({ statusCode: 404, code: 'resource_missing' })
    }
  })

  test('a property that is no object cannot be expanded', async () => {
    const { intent } = await sell(stripe)
    await expect(stripe.paymentIntents.retrieve(intent.id, { expand: ['amount'] })).rejects.toThrow(
      'This property cannot be expanded (amount).',
    )
  })

  test('Radar rates, reviews and blocks payments', async () => {
    await simulator.behave({ radar: { level: 'elevated', review: true } })
    const { intent, charge } = await sell(stripe)
    expect(charge.outcome).toMatchObject({ risk_level: 'elevated', risk_score: 68 })
    const review = await stripe.reviews.retrieve(String(intent.review))
    expect(review).toMatchObject({ open: true, payment_intent: intent.id, charge: charge.id })
    expect(await eventsOf(review.id)).toContain('review.opened')
    expect((await stripe.reviews.list()).data.map(({ id }) => id)).toContain(review.id)
    expect(await stripe.reviews.approve(review.id)).toMatchObject({ open: false, reason: 'approved' })
    await expect(stripe.reviews.approve(review.id)).rejects.toMatchObject({ statusCode: 400 })
    await simulator.behave({ radar: { level: 'highest' } })
    const session = await openSale(stripe)
    expect(await press(session, 'pay')).toContain('declined=1')
    const blocked = await read(stripe, session.id)
    expect(blocked.charge).toMatchObject({ status: 'failed', outcome: { type: 'blocked' } })
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ status: 'open' })
  })
})

describe('charges and balance transactions', () => {
  test('the fee comes a moment after the charge, with an event', async () => {
    await simulator.behave({ balanceDelayMs: 60_000 })
    const { charge } = await sell(stripe, { intent: { capture_method: 'automatic' } })
    expect(charge.balance_transaction).toBeNull()
    await ahead(MINUTE_MS + 1_000)
    const read = await stripe.charges.retrieve(charge.id, { expand: ['balance_transaction'] })
    expect(read.balance_transaction).toMatchObject({
      amount: 11_500,
      // 2.9% of $115.00 is $3.335.
      fee: 334 + 30,
      net: 11_500 - 364,
      source: charge.id,
      status: 'pending',
      type: 'charge',
    })
    expect((await eventsOf(charge.id)).at(-1)).toBe('charge.updated')
  })

  test('the event comes by itself', async () => {
    const { charge } = await sell(stripe, { intent: { capture_method: 'automatic' } })
    await expect.poll(() => eventsOf(charge.id)).toContain('charge.updated')
  })

  test('a partial capture pays the fee of what was captured', async () => {
    const { intent, charge } = await sell(stripe)
    await stripe.paymentIntents.capture(intent.id, { amount_to_capture: 1_000 })
    await expect
      .poll(async () => (await stripe.balanceTransactions.list({ source: charge.id })).data)
      .toMatchObject([{ amount: 1_000, fee: 59 }])
  })

  test('money is available after two days', async () => {
    const start = await stripe.balance.retrieve()
    const { transaction } = await takeMoney(simulator, stripe)
    expect(transaction.available_on - transaction.created).toBe(2 * 86_400)
    const after = await stripe.balance.retrieve()
    expect((after.pending[0]?.amount ?? 0) - (start.pending[0]?.amount ?? 0)).toBe(11_136)
    expect(after.available).toEqual(start.available)
    await ahead(2 * DAY_MS + 2_000)
    expect(await stripe.balanceTransactions.retrieve(transaction.id)).toMatchObject({ status: 'available' })
    const settled = await stripe.balance.retrieve()
    const available = (settled.available[0]?.amount ?? 0) - (start.available[0]?.amount ?? 0)
    expect(available).toBeGreaterThanOrEqual(11_136)
  })

  test('lists are filtered and paged', async () => {
    const group = 'order_paged'
    const choices = { intent: { transfer_group: group } }
    const first = await takeMoney(simulator, stripe, choices)
    const second = await takeMoney(simulator, stripe, choices)
    const ids: string[] = []
    for await (const { id } of stripe.charges.list({ transfer_group: group, limit: 1 })) ids.push(id)
    expect(ids).toEqual([second.charge.id, first.charge.id])
    const { data, has_more } = await stripe.balanceTransactions.list({ type: 'charge', limit: 1 })
    expect({ ids: data.map(({ id }) => id), has_more }).toEqual({
      ids: [second.transaction.id],
      has_more: true,
    })
    const rest = await stripe.balanceTransactions.list({
      created: { gte: first.transaction.created },
      starting_after: second.transaction.id,
    })
    expect(rest.data.map(({ id }) => id)).toContain(first.transaction.id)
    expect((await stripe.balanceTransactions.list({ created: { gt: seconds(30 * 86_400) } })).data).toEqual(
      [],
    )
    await expect(stripe.balanceTransactions.list({ limit: 101 })).rejects.toMatchObject({ statusCode: 400 })
  })
})
