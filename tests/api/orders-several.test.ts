import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Listing } from '#contract/listings.ts'
import { findLedgerProblems } from '#server/features/money/orders/money/ledger.ts'
import { openOrderClock } from '#tests/support/order-clock.ts'
import { press, startBillingWorker } from '#tests/support/payments.ts'
import { type Failed, openShop, type PlacedOrder, type Shop } from '#tests/support/shop.ts'
import { startTestSimulator } from '#tests/support/simulator.ts'
import { startTestApp } from '#tests/support/test-app.ts'

/* One order of several parts of one yard. */

const simulator = await startTestSimulator()
const app = await startTestApp(simulator.settings)
await simulator.deliverTo(app.http)
await startBillingWorker(app)
const shop = openShop(app)
const clock = openOrderClock(app)
const sdk = simulator.sdk()

let yard: Shop
let instant: Shop
beforeAll(async () => {
  yard = await shop.yard()
  instant = await shop.yard({}, { mode: 'instant', combinedShipping: 'dearest' })
})

const partsOf = (of: Shop, count: number, part: Record<string, unknown> = {}): Promise<Listing[]> =>
  Promise.all(Array.from({ length: count }, () => shop.addPart(of.seller, part)))
const slugsOf = (parts: readonly Listing[]) => parts.map(({ partslug }) => partslug)
const read = async (slug: string) => (await app.visitor.get<Listing>(`/auto-part/${slug}`)).body
const availability = async (slugs: readonly string[]) =>
  Promise.all(slugs.map(async (slug) => (await read(slug)).availability))
const heldParts = async (orderId: string) =>
  (await sql`select from part_hold where order_id = ${orderId} and ended_at is null`.execute(app.db)).rows
    .length

type Buying = { of?: Shop; count?: number; part?: Record<string, unknown>; more?: object }

async function buy({ of = yard, count = 3, part = {}, more = {} }: Buying = {}) {
  const slugs = slugsOf(await partsOf(of, count, part))
  const by = shop.buyer()
  const placed = await by.buysParts(slugs, more)
  return { ...placed, by, slugs }
}

async function buyAndPay(buying: Buying = {}) {
  const bought = await buy(buying)
  const order = await shop.pay(bought, bought.by)
  return { ...bought, order }
}

const dearest = { expectedTotal: 315 }
const intentOf = async (orderId: string) => {
  const { data } = await sdk.paymentIntents.list({ limit: 100 })
  const [intent, ...others] = data.filter(({ metadata }) => metadata.order === orderId)
  if (!intent || others.length > 0) throw new Error(`order ${orderId} has ${others.length} more payments`)
  return intent
}
const refused = ({ status, body }: { status: number; body: Failed }) => [status, body.code]

describe('a quote of several parts', () => {
  const quote = (slugs: readonly string[], more: object = {}) =>
    app.visitor.post<Failed & { total: number; lines: object[]; parts: object[]; delivery: string[] }>(
      '/orders/quote',
      { items: slugs.map((slug) => ({ slug })), zip: '75201', ...more },
    )

  test('adds up parts, cores and shipping, with the price of each', async () => {
    const parts = [
      ...(await partsOf(yard, 1, { corecharge: '20' })),
      ...(await partsOf(yard, 1, { partprice: '40', partshipping: '10' })),
    ]
    const { body } = await quote(slugsOf(parts))
    expect(body).toMatchObject({
      total: 185,
      lines: [
        { kind: 'part', amount: 140 },
        { kind: 'shipping', amount: 25 },
        { kind: 'core', amount: 20 },
      ],
      parts: [
        { slug: parts[0]?.partslug, quantity: 1, price: 100, core: 20 },
        { slug: parts[1]?.partslug, quantity: 1, price: 40, core: 0 },
      ],
    })
    expect((await quote(slugsOf(parts), { delivery: 'pickup' })).body).toMatchObject({ total: 160 })
  })

  test('ships by the rule of the yard; free stays free', async () => {
    const halving = await shop.yard({}, { combinedShipping: 'half' })
    for (const [of, total] of [
      [yard, 325],
      [halving, 320],
      [instant, 315],
    ] as const) {
      const parts = [
        ...(await partsOf(of, 1)),
        ...(await partsOf(of, 1, { partshipping: '10' })),
        ...(await partsOf(of, 1, { partshipping: 'Free' })),
      ]
      expect((await quote(slugsOf(parts))).body.total).toBe(total)
    }
  })

  test('names the taken ones by their places', async () => {
    const slugs = slugsOf(await partsOf(yard, 3))
    await shop.buyer().buys(slugs[1] ?? '')
    const { status, body } = await quote(slugs)
    expect([status, body.code, Object.keys(body.fields ?? {})]).toEqual([409, 'PART_TAKEN', ['items.1']])
  })

  test('is of one yard, of parts that exist, each once', async () => {
    const [one = ''] = slugsOf(await partsOf(yard, 1))
    const other = await quote([one, instant.listing.partslug])
    expect([other.status, other.body.fields]).toEqual([
      422,
      { 'items.1': 'This part is from another yard. Order it by itself' },
    ])
    expect(refused(await quote([one, 'no-such-part']))).toEqual([404, 'NOT_FOUND'])
    expect((await quote([one, one])).body.fields).toHaveProperty(['items.1'])
    expect(refused(await quote([]))).toEqual([422, 'VALIDATION_FAILED'])
  })
})

describe('placing', () => {
  test('holds every part, on one payment page', async () => {
    const { order, slugs, token, by } = await buy({ more: { expectedTotal: 345 } })
    expect(order).toMatchObject({ state: 'pending', total: 345 })
    expect(await availability(slugs)).toEqual(['in-cart', 'in-cart', 'in-cart'])
    const { body } = await by.read(token)
    expect(body.parts.map(({ slug }) => slug)).toEqual(slugs)
    expect(body).toMatchObject({ ifMissing: 'send', sentence: expect.stringMatching(/^The parts are held/) })
    const { data } = await sdk.checkout.sessions.list({ limit: 100 })
    const [session] = data.filter(({ client_reference_id: of }) => of === order.id)
    expect(session?.amount_total).toBe(34_500)
  })

  test('holds none if one is taken, and says which', async () => {
    const slugs = slugsOf(await partsOf(yard, 3))
    await shop.buyer().buys(slugs[2] ?? '')
    const late = await shop.buyer().orderParts<Failed>(slugs)
    expect([...refused(late), Object.keys(late.body.fields ?? {})]).toEqual([409, 'PART_TAKEN', ['items.2']])
    expect(await availability(slugs)).toEqual(['now', 'now', 'in-cart'])
  })

  test('asks for the choice, and for one yard', async () => {
    const slugs = slugsOf(await partsOf(yard, 2))
    const by = shop.buyer()
    const unsaid = await by.orderParts<Failed>(slugs, { ifMissing: undefined })
    expect([...refused(unsaid), Object.keys(unsaid.body.fields ?? {})]).toEqual([
      422,
      'VALIDATION_FAILED',
      ['ifMissing'],
    ])
    const mixed = await by.orderParts<Failed>([slugs[0] ?? '', instant.listing.partslug])
    expect([mixed.status, Object.keys(mixed.body.fields ?? {})]).toEqual([422, ['items.1']])
    const alone = await by.orderParts(slugs.slice(0, 1), { ifMissing: undefined })
    expect(alone.status).toBe(201)
  })

  test('counts pieces, and refuses more than there are', async () => {
    const [many, one] = [await partsOf(yard, 1, { partquantity: '3' }), await partsOf(yard, 1)]
    const slugs = slugsOf([...many, ...one])
    const items = slugs.map((slug, at) => ({ slug, quantity: at === 0 ? 2 : 1 }))
    const by = shop.buyer()
    const placed = await by.orderParts(slugs, { items, expectedTotal: 330 })
    expect([placed.status, placed.body.order.total]).toEqual([201, 330])
    const rest = await shop
      .buyer()
      .orderParts<Failed>(slugs.slice(0, 1), { items: [{ slug: slugs[0] ?? '', quantity: 2 }] })
    expect(refused(rest)).toEqual([409, 'PART_TAKEN'])
  })

  test('a price that changed comes with the new quote', async () => {
    const slugs = slugsOf(await partsOf(yard, 2))
    const { status, body } = await shop.buyer().orderParts<Failed>(slugs, { expectedTotal: 229 })
    expect([status, body.code, body.quote?.total]).toEqual([409, 'PRICE_CHANGED', 230])
  })

  test('sent again with its key, it is the same order', async () => {
    const slugs = slugsOf(await partsOf(yard, 2))
    const by = shop.buyer()
    const key = crypto.randomUUID()
    const first = await by.orderParts(slugs, {}, key)
    const second = await by.orderParts(slugs, {}, key)
    expect(second.body.order.id).toBe(first.body.order.id)
  })

  test('one by quote makes the whole order wait for a price, and is paid as one', async () => {
    const slugs = slugsOf([...(await partsOf(yard, 1)), ...(await partsOf(yard, 1, { partshipping: '' }))])
    const by = shop.buyer()
    const placed = await by.buysParts(slugs, { expectedTotal: null })
    expect(placed.order).toMatchObject({ state: 'quoting', total: null })
    expect(await heldParts(placed.order.id)).toBe(0)
    await shop.act(yard.seller, placed.order.id, 'quote', { shipping: 60, days: 4 })
    const paying = await by.act<{ url: string }>('pay', placed.token, { expectedTotal: 260 })
    expect(await heldParts(placed.order.id)).toBe(2)
    const paid = await shop.pay({ ...placed, url: paying.body.url }, by)
    // The named price is for the parcel, and stays.
    const lines = [paid.parts[0]?.id]
    const { body } = await shop.act(yard.seller, placed.order.id, 'confirm', { lines })
    expect(body).toMatchObject({ state: 'confirmed', money: { gross: 160 } })
  })
})

describe('caps', () => {
  test('count orders, and the parts in them', async () => {
    const by = shop.buyer()
    const carts = [await partsOf(yard, 6), await partsOf(yard, 5), await partsOf(yard, 4)].map(slugsOf)
    const [six = [], five = [], four = []] = carts
    expect((await by.orderParts(six, { expectedTotal: 690 })).status).toBe(201)
    expect(refused(await by.orderParts<Failed>(five, { expectedTotal: 575 }))).toEqual([409, 'HOLD_LIMIT'])
    expect((await by.orderParts(four, { expectedTotal: 460 })).status).toBe(201)
    expect(refused(await by.orderParts<Failed>(five.slice(0, 2)))).toEqual([409, 'HOLD_LIMIT'])
    expect(await availability(five)).toEqual(five.map(() => 'now'))
  })

  test('an order has at most ten parts', async () => {
    const reply = await shop.buyer().orderParts<Failed>(Array.from({ length: 11 }, (_, at) => `part-${at}`))
    expect(refused(reply)).toEqual([422, 'VALIDATION_FAILED'])
  })
})

test('24, 25: carts that share parts in any order: no part has two buyers, and no cart a part of itself', async () => {
  const slugs = slugsOf(await partsOf(yard, 4))
  const replies = await Promise.all(
    Array.from({ length: 12 }, (_, at) => {
      const chosen = [0, 1, 2].map((step) => slugs[(at * 3 + step * (at % 2 === 0 ? 1 : 3)) % 4] ?? '')
      return shop.buyer().orderParts<PlacedOrder & Failed>(chosen)
    }),
  )
  expect(new Set(replies.map(({ status, body }) => body.code ?? status))).toEqual(
    new Set([201, 'PART_TAKEN']),
  )
  for (const { status, body } of replies) {
    if (status === 201) expect(await heldParts(body.order.id)).toBe(3)
  }
  const { rows } = await sql<{ held: number }>`
    select count(*)::int as held from part_hold h join listing l on l.id = h.listing_id
    where l.slug = any(${slugs}::text[]) and h.ended_at is null group by l.id`.execute(app.db)
  expect(rows.every(({ held }) => held === 1)).toBe(true)
})

describe('a yard that confirms', () => {
  test('all of them: takes everything once', async () => {
    const { order, slugs } = await buyAndPay({ count: 2 })
    const { body } = await shop.act(yard.seller, order.id, 'confirm')
    expect(body).toMatchObject({ state: 'confirmed', money: { gross: 230, royalty: 20 } })
    expect(body.timeline.at(-2)?.text).toBe('You found all 2 parts and confirmed the order.')
    for (const slug of slugs) expect((await read(slug)).endedReason).toBe('sold-here')
  })

  test('7: two of three, and the buyer takes the others: captured once, shipping computed again', async () => {
    const { order, slugs, by, token } = await buyAndPay()
    const lines = order.parts.slice(0, 2).map(({ id }) => id)
    const { body } = await shop.act(yard.seller, order.id, 'confirm', { lines })
    expect(body).toMatchObject({
      state: 'confirmed',
      total: 230,
      money: { gross: 230, royalty: 20 },
      parts: [{ state: 'found' }, { state: 'found' }, { state: 'not-found' }],
    })
    const intent = await intentOf(order.id)
    expect([intent.amount, intent.amount_received, intent.status]).toEqual([34_500, 23_000, 'succeeded'])
    const seen = (await by.read(token)).body
    expect(seen.lines).toEqual([
      { kind: 'part', amount: 200 },
      { kind: 'shipping', amount: 30 },
    ])
    expect(seen.sentence).toContain(`Not found: ${order.parts[2]?.title}.`)
    expect(seen.timeline.map(({ text }) => text).join(' ')).toContain('found 2 of 3 parts')
    const ends = await Promise.all(slugs.map(async (slug) => (await read(slug)).endedReason))
    expect(ends).toEqual(['sold-here', 'sold-here', 'withdrawn'])
    expect(await heldParts(order.id)).toBe(0)
    // Again, and with other lines: the same answer.
    const again = await shop.act(yard.seller, order.id, 'confirm', { lines: [order.parts[2]?.id] })
    expect(again.body.money.gross).toBe(230)
    expect(await clock.kinds(order.id)).toEqual(
      expect.arrayContaining(['placed', 'authorize', 'confirm', 'capture']),
    )
    expect(await findLedgerProblems(app.db)).toEqual([])
  })

  test('two of three, all or nothing: nothing is taken, and the found parts are for sale', async () => {
    const { order, slugs, by, token } = await buyAndPay({ more: { ifMissing: 'cancel' } })
    const lines = order.parts.slice(1).map(({ id }) => id)
    const { body } = await shop.act(yard.seller, order.id, 'confirm', { lines })
    expect(body).toMatchObject({ state: 'not-found', money: { gross: 0 } })
    expect((await intentOf(order.id)).status).toBe('canceled')
    expect((await read(slugs[0] ?? '')).endedReason).toBe('withdrawn')
    expect(await availability(slugs.slice(1))).toEqual(['now', 'now'])
    expect((await by.read(token)).body).toMatchObject({ total: 345, money: { captured: 0, refunded: 0 } })
    expect((await shop.act(yard.seller, order.id, 'confirm', { lines })).body.state).toBe('not-found')
    // It turns up: only what was missing comes back.
    await shop.act(yard.seller, order.id, 'restock', { answer: 'sell' })
    expect(await availability(slugs)).toEqual(['now', 'now', 'now'])
  })

  test('names lines of its own order, at least one', async () => {
    const { order } = await buyAndPay({ count: 2 })
    const other = await shop.act(yard.seller, order.id, 'confirm', { lines: [crypto.randomUUID()] })
    expect([...refused(other), Object.keys(other.body.fields ?? {})]).toEqual([
      422,
      'VALIDATION_FAILED',
      ['lines'],
    ])
    expect(refused(await shop.act(yard.seller, order.id, 'confirm', { lines: [] }))).toEqual([
      422,
      'VALIDATION_FAILED',
    ])
    const reason = 'Sold at the counter'
    const part = await shop.act(yard.seller, order.id, 'not-found', { lines: [order.parts[0]?.id], reason })
    expect([part.status, part.body.fields]).toMatchObject([
      422,
      { lines: expect.stringContaining('Confirm') },
    ])
    expect((await shop.act(yard.seller, order.id, 'not-found', { reason })).body.state).toBe('not-found')
  })

  test('a found part whose payment is lost is for sale again; the missing one is not', async () => {
    const { order, slugs } = await buyAndPay({ count: 2 })
    // The yard confirms before anybody hears that the bank let go.
    await simulator.behave({ webhooks: { drop: 1 } })
    await sdk.paymentIntents.cancel((await intentOf(order.id)).id)
    await shop.act(yard.seller, order.id, 'confirm', { lines: [order.parts[0]?.id] })
    await simulator.behave({})
    await expect.poll(() => clock.column(order.id, 'state')).toBe('canceled')
    expect((await read(slugs[0] ?? '')).availability).toBe('now')
    expect((await read(slugs[1] ?? '')).endedReason).toBe('withdrawn')
  })
})

describe('an instant yard', () => {
  test('7: misses one after the payment: its price goes back, and no shipping is charged twice', async () => {
    const { order, slugs, by, token } = await buyAndPay({ of: instant, more: dearest })
    expect(order).toMatchObject({ state: 'confirmed', money: { captured: 315 } })
    const [first, second] = order.parts
    const miss = (id: string | undefined) =>
      shop.act(instant.seller, order.id, 'not-found', { lines: [id], reason: 'Broken' })
    await Promise.all([miss(first?.id), miss(first?.id)])
    await expect.poll(async () => (await by.read(token)).body.money.refunded).toBe(100)
    const seen = (await by.read(token)).body
    expect(seen).toMatchObject({ state: 'confirmed', parts: [{ state: 'not-found' }, {}, {}] })
    expect(seen.refunds).toMatchObject([{ lines: [{ kind: 'part', amount: 100, line: first?.id }] }])
    expect((await read(slugs[0] ?? '')).endedReason).toBe('withdrawn')
    await miss(second?.id)
    await expect.poll(async () => (await by.read(token)).body.money.refunded).toBe(200)
    // The last one is missing, too: everything goes back, with the shipping.
    const ended = await miss(order.parts[2]?.id)
    expect(ended.body.state).toBe('not-found')
    await expect.poll(async () => (await by.read(token)).body.money.refunded).toBe(315)
    expect(await findLedgerProblems(app.db)).toEqual([])
  })

  test('gives back the shipping that the others do not need', async () => {
    const each = await shop.yard({}, { mode: 'instant' })
    const { order, by, token } = await buyAndPay({ of: each, count: 2 })
    const body = { lines: [order.parts[1]?.id], reason: 'Gone' }
    await shop.act(each.seller, order.id, 'not-found', body)
    await expect.poll(async () => (await by.read(token)).body.money.refunded).toBe(115)
    const left = await shop.act(each.seller, order.id, 'refund', {
      lines: [{ kind: 'shipping', amount: 16 }],
      reason: 'Sorry',
    })
    expect(left.status).toBe(422)
  })

  test('all or nothing: one is missing, and everything goes back', async () => {
    const more = { ...dearest, ifMissing: 'cancel' }
    const { order, slugs, by, token } = await buyAndPay({ of: instant, more })
    const body = { lines: [order.parts[0]?.id], reason: 'Broken' }
    expect((await shop.act(instant.seller, order.id, 'not-found', body)).body.state).toBe('not-found')
    await expect.poll(async () => (await by.read(token)).body.money.refunded).toBe(315)
    expect((await read(slugs[0] ?? '')).endedReason).toBe('withdrawn')
    expect(await availability(slugs.slice(1))).toEqual(['now', 'now'])
  })
})

test('a part is refunded up to its own price', async () => {
  const { order } = await buyAndPay({ of: instant, more: dearest })
  const line = order.parts[0]?.id
  const refund = (amount: number, kind = 'part') =>
    shop.act(instant.seller, order.id, 'refund', { lines: [{ kind, amount, line }], reason: `${amount}` })
  expect((await refund(60)).status).toBe(200)
  const over = await refund(41)
  expect([over.status, over.body.fields?.lines]).toEqual([
    422,
    `At most $40.00 of ${order.parts[0]?.title} can be refunded`,
  ])
  expect((await refund(15, 'shipping')).status).toBe(422)
  expect((await refund(40)).status).toBe(200)
})

test('an unpaid order lets all of its parts go', async () => {
  const { order, slugs, by, token } = await buy()
  app.clock.advance(32 * 60_000)
  await clock.sweep()
  expect((await by.read(token)).body.state).toBe('expired')
  expect(await availability(slugs)).toEqual(['now', 'now', 'now'])
  expect(await heldParts(order.id)).toBe(0)
})

describe('12: money that comes after the hold ended', () => {
  /** As after a crash: the hold is over, and nobody has looked at the provider. */
  const lapse = (id: string) =>
    sql`with over as (update part_hold set ended_at = now(), ending = 'released' where order_id = ${id})
        update part_order set state = 'expired', act_at = null where id = ${id}`.execute(app.db)

  test('takes all parts if they are still there', async () => {
    const { order, url, token, by, slugs } = await buy({ count: 2 })
    await lapse(order.id)
    await press(url, 'pay', '?late=1')
    await shop.untilNot(['expired'], { token }, by)
    expect((await by.read(token)).body.state).toBe('authorized')
    expect(await availability(slugs)).toEqual(['pending', 'pending'])
  })

  test('takes none if one is gone, and is let go', async () => {
    const { order, url, by, token, slugs } = await buy({ count: 2 })
    await lapse(order.id)
    await shop.buyer().buys(slugs[1] ?? '')
    await press(url, 'pay', '?late=1')
    await expect.poll(async () => (await intentOf(order.id)).status).toBe('canceled')
    expect((await by.read(token)).body.state).toBe('expired')
    expect(await availability(slugs)).toEqual(['now', 'in-cart'])
  })
})

test('the papers, the search and the mails know every part', async () => {
  const { order, by } = await buyAndPay({ count: 2 })
  await shop.act(yard.seller, order.id, 'confirm', { lines: [order.parts[0]?.id] })
  const mails = await clock.mails(order.id, by.email)
  expect(mails.some((subject) => subject.includes('and 1 more'))).toBe(true)
  const { rows } = await sql<{ body: string }>`
    select body from mail where order_id = ${order.id} and recipient = ${by.email} order by id desc limit 1`.execute(
    app.db,
  )
  expect(rows[0]?.body).toContain(`- ${order.parts[1]?.title}: not found`)
  const slip = await yard.seller.api.get(`/seller/orders/${order.id}/slip.pdf`)
  expect(slip.status).toBe(200)
  const admin = await app.signUp({ role: 'admin' })
  const q = encodeURIComponent(order.parts[1]?.title ?? '')
  const found = await admin.api.get<{ items: { id: string }[] }>(`/admin/orders?q=${q}`)
  expect(found.body.items.map(({ id }) => id)).toContain(order.id)
})
