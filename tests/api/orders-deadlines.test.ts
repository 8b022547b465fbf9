import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#contract/order/order-steps.ts'
import type { BuyerOrder } from '#contract/order/order-views.ts'
import { restock } from '#server/features/money/orders/fulfilment.ts'
import { findLedgerProblems } from '#server/features/money/orders/money/ledger.ts'
import { performSteps } from '#server/features/money/orders/money/provider-steps.ts'
import { openOrderClock } from '#tests/support/order-clock.ts'
import { startBillingWorker } from '#tests/support/payments.ts'
import { openShop, type PlacedOrder, type Shop } from '#tests/support/shop.ts'
import { startTestSimulator } from '#tests/support/simulator.ts'
import { startTestApp } from '#tests/support/test-app.ts'

/* What the clock does with an order when people do nothing: each deadline acts by itself, and moves no money twice. */

const simulator = await startTestSimulator()
const app = await startTestApp(simulator.settings)
await simulator.deliverTo(app.http)
await startBillingWorker(app)
const shop = openShop(app)
const clock = openOrderClock(app)
afterEach(() => simulator.behave({}))

type Bought = Shop & { placed: PlacedOrder; by: ReturnType<typeof shop.buyer>; id: string }

async function bought({
  mode = 'confirm',
  delivery = 'ship',
}: {
  mode?: string
  delivery?: 'ship' | 'pickup'
} = {}): Promise<Bought> {
  const yard = await shop.yard({}, { mode })
  const by = shop.buyer()
  const placed = await by.buys(yard.listing.partslug, {
    delivery,
    expectedTotal: delivery === 'ship' ? 115 : 100,
  })
  await shop.pay(placed, by)
  return { ...yard, placed, by, id: placed.order.id }
}

const confirmed = async (delivery: 'ship' | 'pickup' = 'ship'): Promise<Bought> => {
  const one = await bought({ delivery })
  expect((await shop.act(one.seller, one.id, 'confirm')).body.state).toBe('confirmed')
  return one
}

const seen = async ({ by, placed }: Bought): Promise<BuyerOrder> => (await by.read(placed.token)).body
const pass = async (ms: number): Promise<void> => {
  app.clock.advance(ms)
  await clock.sweep()
}
const mailsTo = ({ id, by }: Bought) => clock.mails(id, by.email)

describe('the yard does not confirm', () => {
  test('in 72 hours: the order ends, the money is let go, the part is for sale', async () => {
    const one = await bought()
    await pass(71 * HOUR_MS)
    expect((await seen(one)).state).toBe('authorized')
    await pass(2 * HOUR_MS)
    await clock.sweep()
    expect(await seen(one)).toMatchObject({ state: 'canceled', money: { captured: 0 } })
    const payment = await clock.column<string>(one.id, 'payment_id')
    await expect
      .poll(async () => (await simulator.sdk().paymentIntents.retrieve(payment)).status)
      .toBe('canceled')
    const listing = await app.visitor.get<{ availability: string }>(`/auto-part/${one.listing.partslug}`)
    expect(listing.body.availability).toBe('now')
    expect((await mailsTo(one)).at(-1)).toContain('did not confirm in time')
    expect((await shop.act(one.seller, one.id, 'confirm')).body.code).toBe('STATE')
  })

  test('a hold by an administrator stops the clock; after it the yard has a day', async () => {
    const one = await bought()
    const admin = await app.signUp({ role: 'admin' })
    await admin.api.post(`/admin/orders/${one.id}/hold`, { reason: 'Odd address' })
    await pass(80 * HOUR_MS)
    expect((await seen(one)).state).toBe('authorized')
    await admin.api.post(`/admin/orders/${one.id}/release`)
    await clock.sweep()
    const released = await seen(one)
    expect(released.state).toBe('authorized')
    // The bank's own limit is nearer than a day here.
    expect(Date.parse(released.deadline?.at ?? '')).toBeGreaterThan(app.clock.now().getTime())
    expect((await shop.act(one.seller, one.id, 'confirm')).body.state).toBe('confirmed')
  })
})

describe('the yard does not ship', () => {
  test('because an administrator held the order: after that it has a day', async () => {
    const one = await confirmed()
    const admin = await app.signUp({ role: 'admin' })
    await admin.api.post(`/admin/orders/${one.id}/hold`, { reason: 'Odd address' })
    await pass(10 * DAY_MS)
    // The first one's session is over.
    const other = await app.signUp({ role: 'admin' })
    expect((await other.api.post(`/admin/orders/${one.id}/release`)).status).toBe(200)
    await clock.sweep()
    expect(await clock.kinds(one.id)).not.toContain('delay-told')
    await pass(1.1 * DAY_MS)
    expect(await clock.kinds(one.id)).toContain('delay-told')
  })

  test('the buyer waits, is asked again, and silence brings the money back', async () => {
    const one = await confirmed()
    await pass(3 * DAY_MS)
    expect((await seen(one)).actions).toContain('delay')
    expect((await mailsTo(one)).at(-1)).toContain('is late')
    const waits = await one.by.act('delay', one.placed.token, { answer: 'wait' })
    expect(waits.body.state).toBe('confirmed')
    await pass(13 * DAY_MS)
    expect((await seen(one)).actions).not.toContain('delay')
    await pass(2 * DAY_MS)
    expect((await seen(one)).actions).toContain('delay')
    await pass(8 * DAY_MS)
    await expect.poll(() => seen(one)).toMatchObject({ state: 'refunded', money: { refunded: 115 } })
    await clock.sweep()
    expect((await clock.kinds(one.id)).filter((kind) => kind === 'refund')).toHaveLength(1)
  })

  test('the buyer cancels instead, and the yard cannot ship what is being refunded', async () => {
    const one = await confirmed()
    await pass(3 * DAY_MS)
    await simulator.behave({ refunds: 'pending' })
    const canceled = await one.by.act('delay', one.placed.token, { answer: 'cancel' })
    expect(canceled.status).toBe(200)
    const shipped = await shop.act(one.seller, one.id, 'ship', { carrier: 'ups', tracking: '1Z' })
    expect([shipped.status, shipped.body.code]).toEqual([409, 'STATE'])
    expect(shipped.body.error).toContain('refunded')
    const changed = await one.by.act('delay', one.placed.token, { answer: 'wait' })
    expect([changed.status, changed.body.code]).toEqual([409, 'STATE'])
    expect((await seen(one)).actions).toEqual([])
    await simulator.behave({})
    await expect
      .poll(async () => {
        await clock.readOpen()
        return (await seen(one)).state
      })
      .toBe('refunded')
  })

  test('a yard that ships in time is not asked', async () => {
    const one = await confirmed()
    await shop.act(one.seller, one.id, 'ship', { carrier: 'ups', tracking: '1Z' })
    await pass(3 * DAY_MS)
    expect(await seen(one)).toMatchObject({ state: 'shipped', money: { refunded: 0 } })
  })

  test('before the promise is missed the yard has to agree to a cancellation; after it, it need not', async () => {
    const one = await confirmed()
    const asked = await one.by.act('cancel', one.placed.token, { reason: 'Bought elsewhere' })
    expect(asked.body).toMatchObject({ state: 'confirmed', money: { refunded: 0 } })
    expect((await one.seller.api.get(`/seller/orders/${one.id}`)).body).toMatchObject({
      cancelAsked: 'Bought elsewhere',
    })
    app.clock.advance(3 * DAY_MS)
    await one.by.act('cancel', one.placed.token)
    await expect.poll(async () => (await seen(one)).state).toBe('refunded')
  })
})

describe('a shipped part', () => {
  test('has arrived after two questions and 14 days of silence', async () => {
    const one = await confirmed()
    await shop.act(one.seller, one.id, 'ship', { carrier: 'ups', tracking: '1Z' })
    const asked = async () =>
      (await mailsTo(one)).filter((subject) => subject.includes('Did it arrive')).length
    await pass(6.9 * DAY_MS)
    expect(await asked()).toBe(0)
    await pass(0.2 * DAY_MS)
    expect(await asked()).toBe(1)
    await clock.sweep()
    expect(await asked()).toBe(1)
    await pass(5 * DAY_MS)
    expect([await asked(), (await seen(one)).state]).toEqual([2, 'shipped'])
    await pass(2 * DAY_MS)
    expect((await seen(one)).state).toBe('delivered')
    expect(await clock.kinds(one.id)).toContain('arrive')
  })
})

describe('a part that waits at the counter', () => {
  test('is handed to who says the code; after five wrong ones only with a new one', async () => {
    const one = await confirmed('pickup')
    expect((await shop.act(one.seller, one.id, 'ready')).body.state).toBe('ready')
    const code = (await seen(one)).pickupCode ?? ''
    expect(code).toMatch(/^\d{6}$/)
    expect(JSON.stringify((await one.seller.api.get(`/seller/orders/${one.id}`)).body)).not.toContain(code)
    const wrong = code === '000000' ? '111111' : '000000'
    for (const left of [4, 3, 2, 1]) {
      const { status, body } = await shop.act(one.seller, one.id, 'hand-over', { code: wrong })
      expect([status, body.fields?.code]).toEqual([422, expect.stringContaining(`${left} tr`)])
    }
    for (const tried of [wrong, code]) {
      const { status, body } = await shop.act(one.seller, one.id, 'hand-over', { code: tried })
      expect([status, body.fields?.code]).toEqual([422, expect.stringContaining('new one')])
    }
    await one.by.act('code', one.placed.token)
    const other = (await seen(one)).pickupCode ?? ''
    const said = `${other.slice(0, 3)} ${other.slice(3)}`
    expect((await shop.act(one.seller, one.id, 'hand-over', { code: said })).body.state).toBe('delivered')
    expect((await seen(one)).pickupCode).toBeNull()
  })

  test('five wrong codes at once are no more than five tries', async () => {
    const one = await confirmed('pickup')
    await shop.act(one.seller, one.id, 'ready')
    await Promise.all(
      Array.from({ length: 9 }, (_, at) =>
        shop.act(one.seller, one.id, 'hand-over', { code: String(at).padStart(6, '9') }),
      ),
    )
    expect(await clock.column(one.id, 'pickup_tries')).toBeLessThanOrEqual(5)
  })

  test('is refunded if nobody fetches it: a reminder after 7 days, the money back after 10', async () => {
    const one = await confirmed('pickup')
    await shop.act(one.seller, one.id, 'ready')
    await pass(7.1 * DAY_MS)
    expect((await mailsTo(one)).at(-1)).toContain('Reminder')
    expect((await seen(one)).state).toBe('ready')
    await pass(3 * DAY_MS)
    await expect.poll(() => seen(one)).toMatchObject({ state: 'refunded', money: { refunded: 100 } })
    await restock(app.db, { orderId: one.id, by: { side: 'seller' }, answer: 'sell' }, clock.deps)
    const listing = await app.visitor.get<{ availability: string }>(`/auto-part/${one.listing.partslug}`)
    expect(listing.body.availability).toBe('now')
  })
})

describe('the sweep', () => {
  test('does not let one order that cannot be handled keep the others waiting', async () => {
    const [bad, good] = [await bought(), await bought()]
    // No mail can be written to it.
    await sql`
      update part_order set email = 'nobody', act_at = act_at - interval '1 hour' where id = ${bad.id}`.execute(
      app.db,
    )
    app.clock.advance(73 * HOUR_MS)
    await expect(clock.sweep()).rejects.toThrow('not an email address')
    expect(await clock.column(good.id, 'state')).toBe('canceled')
    await sql`update part_order set email = ${bad.by.email} where id = ${bad.id}`.execute(app.db)
    await clock.sweep()
    expect(await clock.column(bad.id, 'state')).toBe('canceled')
  })

  test('waits for the provider: a hold does not end unread', async () => {
    const { listing } = await shop.yard()
    const by = shop.buyer()
    const placed = await by.buys(listing.partslug)
    await simulator.behave({ fail: 503 })
    await pass(32 * 60_000)
    expect(await clock.column(placed.order.id, 'state')).toBe('pending')
    await simulator.behave({})
    await pass(60_000)
    expect(await clock.column(placed.order.id, 'state')).toBe('expired')
  }, 60_000)

  test('opens no payment page for an order that ended while the provider was away', async () => {
    const { listing } = await shop.yard()
    const by = shop.buyer()
    await simulator.behave({ fail: 503 })
    expect((await by.order<{ code: string }>(listing.partslug)).body.code).toBe('PAYMENTS_UNREACHABLE')
    const { rows } = await sql<{ id: string }>`select id from part_order where email = ${by.email}`.execute(
      app.db,
    )
    const id = rows[0]?.id ?? ''
    await pass(32 * 60_000)
    expect(await clock.column(id, 'state')).toBe('expired')
    await simulator.behave({})
    await performSteps(clock.deps, id, clock.deps.calls())
    const { data } = await simulator.sdk().checkout.sessions.list({ limit: 100 })
    expect(data.filter(({ client_reference_id: reference }) => reference === id)).toEqual([])
    expect(await clock.column(id, 'session_id')).toBeNull()
  }, 60_000)

  test('a capture that the bank refuses for good ends the order, and the part is free', async () => {
    const one = await bought()
    await simulator.behave({
      fail: 402,
      onPaths: [`/v1/payment_intents/${await clock.column(one.id, 'payment_id')}/capture`],
    })
    await shop.act(one.seller, one.id, 'confirm')
    await expect.poll(() => clock.column(one.id, 'state')).toBe('canceled')
    await simulator.behave({})
    expect((await mailsTo(one)).at(-1)).toContain('Payment failed')
    const payment = await clock.column<string>(one.id, 'payment_id')
    await expect
      .poll(async () => (await simulator.sdk().paymentIntents.retrieve(payment)).status)
      .toBe('canceled')
  })

  test('leaves the books right', async () => {
    expect(await findLedgerProblems(app.db)).toEqual([])
  })
})
