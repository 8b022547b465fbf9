import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { joinChangeSet } from '#server/features/market/history/change-sets.ts'
import { beginLookupChange } from '#server/features/market/lookups/lookup-changes.ts'
import { longTest } from '#tests/support/at-length.ts'
import { proSeller } from '#tests/support/make-imports.ts'
import { makeQuickListing } from '#tests/support/make-rows.ts'
import {
  changesOf,
  importRows,
  listingsOf,
  MODES,
  partFields,
  partsFields,
  sourcesOf,
  startPromotionWorker,
} from '#tests/support/promotions.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
await startPromotionWorker(app)
const trusted = () => proSeller(app, { trusted: true })

describe('the first import', () => {
  test('makes each row a listing that is found', async () => {
    const seller = await trusted()
    const rows = partsFields(3, {
      partshipping: 'Flat $20',
      dealerphone: '(918) 555-0142',
      partquantity: '2',
    })
    const done = await importRows(app, seller, rows)
    expect(done).toMatchObject({
      created: 3,
      updated: 0,
      ended: 0,
      applied: 3,
      progress: { done: 3, total: 3 },
    })
    const listings = await listingsOf(app, seller)
    expect(listings.map(({ name }) => name)).toEqual(['Alternator 1', 'Alternator 2', 'Alternator 3'])
    expect(listings[0]).toMatchObject({
      kind: 'ecommerce',
      status: 'ACTIVE',
      version: 1,
      manufacturer_name: 'Ford',
      model_name: 'Crown Victoria',
      year_from: 2014,
      price_cents: 9550,
      quantity: 2,
      shipping_kind: 'flat',
      shipping_cents: 2000,
      dealer_phone_e164: '+19185550142',
    })
    expect(listings[0]?.slug).toMatch(/^2014-ford-crown-victoria-alternator-1-[0-9a-f]{6}$/)
    const { body } = await seller.api.get<{ items: { id: string }[] }>('/seller/parts?q=DL3Z2')
    expect(body.items.map(({ id }) => id)).toEqual([listings[1]?.id])
  })

  test('equal rows become one part of several; other rows under the same number stay apart', async () => {
    const seller = await trusted()
    const twin = partFields(7, { partprice: '80' })
    const rows = [partFields(7), partFields(7), twin, { ...partFields(7), partname: 'Alternator 8' }]
    const done = await importRows(app, seller, rows)
    expect(done.plan).toMatchObject({ create: 3, merged: 1 })
    const listings = await listingsOf(app, seller)
    expect(listings.map(({ quantity, price_cents }) => [quantity, price_cents])).toEqual([
      [2, 9550],
      [1, 8000],
      [1, 9550],
    ])
    expect((await sourcesOf(app, seller)).map(({ ordinal }) => ordinal).sort()).toEqual([1, 1, 2])
  })

  test('the same part of another seller is not touched', async () => {
    const [one, other] = [await trusted(), await trusted()]
    await importRows(app, one, partsFields(2, { stocknum: 'same' }))
    const before = await listingsOf(app, one)
    await importRows(app, other, partsFields(2, { stocknum: 'same', partprice: '10' }))
    expect(await listingsOf(app, one)).toEqual(before)
    expect(await listingsOf(app, other)).toHaveLength(2)
  })

  test('notes pictures to be fetched', async () => {
    const seller = await trusted()
    await importRows(app, seller, [partFields(1, { imageUrl: 'https://yard.example/1.jpg' }), partFields(2)])
    const [first] = await listingsOf(app, seller)
    const images = await app.db
      .selectFrom('listing_image')
      .selectAll()
      .where('listing_id', '=', first?.id ?? '')
      .execute()
    expect(images).toMatchObject([
      { source_url: 'https://yard.example/1.jpg', state: 'pending', position: 0 },
    ])
  })
})

describe('the same parts again', () => {
  test('an unchanged file changes nothing, whatever its order', async () => {
    const seller = await trusted()
    const rows = [...partsFields(4), partFields(2, { partprice: '70' }), partFields(3)]
    await importRows(app, seller, rows)
    const before = { listings: await listingsOf(app, seller), sources: await sourcesOf(app, seller) }
    const done = await importRows(app, seller, rows.toReversed())
    expect(done.plan).toMatchObject({ create: 0, update: 0, unchanged: 5, merged: 1 })
    expect({ listings: await listingsOf(app, seller), sources: await sourcesOf(app, seller) }).toEqual(before)
  })

  test('a changed price is one update with its history', async () => {
    const seller = await trusted()
    await importRows(app, seller, partsFields(3))
    const done = await importRows(app, seller, [
      partFields(1),
      partFields(2, { partprice: '120' }),
      partFields(3),
    ])
    expect(done).toMatchObject({ created: 0, updated: 1, plan: { update: 1, unchanged: 2 } })
    const [first, second] = await listingsOf(app, seller)
    expect(first?.version).toBe(1)
    expect(second).toMatchObject({ version: 2, price_cents: 12000 })
    expect(await changesOf(app, second?.id ?? '')).toMatchObject([
      { version: 2, changes: { price_cents: [9550, 12000] } },
    ])
  })

  longTest('a hand-edited listing keeps the edit while the file’s row stays the same', async () => {
    const seller = await trusted()
    await importRows(app, seller, partsFields(1))
    const [listing] = await listingsOf(app, seller)
    await seller.api.put(`/seller/parts/${listing?.id}`, { partdescription: 'Bench tested' })
    await importRows(app, seller, partsFields(1))
    expect((await listingsOf(app, seller))[0]).toMatchObject({ description: 'Bench tested', version: 2 })
  })

  test('columns that the file does not have stay as they are', async () => {
    const seller = await trusted()
    await importRows(app, seller, partsFields(1))
    const [listing] = await listingsOf(app, seller)
    await seller.api.put(`/seller/parts/${listing?.id}`, {
      partdescription: 'Bench tested',
      partquantity: '5',
    })
    await importRows(app, seller, [partFields(1, { partprice: '1' })])
    expect((await listingsOf(app, seller))[0]).toMatchObject({
      description: 'Bench tested',
      quantity: 5,
      price_cents: 100,
    })
  })

  test.each(MODES)('an empty cell takes no text away that a person or a script wrote (%s)', async (mode) => {
    const seller = await trusted()
    await importRows(app, seller, partsFields(2, { partdescription: 'As is', h1: 'As it came' }))
    const [first] = await listingsOf(app, seller)
    await seller.api.put(`/seller/parts/${first?.id}`, {
      partdescription: 'Bench tested',
      stocknum: 'T-1',
    })
    const rows = [
      partFields(1, { partprice: '1', partdescription: '', h1: ' ', stocknum: '' }),
      partFields(2, { partprice: '2', partdescription: 'Tested', stocknum: 'S-2' }),
    ]
    await importRows(app, seller, rows, { mode })
    expect(await listingsOf(app, seller)).toMatchObject([
      { description: 'Bench tested', heading: 'As it came', stock_number: 'T-1', price_cents: 100 },
      { description: 'Tested', heading: 'As it came', stock_number: 'S-2', price_cents: 200 },
    ])
  })

  test('renaming a make in the lists does not double a yard', async () => {
    const seller = await trusted()
    const rows = partsFields(2, { partmanu: 'Saab', partmodel: '9-3' })
    await importRows(app, seller, rows)
    await app.db.transaction().execute(async (trx) => {
      await beginLookupChange(trx)
      await joinChangeSet(trx, '00000000-0000-7000-8000-000000000000')
      await trx
        .updateTable('manufacturer')
        .set({ name: 'Saab Automobile' })
        .where('name', '=', 'Saab')
        .execute()
      await sql`
        insert into manufacturer_alias (alias_key, alias, manufacturer_id)
        select name_key('Saab'), 'Saab', id from manufacturer where name = 'Saab Automobile'
      `.execute(trx)
    })
    const done = await importRows(app, seller, rows)
    // The job that follows a rename did not run here; the file brings the new name, and no new part.
    expect(done.plan).toMatchObject({ create: 0, end: 0, update: 2 })
    expect(await listingsOf(app, seller)).toHaveLength(2)
  })

  test('rows under one number are paired by content, then by order', async () => {
    const seller = await trusted()
    const [a, b, c] = [
      partFields(1, { partprice: '1' }),
      partFields(1, { partprice: '2' }),
      partFields(1, { partprice: '3' }),
    ]
    await importRows(app, seller, [a, b, c])
    const before = await listingsOf(app, seller)
    const done = await importRows(app, seller, [
      { ...a, partprice: '9' },
      c,
      b,
      partFields(1, { partprice: '4' }),
    ])
    expect(done.plan).toMatchObject({ create: 1, update: 1, unchanged: 2 })
    const after = await listingsOf(app, seller)
    expect(after.map(({ price_cents }) => price_cents)).toEqual([900, 200, 300, 400])
    expect(after.slice(0, 3).map(({ id }) => id)).toEqual(before.map(({ id }) => id))
  })

  longTest('one more of an equal part is its quantity', async () => {
    const seller = await trusted()
    await importRows(app, seller, [partFields(1)])
    const done = await importRows(app, seller, [partFields(1), partFields(1), partFields(1)])
    expect(done.plan).toMatchObject({ create: 0, update: 1, merged: 2 })
    expect(await listingsOf(app, seller)).toMatchObject([{ quantity: 3, version: 2 }])
  })

  test('a deleted listing is created again', async () => {
    const seller = await trusted()
    await importRows(app, seller, partsFields(2))
    const [gone] = await listingsOf(app, seller)
    await seller.api.delete(`/seller/parts/${gone?.id}`)
    const done = await importRows(app, seller, partsFields(2))
    expect(done).toMatchObject({ created: 1, plan: { create: 1, unchanged: 1 } })
    const listings = await listingsOf(app, seller)
    expect(listings.map(({ deleted_at }) => deleted_at === null)).toEqual([false, true, true])
    expect(await sourcesOf(app, seller)).toHaveLength(2)
  })

  test('a part listed by hand under the same stock number becomes the file’s', async () => {
    const seller = await trusted()
    const byHand = await makeQuickListing(seller.api, {
      stocknum: 'aB-17',
      partname: 'ALTERNATOR 1',
      partdesc: 'By hand',
    })
    const done = await importRows(app, seller, [partFields(1, { stocknum: 'Ab-17' }), partFields(2)])
    expect(done).toMatchObject({ created: 1, updated: 1, plan: { create: 1, update: 1 } })
    const listings = await listingsOf(app, seller)
    expect(listings).toHaveLength(2)
    expect(listings[0]).toMatchObject({
      id: byHand.id,
      description: 'By hand',
      price_cents: 9550,
      kind: 'quick',
    })
    expect((await importRows(app, seller, [partFields(1, { stocknum: 'Ab-17' })])).plan).toMatchObject({
      unchanged: 1,
    })
  })

  test('a changed picture address replaces the old one', async () => {
    const seller = await trusted()
    await importRows(app, seller, [partFields(1, { imageUrl: 'https://yard.example/1.jpg' })])
    const done = await importRows(app, seller, [partFields(1, { imageUrl: 'https://yard.example/2.jpg' })])
    expect(done.updated).toBe(1)
    const [listing] = await listingsOf(app, seller)
    const images = await app.db
      .selectFrom('listing_image')
      .selectAll()
      .where('listing_id', '=', listing?.id ?? '')
      .execute()
    expect(images).toMatchObject([{ source_url: 'https://yard.example/2.jpg', state: 'pending' }])
    expect(await changesOf(app, listing?.id ?? '')).toMatchObject([
      { changes: { imageUrl: ['https://yard.example/1.jpg', 'https://yard.example/2.jpg'] } },
    ])
  })
})
