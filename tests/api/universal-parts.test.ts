import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { ErrorReply } from '#contract/endpoint.ts'
import type { DryRunReply, StagedReply } from '#contract/imports.ts'
import type { Listing, ListingBody } from '#contract/listings.ts'
import type { Category } from '#contract/lookups.ts'
import type { AroundPart } from '#contract/pages/part-page.ts'
import type { PartsPage } from '#contract/search/parts-search.ts'
import type { ApiClient } from '#tests/support/api-client.ts'
import { csvOf, newKey, proSeller, sendCsv } from '#tests/support/make-imports.ts'
import { formOf, pictureListing, quickListing, someLookups, somePicture } from '#tests/support/make-rows.ts'
import { startPromotionWorker, untilImport } from '#tests/support/promotions.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

/* Tires and wheels, which need no vehicle: by form, search, edit and file, to their end. */

const app = await startTestApp()
await startPromotionWorker(app)

let seller: SignedIn
let categories: ReadonlyMap<string, Category>
beforeAll(async () => {
  seller = await proSeller(app, { trusted: true })
  const { body } = await app.visitor.get<Category[]>('/categories')
  categories = new Map(body.map((category) => [category.name, category]))
})

const idOf = (name: string) => categories.get(name)?.id ?? ''

const find = async (q: string) =>
  (await app.visitor.get<PartsPage>(`/parts?${new URLSearchParams({ q })}`)).body
const names = ({ items }: Pick<PartsPage, 'items'>) => items.map(({ partname }) => partname).toSorted()

const NO_VEHICLE = { partmanuId: '', partmanuname: '', partmodel: '', partyear: '' }
const NONE = {
  partyear: '',
  partyearto: null,
  partmanuId: null,
  partmanuname: null,
  partmodelId: null,
  partmodel: null,
}

async function createTire(api: ApiClient, changes: ListingBody = {}) {
  const body = pictureListing(await someLookups(app.visitor), {
    partname: 'Michelin tire 205/55R16',
    partdescription: '6/32 tread, load index 91V.',
    partcategoryId: idOf('Tire'),
    ...NO_VEHICLE,
    ...changes,
  })
  return api.post<Listing & ErrorReply>('/seller/parts', formOf(body, { bytes: await somePicture() }))
}

test('categories say whether their parts need no vehicle', () => {
  const universal = [...categories.values()].filter((one) => one.universal).map(({ name }) => name)
  expect(universal.toSorted()).toEqual(['Alloy Wheel', 'Spare Wheel', 'Steel Wheel', 'Tire', 'Wheel'])
})

test('a tire is created, read, found, edited and ended without a vehicle', async () => {
  const { api } = seller
  const { status, body: tire } = await createTire(api)
  expect([status, tire]).toEqual([201, expect.objectContaining(NONE)])
  expect(tire.partslug).toMatch(/^michelin-tire-205-55r16-[0-9a-f]{6}$/)
  const read = await app.visitor.get<Listing>(`/auto-part/${tire.partslug}`)
  expect(read.body).toMatchObject(NONE)
  const around = await app.visitor.get<AroundPart>(`/parts/${tire.partslug}/around`)
  expect([around.status, around.body.fits]).toEqual([200, []])

  for (const q of ['tires', '205/55R16', '205 55 16 tire', 'michelin tire 91v']) {
    expect([q, names(await find(q))]).toEqual([q, ['Michelin tire 205/55R16']])
  }
  const camry = await find('2014 camry tire')
  expect([names(camry), camry.relaxed?.sentence]).toEqual([
    ['Michelin tire 205/55R16'],
    'No tires for a 2014 Camry right now. Showing 1 listed without a vehicle; check the size.',
  ])

  // Clients send every field back.
  const back = { ...NO_VEHICLE, partprice: '44', partcategoryId: idOf('Tire'), partname: tire.partname }
  const edited = await api.put<Listing>(`/seller/parts/${tire.id}`, back)
  expect([edited.status, edited.body]).toEqual([200, expect.objectContaining({ ...NONE, partprice: 44 })])
  const moved = await api.put<ErrorReply>(`/seller/parts/${tire.id}`, { partcategoryId: idOf('Alternator') })
  expect([moved.status, moved.body.fields]).toEqual([
    422,
    {
      partmanuId: 'Manufacturer is required',
      partmodel: 'Model is required',
      partyear: 'Year is required',
    },
  ])
  const { manufacturer, model } = await someLookups(app.visitor)
  const vehicle = { partmanuId: manufacturer.id, partmodel: model.carname, partyear: '2014' }
  const off = await api.put<Listing>(`/seller/parts/${tire.id}`, vehicle)
  expect(off.body).toMatchObject({ partmanuname: 'Ford', partmodel: model.carname, partyear: '2014' })
  expect((await api.put<Listing>(`/seller/parts/${tire.id}`, NO_VEHICLE)).body).toMatchObject(NONE)

  expect((await api.post<Listing>(`/seller/parts/${tire.id}/end`, {})).status).toBe(200)
  expect(names(await find('michelin tire 91v'))).toEqual([])
})

test('a quick listing of a wheel needs no vehicle, other parts do', async () => {
  const lookups = await someLookups(app.visitor)
  const bare = { ...NO_VEHICLE, partmodelId: '', parttrim: '', partmiles: '' }
  const body = quickListing(lookups, {
    partcategoryId: idOf('Wheel'),
    partname: 'Wheel 17x7.5 5x114.3',
    ...bare,
  })
  const made = await seller.api.post<Listing>('/seller/quick-listings', body)
  expect([made.status, made.body]).toEqual([201, expect.objectContaining(NONE)])
  for (const q of ['wheel', '17x7.5 wheel 5x114.3', '5 lug wheel', '17 inch rims', 'wheel 17']) {
    const found = await find(q)
    expect([q, names(found), found.relaxed]).toEqual([q, ['Wheel 17x7.5 5x114.3'], undefined])
  }
  const alloy = await find('alloy wheels')
  expect([names(alloy), alloy.relaxed?.sentence]).toEqual([
    ['Wheel 17x7.5 5x114.3'],
    'No alloy wheels right now. Showing 1 wheels, steel wheels and spare wheels.',
  ])
  const other = await seller.api.post<ErrorReply>(
    '/seller/quick-listings',
    quickListing(lookups, { ...bare, partcategoryId: idOf('Hood') }),
  )
  expect([other.status, Object.keys(other.body.fields ?? {})]).toEqual([
    422,
    ['partmanuId', 'partmodel', 'partmodelId', 'parttrim', 'partyear', 'partmiles'],
  ])
  const bulk = await app.signUp({ role: 'admin' })
  const sent = { items: [{ id: made.body.id, partyear: '', partmodel: '', partprice: '30' }] }
  const saved = await bulk.api.post<{ results: unknown[] }>('/admin/parts/bulk-update', sent)
  expect(saved.body.results).toMatchObject([{ ok: true, current: { ...NONE, partprice: 30 } }])
  const { rows } = await sql`
    select from listing where id = ${made.body.id} and year_from is null and year_to is null and manufacturer_name = ''
  `.execute(app.db)
  expect(rows).toHaveLength(1)
})

test('a file’s tires and wheels go live without a vehicle, keep one that they name, and end', async () => {
  const { api } = await proSeller(app, { trusted: true })
  const header = [
    ...['Stock', 'Part', 'Make', 'Model', 'Year', 'Price'],
    ...['Size', 'Bolt Pattern', 'Load Index', 'Finish'],
  ]
  const rows = [
    ['T-2', 'Wheel', '', '', '', '80', '17x8', '6x139.7', '', ''],
    ['T-1', 'Tire', 'Hankook', 'Ventus V2', '', '45', '225/60R17', '', '99T', ''],
    ['T-3', 'Wheel', 'Ford', 'F-150', '2014', '95', '18x8', '6x135', '', 'Machined'],
    ['T-4', 'Alternator', '', '', '', '95', '', '', '', ''],
    ['T-5', 'Wheel', '', '', '', '25', '15x6', '5x100', '', 'Steel, black'],
  ]
  const fields = {
    mapping: {
      stocknum: 'Stock',
      partname: 'Part',
      partmanu: 'Make',
      partmodel: 'Model',
      partyear: 'Year',
      partprice: 'Price',
    },
  }
  const send = (some: string[][]) => ({
    file: csvOf(some, header),
    fields: { ...fields, idempotencyKey: newKey(), mode: 'replace' },
  })
  const dry = await sendCsv<DryRunReply>(api, { ...send(rows), dryRun: true })
  expect(dry.body.preview).toMatchObject({
    total: 5,
    errors: 1,
    questions: [],
    plan: { creates: 4, held: 0 },
    rows: [
      { index: 4, errors: expect.arrayContaining([expect.stringContaining('Manufacturer is required')]) },
    ],
  })
  const importId = (await sendCsv<StagedReply>(api, send(rows))).body.importId
  await untilImport(app, api, importId, 'applied')
  const { body } = await api.get<{ items: Listing[] }>('/seller/parts?perPage=20&sort=oldest')
  const byStock = body.items.toSorted((a, b) => (a.stocknum ?? '').localeCompare(b.stocknum ?? ''))
  expect(byStock).toMatchObject([
    {
      ...NONE,
      partname: 'Tire',
      partcategory: { name: 'Tire' },
      partdescription: 'Make: Hankook\nModel: Ventus V2\nSize: 225/60R17\nLoad Index: 99T',
    },
    { ...NONE, partname: 'Wheel', partcategory: { name: 'Alloy Wheel' } },
    { partyear: '2014', partmanuname: 'Ford', partmodel: 'F-150', partcategory: { name: 'Alloy Wheel' } },
    { ...NONE, partname: 'Wheel', partcategory: { name: 'Steel Wheel' } },
  ])
  expect((await find('225/60R17 tire')).total).toBe(1)
  expect((await find('17x8 wheel 6x139.7')).total).toBe(1)

  // The next day: unchanged, another price, gone.
  const next = [rows[1] ?? [], ['T-2', 'Wheel', '', '', '', '70', '17x8', '6x139.7', '', '']]
  const again = (await sendCsv<StagedReply>(api, send(next))).body.importId
  const { plan } = await untilImport(app, api, again, 'review')
  await api.post(`/pro/imports/${again}/confirm`, { planId: plan?.id })
  const done = await untilImport(app, api, again, 'applied')
  expect(done.plan).toMatchObject({ create: 0, update: 1, unchanged: 1, ended: 2 })
})

test('the database refuses another part without a vehicle', async () => {
  const { api } = seller
  const { body } = await api.get<{ items: Listing[] }>('/seller/parts?perPage=1')
  const category = idOf('Hood')
  const moved = app.db
    .updateTable('listing')
    .set({ category_id: category })
    .where('id', '=', body.items[0]?.id ?? '')
    .execute()
  await expect(moved).rejects.toThrow(/needs a year, a make and a model|change set/)
})
