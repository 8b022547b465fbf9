import { describe, expect, test, vi } from 'vitest'
import { withoutFormulaGuard } from '#contract/csv/csv-cell.ts'
import type { ImportRecord, StagedReply } from '#contract/imports.ts'
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
import { exportParts, readCsv, standardCsv, standardMapping } from '#tests/support/exported-parts.ts'
import { newKey, proSeller, sendCsv } from '#tests/support/make-imports.ts'
import { makePictureListing, makeQuickListing } from '#tests/support/make-rows.ts'
import { startPromotionWorker } from '#tests/support/promotions.ts'
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
  zipcode: ['74103', '74104', '74105'],
  dealerphone: ['(918) 555-0142', '(918) 555-0143', '(918) 555-0144'],
  fitment: [
    '2010 Honda Accord',
    '2008-2012 Honda Accord (trim: EX); 2009 Acura TSX',
    '2014 Kia Rio (no A/C)',
  ],
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
  await vi.waitFor(
    async () => {
      const { body } = await api.get<ImportRecord>(`/pro/imports/${importId}`)
      expect(body.state, JSON.stringify([body.error, body.review, body.rejected])).toBe('applied')
      expect(body.rejected).toBe(0)
    },
    { timeout: 12_000, interval: 30 },
  )
}
