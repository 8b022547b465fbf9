import { beforeAll, describe, expect, test } from 'vitest'
import type { ErrorReply } from '#contract/endpoint.ts'
import type { Listing, ListingPage } from '#contract/listings.ts'
import {
  formOf,
  type Lookups,
  makePictureListing,
  makeQuickListing,
  newPerson,
  someLookups,
  somePicture,
} from '#tests/support/make-rows.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
let seller: SignedIn
let admin: SignedIn
let lookups: Lookups
beforeAll(async () => {
  seller = await app.signUp()
  admin = await app.signUp({ role: 'admin' })
  lookups = await someLookups(app.visitor)
})

const find = async (query: string) => (await admin.api.get<ListingPage>(`/admin/parts?${query}`)).body
const idsOf = ({ items }: ListingPage) => items.map(({ id }) => id)
const put = (listing: Listing, body: unknown) => admin.api.put<Listing>(`/auto-parts/${listing.id}`, body)

describe('GET /admin/parts', () => {
  let running: Listing
  let hidden: Listing
  let ended: Listing
  let deleted: Listing
  beforeAll(async () => {
    running = await makeQuickListing(seller.api, { partname: 'Quillworth bracket', partnum: 'QW-100 A' })
    hidden = await makeQuickListing(seller.api, { partname: 'Quillworth bracket', partnum: 'QW-200' })
    await put(hidden, { status: 'HIDDEN' })
    ended = await makeQuickListing(seller.api, { partname: 'Quillworth bracket', stocknum: 'YARD-77' })
    await seller.api.post(`/seller/parts/${ended.id}/end`, { reason: 'scrapped' })
    deleted = await makeQuickListing(seller.api, { partname: 'Quillworth bracket' })
    await seller.api.delete(`/seller/parts/${deleted.id}`)
  })

  test('shows every seller’s listings whatever their status, newest first, and no deleted ones', async () => {
    const other = await app.signUp()
    const newest = await makeQuickListing(other.api)
    const page = await find('perPage=100')
    expect(idsOf(page).slice(0, 4)).toEqual([newest.id, ended.id, hidden.id, running.id])
    expect(page.items.find(({ id }) => id === ended.id)?.endedReason).toBe('scrapped')
    expect(idsOf(page)).not.toContain(deleted.id)
    const { body: newTotal } = await admin.api.get<ListingPage>('/admin/parts?perPage=1')
    expect([newTotal.total, newTotal.items.length, newTotal.perPage]).toEqual([page.items.length, 1, 1])
  })

  test('finds a seller’s listings by name, email or id, and a dealer’s by the beginning of the name', async () => {
    const yard = await app.signUp({ person: newPerson({ name: 'Zorp Wanda' }) })
    const [north, south] = [
      await makeQuickListing(yard.api, { partdealer: 'Zorp North 100% Parts' }),
      await makeQuickListing(yard.api, { partdealer: 'Zorp South Parts' }),
    ]
    const of = async (filter: Record<string, string>) =>
      idsOf(await find(new URLSearchParams(filter).toString()))
    const both = [south.id, north.id]
    expect(await of({ seller: 'orp wanda' })).toEqual(both)
    expect(await of({ seller: yard.user.email })).toEqual(both)
    expect(await of({ seller: yard.user.sellerId })).toEqual(both)
    expect(await of({ dealer: 'zorp ' })).toEqual(both)
    expect(await of({ dealer: 'Zorp North 100%' })).toEqual([north.id])
    expect(await of({ dealer: '%Parts' })).toEqual([])
    expect(await of({ seller: 'Zorp Wanda', dealer: 'zorp s', status: 'ACTIVE' })).toEqual([south.id])
    expect(await of({ seller: 'Zorp Nobody' })).toEqual([])
  })

  test('pages do not overlap', async () => {
    const all = idsOf(await find('perPage=100'))
    const pages = [idsOf(await find('perPage=2')), idsOf(await find('perPage=2&page=2'))]
    expect(pages.flat()).toEqual(all.slice(0, 4))
    expect(idsOf(await find('perPage=2&page=1000000'))).toEqual([])
  })

  test('finds words, part numbers in any spelling and the sellers’ own numbers', async () => {
    expect(idsOf(await find('q=quillworth'))).toEqual([ended.id, hidden.id, running.id])
    expect(idsOf(await find('q=qw100a'))).toEqual([running.id])
    expect(idsOf(await find('q=QW-100%20A'))).toEqual([running.id])
    expect(idsOf(await find('q=yard77'))).toEqual([ended.id])
    expect((await find('q=%25_%5C')).total).toBe(0)
  })

  test('filters by status, alone and with words', async () => {
    expect(idsOf(await find('status=HIDDEN'))).toEqual([hidden.id])
    expect(idsOf(await find('status=HIDDEN&q=quillworth'))).toEqual([hidden.id])
    expect(idsOf(await find('status=ACTIVE&q=quillworth'))).toEqual([ended.id, running.id])
    expect(idsOf(await find('status=ACTIVE'))).not.toContain(hidden.id)
  })

  test('a listing shown again is found as active', async () => {
    const listing = await makeQuickListing(seller.api, { partname: 'Tansybell hinge' })
    await put(listing, { status: 'HIDDEN' })
    expect((await find('status=HIDDEN&q=tansybell')).total).toBe(1)
    await put(listing, { status: 'ACTIVE' })
    expect((await find('status=HIDDEN&q=tansybell')).total).toBe(0)
    expect((await find('status=ACTIVE&q=tansybell')).total).toBe(1)
  })

  test('filters by category, manufacturer and words of the model', async () => {
    const { category, manufacturer, model } = lookups
    expect((await find(`categoryId=${category.id}&q=quillworth`)).total).toBe(3)
    expect((await find(`manuId=${manufacturer.id}&q=quillworth`)).total).toBe(3)
    const words = encodeURIComponent(model.carname.toLowerCase())
    expect(idsOf(await find(`model=${words}&q=quillworth`))).toEqual([ended.id, hidden.id, running.id])
    expect((await find('model=no-such-model')).total).toBe(0)
    expect((await find('model=%25')).total).toBe(0)
  })

  test('a model that is in no list is found by its text', async () => {
    const listing = await makePictureListing(seller.api, { partmodel: 'Wyvern GT-350' })
    expect(listing.partmodelId).toBeNull()
    // Its words elsewhere in a listing are no model.
    await makeQuickListing(seller.api, { partdesc: 'Fits a Wyvern GT-350 as well.' })
    for (const words of ['wyvern', 'gt350', 'gt-350', 'Wyvern%20350']) {
      expect(idsOf(await find(`model=${words}`)), words).toEqual([listing.id])
    }
  })

  test('wrong filters are refused; pages and sizes are clamped', async () => {
    expect((await admin.api.get('/admin/parts?status=GONE')).status).toBe(400)
    expect((await admin.api.get('/admin/parts?categoryId=5')).status).toBe(400)
    expect((await admin.api.get(`/admin/parts?q=${'x'.repeat(10_000)}`)).status).toBe(400)
    const page = await find('page=0&perPage=1000000')
    expect([page.page, page.perPage]).toEqual([1, 100])
  })
})

describe('GET /admin/parts/{id}', () => {
  test('any seller’s listing, hidden ones too', async () => {
    const listing = await makeQuickListing(seller.api, { stocknum: 'S-1' })
    await put(listing, { status: 'HIDDEN' })
    const { status, body } = await admin.api.get<Listing>(`/admin/parts/${listing.id}`)
    expect([status, body.status, body.stocknum, body.mine]).toEqual([200, 'HIDDEN', 'S-1', false])
  })

  test('a deleted one says so; an unknown one is not found', async () => {
    const listing = await makeQuickListing(seller.api)
    await seller.api.delete(`/seller/parts/${listing.id}`)
    const answer = await admin.api.get<ErrorReply>(`/admin/parts/${listing.id}`)
    expect([answer.status, answer.body.code]).toEqual([409, 'LISTING_DELETED'])
    expect((await admin.api.get('/admin/parts/not-an-id')).status).toBe(404)
  })
})

describe('PUT /auto-parts/{id}', () => {
  test('changes another seller’s listing and its status, by multipart with a picture', async () => {
    const listing = await makePictureListing(seller.api)
    const { category, manufacturer, model } = lookups
    const form = formOf(
      {
        partyear: '2015',
        partmanu: manufacturer.id,
        partmanuname: manufacturer.manuname,
        partmodel: model.carname,
        partname: 'Headlamp, left',
        partcategory: category.id,
        partslug: listing.partslug,
        partprice: '120',
        partshipping: '20',
        version: 1,
      },
      { bytes: await somePicture('png', 300, 200) },
    )
    form.append('status', 'hidden')
    const { status, body } = await put(listing, form)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      partname: 'Headlamp, left',
      partyear: '2015',
      partprice: 120,
      status: 'HIDDEN',
      version: 2,
      partslug: listing.partslug,
    })
    expect(body.imageUrl).not.toBe(listing.imageUrl)
    expect((await app.visitor.get(`/auto-part/${listing.partslug}`)).status).toBe(404)
    expect((await admin.api.get(`/auto-part/${listing.partslug}`)).status).toBe(200)
  })

  test('takes the manufacturer as a record', async () => {
    const listing = await makeQuickListing(seller.api)
    const { manufacturer } = lookups
    const { status, body } = await put(listing, { partmanu: { id: manufacturer.id }, partname: 'Starter' })
    expect([status, body.partmanuId, body.partname]).toEqual([200, manufacturer.id, 'Starter'])
  })

  test('a status is ACTIVE or HIDDEN', async () => {
    const listing = await makeQuickListing(seller.api)
    for (const status of ['GONE', '', null]) {
      const answer = await admin.api.put<ErrorReply>(`/auto-parts/${listing.id}`, { status })
      expect([answer.status, answer.body.fields]).toEqual([
        422,
        { status: 'Status must be ACTIVE or HIDDEN' },
      ])
    }
  })

  test('a seller’s own edit leaves the status', async () => {
    const listing = await makeQuickListing(seller.api)
    const { body } = await seller.api.put<Listing>(`/seller/parts/${listing.id}`, {
      status: 'HIDDEN',
      partprice: '1',
    })
    expect([body.status, body.partprice]).toEqual(['ACTIVE', 1])
  })

  test('a stale version is refused, and admins read who saved before them', async () => {
    const listing = await makeQuickListing(seller.api)
    const saveLate = () =>
      admin.api.put<ErrorReply>(`/auto-parts/${listing.id}`, { partprice: '70', version: '1' })
    const bySeller = await seller.api.put<Listing>(`/seller/parts/${listing.id}`, { partprice: '80' })
    const late = await saveLate()
    expect([late.status, late.body.code]).toEqual([409, 'STALE'])
    expect(late.body.changed).toEqual({ by: seller.person.name, at: bySeller.body.updatedAt })
    expect(late.body.error).toContain(`changed by ${seller.person.name} on `)
    await put(listing, { partprice: '81' })
    expect((await saveLate()).body.changed?.by).toBe('you, in another window')
    const other = await app.signUp({ role: 'admin', person: newPerson({ name: 'Ada Quillworth' }) })
    await other.api.post('/admin/parts/bulk-update', { items: [{ id: listing.id, partprice: '82' }] })
    expect((await saveLate()).body.changed?.by).toBe('Ada Quillworth')
  })

  test('the listing was deleted while it was open', async () => {
    const listing = await makeQuickListing(seller.api)
    await seller.api.delete(`/seller/parts/${listing.id}`)
    const answer = await admin.api.put<ErrorReply>(`/auto-parts/${listing.id}`, { partprice: '80' })
    expect([answer.status, answer.body.error]).toEqual([409, 'This listing was deleted'])
  })

  test('the rules of a listing hold for admins too', async () => {
    const listing = await makeQuickListing(seller.api)
    const answer = await admin.api.put<ErrorReply>(`/auto-parts/${listing.id}`, { partprice: '12.345' })
    expect([answer.status, Object.keys(answer.body.fields ?? {})]).toEqual([422, ['partprice']])
  })
})

test('a history before an impossible version is refused with a sentence', async () => {
  const listing = await makeQuickListing(seller.api)
  const read = (before: string) => admin.api.get(`/admin/parts/${listing.id}/history?before=${before}`)
  expect([(await read('2147483647')).status, (await read('2147483648')).status]).toEqual([200, 400])
})

test('a seller is refused, even with their own listing', async () => {
  const listing = await makeQuickListing(seller.api)
  const answers = await Promise.all([
    seller.api.get('/admin/parts'),
    seller.api.get('/admin/parts/export'),
    seller.api.get(`/admin/parts/${listing.id}`),
    seller.api.get(`/admin/parts/${listing.id}/history`),
    seller.api.put(`/auto-parts/${listing.id}`, { status: 'HIDDEN' }),
    seller.api.post('/admin/parts/bulk-update', { items: [{ id: listing.id, partprice: '1' }] }),
    seller.api.get('/admin/change-sets'),
    seller.api.post(`/admin/change-sets/${listing.id}/undo`),
  ])
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(403))
  expect((await seller.api.get<Listing>(`/seller/parts/${listing.id}`)).body).toEqual(listing)
})
