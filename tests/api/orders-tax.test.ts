import { sql } from 'kysely'
import { PDFDocument } from 'pdf-lib'
import type Stripe from 'stripe'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { checkOrderBooks } from '#server/features/money/orders/money/books.ts'
import { findLedgerProblems } from '#server/features/money/orders/money/ledger.ts'
import { type Delivered, openDelivery } from '#tests/support/delivered-orders.ts'
import { textsOfPage } from '#tests/support/drawn-pdf.ts'
import { openOrderClock } from '#tests/support/order-clock.ts'
import { startBillingWorker } from '#tests/support/payments.ts'
import type { Failed, Shop } from '#tests/support/shop.ts'
import { startTestSimulator } from '#tests/support/simulator.ts'
import { startTestApp } from '#tests/support/test-app.ts'

/* Sales tax (STRIPE_TAX=on): the provider computes it, the marketplace owes it, and no yard ever gets it. */

vi.setConfig({ testTimeout: 90_000 })

const simulator = await startTestSimulator()
const app = await startTestApp({ ...simulator.settings, STRIPE_TAX: 'on' })
await simulator.deliverTo(app.http)
await startBillingWorker(app)
const clock = openOrderClock(app)
const delivery = openDelivery({ app, simulator, clock })
const { shop } = delivery
const sdk = simulator.sdk()

// 8 % of everything that goes to Texas.
const setup = { taxStates: ['TX'], taxRate: 0.08 }

let yard: Shop & { accountId: string }
beforeAll(async () => {
  yard = await delivery.yard()
})
beforeEach(() => simulator.behave({ setup }))
afterEach(async () => {
  expect(await findLedgerProblems(app.db)).toEqual([])
})

async function sessionOf({ id }: { id: string }): Promise<Stripe.Checkout.Session> {
  return sdk.checkout.sessions.retrieve(await clock.column<string>(id, 'session_id'))
}

/** What `payments doctor` finds wrong. */
async function wrongInBooks(): Promise<string[]> {
  const found: string[] = []
  for await (const check of checkOrderBooks(app.db, clock.deps.calls(), app.clock.now()))
    if (check.state !== 'ok') found.push(check.found)
  return found
}

const part = (amount: number) => [{ kind: 'part', amount }]
const moneyOf = async (order: Delivered) => (await order.by.read(order.token)).body.money

describe('before it is paid', () => {
  test('the quote and the order are without tax, and say that it is added on the payment page', async () => {
    const { partslug } = await shop.addPart(yard.seller)
    const quote = await app.visitor.get<object>(`/parts/${partslug}/quote?zip=75201`)
    expect(quote.body).toMatchObject({ total: 115, taxAdded: true })
    const by = shop.buyer()
    const placed = await by.buys(partslug)
    expect(placed.order).toMatchObject({ total: 115, taxAdded: true })
    expect((await by.read(placed.token)).body).toMatchObject({
      total: 115,
      taxAdded: true,
      sentence: expect.stringContaining('Pay $115.00 plus sales tax'),
    })
    const again = await by.act<Failed & { url: string }>('pay', placed.token, { expectedTotal: 115 })
    expect([again.status, again.body.url]).toEqual([200, placed.url])
  })

  test('the payment page has the address that we checked, asks for none, and we are liable', async () => {
    const by = shop.buyer()
    const { order } = await by.buys((await shop.addPart(yard.seller)).partslug)
    const session = await sessionOf(order)
    expect(session).toMatchObject({
      amount_subtotal: 11_500,
      amount_total: 12_420,
      automatic_tax: { enabled: true, liability: { type: 'self' } },
      customer_email: null,
    })
    const customer = await sdk.customers.retrieve(String(session.customer))
    expect(customer).toMatchObject({
      email: by.email,
      metadata: { order: order.id },
      shipping: { address: { country: 'US', state: 'TX', postal_code: '75201', city: 'Dallas' } },
    })
  })

  test('what is picked up is taxed where it is', async () => {
    await simulator.behave({ setup: { ...setup, taxStates: ['OK'] } })
    const buy = async (more: object) =>
      sessionOf((await shop.buyer().buys((await shop.addPart(yard.seller)).partslug, more)).order)
    const pickup = await buy({ delivery: 'pickup', address: undefined, expectedTotal: 100 })
    expect(pickup.amount_total).toBe(10_800)
    expect((await buy({})).amount_total).toBe(11_500)
  })

  test('of several parts it is all or nothing', async () => {
    const slugs = await Promise.all([1, 2].map(async () => (await shop.addPart(yard.seller)).partslug))
    const by = shop.buyer()
    const refused = await by.orderParts<Failed>(slugs, { ifMissing: 'send' })
    expect([refused.status, refused.body.fields]).toEqual([
      422,
      { ifMissing: 'With sales tax, an order is sent whole or not at all. Choose cancel' },
    ])
    const placed = await by.buysParts(slugs, { ifMissing: 'cancel' })
    const order = await shop.pay(placed, by)
    expect(order).toMatchObject({ total: 248.4, taxAdded: false })
    const lines = [order.parts[0]?.id]
    await shop.act(yard.seller, order.id, 'not-found', { reason: 'Sold at the counter', lines })
    expect(await shop.untilNot(['authorized'], placed, by)).toMatchObject({
      state: 'not-found',
      money: { captured: 0 },
    })
  })
})

describe('once it is paid', () => {
  test('the tax is a line, is set aside for the states, and never goes to the yard', async () => {
    const order = await delivery.deliver(yard.seller)
    const { body } = await order.by.read(order.token)
    expect(body).toMatchObject({ total: 124.2, taxAdded: false, money: { captured: 124.2 } })
    expect(body.lines).toContainEqual({ kind: 'tax', amount: 9.2 })
    expect(await delivery.balances(order)).toMatchObject({ tax: -920, held: -10_500, royalty: -1_000 })
    await delivery.comeDue(order)
    await clock.release()
    expect((await delivery.transfersOf(order)).map(({ amount }) => amount)).toEqual([10_500])
    await clock.quiet(order.id, simulator)
    expect(await wrongInBooks()).toEqual([])
    const { rows } = await sql<{ cents: number }>`
      select tax_cents::float8 as cents from part_order where id = ${order.id}`.execute(app.db)
    expect(rows).toEqual([{ cents: 920 }])
  })

  test('what may be paid out is what is available, without what is the yards’, the states’ and the buyers’', async () => {
    const order = await delivery.deliver(yard.seller)
    await clock.quiet(order.id, simulator)
    const { available } = await sdk.balance.retrieve()
    const { rows } = await sql<{ cents: number }>`
      select -sum(amount_cents)::float8 as cents from ledger_entry
      where account in ('held', 'core', 'tax', 'refunds-due', 'dispute')`.execute(app.db)
    const mine = ((available[0]?.amount ?? 0) - (rows[0]?.cents ?? 0)) / 100
    const amount = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(mine)
    const said: string[] = []
    for await (const { found } of checkOrderBooks(app.db, clock.deps.calls(), app.clock.now()))
      said.push(found.replaceAll('.00', ''))
    expect(said.join('\n')).toContain(`${amount.replace('.00', '')} may be paid out`)
    expect(said[0]).toMatch(/tax -\$/)
  })

  test('without a registration in the state nothing is added', async () => {
    await simulator.behave({ setup: { taxStates: ['CA'] } })
    const order = await delivery.deliver(yard.seller)
    expect((await order.by.read(order.token)).body).toMatchObject({ total: 115, taxAdded: false })
    expect(await delivery.balances(order)).toMatchObject({ held: -10_500 })
  })

  test('the invoice has it', async () => {
    const order = await delivery.deliver(yard.seller)
    const { bytes } = await order.by.api.post('/orders/invoice.pdf', { token: order.token })
    const pdf = await PDFDocument.load(bytes)
    const texts = pdf.getPages().flatMap(textsOfPage)
    // Amounts are drawn before their labels.
    expect(texts[texts.indexOf('Sales tax') - 1]).toBe('$9.20')
    expect(texts).toContain('$124.20')
  })

  test('a refund gives it back in proportion, and all of it with the last cent', async () => {
    const order = await delivery.deliver(yard.seller)
    await delivery.refund(order, part(25))
    await delivery.perform(order)
    // 25 of 115 is 2 of 9.20.
    expect(await moneyOf(order)).toMatchObject({ refunded: 27 })
    expect(await delivery.balances(order)).toMatchObject({ tax: -720, royalty: -750 })
    await delivery.refund(order, [...part(75), { kind: 'shipping', amount: 15 }])
    await delivery.perform(order)
    expect(await moneyOf(order)).toEqual({ captured: 124.2, refunded: 124.2 })
    expect((await delivery.balances(order)).tax).toBeUndefined()
    await clock.quiet(order.id, simulator)
    expect(await wrongInBooks()).toEqual([])
  })

  test.each([
    ['TX', '75201', 'Dallas', 50],
    // Washington lowers the taxed price: 50 of 165 is 4 of 13.20.
    ['WA', '98101', 'Seattle', 54],
  ])('a core that comes back from %s', async (state, zip, city, refunded) => {
    await simulator.behave({ setup: { ...setup, taxStates: ['TX', 'WA'] } })
    const { partslug } = await shop.addPart(yard.seller, { corecharge: '50' })
    const by = shop.buyer()
    const address = { line1: '1 Elm Street', city, state, zip }
    const placed = await by.buys(partslug, { address, expectedTotal: 165 })
    await shop.pay(placed, by)
    await shop.act(yard.seller, placed.order.id, 'confirm')
    const order = { ...placed, id: placed.order.id, by, seller: yard.seller }
    await delivery.refund(order, [{ kind: 'core', amount: 50 }])
    await delivery.perform(order)
    expect((await moneyOf(order)).refunded).toBe(refunded)
  })
})
