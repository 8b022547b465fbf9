import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Listing } from '#contract/listings.ts'
import type { Category } from '#contract/lookups.ts'
import type { KeptCard, PartsPage } from '#contract/search/parts-search.ts'
import { heldOf } from '#server/features/for-sale/held-parts.ts'
import { withChangeSet } from '#server/features/history/change-sets.ts'
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
