import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { CarModel, Category, Manufacturer } from '#contract/lookups.ts'
import type { Card, KeptCard, PartsPage } from '#contract/search/parts-search.ts'
import { liveList } from '#server/features/finding/search/matches/ordered-lists.ts'
import { makePictureListing, makeQuickListing } from '#tests/support/make-rows.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

/* The order of search results: what a buyer pays, and the paid places of Pro sellers. */

const app = await startTestApp()
let yard: SignedIn
let categoryOf: (name: string) => string
let makeId: string
let modelId: string
beforeAll(async () => {
  yard = await app.signUp()
  const categories = (await app.visitor.get<Category[]>('/categories')).body
  categoryOf = (name) => categories.find((one) => one.name === name)?.id ?? ''
  const makes = (await app.visitor.get<Manufacturer[]>('/manufacturers')).body
  makeId = makes.find(({ manuname }) => manuname === 'Kia')?.id ?? ''
  const models = (await app.visitor.get<CarModel[]>(`/carmodels?manuId=${makeId}`)).body
  modelId = models.find(({ carname }) => carname === 'Soul')?.id ?? ''
})

type Part = {
  name: string
  category: string
  price?: string
  shipping?: string
  zip?: string
  city?: string
  state?: string
}
let made = 0
async function list(
  { name, category, price = '90', shipping, zip = '74103', city = 'Tulsa', state = 'OK' }: Part,
  by = yard,
) {
  made += 1
  const body = {
    partname: name,
    partcategoryId: categoryOf(category),
    partmanuId: makeId,
    partmodelId: modelId,
    partmodel: 'Soul',
    partyear: '2015',
    partnum: `ORDER-${made}`,
    partprice: price,
    zipcode: zip,
    partcity: city,
    partstate: state,
    ...(shipping !== undefined && { partshipping: shipping }),
  }
  if (shipping === undefined) return makeQuickListing(by.api, body)
  return makePictureListing(by.api, { ...body, partdescription: 'As removed.' })
}

const find = async (query: Record<string, string>, api = app.visitor) =>
  (await api.get<PartsPage>(`/parts?${new URLSearchParams(query)}`)).body
const ids = ({ items }: Pick<PartsPage, 'items'>) => items.map(({ id }) => id)
const featuredOf = ({ items }: PartsPage) => items.filter(({ featured }) => featured).map(({ id }) => id)

describe('prices with shipping', () => {
  let parts: Record<'shipped' | 'free' | 'pickup' | 'dear' | 'cheapQuote' | 'dearQuote', { id: string }>
  beforeAll(async () => {
    const hood = { name: 'Hood', category: 'Hood' }
    parts = {
      shipped: await list({ ...hood, price: '100', shipping: '40' }),
      free: await list({ ...hood, price: '120', shipping: 'Free' }),
      pickup: await list({ ...hood, price: '130', shipping: 'Pickup only' }),
      dear: await list({ ...hood, price: '90', shipping: '75.50' }),
      cheapQuote: await list({ ...hood, price: '10' }),
      dearQuote: await list({ ...hood, price: '900' }),
    }
  })
  const low = ['free', 'pickup', 'shipped', 'dear', 'cheapQuote', 'dearQuote'] as const
  const high = ['dear', 'shipped', 'pickup', 'free', 'dearQuote', 'cheapQuote'] as const
  const inOrder = (order: readonly (keyof typeof parts)[]) => order.map((name) => parts[name].id)

  test('cards carry the total: pickup adds nothing, a quote has none', async () => {
    const { items } = await find({ q: 'soul hood' })
    const totals = new Map(items.map(({ id, total }) => [id, total]))
    expect(low.map((name) => totals.get(parts[name].id))).toEqual([120, 130, 140, 165.5, null, null])
    expect(items.map(({ availability }) => availability)).toEqual(items.map(() => 'now'))
    expect(items.find(({ id }) => id === parts.shipped.id)).toMatchObject({
      partprice: 100,
      partshipping: 40,
    })
  })

  test.each([
    ['of all parts', {}],
    ['of words', { q: 'hood' }],
    ['of a model', { modelId: '' }],
  ])('%s: ordered by the total, quotes last in both orders', async (_, query) => {
    const asked = { ...query, ...('modelId' in query && { modelId }) }
    expect(ids(await find({ ...asked, sort: 'price-low' }))).toEqual(inOrder(low))
    expect(ids(await find({ ...asked, sort: 'price-high' }))).toEqual(inOrder(high))
  })

  test('the price filter is about the part alone', async () => {
    expect(ids(await find({ q: 'hood', priceMax: '100', sort: 'price-low' }))).toEqual(
      inOrder(['shipped', 'dear', 'cheapQuote']),
    )
  })

  test('sellers sort their own by price', async () => {
    const { items } = (await yard.api.get<{ items: Card[] }>('/seller/parts?sort=price-low')).body
    expect(ids({ items })).toEqual(inOrder(['cheapQuote', 'dear', 'shipped', 'free', 'pickup', 'dearQuote']))
  })

  test('saved parts carry it, too, and say what is sold', async () => {
    const asked = `/parts/cards?ids=${parts.shipped.id},${parts.free.id}`
    await yard.api.post(`/seller/parts/${parts.free.id}/end`, { reason: 'sold-here' })
    const { items } = (await app.visitor.get<{ items: KeptCard[] }>(asked)).body
    expect(items.map(({ total, availability }) => [total, availability])).toEqual([
      [140, 'now'],
      [120, 'sold'],
    ])
  })

  test.each(['price-low', 'price-high'] as const)(
    '%s is read from an index alone, without sorting',
    async (sort) => {
      const { table, where, by } = liveList(sort)
      const plan = await app.db.transaction().execute(async (trx) => {
        // As for a million listings: so few would be sorted.
        await sql`set local enable_seqscan = off`.execute(trx)
        await sql`set local enable_bitmapscan = off`.execute(trx)
        await sql`set local enable_sort = off`.execute(trx)
        const { rows } = await sql<Record<'QUERY PLAN', string>>`
        explain select l.id from ${table} where ${where} order by ${by} limit 48`.execute(trx)
        return rows.map((row) => row['QUERY PLAN']).join('\n')
      })
      expect(plan).toContain('Index Only Scan using listing_for_sale_by_total')
      expect(plan).not.toContain('Sort')
    },
  )
})

describe('paid places', () => {
  const visor = { name: 'Sun visor', category: 'Sun Visor' }
  let pros: SignedIn[]
  beforeAll(async () => {
    pros = await Promise.all(Array.from({ length: 5 }, () => app.signUp({ tier: 'PAID' })))
    for (const pro of pros) {
      await list(visor, pro)
      await list(visor, pro)
    }
    for (let n = 0; n < 20; n += 1) await list(visor)
  })
  const q = 'sun visor kia soul'

  test('are at most three of the first twelve of each page, one a seller, each part once', async () => {
    const pages = await Promise.all(['1', '2', '3'].map((page) => find({ q, page })))
    expect(pages.slice(0, 2).map((page) => featuredOf(page).length)).toEqual([3, 3])
    const seen = pages.flatMap(ids)
    expect(new Set(seen).size).toBe(30)
    for (const { items } of pages) {
      const sellers = items.filter(({ featured }) => featured).map(({ sellerSlug }) => sellerSlug)
      expect(new Set(sellers).size).toBe(sellers.length)
      // They are first, and what is not marked has no advantage.
      expect(
        items
          .map(({ featured = false }) => featured)
          .toSorted()
          .toReversed(),
      ).toEqual(items.map(({ featured = false }) => featured))
    }
    const large = await find({ q, perPage: '30' })
    expect(featuredOf(large)).toEqual(featuredOf(pages[0] ?? large))
    const organic = large.items.filter(({ featured }) => !featured)
    expect(ids({ items: organic })).toEqual(ids({ items: organic }).toSorted().toReversed())
  })

  test('are the same all day, for everybody, and others on another day', async () => {
    const today = featuredOf(await find({ q }))
    expect(featuredOf(await find({ q, zip: '73102' })).toSorted()).toEqual(today.toSorted())
    expect(featuredOf(await find({ q }, yard.api))).toEqual(today)
    const days = new Set([today.join()])
    for (let day = 0; day < 6; day += 1) {
      app.clock.advance(24 * 60 * 60_000)
      days.add(featuredOf(await find({ q })).join())
    }
    expect(days.size).toBeGreaterThan(1)
  })

  test('are never before a better match, and only where the order is by relevance', async () => {
    const mirror = { category: 'Door Mirror' }
    const [pro] = pros
    await list({ ...mirror, name: 'Door mirror' }, pro)
    const plain = await list({ ...mirror, name: 'Door mirror' })
    const left = await list({ ...mirror, name: 'Door mirror, left' })
    const found = await find({ q: 'kia soul left mirror' })
    expect(ids(found)[0]).toBe(left.id)
    expect(featuredOf(found)).toEqual([ids(found)[1]])
    expect(ids(found)[2]).toBe(plain.id)
    for (const sort of ['newest', 'price-low', 'price-high', 'nearest']) {
      expect(featuredOf(await find({ q, sort, zip: '73102' }))).toEqual([])
    }
    expect(featuredOf(await find({ modelId }))).toEqual([])
  })

  test('are explained to administrators, and nothing else is said to be paid', async () => {
    const admin = await app.signUp({ role: 'admin' })
    const { items, explain } = await find({ q, explain: '1' }, admin.api)
    for (const { id, featured } of items) {
      const why = explain?.[id]?.join('; ') ?? ''
      expect([why.startsWith('featured: '), why.includes('Pro')]).toEqual([
        featured === true,
        featured === true,
      ])
    }
  })
})

test('with a ZIP code the nearer of equal parts comes first, then the one with a picture', async () => {
  const horn = { name: 'Horn', category: 'Horn' }
  const dallas = { city: 'Dallas', state: 'TX', zip: '75201' }
  const near = await list({ ...horn, city: 'Oklahoma City', zip: '73102' })
  const far = await list({ ...horn, ...dallas })
  const pictured = await list({ ...horn, ...dallas, shipping: 'Free' })
  expect(ids(await find({ q: 'soul horn' }))).toEqual([pictured.id, far.id, near.id])
  expect(ids(await find({ q: 'soul horn', zip: '73102' }))).toEqual([near.id, pictured.id, far.id])
  expect(ids(await find({ q: 'soul horn', zip: '75201' }))).toEqual([pictured.id, far.id, near.id])
})
