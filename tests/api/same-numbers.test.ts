import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { PartsPage } from '#contract/search/parts-search.ts'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import type { NewListingRow } from '#server/features/market/listings/copy-listings.ts'
import { readLookupIds } from '#server/features/running/demo/load-demo.ts'
import { makeStock } from '#tests/support/make-stock.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

/* Parts of other years and models whose number our own stock has from the vehicle that is asked for. */

const app = await startTestApp()
let one: SignedIn
let two: SignedIn
let lookups: Awaited<ReturnType<typeof readLookupIds>>

beforeAll(async () => {
  one = await app.signUp()
  two = await app.signUp()
  lookups = await readLookupIds(app.db)
})

type Part = {
  year: number
  yearTo?: number
  number: string
  type: string
  car?: string
  isOld?: boolean
  sold?: boolean
}

async function list(
  seller: SignedIn,
  { year, yearTo = year, number, type, car = 'Ford/F-150', isOld, sold }: Part,
): Promise<string> {
  const [make = '', model = ''] = car.split('/')
  const row: Partial<NewListingRow> = {
    name: type,
    category_id: lookups.categories.get(type) ?? null,
    manufacturer_id: lookups.manufacturers.get(make) ?? null,
    manufacturer_name: make,
    car_model_id: lookups.models.get(car) ?? null,
    model_name: model,
    year_from: year,
    year_to: yearTo,
    part_number: number,
    ...(isOld && { created_at: new Date(Date.now() - 91 * 86_400_000) }),
  }
  const [id = ''] = await makeStock(app.db, { sellerId: seller.user.sellerId, parts: 1 }, () => row)
  if (sold)
    expect((await seller.api.post(`/seller/parts/${id}/end`, { reason: 'sold-elsewhere' })).status).toBe(200)
  return id
}

const find = async (q: string) =>
  (await app.visitor.get<PartsPage>(`/parts?${new URLSearchParams({ q, facets: '1' })}`)).body
const found = ({ items }: PartsPage) => items.map(({ id, interchange }) => [id, interchange])
const reasons = ({ items, near }: PartsPage) =>
  [...items, ...(near?.items ?? [])].flatMap(({ interchange }) => interchange ?? [])

describe('a number that two sellers have', () => {
  let from2016: string
  let ofNavigator: string

  beforeAll(async () => {
    await list(one, { year: 2018, number: 'JL3Z-13008-A', type: 'Headlamp Assembly', sold: true })
    from2016 = await list(two, { year: 2016, number: 'JL3Z13008A', type: 'Headlamp Assembly' })
    ofNavigator = await list(two, {
      year: 2017,
      number: 'JL3Z 13008 A',
      type: 'Headlamp Assembly',
      car: 'Ford/Expedition',
    })
    await list(two, { year: 2015, number: 'FL3Z-13008-B', type: 'Headlamp Assembly' })
    await list(two, { year: 2017, number: 'JL3Z-13008-A', type: 'Fog Lamp' })
    await list(two, {
      year: 2017,
      number: 'JL3Z-13008-A',
      type: 'Headlamp Assembly',
      car: 'Lincoln/Navigator',
    })
  })

  test('leads to parts of another year and model of the make, before those of other years', async () => {
    const page = await find('2018 f-150 headlight')
    const why = 'Same part number as a 2018 F-150’s'
    expect(found(page)).toEqual([
      [ofNavigator, why],
      [from2016, why],
    ])
    expect(page).toMatchObject({ total: 2, lastPage: 1 })
    expect(page.relaxed).toEqual({
      sentence:
        'No headlamp assemblies for a 2018 F-150 right now. Showing 2 with a part number that was pulled from one; check the fit.',
      dropped: ['year', 'model'],
    })
    expect(page.near?.items.map(({ partyear, interchange }) => [partyear, interchange])).toContainEqual([
      '2015',
      undefined,
    ])
    expect(page.facets?.categories.map(({ name, count }) => [name, count])).toEqual([
      ['Headlamp Assembly', 2],
    ])
  })

  test('is not asked of a search for exactly these words, nor for another year or any year', async () => {
    for (const q of ['2019 f-150 headlight', 'f-150 headlight', '2018 ford headlight']) {
      expect([q, reasons(await find(q))]).toEqual([q, []])
    }
    const exact = await app.visitor.get<PartsPage>('/parts?q=2018+f-150+headlight&exact=1')
    expect(reasons(exact.body)).toEqual([])
  })

  test('is shown besides the few that were found', async () => {
    const own = await list(one, { year: 2018, number: 'JL3Z-13008-C', type: 'Headlamp Assembly' })
    const page = await find('2018 f150 headlamp')
    expect(found(page)).toEqual([[own, undefined]])
    expect(page.near?.items.slice(0, 2).map(({ id }) => id)).toEqual([ofNavigator, from2016])
    expect(reasons(page)).toHaveLength(2)
  })
})

describe('a number of one seller', () => {
  test.each([
    ['counts once its listing is older than 90 days', true, ['Same part number as a 2012 Camry’s']],
    ['does not count before', false, []],
  ])('%s', async (_, isOld, expected) => {
    const type = isOld ? 'Alternator' : 'Starter Motor'
    const number = isOld ? '27060-0V210' : '28100-0V010'
    await list(one, { year: 2012, number, type, car: 'Toyota/Camry', isOld, sold: true })
    await list(one, { year: 2014, number, type, car: 'Toyota/Camry' })
    const page = await find(`2012 camry ${type}`)
    expect(page.items.map(({ partyear }) => partyear)).toEqual(['2014'])
    expect(reasons(page)).toEqual(expected)
  })
})

test('of a part that fits several years, none of these is said to be its car’s', async () => {
  const part = { number: '31100-5A2-A02', type: 'Radiator' }
  await list(one, { ...part, year: 2013, yearTo: 2017, car: 'Honda/Civic', isOld: true, sold: true })
  await list(two, { ...part, year: 2019, car: 'Honda/Civic' })
  expect(reasons(await find('2015 civic radiator'))).toEqual(['Same part number as a 2013–2017 Civic’s'])
})

test.each(['12345', '0000000', 'NONE', 'N/A', '1234', 'X1-2', '9876543'])(
  'the placeholder %s is no number',
  async (number) => {
    const type = 'Hood'
    await list(one, { year: 2011, number, type, car: 'Honda/Accord', sold: true })
    await list(two, { year: 2013, number, type, car: 'Honda/Accord' })
    const page = await find('2011 accord hood')
    expect(page.items.length).toBeGreaterThan(0)
    expect(reasons(page)).toEqual([])
  },
)

test('a number that another make has in the same part type says nothing', async () => {
  await list(one, { year: 2011, number: 'AB-55555-C', type: 'Fender', car: 'Honda/Accord', sold: true })
  await list(two, { year: 2011, number: 'AB-55555-C', type: 'Fender', car: 'Acura/TSX' })
  await list(one, { year: 2013, number: 'AB-55555-C', type: 'Fender', car: 'Honda/Accord' })
  const page = await find('2011 accord fender')
  expect(page.items.map(({ partyear }) => partyear)).toEqual(['2013'])
  expect(reasons(page)).toEqual([])
})

test('a part that was scrapped, or sold long ago, says nothing', async () => {
  const part = { year: 2011, number: 'ZZ-10203-K', type: 'Trunk Lid', car: 'Honda/Accord' }
  const id = await list(one, { ...part, sold: true })
  await list(two, { ...part, year: 2013 })
  expect(reasons(await find('2011 accord trunk lid'))).toHaveLength(1)
  const endedAs = (reason: string, days: number) =>
    withChangeSet(app.db, { actorKind: 'system', reason: 'end' }, (trx) =>
      sql`
        update listing set ended_reason = ${reason}, ended_at = now() - make_interval(days => ${days}) where id = ${id}
      `.execute(trx),
    )
  await endedAs('sold-elsewhere', 91)
  expect(reasons(await find('2011 accord trunk lid'))).toEqual([])
  await endedAs('scrapped', 1)
  expect(reasons(await find('2011 accord trunk lid'))).toEqual([])
})

test('what a new seller lists or sold is evidence of nothing', async () => {
  const late = await app.signUp({ isNew: true })
  const part = { number: 'QW-40404-R', type: 'Radiator', car: 'Honda/Accord' }
  await list(late, { ...part, year: 2011, sold: true })
  await list(one, { ...part, year: 2013 })
  expect(reasons(await find('2011 accord radiator'))).toEqual([])
  // Nor does it make that of one seller evidence before its time.
  await list(two, { ...part, number: 'QW-50505-R', year: 2008, sold: true })
  await list(late, { ...part, number: 'QW-50505-R', year: 2006 })
  expect(reasons(await find('2008 accord radiator'))).toEqual([])
})
