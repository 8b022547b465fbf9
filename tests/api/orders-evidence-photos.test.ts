import { sql } from 'kysely'
import { PDFDocument } from 'pdf-lib'
import { describe, expect, test } from 'vitest'
import { type AdminDispute, MOST_EVIDENCE_PHOTOS } from '#contract/order/disputes/dispute-views.ts'
import { pictureKey } from '#server/features/market/pictures/picture-files.ts'
import { attachPicture, storePicture } from '#server/features/market/pictures/store-picture.ts'
import { evidenceFile } from '#server/features/money/orders/disputes/evidence-photos.ts'
import { performSteps } from '#server/features/money/orders/money/provider-steps.ts'
import { findOrderById } from '#server/features/money/orders/orders.ts'
import { jpeg, noise, photo } from '#tests/support/image-fixtures.ts'
import { formOf } from '#tests/support/make-rows.ts'
import { startBillingWorker, stripeOf } from '#tests/support/payments.ts'
import { type Delivered, openReturns } from '#tests/support/returns.ts'
import type { Failed } from '#tests/support/shop.ts'
import { startTestSimulator } from '#tests/support/simulator.ts'
import { startTestApp } from '#tests/support/test-app.ts'

/* Photos of an order as evidence for the buyer's bank. */

const simulator = await startTestSimulator()
const app = await startTestApp(simulator.settings)
await simulator.deliverTo(app.http)
await startBillingWorker(app)
const { asked, clock, delivered } = openReturns(app)
const sdk = simulator.sdk()
const admin = await app.signUp({ role: 'admin' })

const pathOf = ({ id }: Delivered) => `/admin/orders/${id}/dispute`
const desk = async (one: Delivered) => (await admin.api.get<AdminDispute>(pathOf(one))).body
const submit = (one: Delivered, body: object) =>
  admin.api.post<AdminDispute & Failed>(`${pathOf(one)}/submit`, body)

async function addPicture(listingId: string, bytes: Buffer, at: string): Promise<void> {
  const stored = await storePicture(app.files, bytes)
  const { id } = await attachPicture(app.db, { listingId, stored, place: 'last' })
  await sql`update listing_image set created_at = ${at} where id = ${id}`.execute(app.db)
}

/** Delivered and claimed with a photo, then disputed; its listing has a picture from before the sale, and one from after. */
async function disputed(): Promise<Delivered & { dispute: string; claimed: string }> {
  const one = await delivered()
  await addPicture(one.listing.id, await jpeg(), '2020-01-02T12:00:00Z')
  await addPicture(one.listing.id, await jpeg({ width: 500 }), '2099-01-02T12:00:00Z')
  const form = formOf({ token: one.placed.token } as never, { bytes: await photo({ orientation: 6 }) })
  const added = await one.by.api.post<{ id: string }>('/orders/photos', form)
  const text = 'Cracked along the seam'
  await asked(one, { kind: 'claim', reason: 'damaged', text, photoIds: [added.body.id] })
  const charge = await clock.column(one.id, 'charge_id')
  const { id } = (await simulator.control('POST', '/disputes', {
    charge,
    reason: 'product_unacceptable',
  })) as { id: string }
  await expect.poll(async () => (await admin.api.get(pathOf(one))).status).toBe(200)
  return { ...one, dispute: id, claimed: added.body.id }
}

const stepOf = async ({ id }: Delivered) => {
  const { rows } = await sql<{ state: string; problem: string | null; fileId: string | null }>`
    select state, problem, request ->> 'fileId' as "fileId" from order_step
    where order_id = ${id} and kind = 'submit-evidence' order by id desc limit 1`.execute(app.db)
  return rows[0]
}
const perform = (one: Delivered) => performSteps(clock.deps, one.id, stripeOf(app).within(9_000))

describe('photos', () => {
  test('are staged with the words of the claim: the listing as it was sold, and what the buyer sent', async () => {
    const one = await disputed()
    const { photos, evidence } = await desk(one)
    expect(photos).toEqual([
      {
        id: expect.any(String),
        caption: expect.stringContaining('in the listing, Thu, Jan 2'),
        isChosen: true,
      },
      {
        id: one.claimed,
        caption: expect.stringMatching(/^The buyer’s photo \(came damaged\)/),
        isChosen: true,
      },
    ])
    expect(evidence.uncategorized_text).toContain('buyer (came damaged): Cracked along the seam')
    for (const { id } of photos) {
      const seen = await admin.api.get(`${pathOf(one)}/photos/${id}`)
      expect([seen.status, seen.headers['content-type']]).toEqual([200, 'image/webp'])
    }
    expect((await one.seller.api.get(`${pathOf(one)}/photos/${one.claimed}`)).status).toBe(403)
    const other = await disputed()
    expect((await admin.api.get(`${pathOf(other)}/photos/${one.claimed}`)).status).toBe(404)
  })

  test('that are chosen go to the bank as one PDF, with the texts', async () => {
    const one = await disputed()
    const { evidence, photos } = await desk(one)
    const ofListing = photos.map(({ id }) => id).filter((id) => id !== one.claimed)
    const saved = await admin.api.put<AdminDispute>(pathOf(one), { evidence, photoIds: ofListing })
    expect(saved.body.photos.map(({ isChosen }) => isChosen)).toEqual([true, false])
    // Without a choice, the saved one stays.
    await submit(one, { evidence })
    await expect.poll(async () => (await desk(one)).submittedAt).not.toBeNull()
    const { evidence: sent } = await sdk.disputes.retrieve(one.dispute)
    expect(sent.customer_name).toBe('Ruth Baker')
    const file = await sdk.files.retrieve(String(sent.uncategorized_file))
    const made = await fileOf(one, ofListing)
    const number = await clock.column<string>(one.id, 'number')
    expect(file).toMatchObject({
      purpose: 'dispute_evidence',
      type: 'pdf',
      filename: `order-${number}-photos.pdf`,
      size: made.bytes.length,
    })
    expect((await desk(one)).photos.map(({ isChosen }) => isChosen)).toEqual([true, false])
  })

  test('none of which are chosen send texts alone', async () => {
    const one = await disputed()
    await submit(one, { evidence: (await desk(one)).evidence, photoIds: [] })
    await expect.poll(async () => (await desk(one)).submittedAt).not.toBeNull()
    const { evidence } = await sdk.disputes.retrieve(one.dispute)
    expect(evidence).toMatchObject({ customer_name: 'Ruth Baker' })
    expect(evidence).not.toHaveProperty('uncategorized_file')
  })

  test('of another order, and too many, are refused with a sentence', async () => {
    const one = await disputed()
    const { evidence } = await desk(one)
    const strange = await submit(one, { evidence, photoIds: [one.id] })
    expect([strange.status, strange.body.error]).toEqual([
      422,
      'A photo is no longer there. Reload the page and choose again.',
    ])
    const many = Array.from({ length: MOST_EVIDENCE_PHOTOS + 1 }, () => one.claimed)
    const tooMany = await submit(one, { evidence, photoIds: many })
    expect([tooMany.status, tooMany.body.error]).toEqual([422, expect.stringContaining('at most 19 photos')])
    expect(await stepOf(one)).toBeUndefined()
  })

  test('whose file is gone are named, and can be left out', async () => {
    const one = await disputed()
    const { evidence, photos } = await desk(one)
    const { rows } = await sql<{ sha256: string }>`
      select sha256 from order_photo where id = ${one.claimed}`.execute(app.db)
    await app.files.delete(pictureKey(rows[0]?.sha256 ?? ''))
    await submit(one, { evidence })
    await expect
      .poll(async () => (await desk(one)).problem)
      .toMatch(/^The buyer’s photo .* the file is gone\./)
    expect((await sdk.disputes.retrieve(one.dispute)).status).toBe('needs_response')
    const rest = photos.map(({ id }) => id).filter((id) => id !== one.claimed)
    await submit(one, { evidence, photoIds: rest })
    await expect.poll(async () => (await desk(one)).submittedAt).not.toBeNull()
  })
})

const fileOf = async (one: Delivered, photoIds: readonly string[]) => {
  const order = await findOrderById(app.db, one.id)
  if (!order) throw new Error('there is no such order')
  const made = await evidenceFile({ db: app.db, files: app.files }, order, {
    photoIds,
    creator: 'PartHarbor',
  })
  if ('problem' in made) throw new Error(made.problem)
  return made
}

describe('the file', () => {
  test('is handed in once, though answers are lost and the program ends in between', async () => {
    const one = await disputed()
    await simulator.behave({ fail: 'lose-answer', onPaths: ['/v1/files'], times: 1 })
    await submit(one, { evidence: (await desk(one)).evidence })
    await expect.poll(async () => (await desk(one)).submittedAt).not.toBeNull()
    const fileId = (await stepOf(one))?.fileId
    expect(fileId).toMatch(/^file_/)
    // Killed between the upload and what notes it: the same key gives the same file.
    await sql`
      update order_step set state = 'wanted', request = request - 'fileId'
      where order_id = ${one.id} and kind = 'submit-evidence'`.execute(app.db)
    const unread = { ...stripeOf(app).within(9_000), readDisputes: async () => [await openOf(one)] }
    await performSteps(clock.deps, one.id, unread).catch(() => undefined)
    expect((await stepOf(one))?.fileId).toBe(fileId)
    await perform(one)
    expect((await sdk.disputes.retrieve(one.dispute)).evidence_details.submission_count).toBe(1)
  })

  /** As if the bank had heard nothing yet. */
  const openOf = async ({ dispute }: { dispute: string }) => ({
    id: dispute,
    state: 'needs-response' as const,
    reason: 'general',
    amountCents: 1,
    dueBy: null,
    isSubmitted: false,
    balance: [],
  })

  /** Sent with the claim of an order. */
  async function addPhotos(one: Delivered, bytes: Buffer, count: number): Promise<string[]> {
    const { sha256 } = await storePicture(app.files, bytes)
    const { rows } = await sql<{ id: string }>`
      insert into order_photo (order_id, return_id, sha256, created_at)
      select order_id, id, ${sha256}, now() from order_return, generate_series(1, ${count}::int)
      where order_id = ${one.id} returning id`.execute(app.db)
    return rows.map(({ id }) => id)
  }

  test('has a page for each photo, and the same bytes each time', async () => {
    const one = await disputed()
    const ids = await addPhotos(one, await jpeg({ width: 80, height: 60 }), MOST_EVIDENCE_PHOTOS)
    const made = await fileOf(one, ids)
    expect((await PDFDocument.load(made.bytes)).getPageCount()).toBe(MOST_EVIDENCE_PHOTOS)
    expect((await fileOf(one, ids)).hash).toBe(made.hash)
    // Of too many, the buyer's come first.
    const { photos } = await desk(one)
    expect(photos).toHaveLength(MOST_EVIDENCE_PHOTOS + 2)
    expect(photos.slice(0, 3).map(({ isChosen }) => isChosen)).toEqual([false, false, true])
  })

  test('is small enough for the bank, however large the photos are', async () => {
    const one = await disputed()
    const ids = await addPhotos(one, await noise({ width: 1_600, height: 1_600 }), 4)
    const { length } = (await fileOf(one, ids)).bytes
    expect(length).toBeGreaterThan(1_000_000)
    expect(length).toBeLessThan(4_500_000)
  })
})
