import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Listing } from '#contract/listings.ts'
import { findLedgerProblems } from '#server/features/money/orders/money/ledger.ts'
import { press, startBillingWorker } from '#tests/support/payments.ts'
import { type Failed, openShop } from '#tests/support/shop.ts'
import { startTestSimulator } from '#tests/support/simulator.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const simulator = await startTestSimulator()
const app = await startTestApp(simulator.settings)
await simulator.deliverTo(app.http)
await startBillingWorker(app)
const shop = openShop(app)

const read = (slug: string) => app.visitor.get<Listing>(`/auto-part/${slug}`)

describe('a quote', () => {
  test('has part, shipping and core, and the ways to get it', async () => {
    const { listing } = await shop.yard({ corecharge: '20' })
    const quote = await app.visitor.get(`/parts/${listing.partslug}/quote?zip=75201`)
    expect(quote.body).toMatchObject({
      needsQuote: false,
      lines: [
        { kind: 'part', amount: 100 },
        { kind: 'shipping', amount: 15 },
        { kind: 'core', amount: 20 },
      ],
      total: 135,
      delivery: ['ship', 'pickup'],
    })
  })

  test('is refused for a yard that does not sell online', async () => {
    const { listing, seller } = await shop.yard()
    await seller.api.put('/seller/selling', { enabled: false, mode: 'confirm', days: 2 })
    const quote = await app.visitor.get<Failed>(`/parts/${listing.partslug}/quote`)
    expect([quote.status, quote.body.code]).toEqual([409, 'NOT_SOLD_ONLINE'])
  })
})

test('a part is bought, found, paid, shipped and received', async () => {
  const { seller, listing } = await shop.yard()
  const ruth = shop.buyer()
  const placed = await ruth.buys(listing.partslug)
  expect(placed.order).toMatchObject({ state: 'pending', total: 115 })
  const paid = await shop.pay(placed, ruth)
  expect(paid).toMatchObject({ state: 'authorized', money: { captured: 0 }, actions: ['cancel'] })
  const { id } = placed.order
  const seen = await seller.api.get(`/seller/orders/${id}`)
  expect(seen.body).toMatchObject({
    buyer: { name: 'Ruth', email: null, phone: null, address: { city: 'Dallas' } },
  })
  expect(JSON.stringify(seen.body)).not.toContain('Elm Street')

  const confirmed = await shop.act(seller, id, 'confirm')
  expect(confirmed.body.state).toBe('confirmed')
  expect(confirmed.body).toMatchObject({
    money: { gross: 115, royalty: 10, transferred: 0 },
    buyer: { name: 'Ruth Baker', address: { line1: '1 Elm Street' } },
  })
  expect((await read(listing.partslug)).body).toMatchObject({ endedReason: 'sold-here' })
  expect((await shop.act(seller, id, 'confirm')).body.state).toBe('confirmed')

  const shipped = await shop.act(seller, id, 'ship', { carrier: 'ups', tracking: '1Z999' })
  expect(shipped.body).toMatchObject({
    state: 'shipped',
    shipment: { carrierName: 'UPS', tracking: '1Z999' },
  })
  const received = await ruth.act('received', placed.token)
  expect(received.body).toMatchObject({ state: 'delivered' })
  expect(await findLedgerProblems(app.db)).toEqual([])
  const admin = await app.signUp({ role: 'admin' })
  const ledger = await admin.api.get<{ balance: number; balances: object }>(`/admin/orders/${id}/ledger`)
  expect(ledger.body).toMatchObject({ balance: 0, balances: { held: -105, royalty: -10 } })
})

test('a part that is not found costs nothing, and its listing ends', async () => {
  const { seller, listing } = await shop.yard()
  const ruth = shop.buyer()
  const placed = await ruth.buys(listing.partslug)
  await shop.pay(placed, ruth)
  const missed = await shop.act(seller, placed.order.id, 'not-found', { reason: 'Sold at the counter.' })
  expect(missed.body.state).toBe('not-found')
  expect((await ruth.read(placed.token)).body.money).toEqual({ captured: 0, refunded: 0 })
  expect((await read(listing.partslug)).body.endedReason).toBe('withdrawn')
})

test('one part, one buyer: others get PART_TAKEN, and it comes back when the first cancels', async () => {
  const { listing } = await shop.yard()
  const [ruth, tom] = [shop.buyer(), shop.buyer()]
  const placed = await ruth.buys(listing.partslug)
  expect((await read(listing.partslug)).body).toMatchObject({ availability: 'in-cart' })
  const late = await tom.order<Failed>(listing.partslug)
  expect([late.status, late.body.code]).toEqual([409, 'PART_TAKEN'])
  expect((await ruth.act('cancel', placed.token)).body.state).toBe('canceled')
  expect((await tom.order(listing.partslug)).status).toBe(201)
})

test('a line is refunded once, however often it is asked for', async () => {
  const { seller, listing } = await shop.yard({}, { mode: 'instant' })
  const ruth = shop.buyer()
  const placed = await ruth.buys(listing.partslug)
  expect((await shop.pay(placed, ruth)).state).toBe('confirmed')
  const asked = { lines: [{ kind: 'shipping', amount: 15 }], reason: 'Damaged box' }
  await Promise.all([1, 2].map(() => shop.act(seller, placed.order.id, 'refund', asked)))
  await expect
    .poll(async () => (await ruth.read(placed.token)).body.money)
    .toEqual({ captured: 115, refunded: 15 })
  const rest = await shop.act(seller, placed.order.id, 'refund', {
    lines: [{ kind: 'part', amount: 100 }],
    reason: 'Returned',
  })
  expect(rest.status).toBe(200)
  await expect.poll(async () => (await ruth.read(placed.token)).body.state).toBe('refunded')
  expect(await findLedgerProblems(app.db)).toEqual([])
})

test('an unpaid order expires by itself and lets the part go', async () => {
  const { listing } = await shop.yard()
  const ruth = shop.buyer()
  const placed = await ruth.buys(listing.partslug)
  await sql`update part_order set act_at = now() - interval '1 minute', expires_at = now() - interval '1 minute' where id = ${placed.order.id}`.execute(
    app.db,
  )
  const { sweepDeadlines } = await import('#server/features/money/orders/deadlines.ts')
  const { stripeOf } = await import('#tests/support/payments.ts')
  const stripe = stripeOf(app)
  await sweepDeadlines(
    { db: app.db, site: app.config, now: app.clock.now, calls: () => stripe.within(9_000) },
    { signal: new AbortController().signal },
  )
  expect((await ruth.read(placed.token)).body.state).toBe('expired')
  // The yard has not heard of the cart, and the address may be anybody's.
  const { rows: mails } = await sql`select from mail where order_id = ${placed.order.id}`.execute(app.db)
  expect(mails).toHaveLength(0)
  expect((await read(listing.partslug)).body).toMatchObject({ availability: 'now' })
  const again = await ruth.order<Failed>(listing.partslug)
  expect([again.status, again.body.code]).toEqual([409, 'HOLD_LIMIT'])
  expect(await press(placed.url, 'pay').catch(String)).toBeTruthy()
})
