import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Listing, OwnFigures } from '#contract/listings.ts'
import type { Category } from '#contract/lookups.ts'
import type { KeptCard, PartsPage } from '#contract/search/parts-search.ts'
import { heldOf } from '#server/features/market/for-sale/held-parts.ts'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import { tellWatchers } from '#server/features/money/orders/letters/held-watch.ts'
import { endHolds, makeOrder, sellHere } from '#tests/support/make-orders.ts'
import { makeQuickListing } from '#tests/support/make-rows.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

/* What an order does to its part: lists, pages and replies show it, and it cannot be ended or deleted. */

const app = await startTestApp()
let yard: SignedIn
let radios: Category
beforeAll(async () => {
  yard = await app.signUp()
  const { body } = await app.visitor.get<Category[]>('/categories')
  radios = body.find(({ name }) => name === 'Radio') ?? (body[0] as Category)
})

let made = 0
const list = (changes: object = {}): Promise<Listing> => {
  made += 1
  return makeQuickListing(yard.api, { partname: `Heldradio${made}`, partcategoryId: radios.id, ...changes })
}

const change = ({ id }: Listing, columns: ReturnType<typeof sql>) =>
  withChangeSet(app.db, { actorKind: 'system', reason: 'test' }, (trx) =>
    sql`update listing set ${columns} where id = ${id}`.execute(trx),
  )

const until = new Date('2027-01-01T20:40:00.000Z')
const inCart = (listingId: string, quantity = 1) =>
  makeOrder(app.db, { listingId, state: 'pending', until, quantity })

const card = async ({ partname }: Listing) =>
  (await app.visitor.get<PartsPage>(`/parts?q=${partname}`)).body.items[0]
const keptCard = async ({ id }: Listing) =>
  (await app.visitor.get<{ items: KeptCard[] }>(`/parts/cards?ids=${id}`)).body.items[0]
const read = async ({ partslug }: Listing) => (await app.visitor.get<Listing>(`/auto-part/${partslug}`)).body

describe('a held part', () => {
  test('is shown in lists, by its address and among kept parts; and no longer once the hold ended', async () => {
    const part = await list()
    const free = { availability: 'now', heldUntil: null }
    expect([await card(part), await read(part), await keptCard(part)]).toMatchObject([free, free, free])
    const { id } = await inCart(part.id)
    const held = { availability: 'in-cart', heldUntil: until.toISOString() }
    expect([await card(part), await read(part), await keptCard(part)]).toMatchObject([held, held, held])
    await sql`update part_hold set kind = 'pending', expires_at = null where order_id = ${id}`.execute(app.db)
    await sql`select note_hold(${part.id})`.execute(app.db)
    const pending = { availability: 'pending', heldUntil: null }
    expect([await card(part), await read(part), await keptCard(part)]).toMatchObject([
      pending,
      pending,
      pending,
    ])
    await endHolds(app.db, id)
    expect([await card(part), await read(part), await keptCard(part)]).toMatchObject([free, free, free])
  })

  test('with another piece stays for sale', async () => {
    const part = await list()
    await change(part, sql`quantity = 3`)
    await inCart(part.id)
    await makeOrder(app.db, { listingId: part.id, state: 'authorized' })
    expect(await read(part)).toMatchObject({ availability: 'now', heldUntil: null })
    await inCart(part.id)
    expect(await read(part)).toMatchObject({ availability: 'pending', heldUntil: until.toISOString() })
  })

  test('names its order to its seller alone', async () => {
    const part = await list()
    const { id, number: of } = await makeOrder(app.db, { listingId: part.id, state: 'confirmed' })
    const ownOrder = async () => {
      const found = await yard.api.get<{ items: Listing[]; figures: Record<string, OwnFigures> }>(
        `/seller/parts?q=${part.partname}`,
      )
      return found.body.figures[part.id]?.order
    }
    expect(await ownOrder()).toEqual({ id, number: of, state: 'confirmed' })
    expect(JSON.stringify([await read(part), await card(part)])).not.toContain(of)
    await sql`update part_order set state = 'delivered' where id = ${id}`.execute(app.db)
    expect(await ownOrder()).toBeNull()
  })

  test('is sold once it ended', async () => {
    const part = await list()
    await makeOrder(app.db, { listingId: part.id, state: 'authorized' })
    await sellHere(app.db, part.id, app.clock.now())
    expect(await read(part)).toMatchObject({
      availability: 'sold',
      heldUntil: null,
      endedReason: 'sold-here',
    })
    expect(await keptCard(part)).toMatchObject({ availability: 'sold' })
    expect(await card(part)).toBeUndefined()
  })

  test('is looked up by the index of open holds', async () => {
    const { id } = await inCart((await list()).id)
    const explained = app.db.transaction().execute(async (trx) => {
      await sql`alter table part_hold drop constraint part_hold_listing_id_fkey`.execute(trx)
      await sql`
        insert into part_hold (listing_id, seller_id, order_id, quantity, kind, created_at)
        select uuidv7(), seller_id, order_id, 1, 'cart', now()
        from part_hold, generate_series(1, 2000) where order_id = ${id}
      `.execute(trx)
      await sql`analyze part_hold`.execute(trx)
      const { rows } = await sql<{ 'QUERY PLAN': string }>`
        explain select ${heldOf(sql`l.id`)} from listing l limit 24`.execute(trx)
      throw new Error(rows.map((row) => row['QUERY PLAN']).join(' '))
    })
    await expect(explained).rejects.toThrow('Index Scan using part_hold_open')
  })
})

test('is sold online if its yard sells online, in dollars and for a price', async () => {
  const seller = await app.signUp()
  const part = await makeQuickListing(seller.api, { partname: 'Onlineradio' })
  const given = await makeQuickListing(seller.api, { partname: 'Givenradio', partprice: '0' })
  const set = (columns: ReturnType<typeof sql>) =>
    sql`update seller set ${columns} where id = (select seller_id from listing where id = ${part.id})`.execute(
      app.db,
    )
  const soldOnline = async () => [(await card(part))?.soldOnline, (await read(part)).soldOnline]
  expect(await soldOnline()).toEqual([false, false])
  await set(sql`sells_online = true, can_transfer = true, connect_status = 'VERIFIED'`)
  expect(await soldOnline()).toEqual([true, true])
  expect((await read(given)).soldOnline).toBe(false)
  for (const lost of [sql`can_transfer = false`, sql`connect_status = 'PENDING', can_transfer = true`]) {
    await set(lost)
    expect((await read(part)).soldOnline).toBe(false)
  }
  await set(sql`connect_status = 'VERIFIED'`)
  expect((await read(part)).soldOnline).toBe(true)
  await change(part, sql`currency = 'CAD'`)
  expect((await read(part)).soldOnline).toBe(false)
})

const stateOf = async (orderId: string) => {
  const { rows } = await sql`
    select state, exists (select from part_hold where order_id = o.id and ended_at is null) as held
    from part_order o where id = ${orderId}`.execute(app.db)
  return rows[0]
}

const number = /PH-\d{6}/
const inOrder = { status: 409, body: { code: 'IN_ORDER' } }

describe('a part in an order', () => {
  test('cannot be ended, deleted or restored to fewer pieces by its seller; price and text can be edited', async () => {
    const part = await list()
    const { number: of } = await makeOrder(app.db, { listingId: part.id, state: 'authorized' })
    const refused = await Promise.all([
      yard.api.post<{ error: string }>(`/seller/parts/${part.id}/end`, { reason: 'scrapped' }),
      yard.api.delete<{ error: string }>(`/seller/parts/${part.id}`),
      yard.api.put<{ error: string }>(`/seller/parts/${part.id}`, { partquantity: '0' }),
    ])
    for (const reply of refused) expect(reply).toMatchObject(inOrder)
    expect(refused.map(({ body }) => body.error)).toEqual(refused.map(() => expect.stringContaining(of)))
    const edited = await yard.api.put(`/seller/parts/${part.id}`, {
      partprice: '44',
      partname: part.partname,
    })
    expect(edited).toMatchObject({ status: 200, body: { partprice: 44, endedAt: null } })
  })

  test('that is not paid can still be ended, deleted or hidden: its order is canceled', async () => {
    const admin = await app.signUp({ role: 'admin' })
    const parts = [await list(), await list(), await list(), await list(), await list()]
    const orders = []
    for (const { id } of parts) orders.push(await inCart(id))
    const [first, second, third, fourth, fifth] = parts.map(({ id }) => id)
    const replies = [
      await yard.api.post(`/seller/parts/${first}/end`, {}),
      await yard.api.delete(`/seller/parts/${second}`),
      await yard.api.post('/seller/parts/bulk', { action: 'end', ids: [third] }),
      await admin.api.put(`/auto-parts/${fourth}`, { status: 'HIDDEN' }),
      await admin.api.post('/admin/parts/bulk-update', { items: [{ id: fifth, status: 'HIDDEN' }] }),
    ]
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    expect(replies.slice(2, 3).concat(replies.slice(4))).toMatchObject([
      { body: { updated: 1 } },
      { body: { updated: 1 } },
    ])
    for (const { id } of orders) expect(await stateOf(id)).toEqual({ state: 'canceled', held: false })
  })

  test('that is paid but not confirmed is let go by administrators only', async () => {
    const admin = await app.signUp({ role: 'admin' })
    const [part, reported] = [await list(), await list()]
    const orders = [
      await makeOrder(app.db, { listingId: part.id, state: 'authorized' }),
      await makeOrder(app.db, { listingId: reported.id, state: 'authorized' }),
    ]
    expect((await admin.api.put(`/auto-parts/${part.id}`, { status: 'HIDDEN' })).status).toBe(200)
    await app.visitor.post(`/parts/${reported.partslug}/reports`, { reason: 'wrong-part', note: 'Not this.' })
    const decision = { decision: 'hide', answer: '' }
    expect((await admin.api.post(`/admin/reports/${reported.id}/decision`, decision)).status).toBe(200)
    for (const { id } of orders) expect(await stateOf(id)).toEqual({ state: 'canceled', held: false })
  })

  test('of another yard is not let go by ending it', async () => {
    const part = await list()
    const { id } = await inCart(part.id)
    const other = await app.signUp()
    expect((await other.api.post(`/seller/parts/${part.id}/end`, {})).status).toBe(404)
    expect((await other.api.delete(`/seller/parts/${part.id}`)).status).toBe(404)
    expect((await other.api.post('/seller/parts/bulk', { action: 'end', ids: [part.id] })).status).toBe(404)
    expect(await stateOf(id)).toEqual({ state: 'pending', held: true })
  })

  test('that was sold here is not for sale again while its order runs', async () => {
    const part = await list()
    const { number: of } = await makeOrder(app.db, { listingId: part.id, state: 'confirmed' })
    await sellHere(app.db, part.id)
    const reply = await yard.api.post<{ error: string }>(`/seller/parts/${part.id}/restore`)
    expect(reply).toMatchObject(inOrder)
    expect(reply.body.error).toContain(of)
    await sql`update part_order set state = 'refunded' where number = ${of}`.execute(app.db)
    expect(await yard.api.post(`/seller/parts/${part.id}/restore`)).toMatchObject({
      status: 200,
      body: { availability: 'now' },
    })
  })

  test('keeps only its own row from a bulk change', async () => {
    const [held, free] = [await list(), await list()]
    await makeOrder(app.db, { listingId: held.id, state: 'authorized' })
    const change = { action: 'end', ids: [held.id, free.id], reason: 'scrapped' }
    const { status, body } = await yard.api.post<{
      kept: { id: string; why: string }[]
      changeSetId: string
    }>('/seller/parts/bulk', change)
    expect([status, body]).toMatchObject([
      200,
      { updated: 1, kept: [{ id: held.id, why: expect.stringMatching(number) }] },
    ])
    expect((await read(held)).endedAt).toBeNull()
  })

  test('is not restocked by undoing a bulk change', async () => {
    const [sold, other] = [await list(), await list()]
    const { body } = await yard.api.post<{ changeSetId: string }>('/seller/parts/bulk', {
      action: 'end',
      ids: [sold.id, other.id],
      reason: 'sold-here',
    })
    await makeOrder(app.db, { listingId: sold.id, state: 'shipped' })
    const undone = await yard.api.post(`/seller/change-sets/${body.changeSetId}/undo`)
    expect(undone).toMatchObject({
      status: 200,
      body: { undone: 1, kept: [{ id: sold.id, why: expect.stringMatching(number) }] },
    })
  })

  test('is not hidden by an administrator’s edit, bulk edit or decision about reports', async () => {
    const admin = await app.signUp({ role: 'admin' })
    const [held, free] = [await list(), await list()]
    await makeOrder(app.db, { listingId: held.id, state: 'capturing' })
    expect(await admin.api.put(`/auto-parts/${held.id}`, { status: 'HIDDEN' })).toMatchObject(inOrder)
    const { body } = await admin.api.post<{ results: object[] }>('/admin/parts/bulk-update', {
      items: [
        { id: held.id, status: 'HIDDEN', partprice: '3' },
        { id: free.id, status: 'HIDDEN' },
      ],
    })
    expect(body).toMatchObject({
      updated: 1,
      results: [{ ok: false, code: 'IN_ORDER', errors: [expect.stringMatching(number)] }, { ok: true }],
    })
    await app.visitor.post(`/parts/${held.partslug}/reports`, { reason: 'wrong-part', note: 'Not this.' })
    const decided = await admin.api.post(`/admin/reports/${held.id}/decision`, {
      decision: 'hide',
      answer: '',
    })
    expect(decided).toMatchObject(inOrder)
    expect((await read(held)).status).toBe('ACTIVE')
  })

  test('is refused by the database, too, with a sentence', async () => {
    const part = await list()
    await makeOrder(app.db, { listingId: part.id, state: 'authorized' })
    await expect(change(part, sql`ended_at = now()`)).rejects.toMatchObject({ code: 'PH001' })
  })
})

test('an accepted offer without an order holds its part as well', async () => {
  const part = await list()
  await sql`
    with lead as (
      insert into lead (seller_id, listing_id, listing_title, name, email)
      select seller_id, id, name, 'Pat', 'pat@buyer.example' from listing where id = ${part.id}
      returning id, seller_id, listing_id
    )
    insert into part_hold (listing_id, seller_id, lead_id, quantity, kind, expires_at, created_at)
    select listing_id, seller_id, id, 1, 'pending', ${until}, now() from lead
  `.execute(app.db)
  await sql`select note_hold(${part.id})`.execute(app.db)
  const pending = { availability: 'pending', heldUntil: until.toISOString() }
  expect([await card(part), await read(part)]).toMatchObject([pending, pending])
  expect((await yard.api.post(`/seller/parts/${part.id}/end`, {})).status).toBe(200)
  expect(await read(part)).toMatchObject({ availability: 'sold' })
})

describe('“Tell me if it comes back”', () => {
  const site = { publicUrl: 'https://parts.example', productName: 'PartHarbor' }
  const watch = ({ partslug }: Listing, email: string) =>
    app.visitor.post(`/parts/${partslug}/held-watch`, { email })
  const tell = ({ id }: Listing) => app.db.transaction().execute((trx) => tellWatchers(trx, id, site))
  const mailsAbout = async ({ partname }: Listing) => {
    const { rows } = await sql<{ recipient: string; body: string }>`
      select recipient, body from mail where subject like ${`For sale again:%${partname}`} order by recipient
    `.execute(app.db)
    return rows
  }

  test('tells each address once, when a piece is for sale again', async () => {
    const part = await list()
    const { id } = await inCart(part.id)
    for (const email of ['kim@buyer.example', 'Kim@buyer.example', 'lee@buyer.example']) {
      expect(await watch(part, email)).toMatchObject({ status: 201, body: { ok: true } })
    }
    await tell(part)
    expect(await mailsAbout(part)).toEqual([])
    await endHolds(app.db, id)
    await tell(part)
    await tell(part)
    const mails = await mailsAbout(part)
    expect(mails.map(({ recipient }) => recipient)).toEqual(['kim@buyer.example', 'lee@buyer.example'])
    expect(mails[0]?.body).toContain(`https://parts.example/parts/${part.partslug}\n`)
  })

  test('says the same of parts that nobody holds, and of addresses with too much mail, but tells them nothing', async () => {
    const [free, held] = [await list(), await list()]
    expect((await watch(free, 'sam@buyer.example')).status).toBe(201)
    await tell(free)
    expect(await mailsAbout(free)).toEqual([])
    await inCart(held.id)
    const watched = []
    for (let at = 0; at < 4; at += 1) {
      const part = await list()
      await inCart(part.id)
      expect((await watch(part, 'often@buyer.example')).status).toBe(201)
      const { rows } = await sql`select from hold_watch where listing_id = ${part.id}`.execute(app.db)
      watched.push(rows.length)
    }
    expect(watched).toEqual([1, 1, 1, 0])
  })

  test('is refused for unknown parts and addresses that are none', async () => {
    expect((await app.visitor.post('/parts/nothing/held-watch', { email: 'a@b.example' })).status).toBe(404)
    const part = await list()
    expect(await watch(part, 'nobody')).toMatchObject({
      status: 422,
      body: { fields: { email: expect.any(String) } },
    })
  })
})
