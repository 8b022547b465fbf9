import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { ImportReceipt } from '#contract/imports.ts'
import type { Fields } from '#server/features/stock-files/store/staged-record.ts'
import { seededRandom } from '#server/platform/seeded-random.ts'
import { atLength, longTest } from '#tests/support/at-length.ts'
import { proSeller } from '#tests/support/make-imports.ts'
import { makeQuickListing } from '#tests/support/make-rows.ts'
import { stockReader } from '#tests/support/numbered-parts.ts'
import {
  importRows,
  listingsOf,
  MODES,
  partFields,
  partsFields,
  startPromotionWorker,
  undoImport,
} from '#tests/support/promotions.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

/* Many yards number the vehicle: which of its parts a row is. */

const app = await startTestApp()
await startPromotionWorker(app)
const trusted = () => proSeller(app, { trusted: true })
const { living } = stockReader(app)

/** So that no row waits for the seller to say what it is. */
const categories: Fields = {
  Bumper: 'Front Bumper Cover',
  Door: 'Front Door',
  Hood: 'Hood',
  Mirror: 'Side View Mirror',
}

/** A part of the vehicle with stock number V-1. */
const part = (partname: string, partnum: string, changes: Fields = {}): Fields =>
  partFields(1, {
    stocknum: 'V-1',
    partname,
    partnum,
    partcategory: categories[partname] ?? 'Alternator',
    ...changes,
  })

const alternator = part('Alternator', 'A-100')
const radiator = part('Radiator', 'R-200', { partcategory: 'Radiator' })

const shown = async (seller: SignedIn) =>
  (await living(seller)).map(({ name, part_number, price_cents, ended_at }) => [
    name,
    part_number,
    price_cents / 100,
    ended_at === null,
  ])

describe('rows under one stock number', () => {
  test('that swapped places keep their listings', async () => {
    const seller = await trusted()
    await importRows(app, seller, [alternator, radiator])
    const before = (await living(seller)).map(({ id }) => id)
    const done = await importRows(app, seller, [
      { ...radiator, partprice: '20' },
      { ...alternator, partprice: '10' },
    ])
    expect(done.plan).toMatchObject({ create: 0, update: 2 })
    expect(await shown(seller)).toEqual([
      ['Alternator', 'A-100', 10, true],
      ['Radiator', 'R-200', 20, true],
    ])
    expect((await living(seller)).map(({ id }) => id)).toEqual(before)
  })

  const differing: [string, Fields, Fields][] = [
    ['by number, however it is spelled', { partnum: 'a100' }, { partnum: 'R.200' }],
    ['by name, without numbers', { partnum: '' }, { partnum: '' }],
    ['by name, with other numbers', { partnum: 'A-101' }, { partnum: 'R-201' }],
    ['by number, with other names', { partname: 'Alternator 120 amp' }, { partname: 'Aluminum radiator' }],
    ['by name, with other words for the category', { partcategory: 'Electric', partnum: '' }, {}],
  ]

  test('keep their listings on each of several vehicles, by number or by name', async () => {
    const seller = await trusted()
    const onEach = (rows: (at: number) => Fields[]) =>
      differing.flatMap((_, at) => rows(at).map((row) => ({ ...row, stocknum: `V-${at}` })))
    await importRows(
      app,
      seller,
      onEach(() => [alternator, radiator]),
    )
    const done = await importRows(
      app,
      seller,
      onEach((at) => [
        { ...radiator, ...differing[at]?.[2], partprice: '20' },
        { ...alternator, ...differing[at]?.[1], partprice: '10' },
      ]),
    )
    const each = differing.length
    expect(done.plan).toMatchObject({ create: 0, update: 2 * each, refused: 0 })
    expect((await living(seller)).map(({ price_cents }) => price_cents)).toEqual(
      differing.flatMap(() => [1000, 2000]),
    )
  })

  longTest.each(differing)('keep their listings %s', async (_, one, other) => {
    const seller = await trusted()
    await importRows(app, seller, [alternator, radiator])
    const done = await importRows(app, seller, [
      { ...radiator, ...other, partprice: '20' },
      { ...alternator, ...one, partprice: '10' },
    ])
    expect(done.plan).toMatchObject({ create: 0, update: 2, refused: 0 })
    expect((await living(seller)).map(({ price_cents }) => price_cents)).toEqual([1000, 2000])
  })

  test('of one name keep their listings by category when both numbers are corrected', async () => {
    const seller = await trusted()
    const doors = (numbers: [string, string]) => [
      part('Door', numbers[0], { partcategory: 'Front Door' }),
      part('Door', numbers[1], { partcategory: 'Rear Door' }),
    ]
    await importRows(app, seller, doors(['D-1', 'D-2']))
    const done = await importRows(app, seller, doors(['D-10', 'D-20']).toReversed())
    expect(done.plan).toMatchObject({ create: 0, update: 2, refused: 0 })
    expect((await shown(seller)).map(([, number]) => number)).toEqual(['D-10', 'D-20'])
  })

  test.each(MODES)('that match none are new parts, and the others %s', async (mode) => {
    const stays = mode === 'add'
    const seller = await trusted()
    const others = partsFields(10, { stocknum: 'V-2' })
    await importRows(app, seller, [alternator, radiator, part('Door', 'D-1'), part('Hood', 'H-1'), ...others])
    const rows = [part('Mirror', 'M-1'), part('Bumper', 'B-1'), radiator, part('Hood', 'H-1'), ...others]
    const done = await importRows(app, seller, rows, { mode })
    expect(done.plan).toMatchObject({ create: 2, update: 0, unchanged: 12, end: stays ? 0 : 2 })
    const onTheVehicle = (await shown(seller)).filter(([, number]) => !String(number).startsWith('DL3Z'))
    expect(onTheVehicle.map(([name, , , isActive]) => [name, isActive])).toEqual([
      ['Alternator', stays],
      ['Radiator', true],
      ['Door', stays],
      ['Hood', true],
      ['Mirror', true],
      ['Bumper', true],
    ])
  })

  test('whose parts the order alone would tell apart are new parts', async () => {
    const seller = await trusted()
    await importRows(app, seller, [part('Door', 'D-1'), part('Door', 'D-2')])
    const done = await importRows(app, seller, [part('Door', 'D-3'), part('Door', 'D-4')])
    expect(done.plan).toMatchObject({ create: 2, update: 0 })
    expect((await shown(seller)).map(([, number]) => number)).toEqual(['D-1', 'D-2', 'D-3', 'D-4'])
  })
})

describe('one row and one listing that differ', () => {
  test.each(MODES)('wait for the seller (%s)', async (mode) => {
    const seller = await trusted()
    await importRows(app, seller, [alternator])
    const before = await living(seller)
    const done = await importRows(app, seller, [radiator], { mode })
    expect(done.plan).toMatchObject({ create: 0, update: 0, end: 0, refused: 1 })
    expect(await living(seller)).toEqual(before)
  })

  test('also where the listing was made by hand', async () => {
    const seller = await trusted()
    await makeQuickListing(seller.api, { stocknum: 'v-1', partname: 'Starter', partnum: 'S-9' })
    const before = await living(seller)
    const done = await importRows(app, seller, [radiator])
    expect(done.plan).toMatchObject({ create: 0, update: 0, refused: 1 })
    expect(await living(seller)).toEqual(before)
  })

  test('of an ended listing are another part', async () => {
    const seller = await trusted()
    await importRows(app, seller, [alternator])
    const [sold] = await living(seller)
    await seller.api.post(`/seller/parts/${sold?.id}/end`, { reason: 'sold-here' })
    const done = await importRows(app, seller, [radiator])
    expect(done.plan).toMatchObject({ create: 1, update: 0, refused: 0 })
  })
})

describe('POST /pro/imports/{id}/held', () => {
  const held = async () => {
    const seller = await trusted()
    await importRows(app, seller, [alternator, part('Door', 'D-1', { stocknum: 'V-2' })])
    const rows = [radiator, part('Hood', 'H-1', { stocknum: 'V-2' }), part('Mirror', '', { stocknum: 'V-3' })]
    const done = await importRows(app, seller, rows)
    const url = `/pro/imports/${done.importId}`
    const answer = (body: object) => seller.api.post<ImportReceipt>(`${url}/held`, body)
    const receipt = async () => (await seller.api.get<ImportReceipt>(`${url}/receipt`)).body
    return { seller, rows, done, answer, receipt }
  }

  test('names row and listing until they are answered; “same” corrects the listing, and the next file finds it', async () => {
    const { seller, rows, answer, receipt } = await held()
    const [first, second] = await living(seller)
    expect(await receipt()).toMatchObject({
      refused: 2,
      leftOut: [],
      held: {
        total: 2,
        rows: [
          {
            record: 1,
            part: '2014 Ford Crown Victoria Radiator',
            listing: { id: first?.id, title: '2014 Ford Crown Victoria Alternator' },
          },
          { record: 2, listing: { id: second?.id } },
        ],
      },
    })
    const before = await living(seller)
    const { status, body } = await answer({ answer: 'same', records: [1] })
    expect(status).toBe(200)
    expect(body).toMatchObject({ created: 1, updated: 1, refused: 1, held: { total: 1 } })
    const after = await living(seller)
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id))
    expect(after[0]).toMatchObject({ name: 'Radiator', part_number: 'R-200', version: 2 })
    expect((await importRows(app, seller, rows)).plan).toMatchObject({ create: 0, update: 0, refused: 1 })
  })

  test('“new” lists the rows beside the listings, and the next file finds them', async () => {
    const { seller, rows, done, answer } = await held()
    const { body } = await answer({ answer: 'new' })
    expect(body).toMatchObject({ created: 3, updated: 0, refused: 0, held: { total: 0, rows: [] } })
    expect((await living(seller)).map(({ name }) => name)).toEqual([
      'Alternator',
      'Door',
      'Mirror',
      'Radiator',
      'Hood',
    ])
    const again = await importRows(app, seller, rows)
    expect(again.plan).toMatchObject({ create: 0, update: 0, unchanged: 3, refused: 0 })
    expect(await undoImport(app, seller, again)).toMatchObject({ undone: 0 })
    expect(await undoImport(app, seller, done)).toMatchObject({ undone: 3, leftAsIs: 0 })
    expect((await living(seller)).map(({ name }) => name)).toEqual(['Alternator', 'Door'])
  })

  test('an undo restores what an answer corrected', async () => {
    const { seller, done, answer } = await held()
    await answer({ answer: 'same' })
    expect(await undoImport(app, seller, done)).toMatchObject({ undone: 3, leftAsIs: 0 })
    expect((await living(seller)).map(({ name, part_number }) => [name, part_number])).toEqual([
      ['Alternator', 'A-100'],
      ['Door', 'D-1'],
    ])
    expect((await answer({ answer: 'new' })).status).toBe(409)
  })

  test('takes no answer twice, none that a later import asks again, and none from others', async () => {
    const { seller, rows, answer, done } = await held()
    expect((await answer({ answer: 'same', records: [1] })).status).toBe(200)
    expect((await answer({ answer: 'new', records: [1] })).status).toBe(409)
    expect((await answer({ answer: 'maybe' })).status).toBe(422)
    await importRows(app, seller, rows)
    expect((await answer({ answer: 'same' })).status).toBe(409)
    const stranger = await trusted()
    const { status } = await stranger.api.post(`/pro/imports/${done.importId}/held`, { answer: 'new' })
    expect(status).toBe(404)
  })

  test('a listing made by hand becomes the file’s by “same”', async () => {
    const seller = await trusted()
    const { id } = await makeQuickListing(seller.api, {
      stocknum: 'v-1',
      partname: 'Starter',
      partnum: 'S-9',
    })
    const done = await importRows(app, seller, [radiator])
    await seller.api.post(`/pro/imports/${done.importId}/held`, { answer: 'same' })
    expect(await living(seller)).toMatchObject([{ id, name: 'Radiator', part_number: 'R-200' }])
    expect((await importRows(app, seller, [radiator])).plan).toMatchObject({ unchanged: 1, refused: 0 })
  })
})

test('parts by hand under one stock number go to the rows that they are', async () => {
  const seller = await trusted()
  for (const { partname, partnum } of [alternator, radiator])
    await makeQuickListing(seller.api, {
      stocknum: 'V-1',
      partname: String(partname),
      partnum: String(partnum),
    })
  const rows = [
    { ...radiator, partprice: '20' },
    { ...alternator, partprice: '10' },
  ]
  expect((await importRows(app, seller, rows)).plan).toMatchObject({ create: 0, update: 2 })
  expect((await shown(seller)).map(([name, , price]) => [name, price])).toEqual([
    ['Alternator', 10],
    ['Radiator', 20],
  ])
})

test('parts from before digests were kept are told apart by what their listings say', async () => {
  const seller = await trusted()
  await importRows(app, seller, [
    { ...alternator, partname: ' Größe 2  Alternator', partnum: 'ä 1.0-b' },
    { ...radiator, partnum: '' },
  ])
  const digests = () =>
    sql<{ digest: string }>`
      select encode(row_digest, 'hex') as digest from listing_source
      where seller_id = ${seller.user.sellerId} order by ordinal
    `.execute(app.db)
  const before = await digests()
  await sql`
    update listing_source set row_digest = null, listing_version = null where seller_id = ${seller.user.sellerId}
  `.execute(app.db)
  const rows = [
    { ...radiator, partnum: '', partprice: '20' },
    { ...alternator, partname: 'größe 2 alternator', partnum: 'Ä10B', partprice: '10' },
  ]
  expect((await importRows(app, seller, rows)).plan).toMatchObject({ create: 0, update: 2 })
  expect((await living(seller)).map(({ price_cents }) => price_cents)).toEqual([1000, 2000])
  expect((await digests()).rows).toEqual(before.rows)
})

/* Properties, tried on many vehicles in one file: an import takes longer than any of its rows. */

const VEHICLES = 40
const someRow = fc.record({
  partname: fc.constantFrom('Door', 'Hood', 'Mirror'),
  partcategory: fc.constantFrom('Alternator', 'Radiator'),
  partnum: fc.constantFrom('', 'N-1', 'N-2', 'N-3'),
  partprice: fc.constantFrom('10', '20', '30'),
})
const someVehicles = fc.array(fc.array(someRow, { minLength: 1, maxLength: 5 }), {
  minLength: VEHICLES,
  maxLength: VEHICLES,
})
type Vehicles = Fields[][]
/** Every tenth vehicle has no number, as in a file without stock numbers. */
const rowsOf = (vehicles: Vehicles): Fields[] =>
  vehicles.flatMap((rows, at) =>
    rows.map((row) => partFields(1, { ...row, ...(at % 10 !== 0 && { stocknum: `V-${at}` }) })),
  )
const TRIES = { numRuns: atLength({ full: 2, brief: 1 }), seed: 17, endOnFailure: true }
const AT_MOST_MS = 60_000

test(
  'any permutation of a file changes nothing',
  async () => {
    await fc.assert(
      fc.asyncProperty(someVehicles, fc.integer(), async (vehicles, seed) => {
        const seller = await trusted()
        const rows = rowsOf(vehicles)
        await importRows(app, seller, rows)
        const before = await listingsOf(app, seller)
        const random = seededRandom(String(seed))
        const shuffled = rows.map((row) => [random.whole(0, 1_000_000), row] as const)
        const again = shuffled.toSorted(([a], [b]) => a - b).map(([, row]) => row)
        const done = await importRows(app, seller, again, { mode: 'replace' })
        expect(done.plan).toMatchObject({ create: 0, update: 0, end: 0, refused: 0 })
        expect(await listingsOf(app, seller)).toEqual(before)
      }),
      TRIES,
    )
  },
  AT_MOST_MS,
)

test(
  'no file changes number, category and name of a listing together, nor makes another part of it',
  async () => {
    await fc.assert(
      fc.asyncProperty(someVehicles, someVehicles, async (vehicles, next) => {
        const seller = await trusted()
        await importRows(app, seller, rowsOf(vehicles))
        const before = new Map((await listingsOf(app, seller)).map((listing) => [listing.id, listing]))
        const done = await importRows(app, seller, rowsOf(next))
        expect(done.updated).toBeGreaterThan(0)
        for (const now of await listingsOf(app, seller)) {
          const was = before.get(now.id)
          if (!was) continue
          const isAlike =
            was.name === now.name || (was.part_number !== null && was.part_number === now.part_number)
          expect(isAlike, `${was.name} ${was.part_number} → ${now.name} ${now.part_number}`).toBe(true)
        }
      }),
      TRIES,
    )
  },
  AT_MOST_MS,
)
