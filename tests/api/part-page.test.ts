import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { AroundPart } from '#contract/pages/part-page.ts'
import type { PublicSeller } from '#contract/pages/sellers.ts'
import { type Lookups, someLookups } from '#tests/support/make-rows.ts'
import { makeStock } from '#tests/support/make-stock.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

/* What a part's page shows beside the part. */

const app = await startTestApp()
const { db, visitor } = app
let lookups: Lookups
let yard: SignedIn
let other: SignedIn
const VIN = '4T1BF1FK5EU310001'

/** Parts of one model and category, as an import lists them; answers their slugs, oldest first. */
async function list(
  seller: SignedIn,
  parts: Parameters<NonNullable<Parameters<typeof makeStock>[2]>>[0][] | object[],
) {
  const { category, manufacturer, model } = lookups
  const ids = await makeStock(db, { sellerId: seller.user.sellerId, parts: parts.length }, (at) => ({
    category_id: category.id,
    manufacturer_id: manufacturer.id,
    manufacturer_name: manufacturer.manuname,
    car_model_id: model.id,
    model_name: model.carname,
    ...(parts[at] as object),
  }))
  return ids.map((id) => `part-${id}`)
}

const around = async (slug = '') => (await visitor.get<AroundPart>(`/parts/${slug}/around`)).body
const namesOf = (parts: { partname: string }[]) => parts.map(({ partname }) => partname)

beforeAll(async () => {
  lookups = await someLookups(visitor)
  yard = await app.signUp()
  other = await app.signUp()
})

describe('GET /parts/{slug}/around', () => {
  test('parts of the same car at the same yard: of its model by VIN or stock number, else by years', async () => {
    const [first, , , plain] = await list(yard, [
      { name: 'Hood', vin: VIN, stock_number: 'A-1' },
      { name: 'Same VIN', vin: VIN },
      { name: 'Same stock number', stock_number: 'a-1' },
      { name: 'Same years', year_from: 2013, year_to: 2015 },
      { name: 'Another year', year_from: 2016, year_to: 2016 },
      { name: 'Ended', vin: VIN, ended_at: new Date(), ended_reason: 'scrapped' },
      { name: 'Hidden', vin: VIN, status: 'HIDDEN' },
      { name: 'Of another model', stock_number: 'A-1', car_model_id: null, model_name: 'Unheard of' },
    ])
    await list(other, [{ name: 'Of another yard', vin: VIN }])
    const certain = await around(first)
    expect([certain.vehicle.isSame, namesOf(certain.vehicle.parts)]).toEqual([
      true,
      ['Same stock number', 'Same VIN'],
    ])
    expect(certain.vehicle.parts.map(({ distanceMiles }) => distanceMiles)).toEqual([undefined, undefined])
    const likely = await around(plain)
    expect([likely.vehicle.isSame, namesOf(likely.vehicle.parts)]).toEqual([
      false,
      ['Same stock number', 'Same VIN', 'Hood'],
    ])
  })

  test('similar parts are of other sellers while it is for sale, and of any once it is sold', async () => {
    const [own = '', own2 = ''] = await list(yard, [{ name: 'Door, front' }, { name: 'Door, rear' }])
    await list(other, [{ name: 'Door of another' }])
    const live = await around(own)
    expect(namesOf(live.similar)).toContain('Door of another')
    expect(live.similar.map(({ sellerSlug }) => sellerSlug)).not.toContain(yard.user.sellerSlug)
    expect((await yard.api.post(`/seller/parts/${own.slice(5)}/end`, { reason: 'sold-here' })).status).toBe(
      200,
    )
    const sold = await around(own)
    expect(sold.similar.map(({ partslug }) => partslug)).toContain(own2)
  })

  test('the pages above it are those of its make, model and category, or the filtered lists of unconfirmed names', async () => {
    const [slug] = await list(yard, [{ name: 'Grille' }])
    const { category, manufacturer, model } = lookups
    const { trail } = await around(slug)
    expect(trail.map(({ name }) => name)).toEqual([
      'Auto parts',
      manufacturer.manuname,
      model.carname,
      category.name,
    ])
    for (const { path } of trail)
      expect((await app.http.inject({ method: 'GET', url: path })).statusCode).toBe(200)
    expect(trail.slice(1).every(({ path }) => path.startsWith('/parts/make/'))).toBe(true)
    const { body } = await app.http.inject({ method: 'GET', url: `/parts/${slug}` })
    expect(body).toContain(`"item":"${trail[2]?.path}"`.replace('"item":"', ''))

    const [unsure] = await list(yard, [
      { name: 'Grille', car_model_id: null, model_name: 'Unheard of', category_id: null },
    ])
    expect((await around(unsure)).trail.map(({ name }) => name)).toEqual([
      'Auto parts',
      manufacturer.manuname,
    ])
  })

  test('the seller is the one on their page, and a non-public part has nothing around it', async () => {
    const [slug, hidden] = await list(yard, [{ name: 'Fender' }, { name: 'Fender', status: 'HIDDEN' }])
    const { body: seller } = await visitor.get<PublicSeller>(`/sellers/${yard.user.sellerSlug}`)
    expect(seller).toMatchObject((await around(slug)).seller)
    for (const missing of [hidden, 'never-was']) {
      expect((await visitor.get(`/parts/${missing}/around`)).status).toBe(404)
      expect((await visitor.get(`/parts/${missing}/distance?zip=74103`)).status).toBe(404)
    }
  })
})

describe('GET /parts/{slug}/distance', () => {
  test('miles from a ZIP code, null if the part’s place is unknown, and a sentence for an invalid ZIP code', async () => {
    const [near, nowhere] = await list(yard, [{ name: 'Mirror', zip: '74103' }, { name: 'Mirror' }])
    const ask = (slug: string | undefined, zip: string) =>
      visitor.get<{ miles: number | null; fields?: object }>(`/parts/${slug}/distance?zip=${zip}`)
    expect((await ask(near, '74103')).body).toEqual({ miles: 0 })
    expect((await ask(near, '73102')).body.miles).toBeGreaterThan(80)
    expect((await ask(nowhere, '74103')).body).toEqual({ miles: null })
    for (const [wrong, refused] of [
      ['00000', 422],
      ['7410', 400],
      ['tulsa', 400],
    ] as const) {
      const { status, body } = await ask(near, wrong)
      expect([status, Object.keys(body.fields ?? {})]).toEqual([refused, ['zip']])
    }
  })
})

describe('how fast a seller replies', () => {
  /** Messages to a seller, with the hours until each answer; null for no answer. */
  const write = (seller: SignedIn, waits: (number | null)[], daysAgo = 10) =>
    sql`
      insert into lead (seller_id, listing_title, name, phone, created_at, answered_at)
      select ${seller.user.sellerId}::uuid, 'Hood', 'Ann', '555-0100', at, at + make_interval(secs => hours * 3600)
      from unnest(${waits}::float8[]) hours, lateral (select now() - make_interval(days => ${daysAgo}::int) as at) sent
    `.execute(db)
  const hoursOf = async ({ user }: SignedIn) =>
    (await visitor.get<PublicSeller>(`/sellers/${user.sellerSlug}`)).body.answersWithinHours

  test('is the median of the last 90 days, from five answered messages on', async () => {
    const seller = await app.signUp()
    await list(seller, [{ name: 'Hood' }])
    expect(await hoursOf(seller)).toBeNull()
    await write(seller, [1, 2, 30, 40, null, null])
    await write(seller, [100, 100, 100], 91)
    expect(await hoursOf(seller)).toBeNull()
    await write(seller, [3])
    // Replies are kept until something public changes, so a part is listed.
    await list(seller, [{ name: 'Hood' }])
    expect(await hoursOf(seller)).toBeCloseTo(3)
  })
})

test('what is around a part is made again when something that it shows was written, and only then', async () => {
  const [slug = ''] = await list(yard, [{}])
  const page = async () => (await app.http.inject({ method: 'GET', url: `/parts/${slug}` })).payload
  const related = async () => (await around(slug)).related.map(({ anchor }) => anchor)
  const before = await page()
  expect(await related()).toEqual([])
  const { category } = lookups
  await sql`
    insert into landing_page (kind, lookup_id, slug, title, meta_description, intro, facts, facts_hash, writer)
    values ('category', ${category.id}, 'zorp-links', '', '', '', '{}', '', '')`.execute(db)
  await sql`
    insert into page_link (from_kind, from_id, position, to_kind, to_id, anchor)
    select 'listing', id, 0, 'category', ${category.id}, 'Zorp links' from listing where slug = ${slug}`.execute(
    db,
  )
  expect(await related()).toEqual(['Zorp links'])
  app.clock.advance(2_001)
  expect(before).not.toContain('Zorp links')
  expect(await page()).toContain('Zorp links')
})
