import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openStripeClient } from '#server/features/money/billing/stripe/stripe-client.ts'
import { seededRandom } from '#server/platform/seeded-random.ts'
import { atLength } from '#tests/support/at-length.ts'
import { press, startBillingWorker, stripeOf } from '#tests/support/payments.ts'
import { eventBody, signatureOf } from '#tests/support/signed-event.ts'
import { startTestSimulator } from '#tests/support/simulator.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const simulator = await startTestSimulator()
const app = await startTestApp(simulator.settings)
const address = `${await app.http.listen({ host: '127.0.0.1', port: 0 })}/api/webhooks/stripe`
await Promise.all([startBillingWorker(app), startBillingWorker(app)])

async function deliver(body: string | Uint8Array<ArrayBuffer>, signature?: string) {
  const answer = await fetch(address, {
    method: 'POST',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(signature && { 'stripe-signature': signature }),
    },
    body,
  })
  return { status: answer.status, body: await answer.text() }
}

const send = (body: string) => deliver(body, signatureOf(body))
const eventsNamed = (id: string) =>
  app.db.selectFrom('stripe_event').selectAll().where('id', '=', id).execute()
const jobsOf = async (eventId: string) => {
  const rows = await app.db
    .selectFrom('job')
    .select(['status', 'payload'])
    .where('queue', '=', 'read-provider')
    .execute()
  return rows.filter(({ payload }) => JSON.stringify(payload).includes(`"${eventId}"`))
}
const newId = () => `evt_${randomUUID().replaceAll('-', '')}`

describe('POST /webhooks/stripe', () => {
  test.each(['GET', 'PUT', 'DELETE'])('%s gets 405 with the allowed method', async (method) => {
    const answer = await fetch(address, { method })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
    expect(await answer.json()).toMatchObject({ code: 'METHOD_NOT_ALLOWED' })
  })

  test('an event delivered five times at once and again later is stored and processed once', async () => {
    const id = newId()
    const body = eventBody(id, 'customer.subscription.updated', 'cus_of_nobody')
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(body)))
    answers.push(await send(body))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
    await expect.poll(async () => (await eventsNamed(id))[0]?.handled_at).toBeInstanceOf(Date)
    expect(await eventsNamed(id)).toMatchObject([{ subject: 'cus_of_nobody' }])
    await expect.poll(() => jobsOf(id)).toMatchObject([{ status: 'completed' }])
    expect(await jobsOf(id)).toHaveLength(1)
  })

  test('an event about an unknown object is stored, and nothing is read from the provider', async () => {
    const id = newId()
    expect((await send(eventBody(id, 'charge.succeeded', 'cus_of_nobody'))).status).toBe(200)
    expect(await eventsNamed(id)).toMatchObject([{ subject: null, handled_at: expect.any(Date) }])
    expect(await jobsOf(id)).toEqual([])
  })

  test('one valid signature of two is enough, so secrets can be rotated while events arrive', async () => {
    const body = eventBody(newId(), 'charge.succeeded', 'cus_1')
    const [time, right] = signatureOf(body).split(',')
    expect((await deliver(body, `${time},v1=${'0'.repeat(64)},${right}`)).status).toBe(200)
  })

  test('one matching secret of two is enough: payout accounts sign with their own', async () => {
    const stripe = openStripeClient({
      kind: 'stripe',
      secretKey: 'sk_test_1',
      webhookSecret: 'whsec_one,whsec_two',
      proPriceId: 'price_1',
      formerPriceIds: [],
    })
    const body = eventBody(newId(), 'charge.succeeded', 'cus_1')
    const read = (secret: string) => stripe.readEvent(Buffer.from(body), signatureOf(body, { secret }))?.type
    expect(['whsec_one', 'whsec_two', 'whsec_three'].map(read)).toEqual([
      'charge.succeeded',
      'charge.succeeded',
      undefined,
    ])
  })

  const id = newId()
  const good = eventBody(id, 'customer.subscription.updated', 'cus_1')
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)
  test.each([
    ['no signature', good, undefined],
    ['half a signature', good, 'v1=abc'],
    ['the signature of another body', good, signatureOf(`${good} `)],
    ['another secret', good, signatureOf(good, { secret: 'whsec_other' })],
    ['a signature from ten minutes ago', good, signatureOf(good, { at: minutesAgo(10) })],
    ['a signature dated ten minutes ahead', good, signatureOf(good, { at: minutesAgo(-10) })],
    [
      'one dated ahead behind a time of today',
      good,
      `t=${Math.floor(Date.now() / 1_000)},${signatureOf(good, { at: minutesAgo(-10) })}`,
    ],
    ['the body reformatted', JSON.stringify(JSON.parse(good), null, 1), signatureOf(good)],
    ['no body', '', signatureOf('')],
    ['a body that is not JSON', '{', signatureOf('{')],
    ...[
      'null',
      '[]',
      `{"id":{"a":1},"type":"invoice.paid","data":{"object":{}}}`,
      `{"id":"${id}","type":null,"data":{"object":{}}}`,
      `{"id":"${id}","type":"invoice.paid","data":{"object":null}}`,
      `{"id":"${id}","type":"account.updated","account":{"id":"acct_1"},"data":{"object":{}}}`,
      `{"id":"evt_\\ud800","type":"invoice.paid","data":{"object":{}}}`,
      `{"id":"${id}","type":"customer.subscription.updated","data":{"object":{"customer":"cus_\\ud800"}}}`,
      `{"id":"${id}","type":"customer.subscription.updated","data":{"object":{"customer":"cus_\\u0000"}}}`,
    ].map((body): [string, string, string] => [
      `a body that is not an event: ${body}`,
      body,
      signatureOf(body),
    ]),
  ])('400 without side effects for %s', async (_, body, signature) => {
    const answer = await deliver(body, signature)
    expect(answer.status).toBe(400)
    expect(answer.body).toContain('MALFORMED')
    expect(answer.body).not.toMatch(/stack|node_modules| at /)
    expect(await eventsNamed(id)).toEqual([])
  })

  test('413 for a one-megabyte body', async () => {
    const body = eventBody(newId(), 'customer.subscription.updated', 'x'.repeat(1024 * 1024))
    expect((await send(body)).status).toBe(413)
  })
})

/** A change to a subscription, with what the provider reports from then on. */
const LIFE: { step?: string; events: string[] }[] = [
  { events: ['customer.subscription.created', 'invoice.paid'] },
  { step: 'fail-payment', events: ['invoice.payment_failed', 'customer.subscription.updated'] },
  { step: 'pay', events: ['invoice.paid', 'customer.subscription.updated'] },
  { step: 'cancel', events: ['customer.subscription.updated'] },
  { step: 'end-period', events: ['customer.subscription.deleted'] },
]
const ORDERS = atLength({ full: 60, brief: 10 })
// Few enough that workers read while the next change happens; with a queue, all reads would see the end state.
const AT_ONCE = 5
// Some responses are much slower: they were read before the next change and arrive after it.
const DELAYS = [0, 0, 300, 0, 0, 150, 0]

test(`${ORDERS} orders of eight events, each sent twice, to two workers with late reads give one final state`, async () => {
  await simulator.behave({ delayReadsMs: DELAYS })
  const sellers: string[] = []
  for (let seed = 0; seed < ORDERS; seed += AT_ONCE) {
    const seeds = Array.from({ length: AT_ONCE }, (_, at) => seed + at)
    sellers.push(...(await Promise.all(seeds.map(liveThrough))))
  }
  await untilAllHandled()
  await simulator.behave({})
  const rows = await app.db
    .selectFrom('seller')
    .select(['tier', 'subscription_status', 'subscription_ends_at', 'subscription_price_id'])
    .where('id', 'in', sellers)
    .execute()
  expect(rows).toHaveLength(ORDERS)
  const states = new Set(rows.map((row) => JSON.stringify(row)))
  expect([...states].map((state) => JSON.parse(state) as unknown)).toEqual([
    {
      tier: 'FREE',
      subscription_status: 'CANCELED',
      subscription_ends_at: null,
      subscription_price_id: 'price_pro_monthly',
    },
  ])
}, 180_000)

/**
 * Plays one subscription through its whole life at the provider. Some of the events so far are delivered, in a seeded order,
 * while the next change happens; the rest arrive later, old ones after new ones. Returns the seller.
 */
async function liveThrough(seed: number): Promise<string> {
  const random = seededRandom(`order ${seed}`)
  const { sellerId, customerId, portal } = await subscribed(seed)
  let told: string[] = []
  for (const [phase, { step, events }] of LIFE.entries()) {
    if (step) await press(portal.page, step, portal.query)
    const bodies = events.map((type, at) => eventBody(`evt_${seed}_${phase}_${at}`, type, customerId))
    told = [...told, ...bodies, ...bodies]
      .map((body) => ({ body, place: random.next() }))
      .toSorted((a, b) => a.place - b.place)
      .map(({ body }) => body)
    await Promise.all(told.splice(0, random.whole(1, 3)).map(accepted))
    await untilBegun(customerId)
  }
  await Promise.all(told.map(accepted))
  return sellerId
}

async function subscribed(seed: number) {
  const calls = stripeOf(app).within(60_000)
  const { id: sellerId } = await app.db
    .insertInto('seller')
    .values({ slug: `order-${seed}`, name: `Order ${seed}` })
    .returning('id')
    .executeTakeFirstOrThrow()
  const person = { sellerId, name: `Order ${seed}`, email: `order-${seed}@yard.example` }
  const customerId = await calls.createCustomer({ ...person, paymentMethod: 'pm_card_visa' }, randomUUID())
  await calls.createSubscription(customerId, randomUUID())
  await app.db
    .updateTable('seller')
    .set({ stripe_customer_id: customerId })
    .where('id', '=', sellerId)
    .execute()
  const [subscription] = await calls.listSubscriptions(customerId)
  const page = await calls.createPortal(customerId, 'https://parts.example')
  return { sellerId, customerId, portal: { page, query: `?subscription=${subscription?.id}` } }
}

async function accepted(body: string): Promise<void> {
  const { status } = await send(body)
  if (status !== 200) throw new Error(`a delivery was answered ${status}`)
}

/** Waits until what was delivered so far is being read or has been. */
async function untilBegun(customerId: string): Promise<void> {
  const waiting = () =>
    sql`select from job where status = 'queued' and payload ->> 'subject' = ${customerId} limit 1`.execute(
      app.db,
    )
  await expect.poll(async () => (await waiting()).rows, { timeout: 30_000, interval: 40 }).toEqual([])
}

async function untilAllHandled(): Promise<void> {
  const open = () =>
    app.db.selectFrom('stripe_event').select('id').where('handled_at', 'is', null).limit(1).execute()
  await expect.poll(open, { timeout: 90_000, interval: 100 }).toEqual([])
}
