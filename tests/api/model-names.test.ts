import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { LandingPage } from '#contract/landing.ts'
import type { Manufacturer } from '#contract/lookups.ts'
import { readCsv } from '#db/data/read-data.ts'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import { loadLookups } from '#server/features/market/lookups/load-lookups.ts'
import { proSeller } from '#tests/support/make-imports.ts'
import { makePictureListing } from '#tests/support/make-rows.ts'
import { makeStock } from '#tests/support/make-stock.ts'
import {
  changesOf,
  importRows,
  listingsOf,
  partFields,
  startPromotionWorker,
  undoImport,
} from '#tests/support/promotions.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

/* Models are what people say: databases of earlier versions, whose models had their cabs in the name, and files that still do. */

const app = await startTestApp()
const { db, visitor } = app
await startPromotionWorker(app)

const catalog = readCsv(new URL('../../db/data/vehicles.csv', import.meta.url))
const keyOf = (name: string) => name.toLowerCase().replaceAll(' ', '')

/** The lookups as an earlier version loaded them: a model for each cab and body. */
async function loadFormerCatalog(): Promise<void> {
  const byKey = new Map(catalog.map((row) => [keyOf(`${row.manufacturer}/${row.model}`), row]))
  await withChangeSet(db, { actorKind: 'system', reason: 'former catalog' }, async (trx) => {
    await sql`delete from car_model_alias`.execute(trx)
    await sql`delete from car_model`.execute(trx)
    await sql`
      insert into car_model (manufacturer_id, name, model_years, body_styles)
      select f.id, t.model, '{[2000,2011)}', array[t.body_styles]
      from jsonb_to_recordset(${JSON.stringify([...byKey.values()])}::jsonb)
           as t(manufacturer text, model text, body_styles text)
      join manufacturer f on f.name = t.manufacturer
    `.execute(trx)
    await sql`delete from loaded_data`.execute(trx)
    await sql`update lookup_version set version = version + 1`.execute(trx)
  })
}

/** Makes former names models of their own again. */
async function bringBack(make: string, names: readonly string[]): Promise<void> {
  await withChangeSet(db, { actorKind: 'system', reason: 'former catalog' }, async (trx) => {
    await sql`delete from car_model_alias where alias = any(${names}::text[])`.execute(trx)
    await sql`
      insert into car_model (manufacturer_id, name)
      select f.id, t.name from manufacturer f, unnest(${names}::text[]) as t(name) where f.name = ${make}
    `.execute(trx)
    await sql`delete from loaded_data`.execute(trx)
    await sql`update lookup_version set version = version + 1`.execute(trx)
  })
}

const modelsOf = async () => {
  const { rows } = await sql<{ id: string; make: string; name: string }>`
    select m.id, f.name as make, m.name from car_model m join manufacturer f on f.id = m.manufacturer_id
    where m.merged_into is null order by 2, 3
  `.execute(db)
  return rows
}
const modelNamed = async (make: string, name: string) => {
  const found = (await modelsOf()).find((model) => model.make === make && model.name === name)
  if (!found) throw new Error(`There is no ${make} ${name}`)
  return found
}

async function makePage(id: string, slug: string): Promise<void> {
  const facts = JSON.stringify({
    ...{ parts: 1, priceFromCents: null, priceToCents: null, yearFrom: null, yearTo: null },
    topCategories: [],
    topManufacturers: [],
    topModels: [],
  })
  await sql`
    insert into landing_page (kind, lookup_id, slug, title, meta_description, intro, facts, facts_hash, writer)
    values ('model', ${id}, ${slug}, ${slug}, 'About it', 'All about it', ${facts}, '', 'built-in')
  `.execute(db)
}

describe('a database whose models have their cabs in the name', () => {
  let before: Awaited<ReturnType<typeof modelsOf>>
  let yard: SignedIn
  let listingIds: string[]
  beforeAll(async () => {
    await loadFormerCatalog()
    before = await modelsOf()
    yard = await app.signUp({ tier: 'PAID' })
    listingIds = await makeStock(db, { sellerId: yard.user.sellerId, parts: before.length }, (at) => ({
      manufacturer_name: before[at]?.make ?? '',
      model_name: before[at]?.name ?? '',
      car_model_id: before[at]?.id ?? null,
      heading: `2009 ${before[at]?.name} Tailgate`,
    }))
    await makePage((await modelNamed('Ford', 'F150 Regular Cab')).id, 'ford-f150-regular-cab')
    await makePage((await modelNamed('Ford', 'F150 Super Cab')).id, 'ford-f150-super-cab')
    await loadLookups(db)
  })

  test('gets the names that people say, and every listing keeps its model', async () => {
    const after = await modelsOf()
    const names = new Set(after.map(({ make, name }) => `${make} ${name}`))
    const gone = before.filter(({ make, name }) => !names.has(`${make} ${name}`))
    console.log(`${gone.length} of ${before.length} models changed their name; ${after.length} models now`)
    expect(gone.length).toBe(342)
    expect(names).toContain('Ford F-150')
    expect(names).toContain('Chevrolet Silverado 1500')
    expect([...names].filter((name) => / Cab$/.test(name))).toEqual([])
    const listings = await listingsOf(app, yard)
    expect(listings).toHaveLength(before.length)
    const nameOf = new Map(after.map(({ id, name }) => [id, name]))
    for (const [at, { model, listing }] of before.map(
      (model, at) => [at, { model, listing: listings[at] }] as const,
    )) {
      expect(listing?.id).toBe(listingIds[at])
      expect(nameOf.get(listing?.car_model_id ?? ''), model.name).toBe(listing?.model_name)
      const isSame = listing?.model_name === model.name
      expect(listing?.version, model.name).toBe(isSame ? 1 : 2)
      // Nothing of the old name is lost: it is in the model, the body style or the trim.
      const said = [listing?.model_name, listing?.trim_name, listing?.body_style].join('')
      const letters = (text: string) => [...text.toLowerCase().replaceAll(/[^a-z0-9]/g, '')].sort().join('')
      if (!/Pickup/.test(said)) expect(letters(said), model.name).toBe(letters(model.name))
    }
  })

  test('the change is in the history, and the heading keeps the cab', async () => {
    const at = before.findIndex(({ name }) => name === 'F150 Regular Cab')
    const { id } = await modelNamed('Ford', 'F-150')
    const [listing] = (await listingsOf(app, yard)).filter((one) => one.id === listingIds[at])
    expect(listing).toMatchObject({
      model_name: 'F-150',
      car_model_id: id,
      body_style: 'Regular Cab',
      heading: '2009 F-150 Regular Cab Tailgate',
    })
    const history = await changesOf(app, listingIds[at] ?? '')
    expect(history.at(-1)?.changes).toMatchObject({
      model_name: ['F150 Regular Cab', 'F-150'],
      body_style: [null, 'Regular Cab'],
    })
  })

  test.each(['f150 regular cab', 'F-150', 'f150'])('“%s” finds it', async (q) => {
    const { body } = await yard.api.get<{ items: { id: string }[] }>(
      `/seller/parts?perPage=48&q=${encodeURIComponent(q)}`,
    )
    const at = before.findIndex(({ name }) => name === 'F150 Regular Cab')
    expect(body.items.map(({ id }) => id)).toContain(listingIds[at])
  })

  test('addresses of the old pages lead to the new one', async () => {
    const { body } = await visitor.get<LandingPage>('/landing/model/ford%2Ff-150')
    expect(body).toMatchObject({ name: 'F-150' })
    for (const old of ['ford-f150-regular-cab', 'ford-f150-super-cab']) {
      const page = await app.http.inject({ method: 'GET', url: `/parts/model/${old}` })
      expect([page.statusCode, page.headers.location]).toEqual([301, '/parts/make/ford/f-150'])
    }
  })

  test('loading again changes nothing', async () => {
    await sql`delete from loaded_data`.execute(db)
    const models = await modelsOf()
    await loadLookups(db)
    expect(await modelsOf()).toEqual(models)
    expect((await listingsOf(app, yard)).every(({ version }) => version <= 2)).toBe(true)
  })
})

describe('a file that says the old name', () => {
  test('gives model, body style and trim; tomorrow’s file after the rename changes nothing', async () => {
    await bringBack('Ford', ['F150 Regular Cab', 'F150 SuperCrew Cab'])
    await bringBack('BMW', ['328i'])
    const seller = await proSeller(app, { trusted: true })
    const rows = [
      partFields(1, { partmodel: 'F150 Regular Cab', partyear: '2009' }),
      partFields(2, { partmodel: 'F150 SuperCrew Cab', partyear: '2009', stocknum: 'S-2' }),
      partFields(3, { partmanu: 'BMW', partmodel: '328i', partyear: '2009' }),
    ]
    expect(await importRows(app, seller, rows)).toMatchObject({ created: 3 })
    await loadLookups(db)
    const renamed = await listingsOf(app, seller)
    expect(renamed.map((one) => [one.model_name, one.body_style, one.trim_name])).toEqual([
      ['F-150', 'Regular Cab', null],
      ['F-150', 'SuperCrew Cab', null],
      ['3 Series', null, '328i'],
    ])
    expect(await importRows(app, seller, rows)).toMatchObject({ created: 0, ended: 0 })
    expect(await listingsOf(app, seller)).toEqual(renamed)
    const [first, ...others] = rows
    const dearer = [{ ...first, partprice: '120' }, ...others] as typeof rows
    await importRows(app, seller, dearer)
    expect(
      (await listingsOf(app, seller)).map((one) => [one.price_cents, one.model_name, one.body_style]),
    ).toEqual([
      [12_000, 'F-150', 'Regular Cab'],
      [9_550, 'F-150', 'SuperCrew Cab'],
      [9_550, '3 Series', null],
    ])
  })

  test('a first file with old names and families is live under the names people say', async () => {
    const seller = await proSeller(app, { trusted: true })
    const done = await importRows(app, seller, [
      partFields(1, { partmanu: 'Chevrolet', partmodel: 'Silverado 1500 Crew Cab' }),
      partFields(2, { partmanu: 'Chevrolet', partmodel: 'Silverado' }),
      partFields(3, { partmodel: 'F-150 XLT SuperCrew' }),
    ])
    expect(done).toMatchObject({ created: 3 })
    expect(
      (await listingsOf(app, seller)).map((one) => [one.model_name, one.body_style, one.trim_name]),
    ).toEqual([
      ['Silverado 1500', 'Crew Cab', null],
      ['Silverado', null, null],
      ['F-150', 'SuperCrew', 'XLT'],
    ])
    await undoImport(app, seller, done)
  })
})

test('a form that sends an old name gets model and body style', async () => {
  const seller = await app.signUp()
  const { body: makes } = await visitor.get<Manufacturer[]>('/manufacturers')
  const ford = makes.find(({ manuname }) => manuname === 'Ford')
  const part = await makePictureListing(seller.api, {
    partmanuId: ford?.id,
    partmodel: 'F150 Super Cab',
    partmodelId: '',
  })
  expect(part).toMatchObject({ partmodel: 'F-150', bodystyle: 'Super Cab' })
})
