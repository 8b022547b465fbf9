import { beforeAll, expect, test } from 'vitest'
import type { CarModel, Category, Manufacturer } from '#contract/lookups.ts'
import type { Facets, PartsPage } from '#contract/search/parts-search.ts'
import type { NewListingRow } from '#server/features/market/listings/copy-listings.ts'
import { makeQuickListing } from '#tests/support/make-rows.ts'
import { makeStock } from '#tests/support/make-stock.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

/* How many parts each value of each filter would find. */

const app = await startTestApp()
const PARTS = 300
// Too many to count one by one.
const MANY = 7_000

type Part = Pick<NewListingRow, 'category_id' | 'manufacturer_id' | 'car_model_id'> & {
  name: string
  year_from: number
  year_to: number
  grade: string | null
  price_cents: number
  shipping_kind: string
}
const stock: Part[] = []
let yard: SignedIn
let categories: Category[]
let makes: Manufacturer[]

beforeAll(async () => {
  yard = await app.signUp()
  const { sellerId } = yard.user
  categories = (await app.visitor.get<Category[]>('/categories')).body.slice(0, 4)
  makes = (await app.visitor.get<Manufacturer[]>('/manufacturers')).body.slice(0, 3)
  const models = (await app.visitor.get<CarModel[]>(`/carmodels?manuId=${makes[0]?.id}`)).body.slice(0, 2)
  for (let at = 0; at < PARTS; at += 1) {
    const make = makes[at % 3]
    stock.push({
      name: `Trellis ${['left', 'right', 'pair'][at % 5] ?? 'part'}`,
      category_id: categories[at % 4]?.id ?? null,
      manufacturer_id: make?.id ?? null,
      car_model_id: at % 3 === 0 ? (models[at % 2]?.id ?? null) : null,
      year_from: 2010 + (at % 6),
      year_to: 2010 + (at % 6) + (at % 2),
      grade: ['A', 'B', null][at % 3] ?? null,
      price_cents: (at % 13) * 1_000,
      shipping_kind: ['free', 'pickup', 'quote'][at % 3] ?? 'quote',
    })
  }
  await makeStock(app.db, { sellerId, parts: PARTS }, (at) => stock[at] ?? {})
  await makeStock(app.db, { sellerId, parts: MANY }, (at) => ({
    name: 'Bollard',
    grade: at % 4 === 0 ? 'A' : 'B',
  }))
})

const find = async (filters: Record<string, string>): Promise<PartsPage> =>
  (await app.visitor.get<PartsPage>(`/parts?${new URLSearchParams({ facets: '1', ...filters })}`)).body
const facetsOf = async (filters: Record<string, string>): Promise<Facets> => {
  const { facets } = await find({ q: 'trellis', ...filters })
  if (!facets) throw new Error('facets were asked for')
  return facets
}

/** Counted by hand. */
function countBy(parts: readonly Part[], valuesOf: (part: Part) => (string | null | undefined)[]) {
  const counts: Record<string, number> = {}
  for (const part of parts)
    for (const value of valuesOf(part)) if (value) counts[value] = (counts[value] ?? 0) + 1
  return counts
}
const byHand = {
  category: (parts: readonly Part[]) => countBy(parts, (part) => [part.category_id]),
  make: (parts: readonly Part[]) => countBy(parts, (part) => [part.manufacturer_id]),
  model: (parts: readonly Part[]) => countBy(parts, (part) => [part.car_model_id]),
  grade: (parts: readonly Part[]) => countBy(parts, (part) => [part.grade]),
  side: (parts: readonly Part[]) => countBy(parts, ({ name }) => [/left|right/.exec(name)?.[0]]),
  shipping: (parts: readonly Part[]) =>
    countBy(parts, (part) => [part.shipping_kind === 'quote' ? null : part.shipping_kind]),
  year: (parts: readonly Part[]) =>
    countBy(parts, (part) => [...new Set([String(part.year_from), String(part.year_to)])]),
}
const named = (counts: readonly { id: string; count: number }[]) =>
  Object.fromEntries(counts.map(({ id, count }) => [id, count]))
const valued = (counts: readonly { value: string; count: number }[]) =>
  Object.fromEntries(counts.map(({ value, count }) => [value, count]))

test('without filters every part is counted', async () => {
  const facets = await facetsOf({})
  expect(facets.about).toBeUndefined()
  expect(named(facets.categories)).toEqual(byHand.category(stock))
  expect(named(facets.makes)).toEqual(byHand.make(stock))
  expect(facets.models).toEqual([])
  expect(valued(facets.years)).toEqual(byHand.year(stock))
  expect(facets.years.map(({ value }) => value)).toEqual([
    '2016',
    '2015',
    '2014',
    '2013',
    '2012',
    '2011',
    '2010',
  ])
  expect(valued(facets.sides)).toEqual(byHand.side(stock))
  expect(valued(facets.grades)).toEqual(byHand.grade(stock))
  expect(valued(facets.shipping)).toEqual(byHand.shipping(stock))
  expect(facets.withPicture).toBe(0)
  const inRange = (from: number, to: number) =>
    stock.filter(({ price_cents: cents }) => cents >= from * 100 && cents < to * 100).length
  expect(facets.prices.slice(0, 4)).toEqual([
    { from: 0, to: 25, count: inRange(0, 25) },
    { from: 25, to: 50, count: inRange(25, 50) },
    { from: 50, to: 100, count: inRange(50, 100) },
    { from: 100, to: 250, count: inRange(100, 250) },
  ])
  expect(facets.prices.at(-1)).toEqual({ from: 1_000, to: null, count: 0 })
  expect(facets.categories[0]).toMatchObject({
    name: expect.stringMatching(/\w/),
    group: expect.stringMatching(/\w/),
  })
})

test('each is counted without its own filter, and with all others', async () => {
  const [category, make] = [categories[1]?.id ?? '', makes[0]?.id ?? '']
  const facets = await facetsOf({
    categoryId: category,
    manuId: make,
    grade: 'A',
    side: 'left',
    year: '2013',
  })
  const parts = (except: string) =>
    stock.filter(
      (part) =>
        (except === 'category' || part.category_id === category) &&
        (except === 'make' || part.manufacturer_id === make) &&
        (except === 'grade' || part.grade === 'A') &&
        (except === 'side' || part.name.includes('left')) &&
        (except === 'year' || (part.year_from <= 2013 && part.year_to >= 2013)),
    )
  expect(named(facets.categories)).toEqual(byHand.category(parts('category')))
  expect(named(facets.makes)).toEqual(byHand.make(parts('make')))
  expect(named(facets.models)).toEqual(byHand.model(parts('')))
  expect(valued(facets.grades)).toEqual(byHand.grade(parts('grade')))
  expect(valued(facets.sides)).toEqual(byHand.side(parts('side')))
  expect(valued(facets.years)).toEqual(byHand.year(parts('year')))
  expect(valued(facets.shipping)).toEqual(byHand.shipping(parts('')))
  expect(Object.keys(byHand.category(parts('category'))).length).toBeGreaterThan(0)
})

test('matches counted by the database and by the program are counted alike', async () => {
  // The newest first is not ranked, so its matches are not read.
  for (const filters of [{}, { grade: 'A' }, { manuId: makes[0]?.id ?? '' }]) {
    expect(await facetsOf({ ...filters, sort: 'newest' })).toEqual(await facetsOf(filters))
  }
})

test('choosing a value finds as many parts as its count', async () => {
  const facets = await facetsOf({ grade: 'B', priceMax: '60' })
  expect(facets.sides.length).toBeGreaterThan(0)
  for (const { value, count } of facets.sides) {
    expect((await find({ q: 'trellis', grade: 'B', priceMax: '60', side: value })).total).toBe(count)
  }
  for (const { id, count } of facets.makes) {
    expect((await find({ q: 'trellis', grade: 'B', priceMax: '60', manuId: id })).total).toBe(count)
  }
})

test('many matches are counted in a sample, which the counts say', async () => {
  for (const filters of [{ q: 'bollard' }, { q: '' }]) {
    const { facets } = await find(filters)
    expect(facets?.about).toBe(true)
    const { A = 0, B = 0 } = valued(facets?.grades ?? [])
    // Of 900 in the sample; five standard deviations.
    expect(B / (A + B)).toBeGreaterThan(0.65)
    expect(B / (A + B)).toBeLessThan(0.85)
    expect(A + B).toBeGreaterThan(MANY * 0.7)
    expect(A + B).toBeLessThan((MANY + PARTS) * 1.3)
  }
})

test('a page and counts read before show a part listed since', async () => {
  const read = async () => {
    const { items, facets } = await find({ q: 'trellis', grade: 'A', priceMin: '2000' })
    return { names: items.map(({ partname }) => partname), sides: valued(facets?.sides ?? []) }
  }
  expect(await read()).toEqual({ names: [], sides: {} })
  const { id } = await makeQuickListing(yard.api, {
    partname: 'Trellis Bracket LH',
    partprice: '2500',
    partgrade: 'A',
  })
  const found = { names: ['Trellis Bracket LH'], sides: { left: 1 } }
  expect(await read()).toEqual(found)
  expect(await read()).toEqual(found)
  await yard.api.delete(`/seller/parts/${id}`)
  expect(await read()).toEqual({ names: [], sides: {} })
})

test('a filter without parts is named and counted as 0', async () => {
  const [category, make] = [categories[0], makes[0]]
  const chosen = { categoryId: category?.id ?? '', manuId: make?.id ?? '' }
  for (const search of [
    { q: 'trellis', grade: 'B', side: 'left' },
    { q: 'no such part' },
    { seller: 'no-such-yard' },
  ]) {
    const { facets } = await find({ ...search, ...chosen })
    const named = (some: readonly { id: string; name: string }[] | undefined, id: string | undefined) =>
      some?.find((one) => one.id === id)?.name
    expect([named(facets?.categories, category?.id), named(facets?.makes, make?.id)]).toEqual([
      category?.name,
      make?.manuname,
    ])
  }
})

test('a search without results has empty facets; there are none unless requested', async () => {
  const none = await facetsOf({ seller: 'no-such-yard' })
  expect(none).toMatchObject({ categories: [], makes: [], years: [], withPicture: 0 })
  const page = await app.visitor.get<PartsPage>('/parts?q=trellis')
  expect(page.body.facets).toBeUndefined()
})
