import { BlobReader, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { AdminOrder, SellerOrder } from '#contract/order/order-views.ts'
import { eraseAccounts } from '#server/features/people/closing/erase-account.ts'
import { somePicture } from '#tests/support/make-rows.ts'
import { startBillingWorker } from '#tests/support/payments.ts'
import { type Delivered, openReturns } from '#tests/support/returns.ts'
import { startTestSimulator } from '#tests/support/simulator.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

/* What a person gets, and what is left, of the orders that the person bought. */

const simulator = await startTestSimulator()
const app = await startTestApp(simulator.settings)
await simulator.deliverTo(app.http)
await startBillingWorker(app)
const { db } = app
const returns = openReturns(app)
const signal = new AbortController().signal

const NAME = 'Ruthanne Quillfeather'
const VIN = '1HGCM82633A004352'

/** A claim with a photo of each side, of an order that belongs to an account. */
async function claimOf(buyer: SignedIn): Promise<Delivered & { photoId: string; yardPhotoId: string }> {
  const one = await returns.delivered({ vin: VIN, fitsVin: true })
  await sql`
    update part_order set buyer_user_id = ${buyer.user.id}, email = ${buyer.person.email}, name = ${NAME},
      phone = '(918) 555-0177', cancel_reason = ${`${NAME} changed her mind`}
    where id = ${one.id}`.execute(db)
  await sql`update app_user set name = ${NAME} where id = ${buyer.user.id}`.execute(db)
  const form = new FormData()
  form.set('token', one.placed.token)
  form.set('image', new Blob([await somePicture()]), 'photo.png')
  const { body } = await one.by.api.post<{ id: string }>('/orders/photos', form)
  const text = `It came broken. Call me, ${NAME.toUpperCase()}`
  const asking = { kind: 'claim', reason: 'damaged', lines: [one.listing.id], text, photoIds: [body.id] }
  const returnId = await returns.asked(one, asking)
  const packed = new FormData()
  packed.set('image', new Blob([await somePicture()]), 'packed.png')
  const added = await one.seller.api.post<{ id: string }>(`/seller/orders/${one.id}/photos`, packed)
  const yardPhotoId = added.body.id
  const reason = `Sorry, ${NAME}`
  await returns.answer(one, returnId, { answer: 'approve', reason, photoIds: [yardPhotoId] })
  return { ...one, photoId: body.id, yardPhotoId }
}

const rowOf = async ({ id }: Delivered) => {
  const { rows } = await sql<Record<string, unknown>>`
    select o.name, o.line1, o.phone, o.vin, o.cancel_reason, r.note, r.answer,
           (select count(*)::int from order_photo p where p.order_id = o.id) as photos,
           (select string_agg(detail ->> 'reason', ' ') from order_event e where e.order_id = o.id) as events
    from part_order o join order_return r on r.order_id = o.id where o.id = ${id}`.execute(db)
  return rows[0]
}

async function closeAndWait(buyer: SignedIn): Promise<number> {
  await sql`
    insert into account_closure (user_id, asked_at, taken_down_at, erase_after)
    values (${buyer.user.id}, now(), now(), now())`.execute(db)
  return (await eraseAccounts(db, { now: new Date(Date.now() + 1_000), signal })).erased
}

test('the export has the returns of orders, and their photos as files', async () => {
  const [buyer, stranger] = [await app.signUp(), await app.signUp()]
  const { id, photoId, yardPhotoId, seller } = await claimOf(buyer)
  const filesOf = async ({ api }: SignedIn) => {
    const { bytes } = await api.get('/account/data.zip')
    return new ZipReader(new BlobReader(new Blob([new Uint8Array(bytes)]))).getEntries()
  }
  const entries = await filesOf(buyer)
  const read = async (pattern: RegExp) => {
    const found = entries.find(({ filename }) => pattern.test(filename))
    if (!found || found.directory) throw new Error(`no file like ${pattern}`)
    return Buffer.from(await found.getData(new Uint8ArrayWriter()))
  }
  const orders = JSON.parse(String(await read(/^orders.json$/)))
  expect(orders).toMatchObject([{ id, vin: VIN, returns: [{ kind: 'claim', photoIds: [photoId] }] }])
  const photo = await read(new RegExp(`^order-photos/PH-\\d+-${photoId}.webp$`))
  expect(photo.subarray(8, 12).toString()).toBe('WEBP')
  expect(String(await read(/^README.txt$/))).toContain('order-photos/')
  const photosIn = (files: Awaited<ReturnType<typeof filesOf>>) =>
    files.flatMap(({ filename }) => /^order-photos\/PH-\d+-(.+)\.webp$/.exec(filename)?.[1] ?? [])
  // Everybody has their own.
  expect(photosIn(entries)).toEqual([photoId])
  expect(photosIn(await filesOf(seller))).toEqual([yardPhotoId])
  expect(photosIn(await filesOf(stranger))).toEqual([])
})

test('erasing keeps what an invoice needs, and nothing that was written or photographed', async () => {
  const buyer = await app.signUp()
  const one = await claimOf(buyer)
  expect(await closeAndWait(buyer)).toBe(1)
  expect(await rowOf(one)).toEqual({
    name: NAME,
    line1: '1 Elm Street',
    phone: null,
    vin: null,
    cancel_reason: '(erased) changed her mind',
    note: 'It came broken. Call me, (erased)',
    answer: 'Sorry, (erased)',
    photos: 0,
    events: expect.not.stringContaining(NAME),
  })
})

test('erasing a yard takes its photos, and none of the buyer’s', async () => {
  const one = await claimOf(await app.signUp())
  expect(await closeAndWait(one.seller)).toBe(1)
  const { rows } = await sql`select id from order_photo where order_id = ${one.id}`.execute(db)
  expect(rows).toEqual([{ id: one.photoId }])
})

test('an account is not erased while something about its orders is undecided', async () => {
  const buyer = await app.signUp()
  const one = await claimOf(buyer)
  await sql`update part_order set open_returns = 1 where id = ${one.id}`.execute(db)
  expect(await closeAndWait(buyer)).toBe(0)
  expect((await rowOf(one))?.photos).toBe(2)
  await sql`update part_order set open_returns = 0 where id = ${one.id}`.execute(db)
  expect((await eraseAccounts(db, { now: new Date(Date.now() + 1_000), signal })).erased).toBe(1)
  expect((await rowOf(one))?.photos).toBe(0)
})

test('90 days after an order has ended, its yard no longer sees the buyer, and administrators leave a trace', async () => {
  const one = await returns.delivered({})
  const path = `/seller/orders/${one.id}`
  const endedFor = (days: number) =>
    sql`
    update part_order set state = 'closed', return_until = null, core_state = null,
      updated_at = now() - make_interval(days => ${days}) where id = ${one.id}`.execute(db)
  const buyer = async () => (await one.seller.api.get<SellerOrder>(path)).body.buyer
  const slip = async () => (await one.seller.api.get(`${path}/slip.pdf`)).status
  await endedFor(89)
  const { name, email, address } = await buyer()
  expect([email, address?.line1, await slip()]).toEqual([
    expect.stringContaining('@'),
    expect.any(String),
    200,
  ])
  await endedFor(91)
  const { city, state, zip } = address as { city: string; state: string; zip: string }
  expect(await buyer()).toEqual({
    name: name.split(' ')[0],
    email: null,
    phone: null,
    address: { line2: '', city, state, zip },
  })
  expect(await slip()).toBe(409)

  const { api } = await app.signUp({ role: 'admin' })
  const list = await api.get<{ items: AdminOrder[] }>('/admin/orders?perPage=100')
  expect(list.body.items.find(({ id }) => id === one.id)?.buyer.email).toBeNull()
  expect((await api.get<AdminOrder>(`/admin/orders/${one.id}`)).body.buyer.email).toBe(email)
  const { rows } = await sql`
    select from audit_entry where action = 'old-order-read' and target = ${one.id}`.execute(db)
  expect(rows).toHaveLength(1)
})

test('an administrator ends all links of an order; its buyer asks for new ones', async () => {
  const one = await returns.delivered({})
  const { api } = await app.signUp({ role: 'admin' })
  const read = async (token: string) => (await one.by.read(token)).status
  expect(await read(one.placed.token)).toBe(200)
  const ended = await api.post<AdminOrder>(`/admin/orders/${one.id}/links/end`)
  expect(ended.body.timeline.at(-1)?.text).toBe('An administrator ended all links to the order.')
  expect(await read(one.placed.token)).toBe(410)

  const { rows } = await sql<{ email: string }>`select email from part_order where id = ${one.id}`.execute(db)
  const [to] = rows
  await one.by.api.post('/orders/links', { email: to?.email })
  const mails = await sql<{ body: string }>`
    select body from mail where recipient = ${to?.email} order by id desc limit 1`.execute(db)
  const token = /\/orders#([\w-]+)/.exec(mails.rows[0]?.body ?? '')?.[1] ?? ''
  expect(await read(token)).toBe(200)
})
