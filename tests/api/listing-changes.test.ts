import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ErrorReply } from '#contract/endpoint.ts'
import type { Listing, ListingPage } from '#contract/listings.ts'
import {
  formOf,
  makePictureListing,
  makeQuickListing,
  newPerson,
  somePicture,
} from '#tests/support/make-rows.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
let seller: SignedIn
beforeAll(async () => {
  seller = await app.signUp()
})

const put = (listing: Listing, body: unknown) => seller.api.put<Listing>(`/seller/parts/${listing.id}`, body)
const saveLate = (listing: Listing) =>
  seller.api.put<ErrorReply>(`/seller/parts/${listing.id}`, { partprice: '70', version: listing.version })

describe('PUT /seller/parts/{id}', () => {
  test('changes only the fields that were sent', async () => {
    const listing = await makeQuickListing(seller.api)
    const { status, body } = await put(listing, { partprice: '80', partgrade: 'c' })
    expect(status).toBe(200)
    expect(body).toEqual({
      ...listing,
      partprice: 80,
      partgrade: 'C',
      version: 2,
      updatedAt: body.updatedAt,
    })
  })

  test('records who changed what, from and to', async () => {
    const listing = await makeQuickListing(seller.api)
    await put(listing, { partprice: '80' })
    const { rows } = await sql<{ changes: object; reason: string; actor_user_id: string }>`
      select c.changes, s.reason, s.actor_user_id from listing_change c join change_set s on s.id = c.change_set_id
      where c.listing_id = ${listing.id} order by c.version
    `.execute(app.db)
    expect(rows).toEqual([
      {
        changes: { created: [null, 'quick form'] },
        reason: 'create quick listing',
        actor_user_id: seller.user.id,
      },
      { changes: { price_cents: [9550, 8000] }, reason: 'edit listing', actor_user_id: seller.user.id },
    ])
  })

  test('sending the same values again changes nothing', async () => {
    const listing = await makeQuickListing(seller.api)
    const { body } = await put(listing, { partprice: '95.50', partname: 'Alternator' })
    expect(body).toEqual(listing)
  })

  test('accepts multipart with a new picture', async () => {
    const listing = await makePictureListing(seller.api)
    const form = formOf({ partname: 'Headlamp, left' }, { bytes: await somePicture('png', 800, 600) })
    const { status, body } = await put(listing, form)
    expect([status, body.partname, body.version]).toEqual([200, 'Headlamp, left', 2])
    expect(body.images).toHaveLength(1)
    expect(body.imageUrl).not.toBe(listing.imageUrl)
    expect(body.images[0]).toMatchObject({ width: 800, height: 600 })
  })

  test('a stale version is refused, and the reply says it was their own other window and when', async () => {
    const listing = await makeQuickListing(seller.api)
    const { body: first } = await put(listing, { partprice: '80', version: 1 })
    const late = await saveLate(listing)
    expect([late.status, late.body.code]).toEqual([409, 'STALE'])
    expect(late.body.changed).toEqual({ by: 'you, in another window', at: first.updatedAt })
    const minute = new Date(first.updatedAt).toLocaleString('en-US', {
      ...{ dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' },
    } as const)
    expect(late.body.error).toBe(
      `This listing was changed by you, in another window on ${minute} UTC, after you opened it. ` +
        'Load its current values, then make your change again.',
    )
    expect((await seller.api.get<Listing>(`/seller/parts/${listing.id}`)).body.partprice).toBe(80)
  })

  test('a seller learns that an administrator saved first, but not which one', async () => {
    const listing = await makeQuickListing(seller.api)
    const admin = await app.signUp({ role: 'admin', person: newPerson({ name: 'Ada Quillworth' }) })
    await admin.api.put(`/auto-parts/${listing.id}`, { partprice: '81' })
    const late = await saveLate(listing)
    expect(late.body).toMatchObject({
      code: 'STALE',
      error: expect.stringMatching(/^This listing was changed by an administrator on /),
      changed: { by: 'an administrator', at: expect.any(String) },
    })
    for (const theirs of ['Quillworth', admin.person.email, admin.user.id])
      expect(JSON.stringify(late.body)).not.toContain(theirs)
  })

  test('rejects empty required fields', async () => {
    const listing = await makeQuickListing(seller.api)
    const answer = await seller.api.put<ErrorReply>(`/seller/parts/${listing.id}`, { partname: '' })
    expect([answer.status, answer.body.error]).toEqual([422, 'Missing required: Title'])
  })

  test('a former address redirects to the listing', async () => {
    const listing = await makeQuickListing(seller.api)
    const { body } = await put(listing, { partslug: `better-${listing.partslug}` })
    expect(body.partslug).toBe(`better-${listing.partslug}`)
    const read = await app.visitor.get<Listing>(`/auto-part/${listing.partslug}`)
    expect([read.status, read.body.partslug]).toEqual([200, body.partslug])
  })

  test('search finds the new words and no longer the old ones', async () => {
    const listing = await makeQuickListing(seller.api, { partname: 'Dynamo' })
    await put(listing, { partname: 'Carburettor' })
    const total = async (q: string) => (await seller.api.get<ListingPage>(`/seller/parts?q=${q}`)).body.total
    expect([await total('dynamo'), await total('carburettor')]).toEqual([0, 1])
  })

  test('when two edits of one version arrive at once, one wins', async () => {
    const listing = await makeQuickListing(seller.api)
    const answers = await Promise.all(
      ['70', '71'].map((partprice) => put(listing, { partprice, version: 1 })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })
})

describe('DELETE and restore', () => {
  test('a deleted listing is gone for everyone and is restored complete', async () => {
    const listing = await makePictureListing(seller.api)
    expect((await seller.api.delete(`/seller/parts/${listing.id}`)).body).toEqual({ ok: true })
    expect((await app.visitor.get(`/auto-part/${listing.partslug}`)).status).toBe(404)
    const { body: page } = await seller.api.get<ListingPage>('/seller/parts?perPage=48')
    expect(page.items.map((item) => item.id)).not.toContain(listing.id)

    const restored = await seller.api.post<Listing>(`/seller/parts/${listing.id}/restore`)
    expect(restored.body).toEqual({ ...listing, version: 3, updatedAt: restored.body.updatedAt })
    expect((await app.visitor.get(`/auto-part/${listing.partslug}`)).status).toBe(200)
  })

  test('a restore picks a new generated address if the old one was reassigned in the meantime', async () => {
    const listing = await makeQuickListing(seller.api)
    await seller.api.delete(`/seller/parts/${listing.id}`)
    const other = await makeQuickListing(seller.api, { partslug: listing.partslug })
    expect(other.partslug).toBe(listing.partslug)
    const restored = await seller.api.post<Listing>(`/seller/parts/${listing.id}/restore`)
    expect([restored.status, restored.body.partslug]).toEqual([
      200,
      listing.partslug.replace(/[0-9a-f]{6}$/, listing.id.slice(-12)),
    ])
  })

  test('deleting twice is the same as deleting once', async () => {
    const listing = await makeQuickListing(seller.api)
    const answers = [1, 2].map(() => seller.api.delete(`/seller/parts/${listing.id}`))
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200])
  })

  test('a sold part that was deleted is restored as sold', async () => {
    const listing = await makeQuickListing(seller.api)
    await seller.api.post(`/seller/parts/${listing.id}/end`, { reason: 'sold-here' })
    await seller.api.delete(`/seller/parts/${listing.id}`)
    const restored = await seller.api.post<Listing>(`/seller/parts/${listing.id}/restore`)
    expect(restored.body.endedReason).toBe('sold-here')
  })

  test('saving a deleted listing reports that it was deleted', async () => {
    const listing = await makeQuickListing(seller.api)
    await seller.api.delete(`/seller/parts/${listing.id}`)
    const answer = await seller.api.put<ErrorReply>(`/seller/parts/${listing.id}`, { partprice: '1' })
    expect([answer.status, answer.body.error]).toEqual([409, 'This listing was deleted'])
  })

  test('restoring a listing whose address was reassigned gives it a new one', async () => {
    const first = await makeQuickListing(seller.api, { partslug: 'given-away' })
    await seller.api.delete(`/seller/parts/${first.id}`)
    const second = await makeQuickListing(seller.api, { partslug: 'given-away' })
    const restored = await seller.api.post<Listing>(`/seller/parts/${first.id}/restore`)
    expect(restored.status).toBe(200)
    expect(second.partslug).toBe('given-away')
    expect(restored.body.partslug).toMatch(/^2014-ford-.*-alternator-[0-9a-f]{6}$/)
  })
})

describe('POST /seller/parts/{id}/end', () => {
  test('a sold part leaves the lists and its page shows that it sold; restoring lists it again', async () => {
    const yard = await app.signUp()
    const listing = await makeQuickListing(yard.api)
    const ended = await yard.api.post<Listing>(`/seller/parts/${listing.id}/end`, {
      reason: 'sold-elsewhere',
    })
    expect(ended.body).toMatchObject({ endedReason: 'sold-elsewhere', endedAt: expect.any(String) })
    const totals = async () => [
      (await yard.api.get<ListingPage>('/seller/parts')).body.total,
      (await yard.api.get<ListingPage>('/seller/parts?state=sold')).body.total,
    ]
    expect(await totals()).toEqual([0, 1])
    const read = await app.visitor.get<Listing>(`/auto-part/${listing.partslug}`)
    expect(read.body.endedReason).toBe('sold-elsewhere')
    await yard.api.post(`/seller/parts/${listing.id}/restore`)
    expect(await totals()).toEqual([1, 0])
  })
})

test('the database rejects a write to a listing without a change set', async () => {
  const listing = await makeQuickListing(seller.api)
  const write = app.db.updateTable('listing').set({ price_cents: 1 }).where('id', '=', listing.id).execute()
  await expect(write).rejects.toThrow('change set')
})
