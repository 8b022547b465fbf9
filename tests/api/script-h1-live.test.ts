import { beforeAll, describe, expect, test } from 'vitest'
import type { Listing } from '#contract/listings.ts'
import { requestUndo } from '#server/features/stock-files/apply/undo.ts'
import { proSeller } from '#tests/support/make-imports.ts'
import {
  askedBy,
  changesOf,
  importRows,
  listingsOf,
  partFields,
  startPromotionWorker,
  untilState,
} from '#tests/support/promotions.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
await startPromotionWorker(app)
let admin: SignedIn
beforeAll(async () => {
  admin = await app.signUp({ role: 'admin' })
})

const H1 = 'Alternator of a 2014 Crown Victoria'
const headed = (number = 1) => partFields(number, { h1: H1 })

async function listingOf(seller: SignedIn) {
  const [listing] = await listingsOf(app, seller)
  if (!listing) throw new Error('there is no listing')
  return listing
}

async function headedListing() {
  const seller = await proSeller(app, { trusted: true })
  await importRows(app, seller, [headed()])
  return { seller, listing: await listingOf(seller) }
}

describe('the h1 of a staged row', () => {
  test('is the heading of its listing’s page', async () => {
    const { listing } = await headedListing()
    expect(listing.heading).toBe(H1)
    const { body } = await app.visitor.get<Listing>(`/auto-part/${listing.slug}`)
    expect(body.heading).toBe(H1)
  })

  test('appears in the history under its label, and an undo removes it', async () => {
    const seller = await proSeller(app, { trusted: true })
    await importRows(app, seller, [partFields(1)])
    const second = await importRows(app, seller, [headed()])
    const { id } = await listingOf(seller)
    expect((await changesOf(app, id)).at(-1)?.changes).toEqual({ heading: [null, H1] })
    const history = await admin.api.get<{ items: { fields: unknown[] }[] }>(`/admin/parts/${id}/history`)
    expect(history.body.items[0]?.fields).toEqual([
      { field: 'h1', label: 'Heading', before: null, after: H1 },
    ])
    await requestUndo(app.db, { ...askedBy(seller), importId: second.importId ?? '' })
    await untilState(app, second.id, 'undone')
    expect((await listingOf(seller)).heading).toBeNull()
  })

  test('stays when the next file has no headings, unless it is no longer true', async () => {
    const { seller } = await headedListing()
    await importRows(app, seller, [partFields(1, { partprice: '80.00' })])
    expect(await listingOf(seller)).toMatchObject({ heading: H1, price_cents: 8_000 })
    await importRows(app, seller, [partFields(1, { partgrade: 'C' })])
    expect(await listingOf(seller)).toMatchObject({ heading: null, grade: 'C' })
  })

  test('a heading that is too long, of two lines or with a bad word creates no listing', async () => {
    const seller = await proSeller(app, { trusted: true })
    const wrong = ['x'.repeat(121), 'Ford\nCrown Victoria', 'Fucking good alternator']
    await importRows(app, seller, [...wrong.map((h1, at) => partFields(at, { h1 })), headed(9)])
    expect((await listingsOf(app, seller)).map(({ part_number }) => part_number)).toEqual(['DL3Z-9'])
  })
})

describe('a heading depends on the facts it was made from', () => {
  let seller: SignedIn
  let listings: Awaited<ReturnType<typeof listingsOf>>
  beforeAll(async () => {
    seller = await proSeller(app, { trusted: true })
    await importRows(app, seller, [1, 2, 3, 4, 5].map(headed))
    listings = await listingsOf(app, seller)
  })

  test.each([
    [{ partname: 'Starter' }, null],
    [{ partyear: '2015' }, null],
    [{ partprice: '80.00' }, H1],
    [{ partdescription: 'Works.' }, H1],
    [{ partname: 'Alternator 1', h1: 'Mine' }, H1],
  ])('after an edit by its seller: %j', async (changes, heading) => {
    const { id = '' } = listings.pop() ?? {}
    expect((await seller.api.put(`/seller/parts/${id}`, changes)).status).toBe(200)
    expect((await listingsOf(app, seller)).find((listing) => listing.id === id)?.heading).toBe(heading)
  })

  test('after a bulk edit; undoing the edit restores it', async () => {
    const { seller, listing } = await headedListing()
    const items = [{ id: listing.id, partnum: 'AB-99' }]
    const { body } = await admin.api.post<{ changeSetId: string }>('/admin/parts/bulk-update', { items })
    expect((await listingOf(seller)).heading).toBeNull()
    await admin.api.post(`/admin/change-sets/${body.changeSetId}/undo`)
    expect(await listingOf(seller)).toMatchObject({ heading: H1, part_number: 'DL3Z-1' })
  })
})
