import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import type { AdminDispute } from '#contract/order/disputes/dispute-views.ts'
import type { SellerOrder } from '#contract/order/order-views.ts'
import { jpeg } from '#tests/support/image-fixtures.ts'
import { formOf } from '#tests/support/make-rows.ts'
import { startBillingWorker } from '#tests/support/payments.ts'
import { type Delivered, openReturns } from '#tests/support/returns.ts'
import type { Failed } from '#tests/support/shop.ts'
import { startTestSimulator } from '#tests/support/simulator.ts'
import { startTestApp } from '#tests/support/test-app.ts'

/* Photos that a yard adds to its answer: to a return or claim, and to what it says of a dispute. */

// Each buys, pays and ships first.
vi.setConfig({ testTimeout: 90_000 })

const simulator = await startTestSimulator()
const app = await startTestApp(simulator.settings)
await simulator.deliverTo(app.http)
await startBillingWorker(app)
const { answer, asked, clock, delivered, pass, the } = openReturns(app)
const admin = await app.signUp({ role: 'admin' })

const add = async ({ seller, id }: Delivered, width = 300) => {
  const form = formOf({} as never, { bytes: await jpeg({ width }) })
  return seller.api.post<{ id: string } & Failed>(`/seller/orders/${id}/photos`, form)
}
const added = async (one: Delivered, count = 1) =>
  Promise.all(Array.from({ length: count }, async (_, at) => (await add(one, 300 + at)).body.id))
const asBuyer = async ({ by, placed: { token } }: Delivered, photoId: string) =>
  (await by.api.post('/orders/photo', { token, photoId })).status
const asYard = async ({ seller, id }: Delivered, photoId: string) =>
  (await seller.api.get(`/seller/orders/${id}/photos/${photoId}`)).status
const asAdmin = async ({ id }: Delivered, photoId: string) =>
  (await admin.api.get(`/admin/orders/${id}/photos/${photoId}`)).status
const claimed = async () => {
  const one = await delivered()
  const returnId = await asked(one, { kind: 'claim', reason: 'damaged', text: 'Cracked' })
  return { one, returnId }
}

describe('with the answer to a claim', () => {
  test('the buyer, the yard and administrators see them, nobody else, and nobody before they are sent', async () => {
    const { one, returnId } = await claimed()
    const [photoId = '', unsent = ''] = await added(one, 2)
    expect(await asBuyer(one, photoId)).toBe(404)
    const { body } = await answer(one, returnId, {
      answer: 'decline',
      reason: 'Was whole',
      photoIds: [photoId],
    })
    expect(body.returns).toMatchObject([{ state: 'declined', answerPhotoIds: [photoId], photoIds: [] }])
    expect((await the(one, 'claim')).answerPhotoIds).toEqual([photoId])
    for (const open of [asBuyer, asYard, asAdmin]) expect(await open(one, photoId)).toBe(200)
    expect(await asBuyer(one, unsent)).toBe(404)
    const other = await delivered()
    for (const open of [asBuyer, asYard, asAdmin]) expect(await open(other, photoId)).toBe(404)
    expect((await app.visitor.get(`/seller/orders/${one.id}/photos/${photoId}`)).status).toBe(401)
    // Sent again: the same answer.
    const again = await answer(one, returnId, { answer: 'decline', reason: 'Was whole', photoIds: [photoId] })
    expect([again.status, again.body.returns[0]?.answerPhotoIds]).toEqual([200, [photoId]])
  })

  test('eight at most, of this order, and each once', async () => {
    const { one, returnId } = await claimed()
    const ids = await added(one, 9)
    const decline = (photoIds: string[]) =>
      answer(one, returnId, { answer: 'decline', reason: 'No', photoIds })
    expect((await decline(ids)).body.fields).toEqual({ photoIds: 'Add at most 8 photos' })
    const { one: other, returnId: otherId } = await claimed()
    const [foreign = ''] = await added(other)
    const refused = await decline([foreign])
    expect([refused.status, refused.body.fields]).toEqual([
      422,
      { photoIds: 'A photo is no longer there. Add your photos again' },
    ])
    expect((await the(one, 'claim')).state).toBe('asked')
    // What the buyer added is not the yard's.
    const form = formOf({ token: other.placed.token } as never, { bytes: await jpeg() })
    const buyers = (await other.by.api.post<{ id: string }>('/orders/photos', form)).body.id
    const taken = await answer(other, otherId, { answer: 'decline', reason: 'No', photoIds: [buyers] })
    expect(taken.status).toBe(422)
  })

  test('what was never sent is forgotten a day later; what was sent stays', async () => {
    const { one, returnId } = await claimed()
    const [sent = '', unsent = ''] = await added(one, 2)
    await answer(one, returnId, { answer: 'decline', reason: 'No', photoIds: [sent] })
    await pass(2)
    expect([await asYard(one, sent), await asYard(one, unsent)]).toEqual([200, 404])
  })
})

describe('with what the yard says of a dispute', () => {
  async function disputed(): Promise<Delivered> {
    const one = await delivered()
    const charge = await clock.column(one.id, 'charge_id')
    await simulator.control('POST', '/disputes', { charge, reason: 'product_unacceptable' })
    await expect.poll(async () => (await admin.api.get(`/admin/orders/${one.id}/dispute`)).status).toBe(200)
    return one
  }
  const say = ({ seller, id }: Delivered, body: object) =>
    seller.api.post<SellerOrder & Failed>(`/seller/orders/${id}/dispute`, body)
  const desk = async ({ id }: Delivered) =>
    (await admin.api.get<AdminDispute>(`/admin/orders/${id}/dispute`)).body

  test('they are offered as evidence, and the buyer does not see them', async () => {
    const one = await disputed()
    const ids = (await added(one, 2)).toSorted()
    const { body } = await say(one, { text: 'Packed well', photoIds: ids })
    expect(body.dispute?.photoIds).toEqual(ids)
    expect((await desk(one)).photos).toMatchObject(
      ids.map((id) => ({ id, caption: expect.stringMatching(/^The seller’s photo, /), isChosen: true })),
    )
    const [first = ''] = ids
    expect([await asBuyer(one, first), await asYard(one, first)]).toEqual([404, 200])
    const evidence = `/admin/orders/${one.id}/dispute/photos/${first}`
    expect((await admin.api.get(evidence)).status).toBe(200)
    await pass(2)
    expect(await asYard(one, first)).toBe(200)
  })

  test('the last answer counts: without photoIds they stay, with them they are these', async () => {
    const one = await disputed()
    const [first = '', second = ''] = await added(one, 2)
    await say(one, { text: 'Packed well', photoIds: [first] })
    expect((await say(one, { text: 'Packed very well' })).body.dispute?.photoIds).toEqual([first])
    const changed = await say(one, { text: 'Packed very well', photoIds: [second] })
    expect(changed.body.dispute?.photoIds).toEqual([second])
    const { rows } = await sql`select from order_photo where id = ${first} and dispute_id is null`.execute(
      app.db,
    )
    expect(rows).toHaveLength(1)
  })
})
