import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ErrorReply } from '#contract/endpoint.ts'
import type { Listing } from '#contract/listings.ts'
import type { Card, PartsPage } from '#contract/search/parts-search.ts'
import type { NewListingRow } from '#server/features/market/listings/copy-listings.ts'
import { remarkSides } from '#server/features/market/listings/search-row/search-rows.ts'
import { migrate } from '#server/platform/database/migrations.ts'
import { makeQuickListing } from '#tests/support/make-rows.ts'
import { makeStock } from '#tests/support/make-stock.ts'
import { databaseBefore } from '#tests/support/older-database.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

/* What buyers filter a search by, and how far away parts are. */

const app = await startTestApp()
const older = await databaseBefore('0042')

const tulsa = { city: 'Tulsa', state: 'OK', zip: '74103' }
const stock = [
  {
    name: 'Gantry Mirror, left',
    grade: 'A',
    price_cents: 5_000,
    shipping_kind: 'free',
    miles: 40_000,
    ...tulsa,
  },
  {
    name: 'Gantry Mirror RH',
    grade: 'B',
    price_cents: 7_500,
    shipping_kind: 'pickup',
    miles: 90_000,
    zip: '73102',
  },
  { name: "Gantry Door driver's side", grade: 'A', price_cents: 12_000, city: 'St. Louis', state: 'MO' },
  {
    name: 'Gantry Jack',
    grade: 'C',
    price_cents: 2_000,
    shipping_kind: 'flat',
    shipping_cents: 900,
    city: 'Nowhere',
  },
  {
    name: 'Gantry Lamps left and right',
    price_cents: 3_000,
    latitude: 40.7128,
    longitude: -74.006,
    ...tulsa,
  },
  { name: 'Gantry Mirror, left, hidden', grade: 'A', price_cents: 5_000, status: 'HIDDEN', ...tulsa },
] satisfies Partial<NewListingRow>[]
const [mirrorLeft, mirrorRight, door, jack, lamps] = stock.map(({ name }) => name)

let seller: SignedIn
let other: SignedIn
let slug: string
beforeAll(async () => {
  seller = await app.signUp()
  other = await app.signUp()
  const { sellerId } = seller.user
  await makeStock(app.db, { sellerId, parts: stock.length }, (at) => stock[at] ?? {})
  await makeStock(app.db, { sellerId: other.user.sellerId, parts: 1 }, () => ({ name: 'Gantry Horn' }))
  const { rows } = await sql<{ slug: string }>`select slug from seller where id = ${sellerId}`.execute(app.db)
  slug = rows[0]?.slug ?? ''
})

const find = async (filters: Record<string, string>) => {
  const query = new URLSearchParams({ q: 'gantry', perPage: '48', ...filters })
  return (await app.visitor.get<PartsPage>(`/parts?${query}`)).body
}
const names = async (filters: Record<string, string>) =>
  (await find(filters)).items.map(({ partname }) => partname)

describe('GET /parts', () => {
  test.each<[filters: Record<string, string>, found: (string | undefined)[]]>([
    [{ side: 'left' }, [mirrorLeft, door]],
    [{ side: 'right' }, [mirrorRight]],
    [{ grade: 'A' }, [mirrorLeft, door]],
    [{ grade: 'B,C' }, [mirrorRight, jack]],
    [{ priceMin: '50', priceMax: '75' }, [mirrorLeft, mirrorRight]],
    [{ priceMax: '20' }, [jack, 'Gantry Horn']],
    [{ priceMin: '120' }, [door]],
    [{ priceMin: '90', priceMax: '80' }, []],
    [{ milesMax: '40000' }, [mirrorLeft]],
    [{ shipping: 'free,flat' }, [mirrorLeft, jack]],
    [{ shipping: 'pickup' }, [mirrorRight]],
    [{ seller: 'no-such-yard' }, []],
    [{ zip: '74103', radius: '10' }, [mirrorLeft]],
    [{ zip: '74103', radius: '150' }, [mirrorLeft, mirrorRight]],
    [{ zip: '10001', radius: '20' }, [lamps]],
    [
      { side: 'left', grade: 'A', priceMax: '60', zip: '73102', radius: '120', shipping: 'free' },
      [mirrorLeft],
    ],
    [{ side: 'left', grade: 'B' }, []],
    // What an unset filter sends.
    [
      {
        side: '',
        grade: '',
        priceMin: '',
        priceMax: '',
        milesMax: '',
        zip: '',
        radius: '',
        shipping: '',
        hasPicture: '',
        seller: '',
        sort: '',
        priceMax2: '20',
      },
      [...stock.slice(0, 5).map(({ name }) => name), 'Gantry Horn'],
    ],
  ])('%j', async (filters, found) => {
    const { items, total } = await find(filters)
    expect(items.map(({ partname }) => partname).toSorted()).toEqual(found.toSorted())
    expect(total).toBe(found.length)
    // Again, as a search that is known.
    for (let again = 0; again < 4; again += 1) {
      expect((await names(filters)).toSorted()).toEqual(found.toSorted())
    }
  })

  test('one seller’s parts, without words, too', async () => {
    expect(await names({ seller: slug, q: '' })).toHaveLength(5)
    expect(await names({ seller: slug, grade: 'A', q: '' })).toEqual([door, mirrorLeft])
  })

  test('the nearest first, and how far each is; parts of an unknown place come last', async () => {
    const { items } = await find({ zip: '74103', sort: 'nearest' })
    expect(items.map(({ partname, distanceMiles }) => [partname, distanceMiles])).toEqual([
      [mirrorLeft, 0],
      // 97, 361 and 1,231 miles as the crow flies.
      [mirrorRight, 97],
      [door, expect.closeTo(361, -1)],
      [lamps, expect.closeTo(1_231, -1)],
      ['Gantry Horn', undefined],
      [jack, undefined],
    ])
    expect(await names({ zip: '74103', sort: 'nearest', radius: '150' })).toEqual([mirrorLeft, mirrorRight])
    const everything = await find({ q: '', zip: '10001', sort: 'nearest' })
    expect(everything.items[0]?.partname).toBe(lamps)
  })

  test('any other order shows distances, too; without a ZIP code, nearest means newest', async () => {
    const cheap = await find({ zip: '73102', sort: 'price-low', priceMin: '50' })
    expect(cheap.items.map(({ partname, distanceMiles }) => [partname, distanceMiles])).toEqual([
      [mirrorLeft, 97],
      [mirrorRight, 0],
      [door, expect.any(Number)],
    ])
    const [newest] = await names({ sort: 'nearest' })
    expect(newest).toBe('Gantry Horn')
  })

  test('parts with a picture, as soon as it is there and until it is gone', async () => {
    const { rows } = await sql<{ id: string }>`select id from listing where name = ${jack}`.execute(app.db)
    const id = rows[0]?.id
    expect(await names({ hasPicture: '1' })).toEqual([])
    await sql`insert into listing_image (listing_id, source_url, state) values (${id}, 'https://x.example', 'pending')`.execute(
      app.db,
    )
    expect(await names({ hasPicture: '1' })).toEqual([])
    await sql`update listing_image set state = 'ready', sha256 = 'ab', width = 1, height = 1 where listing_id = ${id}`.execute(
      app.db,
    )
    expect(await names({ hasPicture: '1' })).toEqual([jack])
    // A change of its text keeps it.
    await seller.api.put(`/seller/parts/${id}`, { partgrade: 'D' })
    expect(await names({ hasPicture: '1', grade: 'D' })).toEqual([jack])
    await seller.api.put(`/seller/parts/${id}`, { partgrade: 'C' })
    await sql`delete from listing_image where listing_id = ${id}`.execute(app.db)
    expect(await names({ hasPicture: '1' })).toEqual([])
  })

  test.each([
    [{ side: 'up' }, 400, 'side'],
    [{ grade: 'A,E' }, 400, 'grade'],
    [{ priceMin: '-1' }, 400, 'priceMin'],
    [{ priceMax: 'cheap' }, 400, 'priceMax'],
    [{ milesMax: 'few' }, 400, 'milesMax'],
    [{ shipping: 'quote' }, 400, 'shipping'],
    [{ zip: '7410' }, 400, 'zip'],
    [{ zip: '00000' }, 422, 'zip'],
    [{ sort: 'best' }, 400, 'sort'],
  ])('%j is refused with the field', async (filters, status, field) => {
    const refused = await app.visitor.get<ErrorReply>(`/parts?${new URLSearchParams(filters)}`)
    expect(refused.status).toBe(status)
    expect(refused.body.fields).toEqual({ [field]: expect.any(String) })
    expect(refused.body.error).not.toContain('Invalid input')
  })
})

describe('where a listing is', () => {
  const places = async (ids: string[]) => {
    const { rows } = await sql<{ place: string | null }>`
      select round(place_latitude(place)::numeric, 1) || ' ' || round(place_longitude(place)::numeric, 1) as place
      from listing_search where listing_id = any(${ids}::uuid[]) order by listing_id
    `.execute(app.db)
    return rows.map(({ place }) => place)
  }
  const TULSA = '36.2 -96.0'

  test.each<[Partial<NewListingRow>, string | null]>([
    [{ zip: '74103' }, TULSA],
    [{ zip: '74103-1234' }, TULSA],
    // A spreadsheet ate the zero of 02139.
    [{ zip: '2139' }, '42.4 -71.1'],
    [{ zip: '99999', city: 'tulsa ', state: 'OK' }, '36.1 -96.0'],
    [{ city: 'Saint Louis', state: 'MO' }, '38.6 -90.3'],
    [{ city: 'Tulsa' }, null],
    [{ latitude: 30.01, longitude: -90.02, zip: '74103' }, '30.0 -90.0'],
    [{ latitude: 0, longitude: 0, zip: '74103' }, TULSA],
    [{}, null],
  ])('%j', async (columns, place) => {
    const ids = await makeStock(app.db, { sellerId: other.user.sellerId, parts: 1 }, () => columns)
    expect(await places(ids)).toEqual([place])
  })

  test('is its seller’s yard if it does not say', async () => {
    const yard = await app.signUp()
    const { sellerId } = yard.user
    await sql`insert into seller_location (seller_id, name, city, state) values (${sellerId}, 'Yard', 'Tulsa', 'OK')`.execute(
      app.db,
    )
    const ids = await makeStock(app.db, { sellerId, parts: 1 })
    expect(await places(ids)).toEqual(['36.1 -96.0'])
  })

  test('follows an edit, a bulk edit and its undo', async () => {
    const admin = await app.signUp({ role: 'admin' })
    const { id } = await makeQuickListing(seller.api, { partname: 'Wandering Part' })
    expect(await places([id])).toEqual([TULSA])
    await seller.api.put<Listing>(`/seller/parts/${id}`, { zipcode: '10001' })
    expect(await places([id])).toEqual(['40.8 -74.0'])
    const items = [{ id, zipcode: '02139' }]
    const saved = await admin.api.post<{ changeSetId: string }>('/admin/parts/bulk-update', { items })
    expect(await places([id])).toEqual(['42.4 -71.1'])
    const near = async () =>
      (await app.visitor.get<PartsPage>('/parts?q=wandering&zip=10001&radius=10')).body.items.map(
        (card: Card) => card.id,
      )
    expect(await near()).toEqual([])
    await admin.api.post(`/admin/change-sets/${saved.body.changeSetId}/undo`)
    expect(await places([id])).toEqual(['40.8 -74.0'])
    expect(await near()).toEqual([id])
  })
})

test('a side that a name says by newer rules is found, also of a listing that was marked before', async () => {
  const names = ['Paddock Fender RT', 'Paddock Puerta derecha', 'Paddock RR Bumper', 'Paddock Door LH']
  await makeStock(app.db, { sellerId: other.user.sellerId, parts: 4 }, (at) => ({ name: names[at] ?? '' }))
  // Other words each time: results are remembered until a listing changes.
  const onRight = async (q: string) => {
    const { body } = await app.visitor.get<PartsPage>(`/parts?q=${q}&exact=1&side=right&facets=1`)
    return { found: body.items.map(({ partname }) => partname).toSorted(), sides: body.facets?.sides }
  }
  const current = {
    found: [names[0], names[1]],
    sides: [
      { value: 'left', count: 1 },
      { value: 'right', count: 2 },
    ],
  }
  expect(await onRight('paddock')).toEqual(current)
  await sql`
    update listing_search t set document = ts_delete(t.document, '=right')
      || case when l.name like '%RR%' then '=right'::tsvector else ''::tsvector end
    from listing l where l.id = t.listing_id and l.name like 'Paddock%'
  `.execute(app.db)
  expect((await onRight('paddoc')).found).toEqual([names[2]])
  await sql`delete from loaded_data where name = 'side marks'`.execute(app.db)
  expect(await remarkSides(app.db)).toBe(3)
  expect(await onRight('paddo')).toEqual(current)
  expect(await remarkSides(app.db)).toBe(0)
})

test('listings from before the migration have their places and marks after it', async () => {
  const { pool } = older
  await pool.query(`
    begin;
    select set_config('partharbor.change_set', uuidv7()::text, true);
    insert into seller (slug, name) values ('yard', 'Yard');
    insert into listing (seller_id, kind, slug, name, manufacturer_name, model_name, year_from, year_to, price_cents, grade, zip)
    select id, 'quick', 'door', 'Door LH', 'Ford', 'F-150', 2009, 2011, 100, 'B', '74103' from seller;
    insert into listing_image (listing_id, sha256) select id, 'ab' from listing;
    insert into listing_search (listing_id, seller_id, live, document) select id, seller_id, true, 'door @2009' from listing;
    commit`)
  await migrate(pool)
  const { rows } = await pool.query(`
    select document @@ '''door'' & ''@2009'' & ''=b'' & ''=left'' & ''=quote'' & ''=picture''' as marked,
           miles_between(place, (select place from zip where zip = '73102'))::int as miles,
           (select count(*)::int from listing_place) as places
    from listing_search`)
  expect(rows).toEqual([{ marked: true, miles: 97, places: 1 }])
})
