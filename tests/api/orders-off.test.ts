import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { AdminOrder, SellerOrder } from '#contract/order/order-views.ts'
import { buildApp } from '#server/app.ts'
import { readLateNews } from '#server/features/money/orders/deadlines.ts'
import {
  checkOrderBooks,
  type ReconciledOrder,
  reconcileOrders,
} from '#server/features/money/orders/money/books.ts'
import { post } from '#server/features/money/orders/money/ledger.ts'
import { openLog } from '#server/platform/log.ts'
import { ApiClient } from '#tests/support/api-client.ts'
import { openOrderClock } from '#tests/support/order-clock.ts'
import { startBillingWorker, stripeOf } from '#tests/support/payments.ts'
import { type Failed, openShop, type PlacedOrder, type Shop } from '#tests/support/shop.ts'
import { startTestSimulator } from '#tests/support/simulator.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

/* What an operator does with running orders: switches new ones off, restores a backup, compares the books, looks for lost news. */

const simulator = await startTestSimulator()
const app = await startTestApp(simulator.settings)
// The same installation after a restart with ORDERS=off.
const off = await buildApp({
  ...app,
  config: { ...app.config, orders: false },
  log: openLog({ role: 'test', level: 'silent' }),
  now: app.clock.now,
})
await simulator.deliverTo(off)
await startBillingWorker(app)
const shop = openShop(app)
const clock = openOrderClock(app)
const closed = new ApiClient({ http: off })
const as = ({ api }: SignedIn) => closed.as({ token: api.token ?? '' })
const run = { signal: new AbortController().signal }

let yard: Shop
let admin: SignedIn
beforeAll(async () => {
  yard = await shop.yard()
  admin = await app.signUp({ role: 'admin' })
  return () => off.close()
})
afterEach(() => simulator.behave({}))

type Bought = PlacedOrder & { by: ReturnType<typeof shop.buyer>; id: string; slug: string }

async function bought(): Promise<Bought> {
  const { partslug: slug } = await shop.addPart(yard.seller)
  const by = shop.buyer()
  const placed = await by.buys(slug)
  await shop.pay(placed, by)
  return { ...placed, by, id: placed.order.id, slug }
}
const confirmed = async (): Promise<Bought> => {
  const one = await bought()
  expect((await shop.act(yard.seller, one.id, 'confirm')).body.state).toBe('confirmed')
  return one
}
const seen = async ({ token }: Bought) =>
  (await closed.post<{ state: string; money: object; refunds: object[] }>('/orders/read', { token })).body

describe('with ORDERS=off', () => {
  test('new orders are refused with a sentence', async () => {
    const { partslug } = await shop.addPart(yard.seller)
    const quote = await closed.get<Failed>(`/parts/${partslug}/quote`)
    expect([quote.status, quote.body.code]).toEqual([409, 'NOT_SOLD_ONLINE'])
    const form = { email: 'ruth@garage.example', name: 'Ruth', delivery: 'pickup', expectedTotal: 100 }
    const placed = await closed.post<Failed>(`/parts/${partslug}/orders`, form, {
      'idempotency-key': crypto.randomUUID(),
    })
    expect([placed.status, placed.body.code]).toEqual([409, 'NOT_SOLD_ONLINE'])
    expect(placed.body.error).toMatch(/^[A-Z].+\.$/)
  })

  test('a running order is read, confirmed, shipped and received, and heard of from the provider', async () => {
    // Its webhooks go to the process that has orders off.
    const one = await bought()
    expect((await seen(one)).state).toBe('authorized')
    const act = (path: string, body: object = {}) =>
      as(yard.seller).post<SellerOrder>(`/seller/orders/${one.id}/${path}`, body)
    expect((await act('confirm')).body.state).toBe('confirmed')
    expect((await act('ship', { carrier: 'ups', tracking: '1Z' })).body.state).toBe('shipped')
    const received = await closed.post<{ state: string }>('/orders/received', { token: one.token })
    expect(received.body.state).toBe('delivered')
    const list = await as(admin).get<{ items: AdminOrder[] }>('/admin/orders')
    expect(list.body.items.map(({ id }) => id)).toContain(one.id)
  })

  test('a running order is refunded', async () => {
    const one = await confirmed()
    const lines = [{ kind: 'shipping', amount: 15 }]
    const asked = await as(yard.seller).post(`/seller/orders/${one.id}/refund`, {
      lines,
      reason: 'Damaged box',
    })
    expect(asked.status).toBe(200)
    await expect.poll(() => seen(one)).toMatchObject({ money: { captured: 115, refunded: 15 } })
  })

  test('deadlines act', async () => {
    const one = await bought()
    await sql`update part_order set act_at = now() - interval '1 second' where id = ${one.id}`.execute(app.db)
    await clock.sweep()
    expect((await seen(one)).state).toBe('canceled')
  })
})

describe('a refund that the bank returns', () => {
  test('after its success, with the event lost, is found by the daily look', async () => {
    const one = await confirmed()
    await shop.act(yard.seller, one.id, 'refund', {
      lines: [{ kind: 'shipping', amount: 15 }],
      reason: 'Damaged box',
    })
    await expect.poll(() => seen(one)).toMatchObject({ money: { refunded: 15 } })
    await simulator.behave({ webhooks: { seed: 'lost', drop: 1 } })
    const payment = await clock.column<string>(one.id, 'payment_id')
    const [refund] = (await simulator.sdk().refunds.list({ payment_intent: payment })).data
    await simulator.control('POST', '/refunds/fail', { refund: refund?.id })
    await clock.readOpen()
    expect(await seen(one)).toMatchObject({ money: { refunded: 15 } })
    await readLateNews(clock.deps, run)
    expect(await seen(one)).toMatchObject({ money: { refunded: 0 }, refunds: [{ state: 'failed' }] })
  })

  test('is no longer looked for after 30 days', async () => {
    await sql`update order_refund set settled_at = settled_at - interval '31 days'`.execute(app.db)
    expect(await readLateNews(clock.deps, run)).toEqual({ read: 0 })
  })
})

describe('payments reconcile', () => {
  const all = async () => {
    const found: ReconciledOrder[] = []
    for await (const one of reconcileOrders(clock.deps, () => stripeOf(app).within(9_000))) found.push(one)
    return found
  }

  test('lists a payment whose order is missing here, as after restoring a backup', async () => {
    const one = await bought()
    const payment = await clock.column<string>(one.id, 'payment_id')
    expect(await all()).not.toContainEqual(expect.objectContaining({ unknownPayment: payment }))
    await sql`delete from part_hold where order_id = ${one.id}`.execute(app.db)
    await sql`delete from part_order where id = ${one.id}`.execute(app.db)
    expect(await all()).toContainEqual({ unknownPayment: payment, orderId: one.id, cents: 11_500 })
  })

  test('reports an order whose payment moved on meanwhile', async () => {
    const one = await bought()
    await simulator.behave({ webhooks: { seed: 'lost', drop: 1 } })
    await simulator.sdk().paymentIntents.cancel(await clock.column(one.id, 'payment_id'))
    const { number } = one.order
    expect(await all()).toContainEqual({ order: number, before: 'authorized', after: 'canceled' })
  })
})

describe('payments doctor compares the balance', () => {
  const problems = async () => {
    const found: { name: string; found: string }[] = []
    // What is minutes old may be on its way.
    const later = new Date(Date.now() + 2 * 3_600_000)
    for await (const { name, state, found: what } of checkOrderBooks(
      app.db,
      stripeOf(app).within(9_000),
      later,
    )) {
      if (state === 'missing') found.push({ name, found: what })
    }
    return found
  }

  test('and says which object of which order differs, by how much', async () => {
    const one = await confirmed()
    // Until the provider tells its fee.
    await expect.poll(async () => clock.column(one.id, 'fee_cents')).not.toBeNull()
    const ofIt = async () => (await problems()).filter(({ name }) => name === `Order ${one.order.number}`)
    expect(await ofIt()).toEqual([])
    const charge = await clock.column<string>(one.id, 'charge_id')
    const wrong = { orderId: one.id, at: new Date(), amounts: { provider: -100, held: 100 } }
    await post(app.db, { ...wrong, why: 'planted', providerId: charge })
    await post(app.db, { ...wrong, why: 'planted', providerId: 'ch_unknown' })
    const differences = (await ofIt()).map(({ found }) => found)
    expect(differences).toContainEqual(`${charge}: we have $110.36, Stripe $111.36.`)
    expect(differences).toContainEqual('ch_unknown: we have -$1.00, and Stripe has nothing.')
    expect(differences).toContainEqual(expect.stringContaining('captured 11500, accounted for 11300'))
  })
})
