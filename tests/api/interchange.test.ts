import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { ErrorReply } from '#contract/endpoint.ts'
import type { ImportReceipt, StagedReply } from '#contract/imports.ts'
import { linksParts } from '#contract/listing/interchange.ts'
import type { Listing } from '#contract/listings.ts'
import type { CarModel, Category, Manufacturer } from '#contract/lookups.ts'
import type { AroundPart } from '#contract/pages/part-page.ts'
import type { ReportedListing } from '#contract/reports.ts'
import type { FitSuggestion, InterchangeClaim, InterchangeReport } from '#contract/search/interchange.ts'
import type { Card, PartsPage } from '#contract/search/parts-search.ts'
import { countHeldStatements } from '#server/features/market/listings/search-row/held-statements.ts'
import { markEstablishedSellers } from '#server/features/people/sellers/established.ts'
import {
  csvOf,
  newKey,
  partHeader,
  partMapping,
  partRow,
  proSeller,
  sendCsv,
} from '#tests/support/make-imports.ts'
import { makeQuickListing, newPerson } from '#tests/support/make-rows.ts'
import { makeStock } from '#tests/support/make-stock.ts'
import { startPromotionWorker, untilImport } from '#tests/support/promotions.ts'
import { startTestApp } from '#tests/support/test-app.ts'

/* Numbers that interchange, as sellers state them. */

const app = await startTestApp()
await startPromotionWorker(app)
const { visitor } = app
const seller = await app.signUp({ person: newPerson({ name: 'Harbor Yard' }) })
const other = await app.signUp({ person: newPerson({ name: 'Other Yard' }) })

const makePart = (changes = {}, by = seller) => makeQuickListing(by.api, changes)
const find = async (q: string): Promise<readonly Card[]> =>
  (await visitor.get<PartsPage>(`/parts?${new URLSearchParams({ q })}`)).body.items
const numbersFound = async (q: string) => (await find(q)).map(({ partnum }) => partnum)
const around = async ({ partslug }: Listing) =>
  (await visitor.get<AroundPart>(`/parts/${partslug}/around`)).body.numbers

type Group = {
  numbers: { number: string; why: string }[]
  edges: { kind: string; number: string; other: string; confidence: number; sources: { source: string }[] }[]
}
const group = async (number: string) =>
  (await visitor.get<Group>(`/public/interchange?${new URLSearchParams({ number })}`)).body

const state = (kind: 'same' | 'replaces', number: string, than: string, by = seller) =>
  by.api.post<InterchangeClaim & ErrorReply>('/seller/interchange', { kind, number, other: than })

describe('what a listing states', () => {
  test('leads a search for either number to the part, and the card says why', async () => {
    const part = await makePart({ partnum: '81150-06470', partinterchange: 'Supersedes 81150-06380' })
    expect(part.partinterchange).toBe('replaces 81150-06380')
    const old = await makePart({ partnum: '81150-06380' }, other)
    const [first, second] = await find('8115006380')
    expect([first?.id, first?.interchange]).toEqual([old.id, undefined])
    expect([second?.id, second?.interchange]).toEqual([
      part.id,
      '81150-06470 replaces 81150-06380, according to Harbor Yard',
    ])
    expect(await numbersFound('81150 06470')).toEqual(['81150-06470', '81150-06380'])
    expect(await around(part)).toEqual({
      same: [],
      replaces: ['81150-06380'],
      replacedBy: [],
      sellerSays: [],
    })
    expect(await around(old)).toEqual({ same: [], replaces: [], replacedBy: ['81150-06470'], sellerSays: [] })
    expect((await group('81150-06380')).edges).toEqual([
      {
        kind: 'replaces',
        number: '81150-06470',
        other: '81150-06380',
        confidence: 0.7,
        sources: [{ seller: 'Harbor Yard', source: 'listing', at: expect.any(String) }],
      },
    ])
  })

  test('goes away when the seller changes it or removes the listing; a sold part keeps it', async () => {
    const part = await makePart({ partnum: '27060-28010', partinterchange: '27060-28020; 27060-28030' })
    const claimed = async () => (await group('27060-28010')).numbers.map(({ number }) => number)
    expect(await claimed()).toEqual(['27060-28020', '27060-28030'])
    await seller.api.put(`/seller/parts/${part.id}`, { partinterchange: '27060-28030' })
    expect(await claimed()).toEqual(['27060-28030'])
    await seller.api.post(`/seller/parts/${part.id}/end`, { reason: 'sold-elsewhere' })
    expect(await claimed()).toEqual(['27060-28030'])
    await seller.api.delete(`/seller/parts/${part.id}`)
    expect(await claimed()).toEqual([])
    await seller.api.post(`/seller/parts/${part.id}/restore`)
    expect(await claimed()).toEqual(['27060-28030'])
  })

  test('numbers in Hollander’s form find this yard’s part and join no others', async () => {
    const words = '114-60123A; fits most'
    const part = await makePart({ partnum: '33100-TA0-A01', partinterchange: words })
    await makePart({ partnum: '33100-TA0-A11', partinterchange: words }, other)
    expect((await numbersFound('114-60123A')).toSorted()).toEqual(['33100-TA0-A01', '33100-TA0-A11'])
    expect((await group('33100-TA0-A01')).numbers).toEqual([])
    expect(await around(part)).toEqual({
      same: ['114-60123A', 'fits most'],
      replaces: [],
      replacedBy: [],
      sellerSays: [],
    })
  })

  test('a part without a number of its own is found by the ones stated', async () => {
    await makePart({ partnum: 'none', partinterchange: '92101-3K000; replaces 92101-3K010' })
    const [found] = await find('92101-3K010')
    expect(found?.interchange).toBe('Its seller states this number')
    expect((await group('92101-3K000')).numbers.map(({ number }) => number)).toEqual(['92101-3K010'])
  })

  test('comes from a file as the yard’s own words', async () => {
    const yard = await proSeller(app, { trusted: true })
    const header = [...partHeader, 'OEM', 'Interchange']
    const file = csvOf([[...partRow(1), '16400-0P010', '16400-0P020 / 311-90210']], header)
    const mapping = { ...partMapping, partnum: 'OEM', partinterchange: 'Interchange' }
    const fields = { mapping, idempotencyKey: newKey() }
    const { importId } = (await sendCsv<StagedReply>(yard.api, { file, fields })).body
    await untilImport(app, yard.api, importId)
    const { items } = (await yard.api.get<{ items: Listing[] }>('/seller/parts')).body
    expect(items.map(({ partinterchange }) => partinterchange)).toEqual(['16400-0P020; 311-90210'])
    expect((await group('16400-0P020')).edges).toMatchObject([
      { confidence: 0.6, sources: [{ source: 'file' }] },
    ])
  })
})

test('form and database agree on which numbers link parts', async () => {
  const numbers = [
    '81150-06380',
    '114-60123',
    '545-00871a',
    ' 114-60123 ',
    'A4',
    '12345',
    'L-R-L-R',
    'fk1z 1955 b',
    '9'.repeat(31),
  ]
  const { rows } = await sql<{ number: string; links: boolean }>`
    select number, links_parts(number) as links from unnest(${numbers}::text[]) number
  `.execute(app.db)
  for (const { number, links } of rows) expect([number, links]).toEqual([number, linksParts(number)])
})

describe('what a yard states of the numbers themselves', () => {
  test('counts once, is listed and can be removed', async () => {
    const { status, body } = await state('same', 'SU003-01586', 'TO2503-201')
    expect(status).toBe(201)
    expect((await state('same', 'TO2503201', 'SU00301586')).body.id).toBe(body.id)
    const list = async () =>
      (await seller.api.get<{ items: InterchangeClaim[] }>('/seller/interchange')).body.items
    expect((await list()).filter(({ id }) => id === body.id)).toHaveLength(1)
    await makePart({ partnum: 'SU003-01586' })
    expect(await numbersFound('TO2503-201')).toEqual(['SU003-01586'])
    expect((await other.api.delete(`/seller/interchange/${body.id}`)).status).toBe(404)
    expect((await seller.api.delete(`/seller/interchange/${body.id}`)).status).toBe(200)
    expect((await seller.api.delete(`/seller/interchange/${body.id}`)).status).toBe(404)
    expect(await numbersFound('TO2503-201')).toEqual([])
  })

  test('refuses invalid part numbers, and two spellings of one', async () => {
    expect((await state('same', '114-60123', '81150-06380')).body.fields).toHaveProperty('number')
    expect((await state('same', '81150-06380', '8115006380')).body.fields).toHaveProperty('other')
  })

  test('refuses a cycle of its own; of two yards’ statements, the more certain one counts in every search', async () => {
    await state('replaces', 'CYC-20002', 'CYC-10001')
    await state('replaces', 'CYC-30003', 'CYC-20002')
    const { status, body } = await state('replaces', 'CYC-10001', 'CYC-30003')
    expect([status, body.error]).toEqual([
      409,
      'This contradicts another statement: CYC-30003 replaces CYC-10001 by way of CYC-20002, according to Harbor Yard. Remove that one first, or swap the numbers.',
    ])
    await makePart({ partnum: 'CYC-10001', partinterchange: 'replaces CYC-30003' }, other)
    await makePart({ partnum: 'CYC-30003' })
    expect((await group('CYC-10001')).edges).toHaveLength(2)
    expect((await find('CYC-10001')).map(({ partnum, interchange }) => [partnum, interchange])).toEqual([
      ['CYC-10001', undefined],
      ['CYC-30003', 'CYC-30003 replaces CYC-10001 by way of CYC-20002, according to Harbor Yard'],
    ])
  })
})

const stranger = await app.signUp({ isNew: true, person: newPerson({ name: 'Quick Yard' }) })

describe('a new seller’s statements', () => {
  const words = 'ZKM-80946; replaces WTR-29461'

  test('are shown on its own parts’ pages as its word, and nowhere else', async () => {
    const victim = await makePart({ partnum: 'ZKM-80946' })
    const part = await makePart({ partnum: 'QYD-51372', partinterchange: words }, stranger)
    expect((await state('same', 'QYD-51372', 'HHV-61705', stranger)).status).toBe(201)
    for (const number of ['ZKM-80946', 'WTR29461', 'HHV-61705'])
      expect(await numbersFound(number)).not.toContain('QYD-51372')
    expect(await numbersFound('QYD-51372')).toEqual(['QYD-51372'])
    expect(await around(victim)).toEqual({ same: [], replaces: [], replacedBy: [], sellerSays: [] })
    expect(await around(part)).toEqual({
      same: [],
      replaces: [],
      replacedBy: [],
      sellerSays: ['ZKM-80946', 'replaces WTR-29461', 'HHV-61705'],
    })
    expect((await group('QYD-51372')).numbers).toEqual([])
  })

  test('must agree with each other, and are no more of one number than others’, even at the same moment', async () => {
    const other = await app.signUp({ isNew: true })
    expect((await state('replaces', 'QYD-20001', 'QYD-20002', other)).status).toBe(201)
    expect((await state('replaces', 'QYD-20002', 'QYD-20001', other)).status).toBe(409)
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, n) => state('same', 'QYD-30000', `QYD-3${1000 + n}`, other)),
    )
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(20)
  })

  test('count once it is 30 days old with a confirmed address', async () => {
    const { sellerId } = stranger.user
    const confirm = (at: Date | null) =>
      app.db
        .updateTable('app_user')
        .set({ email_verified_at: at })
        .where('id', '=', stranger.user.id)
        .execute()
    const daysOld = (days: number) =>
      app.db
        .updateTable('seller')
        .set({ created_at: new Date(Date.now() - days * 86_400_000) })
        .where('id', '=', sellerId)
        .execute()
    await daysOld(29)
    await markEstablishedSellers(app.db, new Date())
    await daysOld(31)
    await confirm(null)
    await markEstablishedSellers(app.db, new Date())
    expect(await numbersFound('WTR-29461')).toEqual([])
    await confirm(new Date())
    await markEstablishedSellers(app.db, new Date())
    expect(await numbersFound('WTR-29461')).toEqual(['QYD-51372', 'ZKM-80946'])
    expect((await group('QYD-51372')).numbers).toHaveLength(3)
  })

  test('of any seller count no longer once the account is disabled', async () => {
    const gone = await app.signUp()
    await makePart({ partnum: 'GON-10001' })
    await state('same', 'GON-10001', 'GON-10002', gone)
    expect((await group('GON-10002')).numbers).toHaveLength(1)
    const admin = await app.signUp({ role: 'admin' })
    await admin.api.put(`/admin/users/${gone.user.id}`, { disabled: true })
    expect((await group('GON-10002')).numbers).toEqual([])
  })
})

test('a reader reports a wrong number, and an administrator removes the statement for good', async () => {
  const admin = await app.signUp({ role: 'admin' })
  await makePart({ partnum: 'BAD-10001' })
  const bad = await makePart({ partnum: 'BAD-10002', partinterchange: 'BAD-10001' }, other)
  expect(await numbersFound('BAD-10001')).toEqual(['BAD-10001', 'BAD-10002'])
  await visitor.post(`/parts/${bad.partslug}/reports`, { reason: 'wrong-number' })
  const claims = async () =>
    (await admin.api.get<{ items: ReportedListing[] }>('/admin/reports')).body.items.find(
      ({ id }) => id === bad.id,
    )?.claims ?? []
  const [claim] = await claims()
  expect(claim).toMatchObject({ kind: 'same', number: 'BAD-10001', other: 'BAD-10002', seller: 'Other Yard' })
  const path = `/admin/interchange/${claim?.id}`
  expect((await other.api.delete(path)).status).toBe(403)
  expect((await admin.api.delete(path)).status).toBe(200)
  expect(await claims()).toEqual([])
  await other.api.put(`/seller/parts/${bad.id}`, { partinterchange: '' })
  await other.api.put(`/seller/parts/${bad.id}`, { partinterchange: 'BAD-10001' })
  expect((await state('same', 'BAD-10001', 'BAD-10002', other)).status).toBe(201)
  expect(await numbersFound('BAD-10001')).toEqual(['BAD-10001'])
  expect((await around(bad)).same).toEqual([])
  // Of another kind and in either direction, too.
  await other.api.put(`/seller/parts/${bad.id}`, { partinterchange: 'replaces BAD-10001' })
  expect((await state('replaces', 'BAD-10002', 'BAD-10001', other)).status).toBe(201)
  expect((await state('replaces', 'BAD-10001', 'BAD-10002', other)).status).toBe(201)
  expect(await numbersFound('BAD-10001')).toEqual(['BAD-10001'])
  expect(await numbersFound('BAD-10002')).toEqual(['BAD-10002'])
  expect((await group('BAD-10001')).edges).toEqual([])
  expect(await claims()).toEqual([])
})

test('of a flood of statements the surest are shown, and those of the reported part’s own seller', async () => {
  const admin = await app.signUp({ role: 'admin' })
  const flooders = [await app.signUp(), await app.signUp(), await app.signUp(), await app.signUp()]
  const [sure, surer] = [await app.signUp(), await app.signUp()]
  const reported = await makePart({ partnum: 'SUR-10000' })
  const flood = flooders.flatMap(({ user }, at) =>
    Array.from({ length: 25 }, (_, n) => ({
      kind: 'same',
      number: `FL${at}-2${1000 + n}`,
      other: 'SUR-10000',
      seller_id: user.sellerId,
      source: 'yard',
    })),
  )
  await app.db.insertInto('interchange_claim').values(flood).execute()
  for (const by of [sure, surer]) expect((await state('same', 'SUR-10000', 'XRE-99999', by)).status).toBe(201)
  expect((await state('same', 'SUR-10000', 'XRE-88888')).status).toBe(201)
  await visitor.post(`/parts/${reported.partslug}/reports`, { reason: 'wrong-number' })
  const found = (await admin.api.get<{ items: ReportedListing[] }>('/admin/reports')).body.items.find(
    ({ id }) => id === reported.id,
  )?.claims
  expect(found).toHaveLength(60)
  expect(found?.slice(0, 3).map(({ seller: by, other: than }) => [by, than])).toEqual([
    ['Harbor Yard', 'XRE-88888'],
    [expect.any(String), 'XRE-99999'],
    [expect.any(String), 'XRE-99999'],
  ])
})

test('a yard states 20 numbers of one number, and 5,000 pairs a day', async () => {
  const yard = await app.signUp()
  const replies = []
  for (let n = 0; n < 21; n += 1) replies.push(await state('same', 'FLD-10000', `FLD-2${1000 + n}`, yard))
  expect(replies.map(({ status }) => status)).toEqual([...Array(20).fill(201), 422])
  expect(replies.at(-1)?.body.error).toBe('You already list 20 numbers for FLD-10000. Remove some first.')
  expect((await state('same', 'FLD-10000', 'FLD-21000', yard)).status).toBe(201)
  await app.db
    .updateTable('rate_window')
    .set({ used: 5_000 })
    .where('key', '=', `number-claims:${yard.user.sellerId}`)
    .execute()
  const late = await state('same', 'FLD-30000', 'FLD-30001', yard)
  expect([late.status, late.body.error]).toEqual([
    429,
    expect.stringMatching(
      /^You have stated 5,000 pairs of numbers today. Go on in \d+ (hours|minutes|seconds)\.$/,
    ),
  ])
})

test('what listings state counts toward the same day; the rest is held, and counts on the next day', async () => {
  const yard = await app.signUp()
  const { sellerId } = yard.user
  // All but two of the day's.
  await sql`
    insert into interchange_claim (kind, number, other, seller_id, source)
    select 'same', 'CAP-' || 10000 + n, 'CAQ-' || 10000 + n, ${sellerId}, 'yard' from generate_series(1, 4998) n
  `.execute(app.db)
  const [first, second, third] = [
    await makePart({ partnum: 'HLD-10001', partinterchange: 'QWTZ-910001' }, yard),
    await makePart({ partnum: 'HLD-10002', partinterchange: 'QWTZ-910002' }, yard),
    await makePart({ partnum: 'HLD-10003', partinterchange: 'QWTZ-910003' }, yard),
  ]
  expect(await numbersFound('QWTZ-910001')).toEqual(['HLD-10001'])
  expect(await numbersFound('QWTZ-910002')).toEqual(['HLD-10002'])
  expect(await numbersFound('QWTZ-910003')).toEqual([])
  expect((await around(third)).same).toEqual(['QWTZ-910003'])
  const late = await state('same', 'FLD-40000', 'FLD-40001', yard)
  expect([late.status, late.body.error]).toEqual([
    429,
    expect.stringMatching(/^You have stated 5,000 pairs of numbers today\. Go on in /),
  ])
  const [held] = await makeStock(app.db, { sellerId, parts: 1 }, () => ({
    part_number: 'HLD-10004',
    interchange: 'QWTZ-910004; QWTZ-920004',
  }))
  expect(await numbersFound('QWTZ-910004')).toEqual([])
  // An edit of a held one holds it still.
  await yard.api.put(`/seller/parts/${third.id}`, { partinterchange: 'QWTZ-930003' })
  expect(await numbersFound('QWTZ-930003')).toEqual([])
  await countHeldStatements(app.db)
  expect(await numbersFound('QWTZ-910004')).toEqual([])

  await sql`update interchange_claim set stated_at = stated_at - interval '1 day' where seller_id = ${sellerId}`.execute(
    app.db,
  )
  await Promise.all([countHeldStatements(app.db), countHeldStatements(app.db)])
  expect(await numbersFound('QWTZ-920004')).toEqual(['HLD-10004'])
  await expect.poll(() => numbersFound('QWTZ-930003'), { timeout: 5_000 }).toEqual(['HLD-10003'])
  const claims = await app.db
    .selectFrom('interchange_claim')
    .select('other')
    .where('listing_id', 'in', [held ?? '', first.id, second.id, third.id])
    .execute()
  expect(claims).toHaveLength(5)
})

test('a file states more than counts in a day: its parts are live, and the receipt says what waits', async () => {
  const yard = await proSeller(app, { trusted: true })
  await sql`
    insert into interchange_claim (kind, number, other, seller_id, source)
    select 'same', 'CBP-' || 10000 + n, 'CBQ-' || 10000 + n, ${yard.user.sellerId}, 'yard' from generate_series(1, 5000) n
  `.execute(app.db)
  const header = [...partHeader, 'OEM', 'Interchange']
  const file = csvOf([[...partRow(1), 'VKM-30001', 'XJNB-730001']], header)
  const mapping = { ...partMapping, partnum: 'OEM', partinterchange: 'Interchange' }
  const fields = { mapping, idempotencyKey: newKey() }
  const { importId } = (await sendCsv<StagedReply>(yard.api, { file, fields })).body
  await untilImport(app, yard.api, importId)
  const { body } = await yard.api.get<ImportReceipt>(`/pro/imports/${importId}/receipt`)
  expect(body).toMatchObject({ created: 1, statementsHeld: 1 })
  expect(await numbersFound('XJNB-730001')).toEqual([])
  expect(await numbersFound('VKM-30001')).toEqual(['VKM-30001'])
})

describe('the yard’s report', () => {
  const report = async (by: typeof seller) =>
    (await by.api.get<InterchangeReport>('/seller/interchange/report')).body

  test('counts what interchanges, and lists what does not until the seller states it', async () => {
    const yard = await app.signUp()
    const plain = await makePart({ partnum: 'RPT-50001' }, yard)
    await makePart({ partnum: 'RPT-50002', partinterchange: 'RPT-50003' }, yard)
    expect(await report(yard)).toMatchObject({
      parts: 2,
      numbered: 2,
      linked: 1,
      without: [{ id: plain.id, partnum: 'RPT-50001', version: 1 }],
      contradictions: [],
    })
    // What a new seller states of the number links nothing.
    expect((await state('same', 'RPT-50001', 'RPT-50004', await app.signUp({ isNew: true }))).status).toBe(
      201,
    )
    expect(await report(yard)).toMatchObject({ linked: 1, without: [{ id: plain.id }] })
    await yard.api.put(`/seller/parts/${plain.id}`, { partinterchange: 'RPT-50009', version: 1 })
    expect(await report(yard)).toMatchObject({ linked: 2, without: [] })
  })

  test('finds one number on two kinds of parts, statements across kinds, and circles', async () => {
    const yard = await app.signUp()
    const { body: categories } = await visitor.get<Category[]>('/categories')
    const [mirror, radiator] = ['Door Mirror', 'Radiator'].map(
      (name) => categories.find((category) => category.name === name)?.id ?? `no ${name}`,
    )
    const one = await makePart({ partnum: 'MIX-70001', partcategoryId: mirror, partname: 'Mirror' }, yard)
    const two = await makePart({ partnum: 'mix70001', partcategoryId: radiator, partname: 'Radiator' }, yard)
    const [first] = (await report(yard)).contradictions
    expect(first?.sentence).toMatch(/^MIX-70001 is on different parts: Door Mirror, Radiator\.$/i)
    expect(first?.parts.map(({ id }) => id)).toEqual([one.id, two.id])
    await yard.api.put(`/seller/parts/${two.id}`, { partnum: 'MIX-70002' })
    expect((await report(yard)).contradictions).toEqual([])

    const { body: claim } = await state('same', 'MIX-70001', 'MIX-70002', yard)
    expect((await report(yard)).contradictions).toEqual([
      {
        sentence:
          'You state that MIX-70001 and MIX-70002 are the same part, but MIX-70001 is listed as Door Mirror and MIX-70002 as Radiator.',
        parts: [],
        claimId: claim.id,
      },
    ])
    await yard.api.delete(`/seller/interchange/${claim.id}`)

    await state('replaces', 'MIX-70005', 'MIX-70004', other)
    const wrong = await makePart({ partnum: 'MIX-70004', partinterchange: 'replaces MIX-70005' }, yard)
    const [circle] = (await report(yard)).contradictions
    expect(circle?.sentence).toBe(
      'You state that MIX-70004 replaces MIX-70005, but MIX-70005 replaces MIX-70004, according to Other Yard.',
    )
    expect(circle?.parts.map(({ id }) => id)).toEqual([wrong.id])
  })
})

test('vehicles of parts with the same number are suggested, and nothing is added without the seller', async () => {
  const yard = await app.signUp()
  const { body: makes } = await visitor.get<Manufacturer[]>('/manufacturers')
  const acura = makes.find(({ manuname }) => manuname === 'Acura')?.id ?? 'no Acura'
  const tsx = (await visitor.get<CarModel[]>(`/carmodels?manuId=${acura}`)).body.find(
    ({ carname }) => carname === 'TSX',
  )
  const vehicle = { partmanuId: acura, partmodel: 'TSX', partmodelId: tsx?.id }
  const part = await makePart({ partnum: 'FIT-90001', partinterchange: 'FIT-90002' }, yard)
  for (const partyear of ['2009', '2010', '2013'])
    await makePart({ partnum: 'FIT-90002', partyear, ...vehicle }, other)
  const suggested = async () =>
    (await yard.api.get<{ items: FitSuggestion[] }>('/seller/interchange/fits')).body.items
  const why = 'FIT-90002 is the same part as FIT-90001, according to '
  expect(await suggested()).toMatchObject([
    {
      id: part.id,
      fitment: null,
      version: 1,
      rows: [
        { row: '2009-2010 Acura TSX', why: expect.stringContaining(why) },
        { row: '2013 Acura TSX', why: expect.stringContaining(why) },
      ],
    },
  ])
  expect((await yard.api.get<Listing>(`/seller/parts/${part.id}`)).body.fitment).toBeNull()
  await yard.api.put(`/seller/parts/${part.id}`, { fitment: '2009-2010 Acura TSX', version: 1 })
  expect((await suggested())[0]?.rows.map(({ row }) => row)).toEqual(['2013 Acura TSX'])
  // What a new seller lists is evidence of nothing.
  const late = await app.signUp({ isNew: true })
  await makePart({ partnum: 'FIT-90002', partyear: '2014', ...vehicle }, late)
  expect((await suggested())[0]?.rows.map(({ row }) => row)).toEqual(['2013 Acura TSX'])
})
