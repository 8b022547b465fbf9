import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { CarModel, Category, Manufacturer } from '#contract/lookups.ts'
import type { PartsPage } from '#contract/search/parts-search.ts'
import { makeQuickListing } from '#tests/support/make-rows.ts'
import { makeStock } from '#tests/support/make-stock.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

/* Addresses of searches that people can read: names in place of ids, a chip and words for each filter. */

const app = await startTestApp()
let seller: SignedIn
let admin: SignedIn
let makes: Manufacturer[]
let categories: Category[]
const idOf = (name: string) =>
  [...makes.map(({ id, manuname }) => ({ id, name: manuname })), ...categories].find(
    (one) => one.name === name,
  )?.id ?? ''
const modelIdOf = async (make: string, name: string) =>
  (await app.visitor.get<CarModel[]>(`/carmodels?manuId=${idOf(make)}`)).body.find(
    ({ carname }) => carname === name,
  )?.id ?? ''

async function list(partname: string, make: string, partmodel: string, more: object = {}) {
  return makeQuickListing(seller.api, {
    partname,
    partmanuId: idOf(make),
    partmodel,
    partmodelId: await modelIdOf(make, partmodel),
    partcategoryId: idOf('Alternator'),
    partyear: '2014',
    ...more,
  })
}

beforeAll(async () => {
  seller = await app.signUp()
  admin = await app.signUp({ role: 'admin' })
  makes = (await app.visitor.get<Manufacturer[]>('/manufacturers')).body
  categories = (await app.visitor.get<Category[]>('/categories')).body
  await list('Gable alternator', 'Toyota', 'Camry')
  await list('Gable door', 'Toyota', 'Camry', { partcategoryId: idOf('Front Door'), partyear: '2012' })
  await list('Gable rotor', 'Toyota', 'Corolla')
  await list('Gable lamp', 'Ford', 'Ranger', { partcategoryId: idOf('Headlamp Assembly') })
})

const find = async (query: string) => (await app.visitor.get<PartsPage>(`/parts?${query}`)).body
const names = async (query: string) => (await find(query)).items.map(({ partname }) => partname).toSorted()
const filters = ({ understood }: PartsPage) =>
  understood.flatMap(({ kind, label }) => (kind === 'filter' ? label : []))

describe('filters by name', () => {
  test.each([
    ['make=toyota', ['Gable alternator', 'Gable door', 'Gable rotor']],
    ['make=toyota&model=camry', ['Gable alternator', 'Gable door']],
    ['make=toyota&model=camry&year=2014', ['Gable alternator']],
    ['category=alternator', ['Gable alternator', 'Gable rotor']],
    ['category=front-door&model=camry', ['Gable door']],
    ['model=ranger', ['Gable lamp']],
    // Words narrow it further.
    ['make=toyota&q=door', ['Gable door']],
    ['make=toyota&model=ranger', ['Gable alternator', 'Gable door', 'Gable rotor']],
    ['make=toyoda-motors&category=front-door', ['Gable door']],
    ['', ['Gable alternator', 'Gable door', 'Gable lamp', 'Gable rotor']],
  ])('%s', async (query, found) => {
    expect(await names(query)).toEqual(found)
    expect(await names(query)).toEqual(found)
  })

  test('mean the same as their ids, and are counted beside them', async () => {
    const modelId = await modelIdOf('Toyota', 'Camry')
    const byId = await find(`manuId=${idOf('Toyota')}&modelId=${modelId}&facets=1`)
    const bySlug = await find('make=toyota&model=camry&facets=1')
    expect(byId.items).toEqual(bySlug.items)
    expect(byId.chosen).toEqual(bySlug.chosen)
    expect(byId.facets).toEqual(bySlug.facets)
    expect(byId.facets?.models.map(({ slug, count }) => [slug, count])).toEqual([
      ['camry', 2],
      ['corolla', 1],
    ])
    expect(byId.facets?.categories.map(({ slug }) => slug)).toContain('front-door')
    expect(filters(byId)).toEqual(['Toyota', 'Camry'])
  })

  test('a model without its make is any with that name', async () => {
    await admin.api.post('/carmodel', { carname: 'Gabletop', manuId: idOf('Toyota') })
    await admin.api.post('/carmodel', { carname: 'Gabletop', manuId: idOf('Ford') })
    for (const make of ['Toyota', 'Ford']) await list(`Gabletop of ${make}`, make, 'Gabletop')
    expect(await names('model=gabletop')).toEqual(['Gabletop of Ford', 'Gabletop of Toyota'])
    expect(await names('model=gabletop&make=ford')).toEqual(['Gabletop of Ford'])
    expect((await find('model=gabletop&facets=1')).facets?.makes.map(({ slug }) => slug)).toEqual([
      'toyota',
      'ford',
    ])
  })

  test('an unknown name filters nothing and says so', async () => {
    const found = await find('make=toyoda-motors&category=front-door')
    expect(found.understood.map(({ label, isUnknown, without }) => [label, isUnknown, without])).toEqual([
      ['Make “toyoda-motors” not found', true, 'category=front-door'],
      ['Front Door', undefined, 'make=toyoda-motors'],
    ])
    expect(found.title).toBe('Front Door')
    const save = await app.visitor.post<{ fields: object }>('/saved-searches/new', {
      query: 'make=toyoda-motors&category=front-door',
      email: 'someone@buyers.example',
      frequency: 'daily',
    })
    expect([save.status, save.body.fields]).toEqual([
      422,
      { query: 'We don’t know this make. Choose another one.' },
    ])
  })

  test('a renamed or merged name is found under its former one, and its page redirects', async () => {
    const { body: made } = await admin.api.post<Manufacturer>('/manufacturer', { manuname: 'Gable Motors' })
    await admin.api.post('/carmodel', { carname: 'One', manuId: made.id })
    makes.push(made)
    await list('Gable hood', 'Gable Motors', 'One')
    expect(await names('make=gable-motors')).toEqual(['Gable hood'])
    await admin.api.put(`/admin/lookups/manufacturer/${made.id}`, { name: 'Gable & Sons' })
    const renamed = await find('make=gable-motors&year=2014')
    expect(renamed.chosen).toEqual({ make: { slug: 'gable-and-sons', name: 'Gable & Sons' } })
    expect(await names('make=gable-motors')).toEqual(['Gable hood'])
    const page = await app.http.inject({ method: 'GET', url: '/parts?make=gable-motors&year=2014' })
    expect([page.statusCode, page.headers.location]).toEqual([301, '/parts?make=gable-and-sons&year=2014'])
    const current = await app.http.inject({ method: 'GET', url: '/parts?make=gable-and-sons' })
    expect(current.statusCode).toBe(200)
    const old = await app.http.inject({ method: 'GET', url: `/parts?manuId=${made.id}` })
    expect(old.statusCode).toBe(200)
    const { body: into } = await admin.api.post<Manufacturer>('/manufacturer', { manuname: 'Gable Works' })
    const merged = await admin.api.post(`/admin/lookups/manufacturer/${made.id}/merge`, { into: into.id })
    expect(merged.status).toBeLessThan(300)
    expect((await find('make=gable-and-sons')).chosen?.make?.slug).toBe('gable-works')
    expect((await find(`manuId=${made.id}`)).chosen?.make?.slug).toBe('gable-works')
  })
})

describe('a search in words', () => {
  test('has a chip for each filter, which takes only it away', async () => {
    const query =
      'q=gable&make=toyota&model=camry&year=2014&category=alternator&priceMin=10&priceMax=150&grade=A,B&milesMax=90000&side=left&shipping=pickup&hasPicture=1&zip=74103&within=50'
    const found = await find(query)
    expect(filters(found)).toEqual([
      'Toyota',
      'Camry',
      'Alternator',
      '2014',
      'Left side',
      '$10 to $150',
      'Grade A or B',
      'Up to 90,000 miles on it',
      'Within 50 mi of 74103 or shipped',
      'Pickup only',
      'With a picture',
    ])
    const all = new URLSearchParams(query)
    for (const { kind, name, without } of found.understood) {
      if (kind !== 'filter') continue
      const gone = [...all.keys()].filter((one) => !new URLSearchParams(without).has(one))
      expect([name, gone]).toEqual([name, name === 'priceMax' ? ['priceMin', 'priceMax'] : [name]])
    }
    expect(found.title).toBe(
      '2014 Toyota Camry Alternator gable, left, $10 to $150, grade A or B, up to 90,000 miles on it, within 50 mi of 74103 or shipped, pickup only, with a picture',
    )
  })

  test('names old ids by their slugs in its links', async () => {
    const modelId = await modelIdOf('Toyota', 'Camry')
    const { understood } = await find(`modelId=${modelId}&categoryId=${idOf('Alternator')}&year=2014`)
    expect(understood.map(({ label, without }) => [label, without])).toEqual([
      ['Camry', 'year=2014&category=alternator'],
      ['Alternator', 'make=toyota&model=camry&year=2014'],
      ['2014', 'make=toyota&model=camry&category=alternator'],
    ])
  })

  test('a seller’s name and a bare ZIP code are chips, too', async () => {
    const { rows } = await sql<{ slug: string; name: string }>`
      select slug, name from seller where id = ${seller.user.sellerId}`.execute(app.db)
    const [yard] = rows
    expect(filters(await find(`seller=${yard?.slug}&zip=74103`))).toEqual([
      `From ${yard?.name}`,
      'Distance from 74103',
    ])
    expect(filters(await find('seller=no-such-yard'))).toEqual(['Seller “no-such-yard” not found'])
    expect((await find('')).title).toBeUndefined()
  })

  test('is the heading and the title of its page', async () => {
    const { body } = await app.http.inject({ method: 'GET', url: '/parts?make=toyota&model=camry&year=2014' })
    expect(body).toMatch(/<h1[^>]*>2014 Toyota Camry parts<\/h1>/)
    expect(body).toMatch(/<title>2014 Toyota Camry parts \|/)
    for (const label of ['Toyota', 'Camry', '2014'])
      expect(body).toContain(`Remove </span> <!-- -->${label}<`)
  })
})

describe('filters that leave nothing', () => {
  test('are offered to be removed, each that would help alone', async () => {
    const found = await find('make=toyota&model=camry&year=2014&grade=D&q=alternator')
    expect(found.total).toBe(0)
    expect(found.offers).toEqual([
      { label: 'Grade D', without: 'q=alternator&make=toyota&model=camry&year=2014', total: 1 },
    ])
    // Never dropped silently.
    expect(found.items).toEqual([])
    const page = await app.http.inject({
      method: 'GET',
      url: '/parts?make=toyota&model=camry&year=2014&grade=D&q=alternator',
    })
    expect(page.body).toContain('Remove “Grade D”')
  })

  test('the one that finds most comes first; none without results or without filters', async () => {
    const { offers } = await find('category=headlamp-assembly&make=toyota&model=camry')
    expect(offers?.map(({ label, total }) => [label, total])).toEqual([['Headlamp Assembly', 2]])
    const both = await find('category=alternator&year=2012&make=toyota&model=camry')
    expect(both.offers?.map(({ label, total }) => [label, total])).toEqual([
      ['Alternator', 1],
      ['2012', 1],
    ])
    const [most] = (await find('category=alternator&year=2012&make=toyota')).offers ?? []
    expect(most?.label).toBe('2012')
    expect((await find('q=zzyzx')).offers).toBeUndefined()
    expect((await find('make=toyota')).offers).toBeUndefined()
  })
})

describe('ZIP code and distance', () => {
  const near = 'Gambrel near'
  const pickupFar = 'Gambrel pickup, far'
  const shipped = 'Gambrel free, far'
  const quoted = 'Gambrel quote, far'
  const nowhere = 'Gambrel flat, unknown place'
  beforeAll(async () => {
    const stock = [
      { name: near, shipping_kind: 'pickup', zip: '74103' },
      { name: pickupFar, shipping_kind: 'pickup', zip: '10001' },
      { name: shipped, shipping_kind: 'free', zip: '10001' },
      { name: quoted, shipping_kind: 'quote', zip: '10001' },
      { name: nowhere, shipping_kind: 'flat', shipping_cents: 900 },
    ]
    const yard = await app.signUp()
    await makeStock(app.db, { sellerId: yard.user.sellerId, parts: stock.length }, (at) => stock[at] ?? {})
  })

  test.each([
    ['zip=74103', [near, pickupFar, shipped, quoted, nowhere]],
    ['zip=74103&within=50', [near, shipped, quoted, nowhere]],
    ['zip=74103&within=50&sort=nearest', [near, shipped, quoted, nowhere]],
    ['zip=74103&within=50&sort=price-low', [near, shipped, quoted, nowhere]],
    ['zip=74103&radius=50', [near]],
    ['zip=74103&radius=50&within=5000', [near]],
    ['zip=74103&within=50&shipping=pickup', [near]],
    ['within=50', [near, pickupFar, shipped, quoted, nowhere]],
    ['shipping=pickup', [near, pickupFar]],
  ])('%s', async (query, found) => {
    for (let again = 0; again < 3; again += 1) {
      expect(await names(`q=gambrel&${query}`)).toEqual(found.toSorted())
    }
  })

  test('within shows the nearest first, and counts in its facets what it finds', async () => {
    const found = await find('q=gambrel&zip=74103&within=50&sort=nearest&facets=1')
    expect(found.items[0]?.partname).toBe(near)
    expect(found.facets?.shipping).toEqual([
      { value: 'flat', count: 1 },
      { value: 'free', count: 1 },
      { value: 'pickup', count: 2 - 1 },
    ])
  })
})
