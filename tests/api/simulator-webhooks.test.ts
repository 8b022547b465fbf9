import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import Stripe from 'stripe'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { PRO_PRICE, SIMULATOR_WEBHOOK_SECRET, startTestSimulator } from '#tests/support/simulator.ts'

type ReceivedWebhook = { readonly body: string; readonly headers: IncomingHttpHeaders }

type WebhookReceiver = {
  readonly url: string
  readonly received: ReceivedWebhook[]
  /** What the next deliveries are answered with; 200 after that. */
  readonly answers: number[]
  close(): Promise<void>
}

/** A server that keeps what webhooks bring. */
async function startWebhookReceiver(port = 0): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = []
  const answers: number[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ body, headers: request.headers })
      response.writeHead(answers.shift() ?? 200).end()
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received,
    answers,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const simulator = await startTestSimulator()
const stripe = simulator.sdk()
const pool = new pg.Pool({ connectionString: simulator.databaseUrl, max: 1 })
afterAll(() => pool.end())

let receiver: WebhookReceiver

beforeEach(async () => {
  receiver = await startWebhookReceiver()
  await simulator.sendTo(receiver.url)
})

afterEach(async () => {
  await simulator.settled()
  await receiver.close()
})

const events = () => receiver.received.map(({ body }) => JSON.parse(body) as Stripe.Event)
const types = () => events().map(({ type }) => type)

async function subscribe(): Promise<Stripe.Subscription> {
  const customer = await stripe.customers.create({ payment_method: 'pm_card_visa' })
  return stripe.subscriptions.create({ customer: customer.id, items: [{ price: PRO_PRICE }] })
}

const SUBSCRIBED = [
  'customer.created',
  'customer.subscription.created',
  'invoice.finalized',
  'invoice.paid',
  'invoice.payment_succeeded',
]

test('events arrive in order, signed as the SDK expects', async () => {
  const subscription = await subscribe()
  await simulator.settled()
  expect(types()).toEqual(SUBSCRIBED)
  const { body, headers } = receiver.received[1] ?? { body: '', headers: {} }
  const signature = String(headers['stripe-signature'])
  const event = stripe.webhooks.constructEvent(body, signature, SIMULATOR_WEBHOOK_SECRET)
  expect(event).toMatchObject({
    type: 'customer.subscription.created',
    api_version: Stripe.API_VERSION,
    livemode: false,
    data: { object: { id: subscription.id } },
  })
  expect(() => stripe.webhooks.constructEvent(`${body} `, signature, SIMULATOR_WEBHOOK_SECRET)).toThrow()
  expect(() => stripe.webhooks.constructEvent(body, signature, 'whsec_another')).toThrow()
})

test('account events name their account', async () => {
  const account = await stripe.accounts.create({ type: 'express', metadata: { simulator: 'verified' } })
  await simulator.settled()
  expect(events()).toMatchObject([{ type: 'account.updated', account: account.id }])
})

test('a receiver that was down gets every event later, in order', async () => {
  const { port } = new URL(receiver.url)
  await receiver.close()
  await subscribe()
  await expect.poll(() => simulator.deliveries()).toMatchObject({ waiting: SUBSCRIBED.length })
  // Some were tried by now; if only one were postponed, the others would overtake it.
  const putOff = await pool.query(
    'select from stripe_simulator.delivery where done_at is null and due_at > now()',
  )
  expect(putOff.rowCount).toBe(0)
  receiver = await startWebhookReceiver(Number(port))
  await simulator.settled()
  expect(types()).toEqual(SUBSCRIBED)
})

test('a refused event is sent again, and does not hold up the others', async () => {
  receiver.answers.push(500)
  await subscribe()
  await simulator.settled()
  const [refused, ...others] = SUBSCRIBED
  expect(types()).toEqual([refused, ...others, refused])
  expect(events()[0]?.id).toBe(events().at(-1)?.id)
})

test('queued events survive a restart', async () => {
  await simulator.behave({ webhooks: { hold: true } })
  const { id, customer } = await subscribe()
  await simulator.restart()
  await simulator.sendTo(receiver.url)
  const { data } = await stripe.subscriptions.list({ customer: String(customer) })
  expect(data).toMatchObject([{ id, status: 'active' }])
  expect(await simulator.deliveries()).toMatchObject({ held: SUBSCRIBED.length })
  await simulator.deliver()
  await simulator.settled()
  expect(types()).toEqual(SUBSCRIBED)
})

test('a session that is not paid in time reads as expired', async () => {
  const { id: customer } = await stripe.customers.create({})
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    customer,
    line_items: [{ price: PRO_PRICE, quantity: 1 }],
    success_url: 'https://parts.example/done',
  })
  await simulator.behave({ clockAheadMs: 25 * 3_600_000 })
  expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ status: 'expired' })
  await simulator.settled()
  expect(types()).toEqual(['customer.created', 'checkout.session.expired'])
})

test('the simulator lives in its own schema', async () => {
  const { rows } = await pool.query(
    `select table_name from information_schema.tables where table_schema = 'stripe_simulator' order by 1`,
  )
  expect(rows.map(({ table_name }) => table_name)).toEqual(['answer', 'delivery', 'object'])
})
