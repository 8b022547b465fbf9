import { type RawBuilder, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { standardColumns } from '#contract/column-mapping/shipped-templates.ts'
import type { DryRunReply, ImportReceipt, ImportRecord, StagedReply } from '#contract/imports.ts'
import type { Listing } from '#contract/listings.ts'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import type { ApiClient } from '#tests/support/api-client.ts'
import { longTest } from '#tests/support/at-length.ts'
import { type ExportedRow, exportParts, standardCsv, standardMapping } from '#tests/support/exported-parts.ts'
import { newKey, proSeller, sendCsv } from '#tests/support/make-imports.ts'
import { makePictureListing, makeQuickListing } from '#tests/support/make-rows.ts'
import {
  importRows,
  listingsOf,
  MODES,
  partFields,
  partsFields,
  sourcesOf,
  startPromotionWorker,
  untilImport,
} from '#tests/support/promotions.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

/* A seller’s inventory as a file, and back. */

const app = await startTestApp()
const { db } = app
await startPromotionWorker(app)
const trusted = () => proSeller(app, { trusted: true })

const check = async (api: ApiClient, file: string, fields = {}) =>
  (await sendCsv<DryRunReply>(api, { file, fields: { mapping: standardMapping, ...fields }, dryRun: true }))
    .body.preview

/** Imports a file and waits until it is live. */
async function run(api: ApiClient, file: string, fields = {}): Promise<ImportRecord> {
  const sent = { file, fields: { mapping: standardMapping, idempotencyKey: newKey(), ...fields } }
  const { importId } = (await sendCsv<StagedReply>(api, sent)).body
  return untilImport(app, api, importId)
}

/** Changes that no seller call can make. */
const setColumns = (id: string | undefined, columns: RawBuilder<unknown>) =>
  withChangeSet(db, { actorKind: 'system', reason: 'test' }, (trx) =>
    sql`update listing set ${columns} where id = ${id}`.execute(trx),
  )

/** One of every kind that a seller may have. */
async function fillYard(seller: SignedIn): Promise<number> {
  await makePictureListing(seller.api, {
    partname: '=1+1 lamp',
    partdesc: '-fits all\n- second line, "quoted"; =1+1; "=2+2";\'-3',
    stocknum: '@77',
    partshipping: 'Pickup only',
  })
  await makeQuickListing(seller.api, { partyear: '1951', partname: "'+apostrophe" })
  await makeQuickListing(seller.api, { partname: 'Hidden one' })
  await importRows(app, seller, [
    partFields(1),
    partFields(1),
    partFields(2, { stocknum: 'S-2', partshipping: '20', imageUrl: 'https://pictures.example/2.jpg' }),
    partFields(3, { partyear: '2012-2015', partshipping: 'free', parttrim: 'XLT', partmiles: '84000' }),
    partFields(4),
  ])
  const { api } = seller
  const listings = await listingsOf(app, seller)
  const named = (name: string) => listings.find((listing) => listing.name === name)?.id
  await api.put(`/seller/parts/${named('Alternator 4')}`, { partname: 'Edited since', partprice: '7.10' })
  await setColumns(named('Hidden one'), sql`status = 'HIDDEN'`)
  await setColumns(named('Alternator 3'), sql`category_id = null, grade = null, city = ''`)
  return listings.length
}

describe('an export that is imported again', () => {
  test('changes nothing, wherever the listings came from', async () => {
    const seller = await trusted()
    const count = await fillYard(seller)
    expect(count).toBe(7)
    const before = await listingsOf(app, seller)
    const sources = await sourcesOf(app, seller)
    const { text, rows } = await exportParts(seller.api)
    expect(text.split('\r\n')[0]).toBe(`\ufeff${standardColumns.join(',')}`)
    expect(rows.map(({ listingid }) => listingid)).toEqual(before.map(({ id }) => id).toReversed())
    const unchanged = { create: 0, update: 0, unchanged: count, merged: 0 }
    expect(await check(seller.api, text)).toMatchObject({
      errors: 0,
      rows: [],
      whole: unchanged,
    })
    for (const mode of MODES) {
      const { id, plan, rejected } = await run(seller.api, text, { mode })
      expect([rejected, plan]).toEqual([0, expect.objectContaining({ ...unchanged, ended: 0, rejected: 0 })])
      const receipt = await seller.api.get<ImportReceipt>(`/pro/imports/${id}/receipt`)
      expect(receipt.body).toMatchObject({ created: 0, updated: 0, unchanged: count, ended: 0 })
    }
    expect(await listingsOf(app, seller)).toEqual(before)
    expect(await sourcesOf(app, seller)).toEqual(sources)
    expect((await exportParts(seller.api)).text).toBe(text)
  })

  test('shows edits to it alike in chunks, plan and receipt, and an undo restores the listings', async () => {
    const seller = await trusted()
    const count = await fillYard(seller)
    const before = await listingsOf(app, seller)
    const sources = await sourcesOf(app, seller)
    const { rows } = await exportParts(seller.api)
    const edited = rows.map((row, at): ExportedRow => {
      if (at === 0) return { ...row, partprice: '$1,299.00' }
      if (at === 1) return { ...row, partgrade: 'b', partcategory: 'Alternator' }
      if (at === 2) return { ...row, partprice: ` ${row.partprice}0`.replace(/00$/, '') }
      return row
    })
    const copy = { ...rows[0], listingid: '', partprice: '3' } as ExportedRow
    const sent = [...edited, copy, edited[3] as ExportedRow]
    const expected = { create: 1, update: 2, unchanged: count - 2, merged: 1 }
    const key = newKey()
    const chunks = [sent.slice(0, 5), sent.slice(5)]
    const previews = [1, 0].map((chunkIndex) => ({ chunkIndex, chunkCount: 2, idempotencyKey: key }))
    const first = await check(seller.api, standardCsv(chunks[1] ?? []), previews[0])
    expect(first).not.toHaveProperty('whole')
    expect((await check(seller.api, standardCsv(chunks[0] ?? []), previews[1])).whole).toEqual({
      ...expected,
      refused: 0,
    })
    const { id, plan } = await run(seller.api, standardCsv(sent))
    expect(plan).toMatchObject(expected)
    const receipt = await seller.api.get<ImportReceipt>(`/pro/imports/${id}/receipt`)
    expect(receipt.body).toMatchObject({ created: 1, updated: 2, unchanged: count - 2, merged: 1 })
    const after = await exportParts(seller.api)
    expect(after.rows.find(({ listingid }) => listingid === rows[0]?.listingid)?.partprice).toBe('1299.00')
    expect(after.rows.find(({ listingid }) => listingid === rows[1]?.listingid)).toMatchObject({
      partgrade: 'B',
      partcategory: 'Alternator',
    })
    // The source of the listings is unchanged: the yard’s next file finds its own rows.
    expect(await sourcesOf(app, seller)).toEqual(expect.arrayContaining(sources))
    await seller.api.post(`/pro/imports/${id}/undo`)
    await untilImport(app, seller.api, id, 'undone')
    const back = (await listingsOf(app, seller)).filter(({ deleted_at }) => deleted_at === null)
    expect(back.map(({ version, updated_at, ...listing }) => listing)).toEqual(
      before.map(({ version, updated_at, ...listing }) => listing),
    )
  })

  test('changes only the columns that are present when some are left out', async () => {
    const seller = await trusted()
    await importRows(app, seller, partsFields(3))
    const { rows } = await exportParts(seller.api)
    const file = ['listingid,partprice', ...rows.map(({ listingid }) => `${listingid},12.34`)].join('\r\n')
    const mapping = { listingid: 'listingid', partprice: 'partprice' }
    expect(await check(seller.api, file, { mapping })).toMatchObject({ errors: 0, whole: { update: 3 } })
    expect((await run(seller.api, file, { mapping })).plan).toMatchObject({ update: 3, rejected: 0 })
    const after = await exportParts(seller.api)
    expect(after.rows).toEqual(rows.map((row) => ({ ...row, partprice: '12.34' })))
  })
})

describe('an export whose ids were emptied', () => {
  test('asks before it lists parts made by hand a second time', async () => {
    const seller = await trusted()
    await makeQuickListing(seller.api, { partname: 'Alternator', partyear: '2013-2014' })
    await makeQuickListing(seller.api, { partname: 'Radiator', partprice: '40' })
    await makeQuickListing(seller.api, { partname: 'Starter', stocknum: 'S-77' })
    const { rows } = await exportParts(seller.api)
    const file = standardCsv(rows.map((row) => ({ ...row, listingid: '', partprice: '5.00' })))
    const preview = await check(seller.api, file)
    // The one with a stock number is found by it.
    expect(preview).toMatchObject({ whole: { create: 0, update: 1, refused: 2 }, repeats: 2 })
    expect(preview.plan).toMatchObject({ creates: 0, held: 2 })
    const { listingid: _, ...mapping } = standardMapping
    expect((await check(seller.api, file, { mapping })).whole).toMatchObject({ create: 2, update: 1 })

    const { id, plan } = await run(seller.api, file)
    expect(plan).toMatchObject({ create: 0, update: 1 })
    expect(await listingsOf(app, seller)).toHaveLength(3)
    const receipt = `/pro/imports/${id}/receipt`
    const { held } = (await seller.api.get<ImportReceipt>(receipt)).body
    expect(held.rows.map(({ listing, repeats }) => [listing.title.includes('2014'), repeats])).toEqual([
      [true, true],
      [true, true],
    ])
    const [first, second] = held.rows
    const answer = (answered: 'same' | 'new', record: number | undefined) =>
      seller.api.post(`/pro/imports/${id}/held`, { answer: answered, records: [record] })
    expect((await answer('same', first?.record)).status).toBe(200)
    expect((await answer('new', second?.record)).status).toBe(200)
    const listings = await listingsOf(app, seller)
    expect(listings).toHaveLength(4)
    expect(listings.find((listing) => listing.id === first?.listing.id)?.price_cents).toBe(500)
    expect(listings.find((listing) => listing.id === second?.listing.id)?.price_cents).not.toBe(500)
  })
})

describe('a listing id', () => {
  test('that belongs to another seller, or is unknown, ended or deleted, is a row error in words, and nothing is touched', async () => {
    const [seller, other] = [await trusted(), await trusted()]
    const theirs = await makeQuickListing(other.api)
    await importRows(app, seller, partsFields(3))
    const [ended, deleted] = await listingsOf(app, seller)
    const { rows } = await exportParts(seller.api)
    await seller.api.post(`/seller/parts/${ended?.id}/end`, {})
    await seller.api.delete(`/seller/parts/${deleted?.id}`)
    const row = { ...rows[0], partprice: '1' } as ExportedRow
    const ids = [theirs.id, '00000000-0000-7000-8000-000000000000', 'S-1', ended?.id, deleted?.id]
    const file = standardCsv(ids.map((listingid) => ({ ...row, listingid: listingid ?? '' })))
    const { rows: failing, errors } = await check(seller.api, file)
    expect(errors).toBe(5)
    expect(failing.map(({ issues }) => issues.map(({ code, column }) => `${column} ${code}`))).toEqual([
      ['listingid UNKNOWN_LISTING'],
      ['listingid UNKNOWN_LISTING'],
      ['listingid UNKNOWN_LISTING'],
      ['listingid GONE_LISTING'],
      ['listingid GONE_LISTING'],
    ])
    expect(failing[0]?.errors[0]).toContain('Clear the cell')
    const { plan, rejected } = await run(seller.api, file)
    expect([rejected, plan]).toEqual([5, expect.objectContaining({ create: 0, update: 0 })])
    const kept = await db.selectFrom('listing').select('version').where('id', '=', theirs.id).execute()
    expect(kept).toEqual([{ version: 1 }])
  })

  longTest('on two conflicting rows: the first counts, the other is left out', async () => {
    const seller = await trusted()
    await importRows(app, seller, partsFields(1))
    const { rows } = await exportParts(seller.api)
    const prices = ['11.00', '12.00', '11.00']
    const file = standardCsv(prices.map((partprice) => ({ ...rows[0], partprice })))
    const { plan } = await run(seller.api, file)
    expect(plan).toMatchObject({ create: 0, update: 1, merged: 1, rejected: 1 })
    expect((await exportParts(seller.api)).rows[0]?.partprice).toBe('11.00')
  })

  test('of a part that a full inventory cannot read keeps that part from ending', async () => {
    const seller = await trusted()
    await importRows(app, seller, partsFields(6))
    const { rows } = await exportParts(seller.api)
    const broken = rows.map((row, at) =>
      at === 0 ? { ...row, partname: 'New name', partprice: 'soon' } : row,
    )
    const { plan } = await run(seller.api, standardCsv(broken), { mode: 'replace' })
    expect(plan).toMatchObject({ ended: 0, unchanged: 5, rejected: 1 })
  })
})

test('the export has the active and hidden listings of its own seller only, for free sellers as well', async () => {
  const [seller, other] = [await app.signUp(), await app.signUp()]
  await makeQuickListing(other.api)
  const made: Listing[] = []
  for (let part = 0; part < 4; part++) made.push(await makeQuickListing(seller.api))
  await seller.api.post(`/seller/parts/${made[0]?.id}/end`, {})
  await seller.api.delete(`/seller/parts/${made[1]?.id}`)
  await setColumns(made[2]?.id, sql`status = 'HIDDEN'`)
  const answer = await seller.api.get('/seller/parts.csv')
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(answer.headers['content-disposition']).toMatch(/filename="auto-parts-\d{4}-\d\d-\d\d\.csv"/)
  const { rows } = await exportParts(seller.api)
  expect(rows.map(({ listingid }) => listingid)).toEqual([made[3]?.id, made[2]?.id])
})
