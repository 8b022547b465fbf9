import { describe, expect, test } from 'vitest'
import type { PictureMatch } from '#contract/pictures.ts'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import { copyListings, draftListings } from '#server/features/market/listings/copy-listings.ts'
import { loadSearchNames } from '#server/features/market/listings/search-row/search-rows.ts'
import { makeQuickListing } from '#tests/support/make-rows.ts'
import { startTestApp } from '#tests/support/test-app.ts'

/* Which listing a picture file belongs to, by the stock number in its name. */

const app = await startTestApp()
const seller = await app.signUp()
const { api } = seller

async function match(names: string[], by = api): Promise<PictureMatch[]> {
  const { status, body } = await by.post<{ matches: PictureMatch[] }>('/pictures/matches', { names })
  expect(status).toBe(200)
  return body.matches
}
const stocksOf = async (names: string[]) => (await match(names)).map(({ stock }) => stock)

const part = (stocknum: string, changes = {}) => makeQuickListing(api, { stocknum, ...changes })

describe('POST /pictures/matches', () => {
  test('finds the listing of each name, in the order of the names', async () => {
    const [one, two] = [await part('A1234', { partname: 'Hood' }), await part('b-77')]
    const names = [
      'A1234.jpg',
      'a1234_2.jpg',
      'A1234-03.jpeg',
      'A1234 (2).jpg',
      'photos/A1234/IMG_001.jpg',
      'B-77 front.png',
      'A12345.jpg',
    ]
    const matches = await match(names)
    expect(matches.map(({ name }) => name)).toEqual(names)
    expect(matches.map(({ listings }) => listings.map(({ id }) => id))).toEqual([
      ...Array.from({ length: 5 }, () => [one.id]),
      [two.id],
      [],
    ])
    expect(matches[0]).toEqual({
      name: 'A1234.jpg',
      stock: 'A1234',
      listings: [{ id: one.id, stock: 'A1234', title: expect.stringContaining('Hood') }],
      why: null,
    })
    expect(matches.at(-1)).toMatchObject({ stock: null, why: expect.stringContaining('Rename the file') })
  })

  test('the longest stock number wins: A12-3 is itself before it is picture 3 of A12', async () => {
    await part('A12')
    expect(await stocksOf(['A12-3.jpg'])).toEqual(['A12'])
    const { id } = await part('A12-3')
    expect(
      await stocksOf(['A12-3.jpg', 'a12-3-1.jpg', 'A12-4.jpg', 'A12/A12-3.jpg', 'A12-3/A12.jpg']),
    ).toEqual(['A12-3', 'A12-3', 'A12', 'A12-3', 'A12-3'])
    // What is sold takes no pictures.
    await api.post(`/seller/parts/${id}/end`, {})
    expect(await stocksOf(['A12-3.jpg'])).toEqual(['A12'])
  })

  test('offers all listings that share a stock number, and says so', async () => {
    const parts = [await part('CAR-9', { partname: 'Hood' }), await part('car-9', { partname: 'Door' })]
    const [first, second] = await match(['car-9_1.jpg', 'CAR-9/2.jpg'])
    expect(first?.listings.map(({ id }) => id).toSorted()).toEqual(parts.map(({ id }) => id).toSorted())
    expect(first).toMatchObject({
      stock: 'CAR-9',
      why: '2 of your listings have the stock number CAR-9. Choose the one in the picture.',
    })
    expect(second?.listings).toEqual(first?.listings)
  })

  test('ignores other sellers’ and deleted listings', async () => {
    const { id } = await part('GONE-1')
    await api.delete(`/seller/parts/${id}`)
    expect(await stocksOf(['GONE-1.jpg'])).toEqual([null])
    const other = await app.signUp()
    expect(await match(['A1234.jpg'], other.api)).toMatchObject([{ stock: null, listings: [] }])
  })

  test('for a car with hundreds of parts, the first ones are offered', async () => {
    const { sellerId } = seller.user
    const rows = Array.from({ length: 120 }, (_, number) => carPart(sellerId, number))
    await app.db.transaction().execute(async (trx) => {
      await withChangeSet(trx, { actorKind: 'system', reason: 'test' }, async () =>
        copyListings(trx, await draftListings(trx, rows, await loadSearchNames(trx))),
      )
    })
    const matches = await match(Array.from({ length: 1_000 }, (_, number) => `V100_${number}.jpg`))
    expect(matches.every(({ listings }) => listings.length === 50)).toBe(true)
    expect(matches[999]?.why).toMatch(/^120 of your listings .* The first 50 are shown\.$/)
  })

  test.each([
    [{ names: Array.from({ length: 1_001 }, () => 'a.jpg') }, 'names'],
    [{ names: ['x'.repeat(501)] }, 'names.0'],
    [{}, 'names'],
  ])('refuses too many or missing names (%#)', async (body, field) => {
    const answer = await api.post<{ fields: object }>('/pictures/matches', body)
    expect([answer.status, Object.keys(answer.body.fields)]).toEqual([422, [field]])
  })
})

const carPart = (sellerId: string, number: number) => ({
  id: `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`,
  kind: 'quick',
  slug: `car-part-${number}`,
  seller_id: sellerId,
  stock_number: 'V100',
  name: `Part ${number}`,
  manufacturer_name: 'Ford',
  model_name: 'F-150',
  year_from: 2014,
  year_to: 2014,
  price_cents: 100,
})
