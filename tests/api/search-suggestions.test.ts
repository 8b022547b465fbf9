import { beforeAll, describe, expect, test } from 'vitest'
import type { Suggestion } from '#contract/search/suggestions.ts'
import { readLookupIds } from '#server/features/running/demo/load-demo.ts'
import { makeStock } from '#tests/support/make-stock.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
let seller: SignedIn
let ids: string[]
let tundra: string | undefined
beforeAll(async () => {
  seller = await app.signUp()
  const { categories, manufacturers, models } = await readLookupIds(app.db)
  tundra = models.get('Toyota/Tundra')
  const named = (type: string, make: string, model: string) => ({
    name: type,
    category_id: categories.get(type) ?? null,
    manufacturer_id: manufacturers.get(make) ?? null,
    manufacturer_name: make,
    car_model_id: models.get(`${make}/${model}`) ?? null,
    model_name: model,
  })
  ids = await makeStock(app.db, { sellerId: seller.user.sellerId, parts: 6 }, (at) => ({
    ...(at < 4 ? named('Alternator', 'Ford', 'F-150') : named('Tailgate', 'Ford', 'Ranger')),
    year_from: 2012,
    year_to: at === 0 ? 2014 : 2012,
    part_number: at < 4 ? 'FK1Z-10346-A' : `FK1Z-9940${at}-B`,
  }))
})

const suggest = async (q: string) =>
  (await app.visitor.get<{ suggestions: Suggestion[] }>(`/search/suggestions?${new URLSearchParams({ q })}`))
    .body.suggestions
const labels = async (q: string) => (await suggest(q)).map(({ kind, label }) => `${kind}: ${label}`)

describe('GET /search/suggestions', () => {
  test('suggests part types by every name they have, even misspelled', async () => {
    const alternator = [{ kind: 'part', label: 'Alternator', url: '/parts?q=Alternator', count: 4 }]
    expect(await suggest('alt')).toEqual(alternator)
    expect(await suggest('charging un')).toEqual(alternator)
    expect(await suggest('altenator')).toEqual(alternator)
    // A word of the trade, and one that no name has.
    expect(await suggest('charging alt')).toEqual(alternator)
    expect(await labels('lh altern')).toEqual(['words: lh Alternator'])
  })

  test('suggests vehicles that have parts, those with the most first', async () => {
    expect(await labels('ford')).toEqual(['vehicle: Ford', 'vehicle: Ford F-150', 'vehicle: Ford Ranger'])
    expect(await labels('2014 ford')).toEqual(['vehicle: 2014 Ford F-150'])
    expect(await labels('2013 f150 alt')).toEqual(['words: 2013 Ford F-150 Alternator'])
  })

  test('suggests part numbers by their beginning, whatever their dashes', async () => {
    const numbers = ['number: FK1Z-10346-A', 'number: FK1Z-99404-B', 'number: FK1Z-99405-B']
    expect(await labels('fk1z')).toEqual([])
    expect(await labels('fk1z1')).toEqual(numbers.slice(0, 1))
    expect(await labels('FK1Z 99')).toEqual(numbers.slice(1))
    expect(await labels('fk1z10346a')).toEqual(numbers.slice(0, 1))
  })

  test('a letter behind a number is its last one', async () => {
    expect(await labels('FK1Z 10346 A')).toEqual(['number: FK1Z-10346-A'])
    expect(await labels('fk1z 10346 a')).toEqual(['number: FK1Z-10346-A'])
  })

  test('suggests parts by what they are called in other languages, behind all English names', async () => {
    expect(await labels('alternateur')).toEqual(['part: Alternator'])
    expect(await labels('alternateur f150')).toEqual(['words: Ford F-150 Alternator'])
    expect(await labels('panneau benne ranger')).toEqual(['words: Ford Ranger Tailgate'])
  })

  test('suggests sellers who have parts', async () => {
    const { name } = seller.person
    expect(await labels(name)).toEqual([`seller: ${name}`])
  })

  test('a VIN suggests its car, if something of it is in stock', async () => {
    const { manufacturers, models } = await readLookupIds(app.db)
    await makeStock(app.db, { sellerId: seller.user.sellerId, parts: 2 }, () => ({
      manufacturer_id: manufacturers.get('Honda') ?? null,
      manufacturer_name: 'Honda',
      model_name: 'Accord',
      car_model_id: models.get('Honda/Accord') ?? null,
      year_from: 2003,
      year_to: 2003,
    }))
    app.clock.advance(60_000)
    // Starts to read the stock again, and the VINs of makers.
    await suggest('1HGCM82633A004352')
    const accord = {
      kind: 'vehicle',
      label: '2003 Honda Accord',
      url: '/parts?q=2003+Honda+Accord',
      count: 2,
    }
    await expect.poll(() => suggest('1HGCM82633A004352'), { timeout: 15_000 }).toEqual([accord])
    expect(await suggest('vin: 1hgcm82633a004352')).toEqual([accord])
    // A 2014 Mustang, and nothing that a maker wrote.
    expect(await suggest('1ZVBP8AM4E5200001')).toEqual([])
    expect(await suggest('11111111A11111111')).toEqual([])
  })

  test('says of whole words whether they are for any vehicle', async () => {
    const isFree = async (q: string) => {
      const query = new URLSearchParams({ q, whole: '1' })
      return (await app.visitor.get<{ isOfAnyVehicle?: boolean }>(`/search/suggestions?${query}`)).body
        .isOfAnyVehicle
    }
    for (const q of ['alternator', 'left headlight', 'zzyzx']) expect([q, await isFree(q)]).toEqual([q, true])
    for (const q of [
      'civic alternator',
      'honda',
      '2014 alternator',
      'FK1Z-10346-A',
      '1HGCM82633A004352',
      '',
    ]) {
      expect([q, await isFree(q)]).toEqual([q, false])
    }
  })

  test('suggests nothing for an empty text, punctuation and unknown parts', async () => {
    for (const q of ['', ' ', '???', 'torque converter', "'; drop table listing"]) {
      expect(await labels(q)).toEqual([])
    }
    expect((await app.visitor.get(`/search/suggestions?q=${'a'.repeat(201)}`)).status).toBe(400)
  })

  test('knows a moment later that a part came or went', async () => {
    await makeStock(app.db, { sellerId: seller.user.sellerId, parts: 1 }, () => ({
      manufacturer_name: 'Toyota',
      model_name: 'Tundra',
      car_model_id: tundra ?? null,
    }))
    await Promise.all(ids.slice(4).map((id) => seller.api.delete(`/seller/parts/${id}`)))
    app.clock.advance(60_000)
    await suggest('')
    await expect
      .poll(() => labels('tund'))
      .toEqual(expect.arrayContaining([expect.stringContaining('Tundra')]))
    expect(await labels('tailg')).toEqual([])
    expect(await labels('ranger')).toEqual([])
  })
})
