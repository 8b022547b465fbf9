import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Listing } from '#contract/listings.ts'
import { HOUR_MS } from '#contract/order/order-steps.ts'
import type { SellerOrder } from '#contract/order/order-views.ts'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import { changeListing, lockListing } from '#server/features/market/listings/write-queries.ts'
import { findLedgerProblems } from '#server/features/money/orders/money/ledger.ts'
import { openOrderClock } from '#tests/support/order-clock.ts'
import { press, startBillingWorker } from '#tests/support/payments.ts'
import { type Failed, openShop, type PlacedOrder } from '#tests/support/shop.ts'
import { startTestSimulator } from '#tests/support/simulator.ts'
import { openTalks } from '#tests/support/talk.ts'
import { startTestApp } from '#tests/support/test-app.ts'

/* Who holds a part, for how long, and what a buyer is shown and promised while it is theirs. */

const simulator = await startTestSimulator()
const app = await startTestApp(simulator.settings)
await simulator.deliverTo(app.http)
await startBillingWorker(app)
const shop = openShop(app)
const clock = openOrderClock(app)

const slugsOf = async (count: number): Promise<string[]> => {
  const { seller, listing } = await shop.yard()
  const more = await Promise.all(Array.from({ length: count - 1 }, () => shop.addPart(seller)))
  return [listing, ...more].map(({ partslug }) => partslug)
}
const codes = (replies: readonly { status: number; body: { code?: string } }[]) =>
  replies.map(({ status, body }) => (status === 201 ? 'held' : body.code))
const read = (slug: string) => app.visitor.get<Listing>(`/auto-part/${slug}`)

describe('unpaid holds of one buyer', () => {
  test('are two by mailbox, however it is written', async () => {
    const slugs = await slugsOf(3)
    const ruth = shop.buyer()
    const [name = '', domain = ''] = ruth.email.split('@')
    const others = [shop.buyer(), shop.buyer()]
    const replies = [
      await ruth.order<Failed>(slugs[0] ?? ''),
      await others[0]?.order<Failed>(slugs[1] ?? '', { email: `${name}+parts@${domain}` }),
      await others[1]?.order<Failed>(slugs[2] ?? '', { email: ruth.email.toUpperCase() }),
    ].flatMap((reply) => reply ?? [])
    expect(codes(replies)).toEqual(['held', 'held', 'HOLD_LIMIT'])
  })

  test('are two by browser, whatever address they are given', async () => {
    const slugs = await slugsOf(3)
    const cookie = 'buyer=AAAAAAAAAAAAAAAAAAAAAA'
    const replies = []
    for (const slug of slugs) {
      const by = shop.buyer()
      const form = {
        email: by.email,
        name: 'Ruth Baker',
        delivery: 'pickup',
        expectedTotal: 100,
      }
      replies.push(await by.api.post<Failed>(`/parts/${slug}/orders`, form, { cookie }))
    }
    expect(codes(replies)).toEqual(['held', 'held', 'HOLD_LIMIT'])
  })

  test('are five in one network', async () => {
    const slugs = await slugsOf(6)
    const replies = []
    for (const [at, slug] of slugs.entries()) {
      const api = app.visitor.as({ ip: '203.0.113.77' })
      const form = { email: `net-${at}@garage.example`, name: 'Net', delivery: 'pickup', expectedTotal: 100 }
      replies.push(await api.post<Failed>(`/parts/${slug}/orders`, form))
    }
    expect(codes(replies)).toEqual(['held', 'held', 'held', 'held', 'held', 'HOLD_LIMIT'])
    expect(replies[5]?.body.error).toContain('5 parts')
  })

  test('do not count parts that somebody else had, nor paid ones, nor canceled ones', async () => {
    const [taken = '', first = '', second = '', third = ''] = await slugsOf(4)
    await shop.buyer().buys(taken)
    const ruth = shop.buyer()
    expect((await ruth.order<Failed>(taken)).body.code).toBe('PART_TAKEN')
    expect((await ruth.order<Failed>(taken)).body.code).toBe('PART_TAKEN')
    const paid = await ruth.buys(first)
    await shop.pay(paid, ruth)
    const left = await ruth.buys(second)
    await ruth.act('cancel', left.token)
    await ruth.buys(second)
    await ruth.buys(third)
  })

  test('two tabs at once cannot hold a third part', async () => {
    const slugs = await slugsOf(4)
    const ruth = shop.buyer()
    const replies = await Promise.all(slugs.map((slug) => ruth.order<Failed>(slug)))
    expect(codes(replies).filter((code) => code === 'held')).toHaveLength(2)
    expect(codes(replies).filter((code) => code === 'HOLD_LIMIT')).toHaveLength(2)
  })

  test('a hold that lapsed is not taken again for two hours', async () => {
    const [slug = ''] = await slugsOf(1)
    const ruth = shop.buyer()
    const placed = await ruth.buys(slug)
    app.clock.advance(32 * 60_000)
    await clock.sweep()
    expect((await ruth.read(placed.token)).body.state).toBe('expired')
    const again = await ruth.order<Failed>(slug)
    expect([again.status, again.body.code]).toEqual([409, 'HOLD_LIMIT'])
    app.clock.advance(2 * HOUR_MS)
    expect((await ruth.order(slug)).status).toBe(201)
  })
})

describe('several pieces', () => {
  test('are held one by one, sold one by one, and the last one ends the listing', async () => {
    const { seller, listing } = await shop.yard({ partquantity: '3' })
    const [ruth, tom] = [shop.buyer(), shop.buyer()]
    const two = await ruth.buys(listing.partslug, { quantity: 2, expectedTotal: 215 })
    expect((await tom.order<Failed>(listing.partslug, { quantity: 2, expectedTotal: 215 })).body.code).toBe(
      'PART_TAKEN',
    )
    const one = await tom.buys(listing.partslug)
    await shop.pay(two, ruth)
    await shop.act(seller, two.order.id, 'confirm')
    expect((await read(listing.partslug)).body).toMatchObject({ partquantity: 1, endedReason: null })
    await shop.pay(one, tom)
    await shop.act(seller, one.order.id, 'confirm')
    expect((await read(listing.partslug)).body.endedReason).toBe('sold-here')
  })
})

describe('money that comes after the hold ended', () => {
  async function lapse({ order }: PlacedOrder): Promise<void> {
    await sql`
      with over as (update part_hold set ended_at = now(), ending = 'lapsed' where order_id = ${order.id} returning listing_id),
           noted as (select note_hold(listing_id) from over)
      update part_order set state = 'expired', act_at = null where id = ${order.id} and (select count(*) from noted) > 0`.execute(
      app.db,
    )
  }

  test('takes the part if it is still there', async () => {
    const { listing } = await shop.yard()
    const ruth = shop.buyer()
    const placed = await ruth.buys(listing.partslug)
    await lapse(placed)
    await press(placed.url, 'pay')
    await expect.poll(async () => (await ruth.read(placed.token)).body.state).toBe('authorized')
    expect((await read(listing.partslug)).body.availability).toBe('pending')
    const mails = await clock.mails(placed.order.id, ruth.email)
    expect(mails.filter((subject) => subject.includes('came late'))).toHaveLength(1)
  })

  test('is let go with a mail if somebody else has the part', async () => {
    const { listing } = await shop.yard()
    const [ruth, tom] = [shop.buyer(), shop.buyer()]
    const placed = await ruth.buys(listing.partslug)
    await lapse(placed)
    const others = await tom.buys(listing.partslug)
    await press(placed.url, 'pay')
    await expect.poll(() => clock.kinds(placed.order.id)).toContain('late-money')
    expect((await ruth.read(placed.token)).body).toMatchObject({ state: 'expired', money: { captured: 0 } })
    const mails = await clock.mails(placed.order.id, ruth.email)
    expect(mails.at(-1)).toContain('Paid too late')
    // What is let go stays let go, though the part is free again.
    await tom.act('cancel', others.token)
    await clock.look(placed.order.id)
    expect((await ruth.read(placed.token)).body.state).toBe('expired')
  })
})

describe('a shipping price', () => {
  const freight = { partshipping: '' }

  test('is asked for, named and paid', async () => {
    const { seller, listing } = await shop.yard(freight)
    const ruth = shop.buyer()
    const placed = await ruth.buys(listing.partslug, { expectedTotal: null })
    const { id } = placed.order
    expect(placed.order).toMatchObject({ state: 'quoting', total: null })
    expect(placed.url).toBeUndefined()
    expect((await read(listing.partslug)).body.availability).toBe('now')
    expect(await clock.mails(id, seller.person.email)).toHaveLength(1)
    expect((await clock.mails(id, seller.person.email))[0]).toContain('name a shipping price')
    expect((await ruth.act('pay', placed.token, { expectedTotal: 100 })).body.code).toBe('STATE')
    await shop.act(seller, id, 'quote', { shipping: 85.5, days: 7 })
    const wrong = await ruth.act('pay', placed.token, { expectedTotal: 100 })
    expect([wrong.status, wrong.body.code]).toEqual([409, 'PRICE_CHANGED'])
    const opened = await Promise.all(
      [1, 2, 3].map(() => ruth.act<{ url: string }>('pay', placed.token, { expectedTotal: 185.5 })),
    )
    expect(new Set(opened.map(({ status, body }) => `${status} ${body.url}`)).size).toBe(1)
    await press(opened[0]?.body.url ?? '', 'pay')
    await expect.poll(async () => (await ruth.read(placed.token)).body.state).toBe('authorized')
    expect((await shop.act(seller, id, 'confirm')).body.money.gross).toBe(185.5)
  })

  test('that nobody names, or nobody pays, ends the order', async () => {
    const { seller, listing } = await shop.yard(freight)
    const unnamed = await shop.buyer().buys(listing.partslug, { expectedTotal: null })
    const tom = shop.buyer()
    const named = await tom.buys(listing.partslug, { expectedTotal: null })
    app.clock.advance(40 * HOUR_MS)
    await shop.act(seller, named.order.id, 'quote', { shipping: 85, days: 7 })
    app.clock.advance(33 * HOUR_MS)
    await clock.sweep()
    expect(await clock.column(unnamed.order.id, 'state')).toBe('expired')
    expect(await clock.column(named.order.id, 'state')).toBe('quoting')
    app.clock.advance(16 * HOUR_MS)
    await clock.sweep()
    expect(await clock.column(named.order.id, 'state')).toBe('expired')
    expect((await tom.act('pay', named.token, { expectedTotal: 185 })).body.code).toBe('STATE')
  })
})

describe('before an order is written', () => {
  test('a changed price is said with the new quote', async () => {
    const { seller, listing } = await shop.yard()
    const changed = await seller.api.put(`/seller/parts/${listing.id}`, { partprice: '120' })
    expect(changed.status).toBe(200)
    const reply = await shop.buyer().order<Failed>(listing.partslug)
    expect([reply.status, reply.body.code]).toEqual([409, 'PRICE_CHANGED'])
    expect(reply.body.quote?.total).toBe(135)
  })

  test('the state has to be that of the ZIP code', async () => {
    const { listing } = await shop.yard()
    const address = { line1: '1 Elm Street', city: 'Dallas', state: 'NY', zip: '75201' }
    const reply = await shop.buyer().order<Failed>(listing.partslug, { address })
    expect(reply.status).toBe(422)
    expect(reply.body.fields).toEqual({ 'address.zip': 'ZIP code 75201 is in TX, not NY' })
    const nowhere = { ...address, state: 'TX', zip: '00000' }
    const unknown = await shop.buyer().order<Failed>(listing.partslug, { address: nowhere })
    expect(unknown.body.fields).toEqual({ 'address.zip': 'There is no ZIP code 00000' })
  })

  test('a part that a state forbids is not shipped there', async () => {
    const { seller, listing } = await shop.yard()
    await withChangeSet(app.db, { actorKind: 'system', reason: 'rename part' }, async (trx, changeSetId) => {
      const before = await lockListing(trx, listing.id)
      if (before) await changeListing(trx, before, { changeSetId, columns: { name: 'Catalytic Converter' } })
    })
    const to = (state: string, zip: string) =>
      shop.buyer().order<Failed>(listing.partslug, {
        address: { line1: '1 Elm Street', city: 'Town', state, zip },
      })
    const refused = await to('NY', '10001')
    expect([refused.status, refused.body.code]).toEqual([422, 'DELIVERY'])
    expect(refused.body.fields?.['address.state']).toContain('New York')
    const quote = await app.visitor.get<{ restricted?: string }>(`/parts/${listing.partslug}/quote?zip=10001`)
    expect(quote.body.restricted).toContain('New York')
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from part_order where seller_id = ${await shop.sellerIdOf(seller)}`.execute(
      app.db,
    )
    expect(rows[0]?.n).toBe(0)
  })

  test('nobody buys from themselves', async () => {
    const { seller, listing } = await shop.yard()
    const form = { email: seller.person.email, name: 'Me', delivery: 'pickup', expectedTotal: 100 }
    const reply = await seller.api.post<Failed>(`/parts/${listing.partslug}/orders`, form)
    expect([reply.status, reply.body.code]).toEqual([409, 'CONFLICT'])
  })
})

test('what was bought stays as it was, whatever the yard edits later', async () => {
  const { seller, listing } = await shop.yard({ corecharge: '20' })
  const ruth = shop.buyer()
  const placed = await ruth.buys(listing.partslug, { expectedTotal: 135 })
  await shop.pay(placed, ruth)
  const before = (await ruth.read(placed.token)).body
  const edited = await seller.api.put<Failed>(`/seller/parts/${listing.id}`, {
    partname: 'Starter',
    partprice: '999',
    partshipping: '99',
    partgrade: 'C',
    corecharge: '1',
  })
  expect([edited.status, edited.body.error]).toEqual([200, undefined])
  await sql`update seller set royalty_override = 50, days_to_ship = 30, sale_mode = 'instant'
    where id = ${await shop.sellerIdOf(seller)}`.execute(app.db)
  const after = (await ruth.read(placed.token)).body
  expect({ lines: after.lines, total: after.total, mode: after.mode }).toEqual({
    lines: before.lines,
    total: before.total,
    mode: before.mode,
  })
  expect({ ...after.parts[0], slug: '' }).toEqual({ ...before.parts[0], slug: '' })
  const confirmed = await shop.act(seller, placed.order.id, 'confirm')
  expect(confirmed.body.money).toMatchObject({ gross: 135, royalty: 10 })
})

describe('privacy', () => {
  test('the yard never sees street, phone and email before the order is confirmed', async () => {
    const { seller, listing } = await shop.yard()
    const ruth = shop.buyer()
    const placed = await ruth.buys(listing.partslug, { phone: '(918) 555-0199' })
    await shop.pay(placed, ruth)
    const { id } = placed.order
    const secrets = ['Elm Street', '555-0199', '5550199', ruth.email, 'Baker']
    const { rows } = await sql<{ text: string }>`
      select subject || body as text from mail where order_id = ${id} and recipient = ${seller.person.email}`.execute(
      app.db,
    )
    expect(rows).toHaveLength(1)
    const shown = [
      (await seller.api.get(`/seller/orders/${id}`)).body,
      (await seller.api.get('/seller/orders')).body,
      rows,
    ].map((one) => JSON.stringify(one))
    for (const text of shown) for (const secret of secrets) expect(text).not.toContain(secret)
    const confirmed = await shop.act(seller, id, 'confirm')
    for (const secret of ['Elm Street', '555-0199', ruth.email]) {
      expect(JSON.stringify(confirmed.body)).toContain(secret)
    }
  })

  test('other yards and other buyers find nothing', async () => {
    const { listing } = await shop.yard()
    const ruth = shop.buyer()
    const { order, token } = await ruth.buys(listing.partslug)
    const other = await app.signUp()
    for (const path of ['confirm', 'ready', 'ship', 'quote', 'not-found', 'hand-over', 'refund', 'restock']) {
      const body = { carrier: 'ups', shipping: 1, days: 1, reason: 'x', code: '1', answer: 'sell', lines: [] }
      expect((await shop.act(other, order.id, path, body)).status).toBe(404)
    }
    expect((await other.api.get(`/seller/orders/${order.id}`)).status).toBe(404)
    expect((await other.api.post('/orders/read', { id: order.id })).status).toBe(404)
    expect((await app.visitor.post('/orders/read', { id: order.id })).status).toBe(404)
    const list = await other.api.get<{ items: unknown[] }>('/orders')
    expect(list.body.items).toEqual([])
    const wrong = await app.visitor.post<Failed>('/orders/read', {
      token: token.split('').reverse().join(''),
    })
    expect([wrong.status, wrong.body.code]).toEqual([410, 'LINK_EXPIRED'])
  })

  test('"this is not mine" ends the links and the mails, and an administrator looks', async () => {
    const { seller, listing } = await shop.yard()
    const ruth = shop.buyer()
    const placed = await ruth.buys(listing.partslug)
    const { order, token } = placed
    await shop.pay(placed, ruth)
    await shop.act(seller, order.id, 'confirm')
    expect((await ruth.act<{ ok: boolean }>('not-mine', token)).body.ok).toBe(true)
    expect((await ruth.read(token)).status).toBe(410)
    const before = await clock.mails(order.id, ruth.email)
    await shop.act(seller, order.id, 'ship', { carrier: 'ups', tracking: '1Z' })
    expect(await clock.mails(order.id, ruth.email)).toEqual(before)
    await app.visitor.post('/orders/links', { email: ruth.email })
    const { rows } = await sql<{ body: string }>`
      select body from mail where recipient = ${ruth.email} and subject like 'Your orders%'`.execute(app.db)
    expect(rows.filter(({ body }) => body.includes(order.number))).toEqual([])
    const admin = await app.signUp({ role: 'admin' })
    const list = await admin.api.get<{ items: SellerOrder[] }>(
      `/admin/orders?attention=true&q=${order.number}`,
    )
    expect(list.body.items.map(({ number }) => number)).toEqual([order.number])
  })
})

// Last, since it moves the clock far ahead.
test('the buyer of an accepted offer hears that the yard took the part off sale, and it is held no more', async () => {
  const { seller, listing } = await shop.yard()
  const talk = await openTalks(app).ask({ seller, listing }, { offer: '80' })
  expect((await talk.decide('seller', 'accept')).status).toBe(201)
  expect((await read(listing.partslug)).body).toMatchObject({ availability: 'pending' })
  const ended = await seller.api.post<Failed>(`/seller/parts/${listing.id}/end`, { reason: 'scrapped' })
  expect([ended.status, ended.body.error]).toEqual([200, undefined])
  const { rows } = await sql<{ subject: string }>`
    select subject from mail where recipient = ${talk.email} order by id`.execute(app.db)
  expect(rows.at(-1)?.subject).toMatch(/^No longer for sale, you pay .+ nothing: /)
  expect(rows.filter(({ subject }) => subject.startsWith('No longer'))).toHaveLength(1)
})

test('a link ends 90 days after the order last changed', async () => {
  const { listing } = await shop.yard()
  const ruth = shop.buyer()
  const { token } = await ruth.buys(listing.partslug)
  await ruth.act('cancel', token)
  app.clock.advance(91 * 24 * HOUR_MS)
  const late = await ruth.act<Failed>('read', token)
  expect(late.body.code).toBe('LINK_EXPIRED')
})

test('no entry of the ledger is wrong after all of this', async () => {
  expect(await findLedgerProblems(app.db)).toEqual([])
})
