import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#contract/order/order-steps.ts'
import type { AdminOrder, SellerOrder } from '#contract/order/order-views.ts'
import { openOrderClock } from '#tests/support/order-clock.ts'
import { startBillingWorker } from '#tests/support/payments.ts'
import { openShop, type PlacedOrder, type Shop } from '#tests/support/shop.ts'
import { startTestSimulator } from '#tests/support/simulator.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

/* What stops an order, or wakes an administrator: bait, carts that block a yard, and what the provider thinks of a payment. */

const simulator = await startTestSimulator()
const app = await startTestApp(simulator.settings)
await simulator.deliverTo(app.http)
await startBillingWorker(app)
const shop = openShop(app)
const clock = openOrderClock(app)
afterEach(() => simulator.behave({}))

let admin: SignedIn
beforeAll(async () => {
  admin = await app.signUp({ role: 'admin' })
})

type Bought = Shop & { placed: PlacedOrder; by: ReturnType<typeof shop.buyer>; id: string }

async function bought(yard: Shop, total = 115): Promise<Bought> {
  const by = shop.buyer()
  const placed = await by.buys(yard.listing.partslug, { expectedTotal: total })
  await shop.pay(placed, by)
  return { ...yard, placed, by, id: placed.order.id }
}

const seen = async ({ by, placed }: Bought) => (await by.read(placed.token)).body
const yards = async ({ seller, id }: Bought) =>
  (await seller.api.get<SellerOrder>(`/seller/orders/${id}`)).body
// A day later the first administrator's session may be over.
const admins = async ({ id }: Bought) => {
  const { api } = await app.signUp({ role: 'admin' })
  return (await api.get<AdminOrder>(`/admin/orders/${id}`)).body
}
const charge = ({ id }: Bought) => clock.column<string>(id, 'charge_id')
const warn = async (one: Bought) =>
  simulator.control('POST', '/fraud-warnings', { charge: await charge(one) })
const mailsTo = async ({ person }: SignedIn) => {
  const { rows } = await sql<{ subject: string }>`
    select subject from mail where recipient = ${person.email} order by id`.execute(app.db)
  return rows.map(({ subject }) => subject)
}

describe('a bargain', () => {
  const cheap = { partprice: '20', partshipping: '5' }

  /** Comparable parts of an established yard, at $100. */
  async function usualPrices(): Promise<void> {
    const { seller } = await shop.yard()
    await Promise.all(Array.from({ length: 5 }, () => shop.addPart(seller)))
  }
  const newYard = async (part: object): Promise<Shop> => {
    const yard = await shop.yard({ ...part })
    await sql`
      update seller set established_at = null where id = ${await shop.sellerIdOf(yard.seller)}`.execute(
      app.db,
    )
    return yard
  }

  beforeAll(usualPrices)

  test('of a new yard waits for an administrator', async () => {
    const bait = await bought(await newYard(cheap), 25)
    expect(await yards(bait)).toMatchObject({ state: 'authorized', held: true, actions: ['not-found'] })
    expect(await admins(bait)).toMatchObject({ heldReason: expect.stringContaining('far below') })
    const refused = await shop.act(bait.seller, bait.id, 'confirm')
    expect([refused.status, refused.body.error]).toEqual([409, expect.stringContaining('being reviewed')])
    await admin.api.post(`/admin/orders/${bait.id}/release`)
    expect((await shop.act(bait.seller, bait.id, 'confirm')).body.state).toBe('confirmed')
  })

  test('of a known yard, or a usual price of a new one, does not', async () => {
    const fair = await bought(await newYard({ partprice: '100', partshipping: '15' }))
    expect((await yards(fair)).held).toBe(false)
    const known = await bought(await shop.yard(cheap), 25)
    expect((await yards(known)).held).toBe(false)
  })
})

test('administrators hear once a day that many of a yard’s parts are in unpaid carts', async () => {
  const { seller, listing } = await shop.yard()
  const parts = [listing]
  for (let more = 0; more < 5; more += 1) parts.push(await shop.addPart(seller))
  const told = async () => (await mailsTo(admin)).filter((subject) => subject.includes('in unpaid carts'))
  for (const part of parts.slice(0, 4)) await shop.buyer().buys(part.partslug)
  expect(await told()).toEqual([])
  await shop.buyer().buys(parts[4]?.partslug ?? '')
  await shop.buyer().buys(parts[5]?.partslug ?? '')
  expect(await told()).toEqual([expect.stringMatching(/^5 of 6 parts of .* are in unpaid carts$/)])
})

test('a yard whose payouts stop is mailed once, and again when they stop another time', async () => {
  const { seller } = await shop.yard()
  const told = async () =>
    (await mailsTo(seller)).filter((subject) => subject.includes('new orders are stopped'))
  const setTransfers = async (isOn: boolean) => {
    await sql`update seller set can_transfer = ${isOn} where id = ${await shop.sellerIdOf(seller)}`.execute(
      app.db,
    )
    for (let times = 0; times < 2; times += 1) await clock.sweep()
  }
  await setTransfers(true)
  expect(await told()).toEqual([])
  await setTransfers(false)
  expect(await told()).toHaveLength(1)
  await setTransfers(true)
  await setTransfers(false)
  expect(await told()).toHaveLength(2)
})

test('a review of the provider blocks confirming until an administrator releases the order, once', async () => {
  const one = await bought(await shop.yard())
  const review = (await simulator.control('POST', '/reviews', { charge: await charge(one) })) as {
    id: string
  }
  await expect.poll(async () => (await yards(one)).held).toBe(true)
  expect((await shop.act(one.seller, one.id, 'confirm')).body.code).toBe('STATE')
  expect(await admins(one)).toMatchObject({
    needsAttention: true,
    heldReason: 'Stripe is reviewing this payment.',
  })
  await admin.api.post(`/admin/orders/${one.id}/release`)
  await simulator.control('POST', '/reviews/close', { review: review.id, reason: 'approved' })
  await simulator.settled()
  await clock.look(one.id)
  expect((await yards(one)).held).toBe(false)
  expect((await shop.act(one.seller, one.id, 'confirm')).body.state).toBe('confirmed')
})

describe('a fraud warning', () => {
  test('stops the order, and tells the yard not to ship and administrators to decide within a day', async () => {
    const one = await bought(await shop.yard({}, { mode: 'instant' }))
    await warn(one)
    await expect.poll(async () => (await yards(one)).held).toBe(true)
    expect((await clock.mails(one.id, one.seller.person.email)).at(-1)).toContain('on hold, do not ship')
    expect((await clock.mails(one.id, admin.person.email)).at(-1)).toMatch(
      /^Fraud warning, decide within a day/,
    )
    const ship = await shop.act(one.seller, one.id, 'ship', { carrier: 'ups', tracking: '1Z' })
    expect([ship.status, ship.body.code]).toEqual([409, 'STATE'])
    expect((await seen(one)).sentence).toContain('We are checking this order')
  })

  test('that an administrator releases does not stop the order again', async () => {
    const one = await bought(await shop.yard({}, { mode: 'instant' }))
    await warn(one)
    await expect.poll(async () => (await yards(one)).held).toBe(true)
    const { api } = await app.signUp({ role: 'admin' })
    await api.post(`/admin/orders/${one.id}/release`)
    await warn(one)
    await simulator.settled()
    app.clock.advance(1.1 * DAY_MS)
    await clock.sweep()
    expect(await yards(one)).toMatchObject({ state: 'confirmed', held: false, refunds: [] })
  })

  test('that nobody decides about refunds a paid order after a day', async () => {
    const one = await bought(await shop.yard({}, { mode: 'instant' }))
    await warn(one)
    await expect.poll(async () => (await yards(one)).held).toBe(true)
    app.clock.advance(23 * HOUR_MS)
    await clock.sweep()
    expect((await yards(one)).refunds).toEqual([])
    app.clock.advance(2 * HOUR_MS)
    await clock.sweep()
    await expect.poll(() => seen(one)).toMatchObject({ state: 'refunded', money: { refunded: 115 } })
    expect(await admins(one)).toMatchObject({ held: false, needsAttention: false })
  })

  test('that nobody decides about drops an order that is only authorized', async () => {
    const one = await bought(await shop.yard())
    await warn(one)
    await expect.poll(async () => (await yards(one)).held).toBe(true)
    app.clock.advance(25 * HOUR_MS)
    await clock.sweep()
    expect(await seen(one)).toMatchObject({ state: 'canceled', money: { captured: 0 } })
    const payment = await clock.column<string>(one.id, 'payment_id')
    await expect
      .poll(async () => (await simulator.sdk().paymentIntents.retrieve(payment)).status)
      .toBe('canceled')
  })

  test('about a part that is on its way holds the money, and leaves the decision to people', async () => {
    const one = await bought(await shop.yard({}, { mode: 'instant' }))
    await shop.act(one.seller, one.id, 'ship', { carrier: 'ups', tracking: '1Z' })
    await warn(one)
    await expect.poll(async () => (await yards(one)).held).toBe(true)
    app.clock.advance(2 * DAY_MS)
    await clock.sweep()
    expect(await admins(one)).toMatchObject({
      state: 'shipped',
      held: true,
      needsAttention: true,
      refunds: [],
    })
  })
})
