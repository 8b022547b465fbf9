import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { findLedgerProblems } from '#server/features/money/orders/money/ledger.ts'
import { settlePayment } from '#server/features/money/orders/money/payments.ts'
import { openOrderClock } from '#tests/support/order-clock.ts'
import { press, startBillingWorker, stripeOf } from '#tests/support/payments.ts'
import { type Failed, openShop, type PlacedOrder, type Shop } from '#tests/support/shop.ts'
import { startTestSimulator } from '#tests/support/simulator.ts'
import { startTestApp } from '#tests/support/test-app.ts'

/*
 * Failures that other shops had with orders, by their numbers. Left out, as they are about transfers and payouts to yards:
 * 2, 5, 9, 10, 11, 20 and 23. 6 and 7 cannot happen: an order has one parcel, and a shipped one is refunded, not canceled.
 */

const simulator = await startTestSimulator()
const app = await startTestApp(simulator.settings)
await simulator.deliverTo(app.http)
await startBillingWorker(app)
const shop = openShop(app)
const clock = openOrderClock(app)
const sdk = simulator.sdk()

let yard: Shop
beforeAll(async () => {
  yard = await shop.yard()
})
afterEach(() => simulator.behave({}))

type Bought = PlacedOrder & { by: ReturnType<typeof shop.buyer>; slug: string; listingId: string }

async function buy(part: Record<string, unknown> = {}): Promise<Bought> {
  const listing = await shop.addPart(yard.seller, part)
  const by = shop.buyer()
  const placed = await by.buys(listing.partslug)
  return { ...placed, by, slug: listing.partslug, listingId: listing.id }
}

async function buyAndPay(): Promise<Bought> {
  const bought = await buy()
  await shop.pay(bought, bought.by)
  return bought
}

async function buyAndConfirm(): Promise<Bought> {
  const bought = await buyAndPay()
  const { body } = await shop.act(yard.seller, bought.order.id, 'confirm')
  expect(body.state).toBe('confirmed')
  return bought
}

const stateOf = async ({ by, token }: Bought) => (await by.read(token)).body.state
const moneyOf = async ({ by, token }: Bought) => (await by.read(token)).body.money
const intentsOf = async (orderId: string) => {
  const { data } = await sdk.paymentIntents.list({ limit: 100 })
  return data.filter(({ metadata }) => metadata.order === orderId)
}
const sessionsOf = async (orderId: string) => {
  const { data } = await sdk.checkout.sessions.list({ limit: 100 })
  return data.filter(({ client_reference_id: reference }) => reference === orderId)
}
const refundsOf = async (orderId: string) => {
  const [intent] = await intentsOf(orderId)
  return intent ? (await sdk.refunds.list({ payment_intent: intent.id, limit: 100 })).data : []
}
const partOf = async ({ slug }: Bought) =>
  (await app.visitor.get<{ availability: string }>(`/auto-part/${slug}`)).body.availability
const expireNow = (id: string) =>
  sql`update part_order set act_at = now() - interval '1 second' where id = ${id}`.execute(app.db)
/** The hold lapsed without anybody's look at the provider: what a crash between the two leaves. */
const lapseUnread = (id: string) =>
  sql`with over as (update part_hold set ended_at = now(), ending = 'released' where order_id = ${id})
      update part_order set state = 'expired', act_at = null where id = ${id}`.execute(app.db)

test('1: a second endpoint with another secret does not end the first: both are read, others refused', async () => {
  // Secrets are a list; what neither signed is not stored, and is not answered 200.
  const events = () => sql<{ n: number }>`select count(*)::int as n from stripe_event`.execute(app.db)
  const before = (await events()).rows[0]?.n
  const reply = await fetch(`${addressOf()}/api/webhooks/stripe`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': 't=1,v1=00' },
    body: '{"id":"evt_x","type":"payment_intent.succeeded"}',
  })
  expect(reply.status).toBe(400)
  expect((await events()).rows[0]?.n).toBe(before)
})

function addressOf(): string {
  const at = app.http.server.address()
  return typeof at === 'object' && at ? `http://127.0.0.1:${at.port}` : ''
}

test('3: nobody but the yard and administrators sees the royalty', async () => {
  const bought = await buyAndConfirm()
  const other = await app.signUp()
  expect((await other.api.get(`/seller/orders/${bought.order.id}`)).status).toBe(404)
  // Whole words: "fee" is also in some ids.
  const said = JSON.stringify((await bought.by.read(bought.token)).body)
  expect(said).not.toMatch(/royalty|\bfees?\b|feeCents|transferred/i)
})

test('4: an order is shippable as soon as it is paid, whatever else its buyer bought', async () => {
  const other = await shop.yard()
  const [mine, listing] = [await buyAndConfirm(), other.listing]
  await mine.by.buys(listing.partslug)
  const ship = { carrier: 'ups', tracking: '1Z4' }
  expect((await shop.act(yard.seller, mine.order.id, 'ship', ship)).body.state).toBe('shipped')
})

test('8: a fully refunded order reads refunded', async () => {
  const bought = await buyAndConfirm()
  const lines = [
    { kind: 'part', amount: 100 },
    { kind: 'shipping', amount: 15 },
  ]
  await shop.act(yard.seller, bought.order.id, 'refund', { lines, reason: 'Wrong part' })
  await expect.poll(() => stateOf(bought)).toBe('refunded')
  expect(await moneyOf(bought)).toEqual({ captured: 115, refunded: 115 })
})

describe('12: one order has one payment page', () => {
  test('also if it is asked for by many clicks at once', async () => {
    const listing = await shop.addPart(yard.seller)
    const by = shop.buyer()
    const key = crypto.randomUUID()
    const clicks = await Promise.all(
      Array.from({ length: 6 }, () => by.order<PlacedOrder & Failed>(listing.partslug, {}, key)),
    )
    const placed = clicks.filter(({ status }) => status === 201)
    expect(placed.length).toBeGreaterThan(0)
    for (const { status, body } of clicks) expect([201, 409, status, body.code]).toContain(status)
    for (const { body } of clicks.filter(({ status }) => status !== 201))
      expect(body.code).toBe('STILL_RUNNING')
    expect(new Set(placed.map(({ body }) => body.order.id)).size).toBe(1)
    expect(await sessionsOf(placed[0]?.body.order.id ?? '')).toHaveLength(1)
  })

  test('a second payment of the same order is not taken for the first, and somebody looks', async () => {
    const bought = await buyAndConfirm()
    const payment = await stripeOf(app)
      .within(5_000)
      .readPayment(await clock.column(bought.order.id, 'payment_id'))
    const before = await moneyOf(bought)
    await app.db
      .transaction()
      .execute((trx) =>
        settlePayment(
          trx,
          bought.order.id,
          { ...payment, id: 'pi_second', chargeId: 'ch_second' },
          clock.deps,
        ),
      )
    expect(await moneyOf(bought)).toEqual(before)
    expect(await clock.column(bought.order.id, 'attention')).toContain('another payment')
    expect(await clock.column(bought.order.id, 'payment_id')).toBe(payment.id)
  })
})

test('13: page and webhooks complete it together, and it happens once', async () => {
  await simulator.behave({ webhooks: { seed: '13', double: 1, shuffle: 1, shuffleMs: 300 } })
  const bought = await buy()
  await press(bought.url, 'pay')
  await Promise.all(
    Array.from({ length: 8 }, (_, at) =>
      at % 2 ? bought.by.read(bought.token) : clock.look(bought.order.id),
    ),
  )
  await Promise.all(Array.from({ length: 4 }, () => shop.act(yard.seller, bought.order.id, 'confirm')))
  await expect.poll(() => stateOf(bought)).toBe('confirmed')
  await simulator.settled()
  await Promise.all(Array.from({ length: 4 }, () => clock.look(bought.order.id)))
  const kinds = await clock.kinds(bought.order.id)
  expect(kinds).toEqual(['placed', 'authorize', 'confirm', 'capture'])
  expect(await moneyOf(bought)).toEqual({ captured: 115, refunded: 0 })
  expect(await intentsOf(bought.order.id)).toMatchObject([{ amount_received: 11_500 }])
  const mails = await clock.mails(bought.order.id, bought.by.email)
  expect(new Set(mails).size).toBe(mails.length)
})

describe('14: money for a canceled order goes back by itself, and the buyer hears of it', () => {
  /** Canceled here, while the buyer has just paid at the provider. */
  async function payWhileCanceled(bought: Bought): Promise<void> {
    await simulator.behave({ webhooks: { hold: true } })
    await press(bought.url, 'pay')
    const canceled = await bought.by.act('cancel', bought.token)
    expect(canceled.body.state).toBe('canceled')
  }

  test('an authorization is dropped', async () => {
    const bought = await buy()
    await payWhileCanceled(bought)
    await expect.poll(async () => (await intentsOf(bought.order.id))[0]?.status).toBe('canceled')
    await clock.look(bought.order.id)
    expect((await clock.kinds(bought.order.id)).filter((kind) => kind === 'late-money')).toHaveLength(1)
    const mails = await clock.mails(bought.order.id, bought.by.email)
    expect(mails.filter((subject) => subject.includes('Paid too late'))).toHaveLength(1)
    expect(await partOf(bought)).toBe('now')
  })

  test('taken money is refunded', async () => {
    const instant = await shop.yard({}, { mode: 'instant' })
    const by = shop.buyer()
    const placed = await by.buys(instant.listing.partslug)
    const bought = { ...placed, by, slug: instant.listing.partslug, listingId: instant.listing.id }
    await payWhileCanceled(bought)
    await expect.poll(() => moneyOf(bought)).toEqual({ captured: 115, refunded: 115 })
    expect(await stateOf(bought)).toBe('canceled')
    const mails = await clock.mails(bought.order.id, by.email)
    expect(mails.filter((subject) => subject.includes('Paid too late'))).toHaveLength(1)
    expect(await findLedgerProblems(app.db)).toEqual([])
  })
})

test('15: a paid order is not expired by a late timer', async () => {
  const bought = await buy()
  await simulator.behave({ webhooks: { hold: true } })
  await press(bought.url, 'pay')
  await expireNow(bought.order.id)
  await clock.sweep()
  expect(await stateOf(bought)).toBe('authorized')
  await expireNow(bought.order.id)
  const [late] = await Promise.allSettled([clock.sweep(), shop.act(yard.seller, bought.order.id, 'confirm')])
  expect(late.status).toBe('fulfilled')
  // Whoever was first decides; never both.
  await expect.poll(() => stateOf(bought)).toMatch(/^(confirmed|canceled)$/)
  const [intent] = await intentsOf(bought.order.id)
  const taken = (await stateOf(bought)) === 'confirmed' ? 11_500 : 0
  expect(intent?.amount_received).toBe(taken)
})

test('16: what is captured is the order’s own payment, whatever came in between', async () => {
  const [one, two] = [await buyAndPay(), await buyAndPay()]
  await Promise.all(
    [one, two].map(({ order }) => shop.act(yard.seller, order.id, 'confirm', { fitsVin: true })),
  )
  for (const bought of [one, two]) {
    const [intent, ...others] = await intentsOf(bought.order.id)
    expect([intent?.id, intent?.amount_received, others]).toEqual([
      await clock.column(bought.order.id, 'payment_id'),
      11_500,
      [],
    ])
  }
})

test('17: a double click refunds once; another amount is another refund', async () => {
  const bought = await buyAndConfirm()
  const asked = { lines: [{ kind: 'shipping', amount: 5 }], reason: 'Late' }
  await Promise.all(Array.from({ length: 5 }, () => shop.act(yard.seller, bought.order.id, 'refund', asked)))
  await expect.poll(() => moneyOf(bought)).toEqual({ captured: 115, refunded: 5 })
  const more = { lines: [{ kind: 'shipping', amount: 11 }], reason: 'Late' }
  const tooMuch = await shop.act(yard.seller, bought.order.id, 'refund', more)
  expect([tooMuch.status, tooMuch.body.code]).toEqual([422, 'VALIDATION_FAILED'])
  expect(await refundsOf(bought.order.id)).toHaveLength(1)
})

describe('18: a refund that fails', () => {
  const all = {
    lines: [
      { kind: 'part', amount: 100 },
      { kind: 'shipping', amount: 15 },
    ],
    reason: 'Wrong part',
  }

  test('does not count, is said, and can be asked again', async () => {
    const bought = await buyAndConfirm()
    await simulator.behave({ refunds: 'fail', failureDelayMs: 0 })
    await shop.act(yard.seller, bought.order.id, 'refund', all)
    await expect.poll(() => clock.kinds(bought.order.id), { timeout: 10_000 }).toContain('refund-failed')
    expect(await moneyOf(bought)).toEqual({ captured: 115, refunded: 0 })
    expect(await clock.column(bought.order.id, 'attention')).toContain('refund failed')
    expect(await findLedgerProblems(app.db)).toEqual([])
    await simulator.behave({})
    const again = await shop.act(yard.seller, bought.order.id, 'refund', all)
    expect([again.status, again.body.error]).toEqual([200, undefined])
    await expect.poll(() => moneyOf(bought)).toEqual({ captured: 115, refunded: 115 })
    expect(await stateOf(bought)).toBe('refunded')
    expect(await findLedgerProblems(app.db)).toEqual([])
  })

  test('also of money that came after the order had ended', async () => {
    const { seller, listing } = await shop.yard({}, { mode: 'instant' })
    const by = shop.buyer()
    const placed = await by.buys(listing.partslug)
    const bought = { ...placed, by, slug: listing.partslug, listingId: listing.id }
    await simulator.behave({ refunds: 'fail', failureDelayMs: 0, webhooks: { hold: true } })
    await press(placed.url, 'pay')
    await by.act('cancel', placed.token)
    await expect.poll(() => clock.kinds(placed.order.id)).toContain('refunded')
    await simulator.behave({})
    await simulator.deliver()
    await expect.poll(() => clock.kinds(placed.order.id)).toContain('refund-failed')
    expect([await stateOf(bought), await moneyOf(bought)]).toEqual([
      'canceled',
      { captured: 115, refunded: 0 },
    ])
    const shown = await seller.api.get<{ actions: string[] }>(`/seller/orders/${placed.order.id}`)
    expect(shown.body.actions).toEqual(['refund'])
    await shop.act(seller, placed.order.id, 'refund', all)
    await expect.poll(() => moneyOf(bought)).toEqual({ captured: 115, refunded: 115 })
  }, 60_000)

  test('an answer that was overtaken does not undo a refund, nor count it twice', async () => {
    const bought = await buyAndConfirm()
    const asked = { lines: [{ kind: 'part', amount: 40 }], reason: 'Scratched' }
    await shop.act(yard.seller, bought.order.id, 'refund', asked)
    await expect.poll(() => moneyOf(bought)).toEqual({ captured: 115, refunded: 40 })
    const { settleRefund } = await import('#server/features/money/orders/money/refunds.ts')
    const { rows } = await sql<{ id: string; providerId: string }>`
      select id, provider_id as "providerId" from order_refund where order_id = ${bought.order.id}`.execute(
      app.db,
    )
    const [row] = rows
    if (!row) throw new Error('there is no refund')
    const said = (status: 'pending' | 'succeeded') => ({
      refund: { id: row.providerId, status, problem: null, balance: null },
    })
    for (const status of ['pending', 'succeeded', 'pending', 'succeeded'] as const) {
      await app.db.transaction().execute((trx) => settleRefund(trx, row.id, said(status), clock.deps))
    }
    expect(await moneyOf(bought)).toEqual({ captured: 115, refunded: 40 })
    expect(await findLedgerProblems(app.db)).toEqual([])
  })
})

test('19: one refund of several does not make the order refunded; all of them do', async () => {
  const bought = await buyAndConfirm()
  const refund = (kind: string, amount: number) =>
    shop.act(yard.seller, bought.order.id, 'refund', {
      lines: [{ kind, amount }],
      reason: `${kind} ${amount}`,
    })
  await refund('part', 100)
  await expect.poll(() => moneyOf(bought)).toEqual({ captured: 115, refunded: 100 })
  expect(await stateOf(bought)).toBe('confirmed')
  await refund('shipping', 15)
  await expect.poll(() => stateOf(bought)).toBe('refunded')
})

test('21: the endpoint answers 200 only for what it stored', async () => {
  await sql`alter table stripe_event rename to stripe_event_away`.execute(app.db)
  const bought = await buy()
  let waiting = 0
  try {
    await press(bought.url, 'pay')
    await expect.poll(async () => (await simulator.deliveries()).waiting).toBeGreaterThan(0)
    waiting = (await simulator.deliveries()).waiting
  } finally {
    await sql`alter table stripe_event_away rename to stripe_event`.execute(app.db)
  }
  expect(waiting).toBeGreaterThan(0)
  await expect.poll(() => clock.column(bought.order.id, 'state'), { timeout: 20_000 }).toBe('authorized')
}, 40_000)

test('22: an event about what the payment was before changes nothing', async () => {
  const bought = await buyAndConfirm()
  await clock.quiet(bought.order.id, simulator)
  const id = await clock.column<string>(bought.order.id, 'payment_id')
  const now = await stripeOf(app).within(5_000).readPayment(id)
  const before = await clock.snapshot(bought.order.id)
  for (const status of ['requires_capture', 'canceled', 'requires_payment_method', 'processing']) {
    await app.db
      .transaction()
      .execute((trx) => settlePayment(trx, bought.order.id, { ...now, status, receivedCents: 0 }, clock.deps))
  }
  expect(await clock.snapshot(bought.order.id)).toBe(before)
})

describe('24, 25: many buyers at once', () => {
  test('never get more pieces than there are', async () => {
    const listing = await shop.addPart(yard.seller, { partquantity: '3' })
    const buyers = Array.from({ length: 12 }, () => shop.buyer())
    const orders = await Promise.all(
      buyers.map((by, at) => {
        const quantity = at % 3 === 0 ? 2 : 1
        return by.order<PlacedOrder & Failed>(listing.partslug, {
          quantity,
          expectedTotal: 100 * quantity + 15,
        })
      }),
    )
    const { rows } = await sql<{ held: number }>`
      select coalesce(sum(quantity), 0)::int as held from part_hold where listing_id = ${listing.id} and ended_at is null
    `.execute(app.db)
    expect(rows[0]?.held).toBe(3)
    for (const { status, body } of orders) {
      expect([status, body.code]).toEqual(status === 201 ? [201, undefined] : [409, 'PART_TAKEN'])
    }
  })

  test('one piece has one buyer', async () => {
    const listing = await shop.addPart(yard.seller)
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => shop.buyer().order<PlacedOrder & Failed>(listing.partslug)),
    )
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(replies.filter(({ body }) => body.code === 'PART_TAKEN')).toHaveLength(9)
  })
})

test('26: an event that comes before the order’s row names its payment is read by the order’s id', async () => {
  const bought = await buy()
  await simulator.behave({ webhooks: { hold: true } })
  await press(bought.url, 'pay')
  expect(await clock.column(bought.order.id, 'payment_id')).toBeNull()
  await simulator.deliver()
  await expect.poll(() => clock.column(bought.order.id, 'state'), { timeout: 10_000 }).toBe('authorized')
  // One that nobody here ever bought is stored, and disturbs nothing.
  const { orderReader } = await import('#server/features/money/orders/jobs.ts')
  const read = orderReader({ db: app.db, stripe: stripeOf(app), site: app.config, now: app.clock.now })
  await read(crypto.randomUUID())
  await read('pi_of_somebody_else')
})

test('late money that is reported twice causes one email', async () => {
  const bought = await buy()
  await simulator.behave({ webhooks: { hold: true }, fail: 503, onPaths: ['/v1/payment_intents/none'] })
  await press(bought.url, 'pay')
  await lapseUnread(bought.order.id)
  const tom = shop.buyer()
  await tom.buys(bought.slug)
  await Promise.all([clock.look(bought.order.id), clock.look(bought.order.id)])
  await expect.poll(async () => (await intentsOf(bought.order.id))[0]?.status).toBe('canceled')
  expect((await clock.kinds(bought.order.id)).filter((kind) => kind === 'late-money')).toHaveLength(1)
  const mails = await clock.mails(bought.order.id, bought.by.email)
  expect(mails.filter((subject) => subject.includes('Paid too late'))).toHaveLength(1)
  expect(await stateOf(bought)).toBe('expired')
})
