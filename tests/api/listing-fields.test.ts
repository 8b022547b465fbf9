import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { withoutFormulaGuard } from '#contract/csv/csv-cell.ts'
import type { StagedReply } from '#contract/imports.ts'
import {
  bulkListingFields,
  fileTextFields,
  listingKinds,
  replyNameOf,
  sentFields,
  specOf,
  type TextField,
  textFields,
} from '#contract/listing/listing-fields.ts'
import { fieldLabels, type ListingText, longestText } from '#contract/listing/listing-rules.ts'
import { type Listing, listingBody } from '#contract/listings.ts'
import { recallsLoad } from '#server/commands/recalls-load.ts'
import { replaceRecalls } from '#server/features/market/listings/restricted.ts'
import { openLog } from '#server/platform/log.ts'
import { exportParts, readCsv, standardCsv, standardMapping } from '#tests/support/exported-parts.ts'
import { newKey, proSeller, sendCsv } from '#tests/support/make-imports.ts'
import { makePictureListing, makeQuickListing } from '#tests/support/make-rows.ts'
import { startPromotionWorker, untilImport } from '#tests/support/promotions.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

/* Every text that the field table declares works end to end, so no other list of fields can fall behind. */

const app = await startTestApp()
await startPromotionWorker(app)
const admin = await app.signUp({ role: 'admin' })

type Change = { field: string; label: string; before: unknown; after: unknown }

/** Values of fields with rules of their own. */
const particular: Partial<Record<TextField, readonly string[]>> = {
  partgrade: ['A', 'B', 'C'],
  partstate: ['OK', 'TX', 'KS'],
  damagecode: ['5P1', '2D1 4S2', '000'],
  zipcode: ['74103', '74104', '74105'],
  dealerphone: ['(918) 555-0142', '(918) 555-0143', '(918) 555-0144'],
  fitment: [
    '2010 Honda Accord',
    '2008-2012 Honda Accord (trim: EX); 2009 Acura TSX',
    '2014 Kia Rio (no A/C)',
  ],
  partinterchange: ['81150-06380', '81150-06380; replaces 81150-06370', 'replaced by 81150-06490'],
  phoneb: ['(918) 555-0152', '(918) 555-0153', '(918) 555-0154'],
}

/** The next value of a field, as stored. */
function sample(field: TextField, round: number): string {
  const value = particular[field]?.[round] ?? `${round} ${field}`.slice(0, longestText(field))
  return specOf(field).upper ? value.toUpperCase() : value
}

const samples = (fields: readonly TextField[], round: number): ListingText =>
  Object.fromEntries(fields.map((field) => [field, sample(field, round)]))
const inReply = (text: ListingText): Partial<Listing> =>
  Object.fromEntries((Object.keys(text) as TextField[]).map((field) => [replyNameOf(field), text[field]]))

const sentTexts = textFields.filter((field) => (sentFields as readonly string[]).includes(field))
const bulkTexts = textFields.filter((field) => (bulkListingFields as readonly string[]).includes(field))

const readOwn = async ({ api }: SignedIn, id: string) => (await api.get<Listing>(`/seller/parts/${id}`)).body

async function lastChange(id: string): Promise<Change[]> {
  const { body } = await admin.api.get<{ items: { fields: Change[] }[] }>(`/admin/parts/${id}/history`)
  return body.items[0]?.fields ?? []
}

/** What the history shows for a change from one round of samples to the next. */
const told = (fields: readonly TextField[], before: number) =>
  fields.map((field) => ({
    field,
    label: fieldLabels[field],
    before: sample(field, before),
    after: sample(field, before + 1),
  }))

const byName = <T extends { field: string }>(changes: readonly T[]) =>
  changes.toSorted((a, b) => a.field.localeCompare(b.field))

test('a request includes every field it may have', () => {
  expect(Object.keys(listingBody.shape)).toEqual(expect.arrayContaining([...sentFields]))
})

describe.each(listingKinds)('every text of a listing (%s)', (kind) => {
  const make = kind === 'quick' ? makeQuickListing : makePictureListing

  test('is written, read back, edited, shown in the history and exported', async () => {
    const seller = await app.signUp()
    const { id, partslug } = await make(seller.api, samples(sentTexts, 0))
    expect(await readOwn(seller, id)).toMatchObject(inReply(samples(sentTexts, 0)))
    const open = (await app.visitor.get<Listing>(`/auto-part/${partslug}`)).body
    for (const field of sentTexts) {
      expect([field, open[replyNameOf(field)]]).toEqual([field, specOf(field).read ? null : sample(field, 0)])
    }
    await seller.api.put(`/seller/parts/${id}`, samples(sentTexts, 1))
    expect(await readOwn(seller, id)).toMatchObject(inReply(samples(sentTexts, 1)))
    expect(byName(await lastChange(id))).toEqual(byName(told(sentTexts, 0)))
    const [head = [], ...rows] = readCsv((await admin.api.get('/admin/parts/export')).bytes.toString())
    const row = rows.find((cells) => cells[0] === id) ?? []
    const cell = (field: string) => withoutFormulaGuard(row[head.indexOf(field)] ?? 'no column')
    expect(Object.fromEntries(sentTexts.map((field) => [field, cell(field)]))).toEqual(samples(sentTexts, 1))
  })

  test('can be changed by a bulk edit where allowed', async () => {
    const seller = await app.signUp()
    const { id } = await make(seller.api, samples(sentTexts, 0))
    const { body } = await admin.api.post<{ updated: number }>('/admin/parts/bulk-update', {
      items: [{ id, ...samples(sentTexts, 1) }],
    })
    expect(body.updated).toBe(1)
    const others = sentTexts.filter((field) => !bulkTexts.includes(field))
    expect(await readOwn(seller, id)).toMatchObject({
      ...inReply(samples(bulkTexts, 1)),
      ...inReply(samples(others, 0)),
    })
    expect(byName(await lastChange(id))).toEqual(byName(told(bulkTexts, 0)))
  })

  test('is in the seller’s export and survives a re-import', async () => {
    const seller = await proSeller(app, { trusted: true })
    const { id } = await make(seller.api, samples(sentTexts, 0))
    const [row] = (await exportParts(seller.api)).rows
    const sentInFile = fileTextFields.filter((field) => sentTexts.includes(field))
    expect(row).toMatchObject(samples(sentInFile, 0))
    const file = standardCsv([{ ...row, ...samples(fileTextFields, 1) }])
    await importFile(seller, file)
    expect(await readOwn(seller, id)).toMatchObject(inReply(samples(fileTextFields, 1)))
    expect((await exportParts(seller.api)).text).toBe(`\ufeff${file}`)
    await importFile(seller, standardCsv([{ ...row, ...samples(fileTextFields, 2), listingid: '' }]))
    const added = (await exportParts(seller.api)).rows.find(({ listingid }) => listingid !== id)
    expect(added).toMatchObject(samples(fileTextFields, 2))
  })
})

async function importFile({ api }: SignedIn, file: string): Promise<void> {
  const fields = { mapping: standardMapping, idempotencyKey: newKey() }
  const { importId } = (await sendCsv<StagedReply>(api, { file, fields })).body
  expect(await untilImport(app, api, importId)).toMatchObject({ rejected: 0 })
}

describe('terms of a sale', () => {
  const terms = {
    warrantydays: '90',
    returndays: '30',
    restockpct: '15',
    corecharge: '75.50',
    coredays: '30',
    corepart: 'complete, not cracked',
  }
  const reply = {
    ...terms,
    warrantydays: 90,
    returndays: 30,
    restockpct: 15,
    corecharge: 75.5,
    coredays: 30,
    asis: false,
  }
  const words = [
    '90-day warranty',
    '30-day returns, 15% restocking fee',
    'Core charge $75.50, refunded when you return the old part within 30 days (complete, not cracked)',
  ]

  test('are written, shown to buyers in words, edited, kept in the history and cleared', async () => {
    const seller = await app.signUp()
    const { id, partslug } = await makeQuickListing(seller.api, terms)
    const open = (await app.visitor.get<Listing>(`/auto-part/${partslug}`)).body
    expect(open).toMatchObject({ ...reply, termsInWords: words })
    const refused = await seller.api.put<{ fields: object }>(`/seller/parts/${id}`, { asis: 'Yes' })
    expect([refused.status, Object.keys(refused.body.fields)]).toEqual([422, ['warrantydays']])
    await seller.api.put(`/seller/parts/${id}`, {
      asis: true,
      warrantydays: '',
      corecharge: '',
      coredays: '',
      corepart: '',
    })
    expect(await readOwn(seller, id)).toMatchObject({
      asis: true,
      warrantydays: null,
      corecharge: null,
      termsInWords: ['Sold AS-IS, no warranty', words[1]],
    })
    expect(await lastChange(id)).toEqual(
      expect.arrayContaining([
        { field: 'corecharge', label: 'Core charge', before: '75.50', after: null },
        { field: 'asis', label: 'AS-IS', before: null, after: 'Yes' },
      ]),
    )
  })

  test('are in a bulk edit, which compares them with what the listing has', async () => {
    const seller = await app.signUp()
    const [one, other] = [
      await makeQuickListing(seller.api, terms),
      await makeQuickListing(seller.api, { asis: 'Yes' }),
    ]
    const { body } = await admin.api.post<{ updated: number; results: { fields?: object }[] }>(
      '/admin/parts/bulk-update',
      { items: [one, other].map(({ id }) => ({ id, warrantydays: '180' })) },
    )
    expect([body.updated, body.results.map(({ fields }) => Object.keys(fields ?? {}))]).toEqual([
      1,
      [[], ['warrantydays']],
    ])
    expect((await readOwn(seller, one.id)).warrantydays).toBe(180)
  })

  test('survive an export and an import, where they may be in a yard’s words', async () => {
    const seller = await proSeller(app, { trusted: true })
    const { id } = await makePictureListing(seller.api, terms)
    const [row] = (await exportParts(seller.api)).rows
    expect(row).toMatchObject(terms)
    await importFile(
      seller,
      standardCsv([
        { ...row, warrantydays: '6 months', restockpct: '20%', corecharge: '$1,250' },
        { ...row, listingid: '', stocknum: 'T-2', partnum: 'T-2', warrantydays: '', asis: 'as-is' },
      ]),
    )
    expect(await readOwn(seller, id)).toMatchObject({
      warrantydays: 180,
      restockpct: 20,
      corecharge: 1250,
      returndays: 30,
    })
    const { rows } = await exportParts(seller.api)
    expect(rows.find(({ stocknum }) => stocknum === 'T-2')).toMatchObject({
      ...terms,
      warrantydays: '',
      asis: 'Yes',
    })
  })

  test('that contradict in a row leave it out with the reason', async () => {
    const seller = await proSeller(app, { trusted: true })
    await makePictureListing(seller.api)
    const [row] = (await exportParts(seller.api)).rows
    const file = standardCsv([{ ...row, listingid: '', asis: 'Yes', warrantydays: '90' }])
    const fields = { mapping: standardMapping, idempotencyKey: newKey(), dryRun: 'true' }
    const { body } = await sendCsv(seller.api, { file, fields })
    expect(JSON.stringify(body)).toContain('CONTRADICTING_TERMS')
  })
})

describe('grades by rule', () => {
  test('a file fills empty grades from the damage code, not from miles alone, and keeps a person’s', async () => {
    const seller = await proSeller(app, { trusted: true })
    await makePictureListing(seller.api, { partgrade: 'B', stocknum: 'G-0' })
    const [row = {}] = (await exportParts(seller.api)).rows
    const part = (stocknum: string, changes: Record<string, string>) => ({
      ...row,
      listingid: '',
      stocknum,
      partnum: stocknum,
      partgrade: '',
      partmiles: '',
      ...changes,
    })
    const fender = { partname: 'Fender', partcategory: 'Fender' }
    const engine = { partname: 'Engine Assembly', partcategory: 'Engine Assembly' }
    await importFile(
      seller,
      standardCsv([
        part('G-1', { ...fender, damagecode: '5p1,2s2' }),
        part('G-2', { ...fender, damagecode: '000', partgrade: 'D' }),
        part('G-3', { ...engine, partmiles: '210,000' }),
        part('G-4', { ...fender, partmiles: '210,000' }),
        { ...row, partgrade: '' },
      ]),
    )
    const { rows } = await exportParts(seller.api)
    const found = Object.fromEntries(
      rows.map(({ stocknum = '', partgrade, damagecode }) => [stocknum, [partgrade, damagecode]]),
    )
    expect(found).toEqual({
      'G-0': ['B', ''],
      'G-1': ['C', '5P1 2S2'],
      'G-2': ['D', '000'],
      'G-3': ['', ''],
      'G-4': ['', ''],
    })
  })

  test('000 beside a scratch is pointed out', async () => {
    const seller = await proSeller(app, { trusted: true })
    await makePictureListing(seller.api)
    const [row] = (await exportParts(seller.api)).rows
    const file = standardCsv([
      { ...row, listingid: '', damagecode: '000', partdescription: 'Scratched at the lip.' },
    ])
    const fields = { mapping: standardMapping, idempotencyKey: newKey(), dryRun: 'true' }
    const { body } = await sendCsv(seller.api, { file, fields })
    expect(JSON.stringify(body)).toContain('000 as damage code')
  })

  test('a damage code is in words for buyers, and refused where it is none', async () => {
    const seller = await app.signUp()
    const { id } = await makeQuickListing(seller.api, {
      damagecode: '5P1',
      gradereason: 'Dull paint besides',
    })
    expect(await readOwn(seller, id)).toMatchObject({
      damagecode: '5P1',
      damageInWords: 'Parking lot ding at 5 (1 unit)',
      gradereason: 'Dull paint besides',
    })
    const refused = await seller.api.put<{ fields: object }>(`/seller/parts/${id}`, {
      damagecode: 'scratched',
    })
    expect(Object.keys(refused.body.fields)).toEqual(['damagecode'])
  })
})

describe('parts that may be sold only with something', () => {
  const vin = '4T1BF1FK5EU345678'
  const converter = { partname: 'Catalytic converter', partstate: 'OK' }

  test('are refused with what is needed, in a form, a bulk edit and a file, until it is there', async () => {
    const seller = await proSeller(app, { trusted: true })
    const refused = await refusal(() => makePictureListing(seller.api, converter))
    expect(refused).toContain('A catalytic converter needs the VIN of the vehicle it came from.')
    expect(refused).toContain('your dismantler’s license')
    const { id } = await makePictureListing(seller.api, { stocknum: 'R-1' })
    const { body } = await admin.api.post<{ results: { errors: string[] }[] }>('/admin/parts/bulk-update', {
      items: [{ id, partname: converter.partname }],
    })
    expect(body.results[0]?.errors).toHaveLength(2)
    const [row] = (await exportParts(seller.api)).rows
    const file = standardCsv([{ ...row, listingid: '', stocknum: 'R-2', ...converter }])
    await importFile(seller, file)
    expect((await exportParts(seller.api)).rows).toHaveLength(1)
    await seller.api.put('/profile', { listingDefaults: { license: 'OK-4711' } })
    await makePictureListing(seller.api, { ...converter, vin, stocknum: 'R-3' })
    await importFile(
      seller,
      standardCsv([{ ...row, listingid: '', stocknum: 'R-4', partnum: 'R-4', ...converter, vin }]),
    )
    expect((await exportParts(seller.api)).rows.map(({ stocknum }) => stocknum).toSorted()).toEqual([
      'R-1',
      'R-3',
      'R-4',
    ])
  })

  test('air bags are listed by certified sellers, and their page says that they were never deployed', async () => {
    const seller = await app.signUp()
    const airBag = { partname: 'Passenger air bag', vin, neverdeployed: 'Yes', partstate: 'OK' }
    expect(await refusal(() => makeQuickListing(seller.api, airBag))).toContain('a certified seller')
    const { status } = await admin.api.put(`/admin/users/${seller.user.id}`, { certified: true })
    expect(status).toBe(200)
    const { id, partslug } = await makeQuickListing(seller.api, airBag)
    expect((await app.visitor.get<Listing>(`/auto-part/${partslug}`)).body.termsInWords).toEqual([
      'Never deployed. Ships as hazardous material (UN3268, class 9, “Recycled”)',
    ])
    const moved = await seller.api.put<{ fields: object }>(`/seller/parts/${id}`, { partstate: 'NY' })
    expect([moved.status, Object.keys(moved.body.fields)]).toEqual([422, ['partstate']])
    expect((await seller.api.put(`/seller/parts/${id}`, { partprice: '90' })).status).toBe(200)
  })

  test('a recalled part number is refused with the reason', async () => {
    await replaceRecalls(app.db, [{ number: '77960-tl0-a80', reason: 'Takata, NHTSA 16V-061' }])
    const seller = await app.signUp()
    expect(await refusal(() => makeQuickListing(seller.api, { partnum: '77960TL0A80' }))).toContain(
      'This part number was recalled: Takata, NHTSA 16V-061.',
    )
    await replaceRecalls(app.db, [])
  })

  test('of a list of recalls with a bad line nothing is loaded, unless told to skip it', async () => {
    const path = join(app.config.dataDir, 'recalls.csv')
    await writeFile(path, 'part number,reason\n77960-TL0-A81,Takata\nAirbag\n')
    await replaceRecalls(app.db, [{ number: '77960-tl0-a80', reason: 'Takata' }])
    const log = openLog({ role: 'test', level: 'silent' })
    const print = vi.spyOn(console, 'log').mockImplementation(() => undefined)
    onTestFinished(() => print.mockRestore())
    const listed = () =>
      app.db
        .selectFrom('recalled_part')
        .select('number_key')
        .execute()
        .then((rows) => rows.flatMap(Object.values))
    const before = await listed()
    await expect(recallsLoad(app.config, log, [path])).rejects.toThrow(
      /^Nothing was loaded\. .*1 bad line:\n {2}line 3: no digits\n/,
    )
    expect(await listed()).toEqual(before)
    expect(before).toHaveLength(1)
    await recallsLoad(app.config, log, [path, '--skip-bad-lines'])
    expect(print.mock.calls.join()).toContain(
      'Loaded 1 recalled part number; skipped 1 line (line 3: no digits).',
    )
    expect(await listed()).not.toEqual(before)
    await replaceRecalls(app.db, [])
  })

  const refusal = (making: () => Promise<unknown>): Promise<string> =>
    making().then(
      () => 'it was listed',
      (error) => String(error),
    )
})
