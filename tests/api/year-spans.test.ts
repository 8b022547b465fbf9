import { expect, test } from 'vitest'
import type { Listing, ListingPage } from '#contract/listings.ts'
import { proSeller } from '#tests/support/make-imports.ts'
import { importRows, listingsOf, partFields, startPromotionWorker } from '#tests/support/promotions.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
await startPromotionWorker(app)

async function listingOf(seller: SignedIn) {
  const [listing] = await listingsOf(app, seller)
  if (!listing) throw new Error('no listing was made')
  return listing
}
const yearsOf = async (seller: SignedIn) => {
  const { year_from: from, year_to: to } = await listingOf(seller)
  return [from, to]
}

test('a part that fits several years is found by each of them and shown with both ends', async () => {
  const seller = await proSeller(app, { trusted: true })
  await importRows(app, seller, [partFields(41, { partyear: '2012-2015', stocknum: 'SPAN-1' })])
  expect(await yearsOf(seller)).toEqual([2012, 2015])

  const { slug } = await listingOf(seller)
  const found = async (year: string) => {
    const { body } = await app.visitor.get<ListingPage>(`/parts?q=DL3Z41&year=${year}`)
    return body.items.map(({ partslug }) => partslug)
  }
  for (const year of ['2012', '2014', '2015']) expect(await found(year)).toEqual([slug])
  for (const year of ['2011', '2016']) expect(await found(year)).toEqual([])

  const { body } = await app.visitor.get<Listing>(`/auto-part/${slug}`)
  expect([body.partyear, body.partyearto]).toEqual(['2012', '2015'])

  const admin = await app.signUp({ role: 'admin' })
  const { bytes } = await admin.api.get('/admin/parts/export?q=DL3Z41')
  expect(bytes.toString()).toContain(',2012-2015,')
})

test('importing the same years changes nothing; different years change the listing', async () => {
  const seller = await proSeller(app, { trusted: true })
  const row = (partyear: string) => [partFields(42, { partyear, stocknum: 'SPAN-2' })]
  await importRows(app, seller, row('2012-2015'))
  expect((await importRows(app, seller, row('2012-2015'))).plan).toMatchObject({ unchanged: 1, update: 0 })
  expect((await importRows(app, seller, row('2012-2016'))).plan).toMatchObject({ unchanged: 0, update: 1 })
  expect(await yearsOf(seller)).toEqual([2012, 2016])
  await importRows(app, seller, row('2013'))
  expect(await yearsOf(seller)).toEqual([2013, 2013])
})

test('an edit that resends the first year keeps the rest; sending both ends narrows the span', async () => {
  const seller = await proSeller(app, { trusted: true })
  await importRows(app, seller, [partFields(43, { partyear: '2012-2015' })])
  const { id } = await listingOf(seller)
  const edit = async (body: object) => {
    const { status, body: after } = await seller.api.put<Listing>(`/seller/parts/${id}`, body)
    return [status, after.partyear, after.partyearto]
  }
  expect(await edit({ partprice: '80', partyear: '2012' })).toEqual([200, '2012', '2015'])
  expect(await edit({ partyear: '2012-2012' })).toEqual([200, '2012', null])
  expect(await edit({ partyear: '2011-2014' })).toEqual([200, '2011', '2014'])
  expect(await edit({ partyear: '2014-2011' })).toEqual([422, undefined, undefined])
  expect(await edit({ partyear: '2010' })).toEqual([200, '2010', null])
})
