import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ListingPage } from '#contract/listings.ts'
import type { CarModel, Category, Manufacturer } from '#contract/lookups.ts'
import { readQuery } from '#server/features/finding/search/query/read-query.ts'
import { queryOf } from '#server/features/finding/search/query/search.ts'
import { searchDocuments } from '#server/features/market/listings/search-row/search-rows.ts'
import { makeQuickListing } from '#tests/support/make-rows.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
let seller: SignedIn
let categories: Category[]
beforeAll(async () => {
  seller = await app.signUp()
  categories = (await app.visitor.get<Category[]>('/categories')).body
})

const find = async (filters: Record<string, string>) =>
  (await app.visitor.get<ListingPage>(`/parts?${new URLSearchParams(filters)}`)).body
const names = async (filters: Record<string, string>) =>
  (await find(filters)).items.map(({ partname }) => partname)

const bare = {
  id: '00000000-0000-7000-8000-000000000001',
  seller_id: '00000000-0000-7000-8000-000000000002',
  name: '',
  year_from: 2014,
  year_to: 2014,
  manufacturer_name: '',
  model_name: '',
}
const searchNames = { category: (id: unknown) => (id ? 'Headlamp headlight' : ''), manufacturer: () => '' }
type Searched = Parameters<typeof searchDocuments>[1][number]

describe('a document and a typed query match', () => {
  const isFound = async (text: Partial<Searched>, q: string, own = false) => {
    const [document = ''] = await searchDocuments(app.db, [{ ...bare, ...text }], searchNames)
    const search = await readQuery(
      app.db,
      { q },
      own ? { id: seller.user.sellerId, state: 'active' } : undefined,
    )
    if (typeof search === 'string') return false
    const { rows } = await sql<{ found: boolean }>`
      select ${document}::tsvector @@ ${queryOf(search)}::tsquery as found
    `.execute(app.db)
    return rows[0]?.found
  }

  test.each([
    ['Alternators', 'alternator'],
    ['Alternator', 'alternators'],
    ['Door mirror', 'mirr'],
    ['F-150 A/C compressor', 'f150 ac'],
    ['F-150 A/C compressor', 'F-150 a/c'],
    ['F-150 A/C compressor', 'f 150'],
    ['Driver’s seat', "driver's seat"],
    ['Driver’s seat', 'drivers'],
    ['2.5L engine', '2.5l'],
    ['Crossmember', 'cross'],
    ['Cross-member', 'crossmember'],
    ['Citroën côté gauche', 'citroen cote'],
    ['Citroen cote gauche', 'Citroën Côté'],
    ['Kofferraumschloß', 'kofferraumschloss'],
    ['Ｆｏｒｄ', 'ford'],
    ['日本製ドア', '日本製'],
    ['ŁÓDŹ', 'lodz'],
    ['The door of the car', 'the door'],
    [`x${'y'.repeat(3_000)}`, `x${'y'.repeat(190)}`],
  ])('“%s” is found by “%s”', async (name, q) => {
    expect(await isFound({ name }, q)).toBe(true)
  })

  test.each([
    ['Door mirror', 'door handle'],
    ['Door mirror', 'irror'],
    ['A red door', 'a/c'],
    ['Door', 'the'],
    ['Door', '!!'],
  ])('“%s” is not found by “%s”', async (name, q) => {
    expect(await isFound({ name }, q)).toBe(false)
  })

  test('every field and every year is searched; a seller’s own numbers only by that seller', async () => {
    const text = {
      ...bare,
      year_to: 2017,
      manufacturer_name: 'Mercedes-Benz',
      category_id: 'lamps',
      part_number: '27060-0V210',
      stock_number: 'ZQ 77',
      vin: '1HGCM82633A004352',
      description: 'Tested.',
    }
    for (const q of [
      '2016',
      'benz',
      'mercedesbenz',
      'headlights',
      '270600v210',
      '27060 0V210',
      '27060',
      'test',
    ]) {
      expect([q, await isFound(text, q)]).toEqual([q, true])
    }
    for (const q of ['zq77', 'ZQ', '1hgcm', '#zq77']) {
      expect([q, await isFound(text, q), await isFound(text, q, true)]).toEqual([q, false, true])
    }
    expect(await isFound(text, '2018')).toBe(false)
  })
})

test.each(['27060-0V210', '270600v210', '27060 0V210', '27060.0V210', '2706', '27060/0v21'])(
  'a part number is found as “%s”',
  async (q) => {
    if ((await find({ q: '270600V210' })).total === 0) {
      await makeQuickListing(seller.api, { partname: 'Alternator of a Camry', partnum: '27060-0V210' })
    }
    expect(await names({ q })).toEqual(['Alternator of a Camry'])
  },
)

test('words combine with category, manufacturer, model and year', async () => {
  const manufacturers = (await app.visitor.get<Manufacturer[]>('/manufacturers')).body
  const toyota = manufacturers.find(({ manuname }) => manuname === 'Toyota')?.id ?? ''
  const [camry] = (await app.visitor.get<CarModel[]>(`/carmodels?manuId=${toyota}&q=camry`)).body
  const [one, other] = categories.map(({ id }) => id)
  const list = (partname: string, categoryId: string | undefined, changes = {}) =>
    makeQuickListing(seller.api, { partname, partcategoryId: categoryId ?? '', ...changes })
  const blue = await list('Blue gizmo', one, { partyear: '2009' })
  await list('Green gizmo', other, { partyear: '2010', partdesc: 'Out of a 2009 car.' })
  await list('Red gizmo', one, {
    partmanuId: toyota,
    partmodelId: camry?.id ?? '',
    partmodel: 'Camry',
    partyear: '2009',
  })
  expect(await names({ q: 'gizmo' })).toEqual(['Red gizmo', 'Green gizmo', 'Blue gizmo'])
  expect(await names({ q: 'gizmo', categoryId: one ?? '' })).toEqual(['Red gizmo', 'Blue gizmo'])
  expect(await names({ q: 'gizmo', categoryId: one ?? '', manuId: toyota })).toEqual(['Red gizmo'])
  expect(await names({ q: 'gizmo', year: '2009' })).toEqual(['Red gizmo', 'Blue gizmo'])
  expect(await names({ q: 'gizmo', modelId: blue.partmodelId ?? '' })).toEqual(['Green gizmo', 'Blue gizmo'])
  expect(await names({ q: 'gizmo', modelId: blue.partmodelId ?? '', year: '2009' })).toEqual(['Blue gizmo'])
  expect(await names({ q: 'the gizmo', year: '20' })).toHaveLength(3)
})

test('an edited listing is found by its new text', async () => {
  const listing = await makeQuickListing(seller.api, { partname: 'Quux panel', partyear: '2001' })
  await seller.api.put(`/seller/parts/${listing.id}`, { partname: 'Corge panel', partyear: '2002' })
  expect([await names({ q: 'quux' }), await names({ q: 'corge' })]).toEqual([[], ['Corge panel']])
  expect([await names({ q: 'corge', year: '2001' }), await names({ q: 'corge', year: '2002' })]).toEqual([
    [],
    ['Corge panel'],
  ])
  await seller.api.delete(`/seller/parts/${listing.id}`)
  expect(await names({ q: 'corge' })).toEqual([])
  await seller.api.post(`/seller/parts/${listing.id}/restore`)
  expect(await names({ q: 'corge' })).toEqual(['Corge panel'])
})

test('punctuation or stop words alone find nothing', async () => {
  for (const q of ['!!', 'the', 'of the']) expect(await find({ q })).toMatchObject({ total: 0, lastPage: 1 })
})
