import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { CarModel, Category, Manufacturer } from '#contract/lookups.ts'
import { nameSlug } from '#contract/pages/name-slugs.ts'
import type { PartsPage } from '#contract/search/parts-search.ts'
import { readConditions } from '#server/features/finding/saved-searches/conditions.ts'
import { MAX_WAITING } from '#server/features/finding/saved-searches/found-mails.ts'
import { lockOwner, storeSearch } from '#server/features/finding/saved-searches/saved-searches.ts'
import { matchingIds } from '#server/features/finding/search/matches/match-queries.ts'
import { searchOf } from '#server/features/finding/search/query/conditions.ts'
import { openReading, readAddress } from '#server/features/finding/search/query/reading.ts'
import type { NewListingRow } from '#server/features/market/listings/copy-listings.ts'
import { seededRandom } from '#server/platform/seeded-random.ts'
import { atLength } from '#tests/support/at-length.ts'
import { makeStock } from '#tests/support/make-stock.ts'
import { savedSearchesOf } from '#tests/support/saved-searches.ts'
import { startTestApp } from '#tests/support/test-app.ts'

/* A saved search finds, of what comes in, exactly what the list shows for its query. */

const app = await startTestApp()
const { match } = savedSearchesOf(app)

const SEARCHES = atLength({ full: 400, brief: 150 })
const PARTS = atLength({ full: 400, brief: 150 })
const random = seededRandom('saved searches')
const maybe = <T>(share: number, value: () => T): T | undefined =>
  random.chance(share) ? value() : undefined

const makes = ['Honda', 'Ford', 'Toyota']
const carNames = ['Accord', 'Civic', 'F-150', 'Ranger', 'Camry', 'Corolla']
const typeNames = [
  'Alternator',
  'Door Mirror',
  'Headlamp Assembly',
  'Automatic Transmission',
  'Wheel',
  'Hood',
]
const spoken = ['alternator', 'mirror', 'headlight', 'transmission', 'wheel', 'hood', 'engine']
const words = ['chrome', 'brembo', 'v6', '5.3l', '17 inch', 'tow', 'oem', 'lx', 'a/c']
const exclusions = [
  'without chrome',
  '-v6',
  'not 5.3l',
  '-lx',
  'no oem',
  'not left',
  '-honda',
  '-accord',
  'not 2012',
]
const numbers = ['27060-0V210', 'CL34-13W030', '8L3Z17682AB']
const shippings = [
  { shipping_kind: 'free' },
  { shipping_kind: 'flat', shipping_cents: 900 },
  { shipping_kind: 'pickup' },
]
const zips = ['74103', '73102', '10001']

async function readLookups() {
  const read = async <T>(path: string) => (await app.visitor.get<T[]>(path)).body
  const categories = (await read<Category>('/categories')).filter(({ name }) => typeNames.includes(name))
  const manufacturers = (await read<Manufacturer>('/manufacturers')).filter(({ manuname }) =>
    makes.includes(manuname),
  )
  const lists = await Promise.all(manufacturers.map(({ id }) => read<CarModel>(`/carmodels?manuId=${id}`)))
  const models = lists.flat().filter(({ carname }) => carNames.includes(carname))
  return { categories, manufacturers, models }
}
type Lookups = Awaited<ReturnType<typeof readLookups>>

function anyQuery({ categories, manufacturers, models }: Lookups, seller: string): string {
  const q = [
    maybe(0.3, () => String(random.whole(2008, 2014))),
    maybe(0.3, () => random.pick(makes)),
    maybe(0.4, () => random.pick(carNames)),
    maybe(0.2, () => random.pick(['left', 'rh', 'front', 'passenger side'])),
    maybe(0.5, () => random.pick(spoken)),
    maybe(0.2, () => random.pick(words)),
    maybe(0.1, () => random.pick(numbers)),
    maybe(0.3, () =>
      random.pick([...exclusions, `not ${random.pick(numbers)}`, 'not from Pecan Creek Used Auto']),
    ),
    maybe(0.05, () => 'hood strut'),
  ].filter((word) => word !== undefined)
  const manufacturer = maybe(0.1, () => random.pick(manufacturers))
  const zip = maybe(0.2, () => random.pick(zips))
  const filters = {
    q: q.join(' '),
    categoryId: maybe(0.15, () => random.pick(categories).id),
    manuId: manufacturer?.id,
    modelId: maybe(0.1, () => random.pick(models).id),
    year: maybe(0.1, () => String(random.whole(2008, 2014))),
    side: maybe(0.1, () => random.pick(['left', 'right'])),
    priceMin: maybe(0.1, () => String(random.whole(10, 200))),
    priceMax: maybe(0.2, () => String(random.whole(50, 400))),
    grade: maybe(0.1, () => random.pick(['A', 'B', 'A,B'])),
    milesMax: maybe(0.1, () => String(random.whole(50_000, 150_000))),
    zip,
    radius: zip && maybe(0.4, () => random.pick(['20', '100', '1500'])),
    within: zip && maybe(0.6, () => random.pick(['20', '100', '1500'])),
    shipping: maybe(0.1, () => random.pick(['free', 'pickup', 'free,flat'])),
    hasPicture: maybe(0.05, () => '1'),
    seller: maybe(0.05, () => seller),
    category: maybe(0.1, () => nameSlug(random.pick(categories).name)),
    make: maybe(0.05, () => nameSlug(random.pick(manufacturers).manuname)),
    model: maybe(0.05, () => nameSlug(random.pick(models).carname)),
    exact: maybe(0.1, () => '1'),
  }
  return new URLSearchParams(
    Object.entries(filters).filter((entry): entry is [string, string] => Boolean(entry[1])),
  ).toString()
}

function anyPart({ categories, manufacturers, models }: Lookups): Partial<NewListingRow> {
  const category = random.pick(categories)
  const model = random.pick(models)
  const manufacturer = manufacturers.find(({ id }) => id === model.manuId)
  const year = random.whole(2007, 2015)
  const side = maybe(0.5, () =>
    random.pick(['left', 'RH', 'driver side', 'front', 'rear left', 'left and right']),
  )
  return {
    name: [category.name, side, maybe(0.2, () => random.pick(words))].filter(Boolean).join(' '),
    description: [maybe(0.4, () => random.pick(words)), maybe(0.2, () => random.pick(spoken))]
      .filter(Boolean)
      .join(' '),
    category_id: random.chance(0.9) ? category.id : null,
    manufacturer_id: random.chance(0.9) ? (manufacturer?.id ?? null) : null,
    manufacturer_name: manufacturer?.manuname ?? '',
    car_model_id: random.chance(0.8) ? model.id : null,
    model_name: model.carname,
    year_from: year,
    year_to: year + random.whole(0, 3),
    part_number: maybe(0.2, () => random.pick(numbers)) ?? null,
    grade: maybe(0.8, () => random.pick(['A', 'B', 'C'])) ?? null,
    miles: maybe(0.7, () => random.whole(20_000, 180_000)) ?? null,
    price_cents: random.whole(10, 400) * 100,
    ...random.pick(shippings),
    ...(random.chance(0.8) && { zip: random.pick(zips) }),
  }
}

const ask = openReading(app.clock.now)

/** What the list shows for a query. If nothing has all of it, it shows something else, for which nobody waits. */
async function shownFor(query: string): Promise<string[]> {
  const { asked } = await ask(app.db, readAddress(new URLSearchParams(query)).query)
  const search = asked === 'nothing' ? undefined : searchOf(asked)
  if (!search) return []
  const { rows } = await sql`select from (${matchingIds(search)}) found limit 1`.execute(app.db)
  if (rows.length === 0) return []
  const ids: string[] = []
  for (let page = 1; ; page += 1) {
    const { body } = await app.visitor.get<PartsPage>(`/parts?${query}&perPage=100&page=${page}`)
    ids.push(...body.items.map(({ id }) => id))
    if (page >= body.lastPage) return ids.toSorted()
  }
}

test('for random parts and queries', async () => {
  const lookups = await readLookups()
  const seller = await app.signUp()
  const excluded = await app.signUp()
  await app.db
    .updateTable('seller')
    .set({ name: 'Pecan Creek Used Auto' })
    .where('id', '=', excluded.user.sellerId)
    .execute()
  // A seller without parts for sale is nobody's word.
  await makeStock(app.db, { sellerId: excluded.user.sellerId, parts: 1 }, () => anyPart(lookups))
  const saved: string[] = []
  let refused = 0
  for (let n = 0; n < SEARCHES; n += 1) {
    const conditions = await readConditions(app.db, ask, anyQuery(lookups, seller.user.sellerSlug))
    if (conditions.problem) refused += 1
    else {
      saved.push(conditions.query)
      await app.db.transaction().execute(async (trx) => {
        const owner = await lockOwner(trx, { email: `buyer-${n}@garage.example` })
        const now = app.clock.now()
        await storeSearch(trx, { owner, conditions, frequency: 'hourly', confirmedAt: now, now })
      })
    }
  }
  expect(refused).toBeLessThan(SEARCHES / 2)
  const { sellerId } = seller.user
  const ids = await makeStock(app.db, { sellerId, parts: PARTS }, () => anyPart(lookups))
  await makeStock(app.db, { sellerId: excluded.user.sellerId, parts: PARTS / 10 }, () => anyPart(lookups))
  const pictured = ids.filter((_, at) => at % 3 === 0)
  await sql`
    insert into listing_image (listing_id, sha256, width, height)
    select id, md5(id::text), 1, 1 from unnest(${pictured}::uuid[]) id
  `.execute(app.db)
  await match()
  const { rows } = await sql<{ query: string; ids: string[]; waiting: number }>`
    select s.query, s.waiting, array_agg(h.listing_id order by h.listing_id) filter (where h.listing_id is not null) as ids
    from saved_search s left join saved_search_hit h on h.search_id = s.id group by s.id
  `.execute(app.db)
  let matches = 0
  for (const { query, ids, waiting } of rows) {
    const shown = await shownFor(query)
    const found = ids ?? []
    expect([query, waiting]).toEqual([query, found.length])
    if (shown.length <= MAX_WAITING) expect([query, found]).toEqual([query, shown])
    else
      expect([query, found.length, found.every((id) => shown.includes(id))]).toEqual([
        query,
        MAX_WAITING,
        true,
      ])
    matches += found.length
  }
  expect(rows.length).toBe(saved.length)
  expect(matches).toBeGreaterThan((SEARCHES * PARTS) / 160)
}, 120_000)
