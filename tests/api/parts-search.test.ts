import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Manufacturer } from '#contract/lookups.ts'
import type { PartsPage } from '#contract/search/parts-search.ts'
import { listEmptySearches } from '#server/features/finding/vocabulary/empty-searches.ts'
import {
  addTradeWord,
  listTradeWords,
  removeTradeWord,
} from '#server/features/finding/vocabulary/trade-words.ts'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import { writeSearchRows } from '#server/features/market/listings/search-row/search-rows.ts'
import { makePictureListing, makeQuickListing, type NamedPart, namedPart } from '#tests/support/make-rows.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
let yard: SignedIn
beforeAll(async () => {
  yard = await app.signUp()
})

const find = async (q: string, more: Record<string, string> = {}, api = app.visitor) =>
  (await api.get<PartsPage>(`/parts?${new URLSearchParams({ q, ...more })}`)).body
const names = ({ items }: PartsPage) => items.map(({ partname }) => partname)

const list = async (part: NamedPart, by = yard) =>
  makeQuickListing(by.api, await namedPart(app.visitor, part))

describe('the part type that was named', () => {
  test('outranks parts that only mention it', async () => {
    const transmission = await list({ name: 'Automatic transmission', category: 'Automatic Transmission' })
    await list({ name: 'Transmission mount', category: 'Transmission Mount' })
    await list({ name: 'Shifter for automatic transmission', category: 'Shifter Assembly' })
    for (const q of ['transmission', 'tranny', 'gearbox', 'trany', 'f150 transmision']) {
      expect([q, names(await find(q))]).toEqual([q, [transmission.partname]])
    }
  })

  test('is no part that only mentions it, and the page says that there is none', async () => {
    await list({ name: 'Bolt for a winch', category: 'Lug Nut' })
    const found = await find('winch')
    expect([names(found), found.relaxed?.sentence]).toEqual([[], 'No winches right now.'])
  })

  test('is no part of which it is only a piece', async () => {
    await list({ name: 'Engine, runs well', category: 'Engine Assembly' })
    await list({ name: 'Transfer case', category: 'Transfer Case' })
    const found = await find('transfer case motor')
    expect(names(found)).toEqual(['Transfer case'])
    expect(found.relaxed?.sentence).toBe('No transfer case motors right now. Showing 1 transfer cases.')
    await list({ name: 'Transfer case motor', category: 'Transfer Case Motor' })
    expect(names(await find('transfer case motor'))).toEqual(['Transfer case motor'])
  })
})

describe('the vehicle that was named', () => {
  test('comes first, then its family; another make is another part', async () => {
    const grille = { name: 'Grille', category: 'Grille' }
    await list({ ...grille, name: 'Grille, plain', model: 'F-150' })
    await list({ ...grille, name: 'Grille, electric', model: 'F-150 Lightning' })
    await list({ ...grille, name: 'Grille, other', model: 'Ranger' })
    for (const q of ['f150 grille', 'f-150 grill', 'F 150 grille', 'ford f150 grille']) {
      expect([q, names(await find(q))]).toEqual([q, ['Grille, plain', 'Grille, electric']])
    }
    expect(names(await find('ford grille')).toSorted()).toEqual([
      'Grille, electric',
      'Grille, other',
      'Grille, plain',
    ])
  })

  test('may be a model that no lookup has', async () => {
    const horn = await list({ name: 'Horn', category: 'Horn', make: 'Honda', model: 'Fit' })
    await withChangeSet(app.db, { actorKind: 'system', reason: 'unknown model' }, async (trx) => {
      const unknown = { car_model_id: null, model_name: 'CR-V EX special' }
      await trx.updateTable('listing').set(unknown).where('id', '=', horn.id).execute()
      await writeSearchRows(trx, [horn.id])
    })
    expect(names(await find('crv horn'))).toEqual(['Horn'])
  })
})

test('sides: parts of the other side are left out, parts that do not say theirs come last', async () => {
  const mirror = { category: 'Door Mirror', make: 'Toyota', model: 'Camry' }
  await list({ ...mirror, name: 'Door mirror' })
  await list({ ...mirror, name: 'Door mirror, left' })
  await list({ ...mirror, name: 'Door mirror, right' })
  for (const q of [
    'lh camry mirror',
    'drivers side mirror camry',
    "camry driver's side mirror",
    'L mirror camry',
  ]) {
    expect([q, names(await find(q))]).toEqual([q, ['Door mirror, left', 'Door mirror']])
  }
  expect(names(await find('mirror camry passenger side'))).toEqual(['Door mirror, right', 'Door mirror'])
})

describe('spelling', () => {
  beforeAll(async () => {
    await list({ name: 'Alternator 130A', category: 'Alternator', make: 'Hyundai', model: 'Elantra' })
    for (const n of [1, 2, 3]) await list({ name: `Fairlead ${n}`, category: 'Winch' })
  })

  test('is corrected by the trade’s words and reported, unless the user wants the words as typed', async () => {
    const found = await find('altenator')
    expect(found).toMatchObject({ total: 1, corrected: { from: 'altenator', to: 'alternator' } })
    const both = await find('elentra altenator')
    expect(both).toMatchObject({ total: 1, corrected: { to: 'elantra alternator' } })
    const exact = await find('altenator', { exact: '1' })
    expect(exact).toMatchObject({ total: 0, understood: [] })
    expect(exact.corrected).toBeUndefined()
    expect((await find('alternator')).corrected).toBeUndefined()
  })

  test('a word in several of our own parts is not a typo, and can be what was meant', async () => {
    const found = await find('fairlead')
    expect(found).toMatchObject({ total: 3 })
    expect(found.corrected).toBeUndefined()
    expect(await find('farelead')).toMatchObject({
      total: 3,
      corrected: { from: 'farelead', to: 'fairlead' },
    })
  })

  test('a part number with one wrong character offers the near ones', async () => {
    await list({ name: 'Numbered coil', category: 'Ignition Coil', number: '90919-02244' })
    expect(names(await find('90919-02244'))).toEqual(['Numbered coil'])
    for (const q of ['9091902244', '90919 02244']) expect((await find(q)).relaxed).toBeUndefined()
    for (const q of ['90919-02245', '9091902424', '909190224', '90919-022444']) {
      const near = await find(q.replace('909190224', '90919O2244'))
      expect([q, names(near)]).toEqual([q, ['Numbered coil']])
      expect(near.relaxed?.dropped).toEqual(['number'])
    }
    expect((await find('11111-77777')).total).toBe(0)
  })
})

describe('a seller’s name among the words', () => {
  const part = { name: 'Ignition switch', category: 'Ignition Switch' }
  let ozark: SignedIn
  beforeAll(async () => {
    ozark = await app.signUp()
    await sql`update seller set name = 'Ozark Ridge & Sons Salvage, LLC' where id = ${ozark.user.sellerId}`.execute(
      app.db,
    )
    await list(part)
    await list({ ...part, name: 'Ignition switch of Ozark Ridge' }, ozark)
  })

  test('finds that seller’s parts, however it is written, and can be taken away', async () => {
    for (const q of [
      'ozark ridge and sons salvage ignition switch',
      'ignition switch Ozark Ridge & Sons Salvage LLC',
    ]) {
      const found = await find(q)
      expect([q, names(found)]).toEqual([q, ['Ignition switch of Ozark Ridge']])
      const chip = found.understood.find(({ kind }) => kind === 'seller')
      expect(chip?.label).toBe('Ozark Ridge & Sons Salvage, LLC')
      const without = new URLSearchParams(chip?.without)
      expect((await find(without.get('q') ?? '')).total).toBe(2)
    }
    expect(names(await find('ozark ridge & sons salvage'))).toEqual(['Ignition switch of Ozark Ridge'])
  })

  test('is left out before the part if that seller has none', async () => {
    await list({ name: 'Horn pad', category: 'Horn' })
    const found = await find('ozark ridge and sons salvage horn')
    expect(names(found)).toContain('Horn pad')
    expect(found.relaxed?.dropped).toEqual(['seller'])
    expect(found.relaxed?.sentence).toMatch(/^Ozark Ridge & Sons Salvage, LLC has no horns/)
  })

  test('means nothing once the seller has no parts', async () => {
    await list({ name: 'Wiper motor', category: 'Wiper Motor' })
    const other = await app.signUp()
    await sql`update seller set name = 'Quartzite Yard' where id = ${other.user.sellerId}`.execute(app.db)
    const { id } = await list({ name: 'Wiper motor', category: 'Wiper Motor' }, other)
    expect((await find('quartzite yard wiper motor')).total).toBe(1)
    await other.api.delete(`/seller/parts/${id}`)
    expect((await find('quartzite yard wiper motor')).understood.map(({ kind }) => kind)).toEqual(['part'])
  })
})

test('a corrected spelling is shown even if the catalog knows it', async () => {
  expect((await find('alternater')).corrected).toEqual({ from: 'alternater', to: 'alternator' })
  expect((await find('alternater', { exact: '1' })).corrected).toBeUndefined()
  expect((await find('grill')).corrected).toBeUndefined()
})

describe('too many conditions', () => {
  beforeAll(async () => {
    const hood = { name: 'Hood, red', category: 'Hood', make: 'Honda', model: 'Civic' }
    await list({ ...hood, year: '2009' })
    await list({ ...hood, year: '2014' })
  })

  test('find what the largest part of them finds, nearest years first', async () => {
    const found = await find('2013 honda civic bonnet')
    expect(found).toMatchObject({
      total: 2,
      relaxed: {
        sentence: 'Nothing for 2013. Showing 2 from other years; check the fit.',
        dropped: ['year'],
      },
    })
    expect(found.items.map(({ partyear }) => partyear)).toEqual(['2014', '2009'])
  })

  test('leave out a word that nothing has', async () => {
    const found = await find('2014 civic hood zebrawood')
    expect(found).toMatchObject({
      total: 1,
      relaxed: {
        sentence: 'Nothing mentions “zebrawood”. Showing 1 hood for a 2014 Civic without it.',
        dropped: ['words'],
      },
    })
  })

  test('leave out the year before the side: a right headlamp never fits on the left', async () => {
    const headlamp = { category: 'Headlamp Assembly', make: 'Honda', model: 'Civic' }
    await list({ ...headlamp, name: 'Headlamp, left', year: '2016' })
    await list({ ...headlamp, name: 'Headlamp, right', year: '2019' })
    const found = await find('2019 civic left headlight')
    expect(found).toMatchObject({ total: 1, relaxed: { dropped: ['year'] } })
    expect(names(found)).toEqual(['Headlamp, left'])
  })

  test('leave out the model before the part', async () => {
    const found = await find('honda accord hood')
    expect(found).toMatchObject({ total: 2, relaxed: { dropped: ['model'] } })
  })

  test('never leave out a year chosen in the filters', async () => {
    const makes = (await app.visitor.get<Manufacturer[]>('/manufacturers')).body
    const manuId = makes.find(({ manuname }) => manuname === 'Honda')?.id ?? ''
    await list({ name: 'Heater box', category: 'Heater Box', make: 'Honda', model: 'Civic', year: '2005' })
    expect(await find('left headlight', { manuId, year: '2005' })).toMatchObject({ total: 0, items: [] })
  })

  test('few matches come with similar parts', async () => {
    const found = await find('2014 civic hood')
    expect(found.items).toHaveLength(1)
    expect(found.near?.items.map(({ partyear }) => partyear)).toEqual(['2009'])
  })
})

test('what was understood can be taken away, one by one', async () => {
  const { understood } = await find('2016 Ford f-150 headlight LH', {
    grade: 'A,B',
    sort: 'price-low',
    page: '2',
  })
  expect(understood.map(({ kind, label }) => `${kind} ${label}`)).toEqual([
    'year 2016',
    'make Ford',
    'model F-150',
    'part Headlamp Assembly',
    'side Left',
    'filter Grade A or B',
  ])
  const [year] = understood
  expect(Object.fromEntries(new URLSearchParams(year?.without))).toEqual({
    q: 'Ford f-150 headlight LH',
    grade: 'A,B',
    sort: 'price-low',
  })
})

test('among equally relevant parts, featured ones come first, then pictures', async () => {
  const pro = await app.signUp({ tier: 'PAID' })
  const visor = { name: 'Sun visor', category: 'Sun Visor', make: 'Kia', model: 'Soul' }
  const ofPro = await list(visor, pro)
  const { partdesc, ...others } = await namedPart(app.visitor, visor)
  const pictured = { ...others, partdescription: partdesc }
  const withPicture = await makePictureListing(yard.api, pictured)
  const plain = await list(visor)
  const found = await find('sun visor kia soul')
  expect(found.items.map(({ id }) => id)).toEqual([ofPro.id, withPicture.id, plain.id])
  expect(found.items.map(({ featured }) => featured)).toEqual([true, undefined, undefined])
  const newest = await find('sun visor kia soul', { sort: 'newest' })
  expect(newest.items.map(({ id }) => id)).toEqual([plain.id, withPicture.id, ofPro.id])
})

test('explains its order to administrators only', async () => {
  const admin = await app.signUp({ role: 'admin' })
  const why = await find('sun visor kia soul', { explain: '1' }, admin.api)
  expect(Object.keys(why.explain ?? {})).toEqual(why.items.map(({ id }) => id))
  expect(why.explain?.[why.items[0]?.id ?? ''] ?? []).toContain(
    'featured: the paid place of a Pro seller, before parts that match equally well',
  )
  for (const api of [app.visitor, yard.api]) {
    expect((await find('sun visor kia soul', { explain: '1' }, api)).explain).toBeUndefined()
  }
})

test('pages of a ranked search follow one another', async () => {
  for (let n = 0; n < 5; n += 1) await list({ name: 'Ashtray', category: 'Ashtray' })
  const page = async (n: number) => (await find('ashtray', { page: String(n), perPage: '2' })).items
  const pages = [await page(1), await page(2), await page(3), await page(4)]
  expect(pages.map((items) => items.length)).toEqual([2, 2, 1, 0])
  expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(5)
})

test('a hidden part is never found', async () => {
  const winch = await list({ name: 'Grab handle', category: 'Grab Handle' })
  const admin = await app.signUp({ role: 'admin' })
  expect((await find('grab handle')).total).toBe(1)
  await admin.api.put(`/auto-parts/${winch.id}`, { status: 'HIDDEN' })
  expect((await find('grab handle')).total).toBe(0)
})

test('long, odd and hostile words do no harm', async () => {
  for (const q of [
    '!!',
    'the',
    "'' | !x:*",
    'a'.repeat(200),
    '( ) & | ! <->',
    'x '.repeat(100),
    '\\ % _ $1',
    '2016 2016',
  ]) {
    expect([q, (await app.visitor.get(`/parts?${new URLSearchParams({ q })}`)).status]).toEqual([q, 200])
  }
  expect((await app.visitor.get(`/parts?q=${'a'.repeat(201)}`)).status).toBe(400)
  expect((await app.visitor.get('/parts?side=up')).status).toBe(400)
})

describe('trade words', () => {
  test('are used from when they are added until they are removed', async () => {
    await list({ name: 'Clock spring', category: 'Clock Spring' })
    expect((await find('whirlygig')).total).toBe(0)
    const word = await addTradeWord(app.db, { word: 'Whirlygig', kind: 'part', means: 'Clock Spring' })
    expect(await find('whirlygigs')).toMatchObject({ total: 1, understood: [{ label: 'Clock Spring' }] })
    await removeTradeWord(app.db, word.id)
    expect((await find('whirlygig')).total).toBe(0)
    await expect(removeTradeWord(app.db, word.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test.each([
    [{ word: 'thing', kind: 'part', means: 'No such category' }, 'VALIDATION_FAILED'],
    [{ word: 'thing', kind: 'side', means: 'upward' }, 'VALIDATION_FAILED'],
    [{ word: 'thing', kind: 'make', means: 'Trabant' }, 'VALIDATION_FAILED'],
    [{ word: 'thing', kind: 'model', means: 'Mustang' }, 'VALIDATION_FAILED'],
    [{ word: 'Tran ny', kind: 'part', means: 'Hood' }, 'CONFLICT'],
  ] as const)('%j is refused', async (word, code) => {
    await expect(addTradeWord(app.db, word)).rejects.toMatchObject({ code })
  })

  test('every word of the data is there', async () => {
    expect((await listTradeWords(app.db)).length).toBeGreaterThan(900)
  })
})

test('searches without a result are counted by their words', async () => {
  for (const q of ['quuxomatic valve zzyx', 'Zzyx quuxomatic VALVE']) await find(q)
  await find('quuxomatic call 918-555-0142')
  await find('quuxomatic', { priceMin: '5' })
  const noted = async () => (await listEmptySearches(app.db, { page: 1, perPage: 50 })).items
  await expect
    .poll(async () => (await noted()).find(({ words }) => words.includes('quuxomatic'))?.times, {
      timeout: 8_000,
    })
    .toBe(2)
  expect((await noted()).filter(({ words }) => words.includes('quuxomatic'))).toHaveLength(1)
  const { rows } = await sql<{ kept: string }>`select words as kept from empty_search`.execute(app.db)
  expect(JSON.stringify(rows)).not.toContain('918')
})

describe('a VIN in the search box', () => {
  const car = { make: 'Honda', model: 'Accord', year: '2003' }

  test('finds the parts of its car, and is one chip', async () => {
    await list({ ...car, name: 'Alternator of the VIN’s car', category: 'Alternator' })
    await list({ ...car, name: 'Radio of the VIN’s car', category: 'Radio' })
    const found = await find('1HGCM82633A004352')
    expect(found.understood).toEqual([{ kind: 'vin', label: '2003 Honda Accord, from the VIN', without: '' }])
    expect(names(found).toSorted()).toEqual(['Alternator of the VIN’s car', 'Radio of the VIN’s car'])
    const narrower = await find('vin: 1hgcm826-33a004352 alternator')
    expect(names(narrower)).toEqual(['Alternator of the VIN’s car'])
    expect(narrower.understood.map(({ label }) => label)).toEqual([
      '2003 Honda Accord, from the VIN',
      'Alternator',
    ])
    expect(narrower.understood[1]?.without).not.toMatch(/1HG/i)
  })

  test('never leads to an empty page and is never recorded', async () => {
    const other = await find('2HGFE1E58NH081047')
    expect(other.relaxed?.sentence).toMatch(/^Nothing for 2022/)
    expect(other.items.length).toBeGreaterThan(0)
    const unknown = await find('ZZZCM82633A004352')
    expect(unknown.items.length).toBeGreaterThan(0)
    expect(unknown.relaxed?.sentence).toMatch(/^We can’t tell the car/)
    const { items } = await listEmptySearches(app.db, { page: 1, perPage: 100 })
    expect(items.map(({ words }) => words).filter((words) => /\b[a-z0-9]{17}\b/.test(words))).toEqual([])
  })
})

describe('an ordinary sentence', () => {
  beforeAll(async () => {
    for (const [make, model, year] of [
      ['Nissan', 'Sentra', '2013'],
      ['Toyota', 'Corolla', '2009'],
      ['Toyota', 'Prius', '2009'],
    ] as const) {
      await list({ name: `Deck lid of ${model}`, category: 'Trunk Lid', make, model, year })
    }
  })

  test.each([
    ['what trunk lid fits a 2013 sentra', ['Deck lid of Sentra']],
    ['i need a trunk lid 2013 nissan sentra please', ['Deck lid of Sentra']],
    ['do you have a decklid for my 13 sentra?', ['Deck lid of Sentra']],
    ['trunk lid out of an 09 prius', ['Deck lid of Prius']],
    ['prius or corolla trunk lid', ['Deck lid of Prius', 'Deck lid of Corolla']],
    ['any trunk lid corolla', ['Deck lid of Corolla']],
    ['trunk lid 2009 not prius', ['Deck lid of Corolla']],
    ['trunk lid 2009 -prius', ['Deck lid of Corolla']],
    ['trunk lid 09 corolla, not cracked', ['Deck lid of Corolla']],
    ['cajuela corolla', ['Deck lid of Corolla']],
  ])('%s', async (q, expected) => {
    const found = await find(q)
    expect([names(found), found.relaxed]).toEqual([expected, undefined])
  })

  test('what is excluded is a chip, and is never found instead', async () => {
    const found = await find('trunk lid 2013 without sentra')
    expect(found.understood.map(({ label }) => label)).toContain('without sentra')
    expect(names(found)).not.toContain('Deck lid of Sentra')
  })

  test.each(["don't fit", "alt'ernatr", 'x\\', "'; drop table", 'a & ! | <-> b:*', '!(', '%_', '"quoted'])(
    'no text gets into the query’s language: %s',
    async (q) => {
      const { status } = await app.visitor.get(`/parts?${new URLSearchParams({ q })}`)
      expect(status).toBe(200)
    },
  )
})
