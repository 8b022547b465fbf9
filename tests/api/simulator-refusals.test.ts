import { get } from 'node:http'
import Stripe from 'stripe'
import { afterEach, describe, expect, test } from 'vitest'
import { PRO_PRICE, SIMULATOR_KEY, startTestSimulator } from '#tests/support/simulator.ts'

/* The simulator refuses what Stripe refuses; otherwise our mistakes would only show with a real key. */

const simulator = await startTestSimulator()
const stripe = simulator.sdk()

afterEach(() => simulator.behave({}))

type Refusal = { status: number; error: { type: string; message: string; doc_url?: string } }

/** Sends a request no SDK would send. */
async function send(
  method: string,
  path: string,
  form = '',
  headers: Record<string, string> = {},
): Promise<Refusal> {
  const answer = await fetch(`${simulator.url}/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${SIMULATOR_KEY}`,
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    },
    ...(method === 'GET' ? {} : { body: form }),
  })
  const { error } = (await answer.json()) as Refusal
  return { status: answer.status, error }
}

const checkout = (changes: Record<string, string> = {}) =>
  new URLSearchParams({
    mode: 'subscription',
    'line_items[0][price]': PRO_PRICE,
    'line_items[0][quantity]': '1',
    customer: 'cus_nobody',
    success_url: 'https://parts.example/done',
    ...changes,
  }).toString()

test.each([
  ['an unknown parameter', '/customers', 'nickname=x', { code: 'parameter_unknown', param: 'nickname' }],
  [
    'an unknown parameter in a line item',
    '/checkout/sessions',
    checkout({ 'line_items[0][sku]': 'x' }),
    { code: 'parameter_unknown', param: 'line_items[0][sku]' },
  ],
  [
    'a missing parameter',
    '/subscriptions',
    'items[0][price]=x',
    { code: 'parameter_missing', param: 'customer' },
  ],
  [
    'a missing nested parameter',
    '/subscriptions',
    'customer=cus_1&items[0][quantity]=1',
    { code: 'parameter_missing', param: 'items[0][price]' },
  ],
  ['an unknown mode', '/checkout/sessions', checkout({ mode: 'rent' }), { param: 'mode' }],
  ['an empty email address', '/customers', 'email=', { param: 'email' }],
  ['an invalid email address', '/customers', 'email=nobody', { param: 'email' }],
  [
    'an invalid URL',
    '/checkout/sessions',
    checkout({ success_url: 'javascript:alert(1)' }),
    { param: 'success_url' },
  ],
  [
    'a customer that does not exist',
    '/checkout/sessions',
    checkout(),
    { code: 'resource_missing', param: 'customer' },
  ],
  [
    'a portal of a customer that does not exist',
    '/billing_portal/sessions',
    'customer=cus_nobody&return_url=https://parts.example',
    { code: 'resource_missing', param: 'customer' },
  ],
  [
    'an account that does not exist',
    '/account_links',
    'account=acct_1&type=account_onboarding&refresh_url=https://parts.example&return_url=https://parts.example',
    { code: 'resource_missing', param: 'account' },
  ],
  ['a card that does not exist', '/customers', 'payment_method=pm_nothing', { param: 'payment_method' }],
])('400 for %s', async (_what, path, form, expected) => {
  const { status, error } = await send('POST', path, form)
  const { type, message, ...refused } = error
  expect({ status, type, ...refused }).toEqual({ status: 400, type: 'invalid_request_error', ...expected })
  expect(message).not.toBe('')
})

test('a price that does not exist is 400', async () => {
  const { id: customer } = await stripe.customers.create({ payment_method: 'pm_card_visa' })
  const refused = { statusCode: 400, code: 'resource_missing', param: 'items[0][price]' }
  const order = stripe.subscriptions.create({ customer, items: [{ price: 'price_none' }] })
  await expect(order).rejects.toMatchObject(refused)
})

test('an unknown object is 404', async () => {
  expect(await send('GET', '/checkout/sessions/cs_x')).toMatchObject({
    status: 404,
    error: { code: 'resource_missing', message: "No such checkout.session: 'cs_x'" },
  })
  expect(await send('GET', '/invoices')).toMatchObject({
    status: 404,
    error: { message: expect.stringContaining('Unrecognized request URL (GET: /v1/invoices)') },
  })
})

test('a missing or wrong key is 401', async () => {
  const unknown = simulator.sdk({ key: 'sk_test_another' })
  await expect(unknown.customers.create({})).rejects.toBeInstanceOf(Stripe.errors.StripeAuthenticationError)
  await expect(unknown.customers.create({})).rejects.toThrow('Invalid API Key provided: sk_test_****ther')
  expect(await send('GET', '/events', '', { authorization: '' })).toMatchObject({ status: 401 })
})

test('another version of the API is refused', async () => {
  const older = simulator.sdk({ apiVersion: '2020-08-27' })
  await expect(older.customers.create({})).rejects.toThrow('Invalid Stripe API version: 2020-08-27')
})

test('a body that is too large or not a form is refused', async () => {
  expect(await send('POST', '/customers', `name=${'x'.repeat(70_000)}`)).toMatchObject({ status: 413 })
  expect(await send('POST', '/customers', 'metadata[a]=1&metadata[a][b]=2')).toMatchObject({ status: 400 })
  expect(await send('POST', '/customers', `name${'[a]'.repeat(20)}=1`)).toMatchObject({ status: 400 })
})

describe('Idempotency-Key', () => {
  test('repeating a request returns the same reply and creates once', async () => {
    const options = { idempotencyKey: 'key-1' }
    const first = await stripe.customers.create({ email: 'yard@parts.example' }, options)
    const again = await stripe.customers.create({ email: 'yard@parts.example' }, options)
    expect(again).toEqual(first)
    expect(again.lastResponse.headers['idempotent-replayed']).toBe('true')
    expect(first.lastResponse.headers).not.toHaveProperty('idempotent-replayed')
  })

  test('reusing a key with other parameters or for another call is refused', async () => {
    await stripe.customers.create({ name: 'A' }, { idempotencyKey: 'key-2' })
    for (const other of [
      () => stripe.customers.create({ name: 'B' }, { idempotencyKey: 'key-2' }),
      () => stripe.accounts.create({ type: 'express' }, { idempotencyKey: 'key-2' }),
    ]) {
      await expect(other()).rejects.toBeInstanceOf(Stripe.errors.StripeIdempotencyError)
    }
  })

  test('concurrent requests create once, and all get the same reply', async () => {
    const create = () => stripe.customers.create({ name: 'twice' }, { idempotencyKey: 'key-3' })
    const replies = await Promise.all([create(), create(), create(), create()])
    const made = replies.map(({ id }) => id)
    expect(new Set(made).size).toBe(1)
    expect((await create()).id).toBe(made[0])
  })

  test('rejected parameters leave the key unused', async () => {
    const wrong = { idempotencyKey: 'key-4' }
    await expect(stripe.customers.create({ email: 'nobody' }, wrong)).rejects.toThrow('Invalid email')
    expect((await stripe.customers.create({ email: 'a@parts.example' }, wrong)).email).toBe('a@parts.example')
  })

  test('a lost reply is found again with its key', async () => {
    const options = { idempotencyKey: 'key-6' }
    await simulator.behave({ fail: 'lose-answer', times: 2 })
    await expect(stripe.customers.create({ name: 'lost' }, options)).rejects.toBeInstanceOf(
      Stripe.errors.StripeConnectionError,
    )
    const found = await stripe.customers.create({ name: 'lost' }, options)
    expect(found.lastResponse.headers['idempotent-replayed']).toBe('true')
  })
})

describe('when set to misbehave', () => {
  test('returns statuses for the named paths, the named number of times', async () => {
    await simulator.behave({ fail: 500, onPaths: ['/v1/customers'], times: 1 })
    expect((await stripe.events.list()).object).toBe('list')
    await expect(stripe.customers.create({})).rejects.toMatchObject({
      statusCode: 500,
      type: 'StripeAPIError',
    })
    expect(await stripe.customers.create({})).toMatchObject({ object: 'customer' })
    await simulator.behave({ fail: 429 })
    await expect(stripe.customers.create({})).rejects.toBeInstanceOf(Stripe.errors.StripeRateLimitError)
  })

  test('sends no reply at all', async () => {
    await simulator.behave({ fail: 'hang' })
    await expect(stripe.customers.create({}, { timeout: 200 })).rejects.toThrow('timeout being reached')
  })

  test('a slow read returns the state at the time of the read', async () => {
    const { id: customer } = await stripe.customers.create({ payment_method: 'pm_card_visa' })
    await simulator.behave({ delayReadsMs: [1_000, 0] })
    const stale = stripe.subscriptions.list({ customer })
    // The delay moves to the end of its line once the read is done.
    await expect.poll(() => simulator.control('GET', '/behavior')).toMatchObject({ delayReadsMs: [0, 1_000] })
    await stripe.subscriptions.create({ customer, items: [{ price: PRO_PRICE }] })
    expect((await stale).data).toEqual([])
    await simulator.behave({})
    expect((await stripe.subscriptions.list({ customer })).data).toHaveLength(1)
  })

  test('accepts settings only from programs on this machine', async () => {
    const asked = (headers: Record<string, string>) =>
      fetch(`${simulator.url}/simulator/behavior`, { method: 'POST', headers, body: '{"fail":500}' })
    for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
      expect((await asked({ 'content-type': type })).status).toBe(415)
    }
    await expect(simulator.control('POST', '/behavior', { fails: 500 })).rejects.toThrow('fails')
    expect(await stripe.customers.create({})).toMatchObject({ object: 'customer' })
  })
})

test.each(['/v1/events', '/simulator/behavior', '/checkout/abc'])(
  '%s is closed to a foreign page whose name resolves to this machine',
  async (path) => {
    const asked = (host: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = { host, authorization: `Bearer ${SIMULATOR_KEY}` }
        get(`${simulator.url}${path}`, { headers }, (answer) => resolve(answer.resume().statusCode)).on(
          'error',
          reject,
        )
      })
    for (const host of ['evil.example', 'localhost.evil.example:12111', '127.0.0.1.evil.example']) {
      expect(await asked(host)).toBe(403)
    }
    expect(await asked('localhost:12111')).not.toBe(403)
  },
)

test('a restricted key needs the permission for each kind of money', async () => {
  const calls = {
    rak_payment_intent_read: () => stripe.paymentIntents.retrieve('pi_nothing'),
    rak_payment_intent_write: () => stripe.paymentIntents.capture('pi_nothing'),
    rak_charge_read: () => stripe.refunds.list(),
    rak_charge_write: () => stripe.refunds.create({ charge: 'ch_nothing' }),
    rak_transfer_write: () => stripe.transfers.createReversal('tr_nothing'),
    rak_payout_read: () => stripe.payouts.list(),
    rak_dispute_write: () => stripe.disputes.close('du_nothing'),
    rak_file_read: () => stripe.files.retrieve('file_nothing'),
    rak_balance_read: () => stripe.balanceTransactions.list(),
    rak_tax_registration_read: () => stripe.tax.registrations.list(),
  }
  for (const [permission, call] of Object.entries(calls)) {
    await simulator.behave({ setup: { lacks: [permission] } })
    await expect(call()).rejects.toMatchObject({
      statusCode: 403,
      message: expect.stringContaining(`Having the '${permission}' permission`),
    })
  }
})

test('a call for a connected account that does not exist is 403', async () => {
  await expect(stripe.payouts.list({}, { stripeAccount: 'acct_nobody' })).rejects.toMatchObject({
    statusCode: 403,
    code: 'account_invalid',
  })
})

test('events are listed by time and read one by one', async () => {
  const { created, id } = await stripe.customers.create({})
  const made = await stripe.events.list({ created: { gte: created }, type: 'customer.created', limit: 1 })
  const [event] = made.data
  expect(event?.data.object).toMatchObject({ id })
  expect(await stripe.events.retrieve(event?.id ?? '')).toMatchObject({ type: 'customer.created' })
  expect((await stripe.events.list({ created: { lt: created - 3_600 } })).data).toEqual([])
  await expect(stripe.events.retrieve('evt_nothing')).rejects.toMatchObject({ statusCode: 404 })
})
