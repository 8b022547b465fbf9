import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Garage } from '#contract/account/garage.ts'
import type { ErrorReply } from '#contract/endpoint.ts'
import type { Listing } from '#contract/listings.ts'
import type { CarModel } from '#contract/lookups.ts'
import type { KeptCard } from '#contract/search/parts-search.ts'
import { lookupDesk, startRelabeling } from '#tests/support/admin-lookups.ts'
import { untilStatus } from '#tests/support/job-bench.ts'
import { makePictureListing, makeQuickListing, someLookups } from '#tests/support/make-rows.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
const { db, visitor, clock } = app
const { manufacturer, model } = await someLookups(visitor)
const { body: models } = await visitor.get<CarModel[]>(`/carmodels?manuId=${manufacturer.id}`)
const other = models.find(({ id }) => id !== model.id) ?? model

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

const read = async ({ api }: SignedIn) => (await api.get<Garage>('/profile/garage')).body
const change = async ({ api }: SignedIn, changes: object) => {
  const { status, body } = await api.put<Garage & ErrorReply>('/profile/garage', changes)
  return { status, body }
}
const carOf = (year: number, agoMs = 0, removed?: true) => ({
  modelId: model.id,
  year,
  agoMs,
  ...(removed && { removed }),
})
const yearsOf = ({ vehicles }: Garage) => vehicles.map(({ year }) => year)
const idsOf = ({ parts }: Garage) => parts.map(({ id }) => id)

const seller = await app.signUp()
const makePart = (changes = {}) => makeQuickListing(seller.api, changes)
const admin = await app.signUp({ role: 'admin' })
const hide = async ({ id }: Listing) =>
  expect((await admin.api.put(`/auto-parts/${id}`, { status: 'HIDDEN' })).status).toBe(200)
const end = ({ id }: Listing, reason: string) => seller.api.post(`/seller/parts/${id}/end`, { reason })

describe('a garage', () => {
  test('has only its owner’s vehicles and parts, the latest first', async () => {
    const [ada, bob] = [await app.signUp(), await app.signUp()]
    const [one, two] = [await makePart(), await makePart()]
    const { status, body } = await change(ada, {
      vehicles: [carOf(2010, 2 * MINUTE_MS), { modelId: other.id, year: 2004, agoMs: MINUTE_MS }],
      parts: [
        { id: one.id, agoMs: MINUTE_MS },
        { id: two.id, agoMs: 0 },
      ],
    })
    expect(status).toBe(200)
    expect(body.vehicles).toEqual([
      {
        year: 2004,
        manuId: manufacturer.id,
        make: 'Ford',
        modelId: other.id,
        model: other.carname,
        usedAt: expect.any(String),
      },
      expect.objectContaining({ year: 2010, model: model.carname }),
    ])
    expect(idsOf(body)).toEqual([two.id, one.id])
    expect(await read(ada)).toEqual(body)
    expect(await read(bob)).toEqual({ vehicles: [], parts: [] })
    await change(bob, { vehicles: [carOf(2010, 0, true)], parts: [{ id: one.id, agoMs: 0, removed: true }] })
    expect(await read(ada)).toEqual(body)
  })

  test('of two devices the later change wins, and nothing is there twice', async () => {
    const ada = await app.signUp()
    const part = await makePart()
    const save = (agoMs: number) =>
      change(ada, { vehicles: [carOf(2010, agoMs)], parts: [{ id: part.id, agoMs }] })
    const remove = (agoMs: number) =>
      change(ada, {
        vehicles: [carOf(2010, agoMs, true)],
        parts: [{ id: part.id, agoMs, removed: true }],
      })
    const [phone, laptop] = await Promise.all([save(5 * MINUTE_MS), save(3 * MINUTE_MS)])
    expect([phone.status, laptop.status]).toEqual([200, 200])
    await save(9 * MINUTE_MS)
    const both = await read(ada)
    expect([both.vehicles.length, both.parts.length]).toEqual([1, 1])
    expect(clock.now().getTime() - Date.parse(both.parts[0]?.savedAt ?? '')).toBeLessThan(4 * MINUTE_MS)
    // Another device removed it before it was saved again here.
    await remove(4 * MINUTE_MS)
    expect(await read(ada)).toEqual(both)
    await remove(MINUTE_MS)
    await remove(MINUTE_MS)
    expect(await read(ada)).toEqual({ vehicles: [], parts: [] })
  })

  test('the latest 20 vehicles and 200 parts stay', async () => {
    const ada = await app.signUp()
    const cars = (from: number, count: number) =>
      Array.from({ length: count }, (_, n) => carOf(from + n, (100 - n) * MINUTE_MS))
    expect(yearsOf((await change(ada, { vehicles: cars(1980, 15) })).body)).toHaveLength(15)
    const { body } = await change(ada, { vehicles: [...cars(2000, 15)] })
    expect(body.vehicles).toHaveLength(20)
    // Five minutes apart or less, from either list.
    expect(yearsOf(body)).toContain(2014)
    expect(yearsOf(body)).toContain(1994)
    expect(yearsOf(body)).not.toContain(2000)

    const part = await makePart()
    await db.transaction().execute(async (trx) => {
      await sql`select set_config('partharbor.change_set', 'made for the test', true)`.execute(trx)
      await sql`
        with made as (
          insert into listing (seller_id, kind, slug, name, manufacturer_name, model_name, year_from, year_to, price_cents)
          select seller_id, kind, slug || '-' || n, name, manufacturer_name, model_name, year_from, year_to, price_cents
          from listing, generate_series(1, 200) n where id = ${part.id} returning id
        )
        insert into saved_part (user_id, listing_id, saved_at)
        select ${ada.user.id}, id, now() - interval '1 day' from made
      `.execute(trx)
    })
    const { body: full } = await change(ada, { parts: [{ id: part.id, agoMs: 0 }] })
    expect(full.parts).toHaveLength(200)
    expect(full.parts[0]?.id).toBe(part.id)
    // Older than all that is there.
    const late = await makePart()
    expect(idsOf((await change(ada, { parts: [{ id: late.id, agoMs: 2 * DAY_MS }] })).body)).not.toContain(
      late.id,
    )
  })

  test('refuses impossible values, and leaves out what nobody can see', async () => {
    const ada = await app.signUp()
    for (const vehicles of [
      [{ modelId: model.id, year: 1492, agoMs: 0 }],
      [{ modelId: 'Accord', year: 2010, agoMs: 0 }],
      [{ modelId: model.id, year: 2010, agoMs: -1 }],
      Array.from({ length: 201 }, () => carOf(2010)),
    ]) {
      expect((await change(ada, { vehicles })).status).toBe(422)
    }
    const hidden = await makePart()
    await hide(hidden)
    const deleted = await makePart()
    await seller.api.delete(`/seller/parts/${deleted.id}`)
    const nowhere = '0190a000-0000-7000-8000-000000000000'
    const { status, body } = await change(ada, {
      vehicles: [{ modelId: nowhere, year: 2010, agoMs: 0 }],
      parts: [hidden.id, deleted.id, nowhere].map((id) => ({ id, agoMs: 0 })),
    })
    expect([status, body]).toEqual([200, { vehicles: [], parts: [] }])
  })

  test('keeps a saved part that is hidden later, without a word about it', async () => {
    const ada = await app.signUp()
    const part = await makePart()
    await change(ada, { parts: [{ id: part.id, agoMs: 0 }] })
    await hide(part)
    expect((await read(ada)).parts).toEqual([{ id: part.id, savedAt: expect.any(String) }])
    const { body } = await visitor.get<{ items: KeptCard[] }>(`/parts/cards?ids=${part.id}`)
    expect(body.items).toEqual([])
  })

  test('has the model that another one was merged into, before and after the old one is gone', async () => {
    const desk = lookupDesk(() => admin)
    const maker = await desk.manufacturer('Zorp Motors')
    const [from, into] = [await desk.model(maker.id, 'Zippo'), await desk.model(maker.id, 'Zip')]
    const ada = await app.signUp()
    const vehicles = [from, into].map(({ id }) => ({ modelId: id, year: 2010, agoMs: 0 }))
    expect((await change(ada, { vehicles })).body.vehicles).toHaveLength(2)
    const jobId = await desk.merge('car-model', from, into)
    const merged = [expect.objectContaining({ year: 2010, modelId: into.id, model: 'Zip' })]
    expect((await read(ada)).vehicles).toEqual(merged)
    const worker = await startRelabeling(app)
    await untilStatus(app, jobId, 'completed')
    await worker.close()
    expect((await read(ada)).vehicles).toEqual(merged)
    await change(ada, { vehicles: [{ modelId: into.id, year: 2010, agoMs: 0, removed: true }] })
    expect((await read(ada)).vehicles).toEqual([])
  })

  test('API tokens cannot read it', async () => {
    const ada = await app.signUp()
    const wanted = { name: 'Yard', scopes: ['listings:read'], expiresInDays: null }
    const { body } = await ada.api.post<{ token: string }>('/api-tokens', wanted)
    const { status, body: refused } = await visitor.as(body).get<ErrorReply>('/profile/garage')
    expect([status, refused.code]).toEqual([403, 'SCOPE_MISSING'])
  })
})

describe('cards of kept parts', () => {
  const cards = (ids: readonly string[], more = '') =>
    visitor.get<{ items: KeptCard[] } & ErrorReply>(`/parts/cards?ids=${ids.join(',')}${more}`)

  test('come in the asked order, with miles, and a distance if there is a ZIP code', async () => {
    const [one, two] = [await makePart({ partmiles: '84000' }), await makePictureListing(seller.api)]
    const { status, body, headers } = await cards([two.id, one.id, two.id])
    expect(status).toBe(200)
    expect(body.items.map(({ id, partmiles, status }) => [id, partmiles, status])).toEqual([
      [two.id, null, 'ACTIVE'],
      [one.id, 84_000, 'ACTIVE'],
    ])
    expect(body.items[0]).not.toHaveProperty('distanceMiles')
    expect(headers['cache-control']).toContain('s-maxage')
    const [near] = (await cards([one.id], '&zip=74103')).body.items
    expect(near?.distanceMiles).toBeLessThan(10)
    expect(await cards([one.id], '&zip=00000')).toMatchObject({
      status: 422,
      body: { fields: { zip: 'There is no ZIP code 00000. Check its digits.' } },
    })
  })

  test('have what buyers compare: trim, body, place on the car, damage and terms', async () => {
    const facts = { parttrim: 'XLT', bodystyle: 'Crew Cab', partdamage: 'Chip in the glass' }
    const part = await makePart({
      ...facts,
      partname: 'Door mirror LH',
      warrantydays: '90',
      returndays: '30',
    })
    expect((await cards([part.id])).body.items).toMatchObject([
      { ...facts, position: 'left', termsInWords: ['90-day warranty', '30-day returns'] },
    ])
  })

  test('are there for 90 days after a sale, and not for parts that are hidden, deleted or withdrawn', async () => {
    const [live, sold, scrapped, hidden, deleted] = [
      await makePart(),
      await makePart(),
      await makePart(),
      await makePart(),
      await makePart(),
    ]
    await end(sold, 'sold-elsewhere')
    await end(scrapped, 'scrapped')
    await hide(hidden)
    await seller.api.delete(`/seller/parts/${deleted.id}`)
    const ids = [live, sold, scrapped, hidden, deleted].map(({ id }) => id)
    const seen = async () => (await cards(ids)).body.items.map(({ id, status }) => [id, status])
    expect(await seen()).toEqual([
      [live.id, 'ACTIVE'],
      [sold.id, 'SOLD'],
    ])
    clock.advance(91 * DAY_MS)
    expect(await seen()).toEqual([[live.id, 'ACTIVE']])
    clock.advance(-91 * DAY_MS)
  })

  test('are at most 24, by id', async () => {
    const id = '0190a000-0000-7000-8000-000000000000'
    expect((await cards(Array.from({ length: 24 }, () => id))).body).toEqual({ items: [] })
    expect((await cards(Array.from({ length: 25 }, () => id))).status).toBe(400)
    expect((await cards(['a-slug'])).status).toBe(400)
    expect((await cards([])).status).toBe(400)
  })
})

test('the garage’s page is the same for everyone, is not indexed, and says what it needs', async () => {
  const { body, statusCode, headers } = await app.http.inject({ method: 'GET', url: '/garage' })
  expect([statusCode, headers['cache-control']]).toEqual([200, expect.stringContaining('s-maxage')])
  expect(body).toContain('<meta name="robots" content="noindex,follow"/>')
  expect(body).toContain('Your garage is kept in this browser, which needs JavaScript to show it.')
})
