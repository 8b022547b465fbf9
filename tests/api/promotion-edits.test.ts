import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ImportReceipt, StagedReply } from '#contract/imports.ts'
import type { Fields } from '#server/features/stock-files/store/staged-record.ts'
import { atLength } from '#tests/support/at-length.ts'
import { csvOf, proSeller, sendCsv } from '#tests/support/make-imports.ts'
import { stockReader } from '#tests/support/numbered-parts.ts'
import {
  importRows,
  partFields,
  sendRows,
  startPromotionWorker,
  undoImport,
  untilImport,
  untilState,
} from '#tests/support/promotions.ts'
import { stagingDesk } from '#tests/support/staging-desk.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

/* A person's edit wins over the file, unless the file has something new to say and nobody else has. */

const app = await startTestApp()
await startPromotionWorker(app)
const trusted = () => proSeller(app, { trusted: true })
const { living, stateOf } = stockReader(app)

const row = (changes: Fields = {}) =>
  partFields(1, { stocknum: 'S-1', partdescription: 'As is', partgrade: 'B', ...changes })

const one = async (seller: SignedIn) => {
  const [listing] = await living(seller)
  if (!listing) throw new Error('The seller has no listing')
  return listing
}
const edit = async (seller: SignedIn, changes: Record<string, string>) => {
  const { id } = await one(seller)
  const { status } = await seller.api.put(`/seller/parts/${id}`, changes)
  expect(status).toBe(200)
}

describe('a file after an edit by hand', () => {
  test('writes only what is new in it', async () => {
    const seller = await trusted()
    await importRows(app, seller, [row()])
    await edit(seller, { partdescription: 'Bench tested', partgrade: 'A' })
    await importRows(app, seller, [row({ partprice: '80' })])
    expect(await one(seller)).toMatchObject({ description: 'Bench tested', grade: 'A', price_cents: 8000 })
    // The edit is as old as the last file but one now.
    await importRows(app, seller, [row({ partprice: '70' })])
    expect(await one(seller)).toMatchObject({ description: 'Bench tested', grade: 'A', price_cents: 7000 })
  })

  test('keeps the edit where both changed, also in later files', async () => {
    const seller = await trusted()
    await importRows(app, seller, [row()])
    await edit(seller, { partprice: '60' })
    for (const partprice of ['80', ...atLength({ full: ['80'], brief: [] }), '85']) {
      await importRows(app, seller, [row({ partprice, partgrade: partprice === '85' ? 'C' : 'B' })])
      expect(await one(seller)).toMatchObject({ price_cents: 6000 })
    }
    expect(await one(seller)).toMatchObject({ grade: 'C' })
  })

  test('writes again once both agreed', async () => {
    const seller = await trusted()
    await importRows(app, seller, [row()])
    await edit(seller, { partprice: '60' })
    await importRows(app, seller, [row({ partprice: '60' })])
    await importRows(app, seller, [row({ partprice: '50' })])
    expect(await one(seller)).toMatchObject({ price_cents: 5000 })
  })

  test('takes a value that was changed and changed back as unedited, and one that was only sent', async () => {
    const seller = await trusted()
    await importRows(app, seller, [row()])
    await edit(seller, { partprice: '60', partgrade: 'B' })
    await edit(seller, { partprice: '95.50' })
    await importRows(app, seller, [row({ partprice: '50', partgrade: 'C' })])
    expect(await one(seller)).toMatchObject({ price_cents: 5000, grade: 'C' })
  })

  test('keeps make and model together', async () => {
    const seller = await trusted()
    await importRows(app, seller, [row()])
    await edit(seller, { partmodel: 'Focus' })
    await importRows(app, seller, [row({ partmanu: 'Toyota', partmodel: 'Camry', partprice: '1' })])
    expect(await one(seller)).toMatchObject({
      manufacturer_name: 'Ford',
      model_name: 'Focus',
      price_cents: 100,
    })
  })

  test('shows in its plan what it will keep', async () => {
    const seller = await trusted()
    await importRows(app, seller, [row()])
    await edit(seller, { partprice: '60', partdescription: 'Bench tested' })
    await app.db
      .updateTable('seller')
      .set({ trusted: false })
      .where('id', '=', seller.user.sellerId)
      .execute()
    const { promotionId, path } = await sendRows(app, seller, [row({ partprice: '80', partgrade: 'C' })])
    await untilState(app, promotionId, 'planned')
    const admin = await app.signUp({ role: 'admin' })
    const shown = async () => (await stagingDesk(admin.api).rows({ path })).body.items
    const kept = { changes: { partgrade: ['B', 'C'] }, keptEdits: { partprice: [60, 80] } }
    expect(await shown()).toEqual([expect.objectContaining(kept)])
    await admin.api.post('/admin/automation/staging/promote', { root: 'ecomm', paths: [path] })
    await untilState(app, promotionId, 'applied')
    expect(await one(seller)).toMatchObject({ price_cents: 6000, grade: 'C', description: 'Bench tested' })
    expect(await shown()).toEqual([expect.objectContaining(kept)])
  })

  test('and its undo restores everything', async () => {
    const seller = await trusted()
    await importRows(app, seller, [row()])
    await edit(seller, { partprice: '60' })
    const before = await stateOf(seller)
    const done = await importRows(app, seller, [row({ partprice: '80', partgrade: 'C' })])
    await undoImport(app, seller, done)
    expect(await stateOf(seller)).toEqual(before)
    await importRows(app, seller, [row({ partgrade: 'D' })])
    expect(await one(seller)).toMatchObject({ price_cents: 6000, grade: 'D' })
  })

  test('counts an administrator as a person', async () => {
    const seller = await trusted()
    const admin = await app.signUp({ role: 'admin' })
    await importRows(app, seller, [row()])
    const { id } = await one(seller)
    const { body } = await admin.api.post('/admin/parts/bulk-update', {
      items: [{ id, partdescription: 'Mended by us', version: 1 }],
    })
    expect(body).toMatchObject({ updated: 1 })
    await importRows(app, seller, [row({ partdescription: 'Another text', partprice: '1' })])
    expect(await one(seller)).toMatchObject({ description: 'Mended by us', price_cents: 100 })
  })
})

describe('POST /pro/imports/{id}/kept', () => {
  const kept = async () => {
    const seller = await trusted()
    const rows = (changes: Fields = {}) => [row(changes), partFields(2, { stocknum: 'S-2', ...changes })]
    await importRows(app, seller, rows())
    const listings = await living(seller)
    for (const [at, { id }] of listings.entries())
      await seller.api.put(`/seller/parts/${id}`, { partprice: `6${at}`, partgrade: 'A' })
    const done = await importRows(app, seller, rows({ partprice: '80', partcity: 'Tulsa' }))
    const url = `/pro/imports/${done.importId}`
    const use = (body: object = {}) => seller.api.post<ImportReceipt>(`${url}/kept`, body)
    const receipt = async () => (await seller.api.get<ImportReceipt>(`${url}/receipt`)).body
    return { seller, rows, use, receipt, done }
  }

  test('the receipt lists what was kept, with both values; uses the file’s for one or all; other edits stay', async () => {
    const { seller, rows, use, receipt } = await kept()
    const { id } = await one(seller)
    expect((await receipt()).kept).toMatchObject({
      total: 2,
      rows: [
        {
          record: 1,
          listing: { id, title: '2014 Ford Crown Victoria Alternator 1' },
          fields: [{ field: 'partprice', label: 'Price', edited: 60, file: 80 }],
          canUse: true,
        },
        { record: 2, fields: [{ edited: 61, file: 80 }] },
      ],
    })
    expect((await use({ records: [1] })).body.kept).toMatchObject({ total: 1, rows: [{ record: 2 }] })
    expect((await living(seller)).map(({ price_cents }) => price_cents)).toEqual([8000, 6100])
    expect((await use()).body.kept).toEqual({ total: 0, rows: [] })
    expect((await living(seller)).map(({ price_cents }) => price_cents)).toEqual([8000, 8000])
    expect((await use()).status).toBe(409)
    // The price is the file's again, the grade is not.
    await importRows(app, seller, rows({ partprice: '85', partcity: 'Tulsa', partgrade: 'C' }))
    expect((await living(seller)).map(({ price_cents, grade }) => [price_cents, grade])).toEqual([
      [8500, 'A'],
      [8500, 'A'],
    ])
  })

  test('not if a later import has a value', async () => {
    const { seller, rows, use, receipt } = await kept()
    await importRows(app, seller, rows({ partprice: '90' }))
    expect((await receipt()).kept.rows.map(({ canUse }) => canUse)).toEqual([false, false])
    expect((await use()).status).toBe(409)
  })
})

describe('what an older reading wrote', () => {
  const header = ['SKU', 'Item', 'Make', 'Model', 'Year', 'Price', 'Odometer (km)', 'Variation']
  const mapping = {
    ...{ stocknum: 'SKU', partname: 'Item', partcategory: 'Item', partmanu: 'Make', partmodel: 'Model' },
    ...{ partyear: 'Year', partprice: 'Price' },
  }
  const kilometers = { partmiles: 'Odometer (km)' }

  /** Kilometers were taken for miles, and a variation for a grade. */
  const misread = async (seller: SignedIn, more: Fields) => {
    const rows = ['O-1', 'O-2', 'O-3'].map((stocknum) =>
      partFields(1, { partname: 'Alternator', partnum: '', stocknum, partgrade: 'C', ...more }),
    )
    const { importId } = await importRows(app, seller, rows)
    const before = { header, mapping: JSON.stringify({ ...mapping, partgrade: 'Variation' }) }
    await app.db
      .updateTable('import')
      .set(before)
      .where('id', '=', importId ?? '')
      .execute()
    await edit(seller, { partgrade: 'B' })
  }
  const send = async (seller: SignedIn, prices: readonly string[], more: object) => {
    const rows = prices.map((price, at) => [
      ...[`O-${at + 1}`, 'Alternator', 'Ford', 'Crown Victoria', '2014', price, '145000', 'Regular'],
    ])
    const sent = { file: csvOf(rows, header), fields: { mapping: { ...mapping, ...more } } }
    const { status, body } = await sendCsv<StagedReply>(seller.api, sent)
    expect(status, JSON.stringify(body)).toBe(200)
    await untilImport(app, seller.api, body.importId)
    return (await seller.api.get<ImportReceipt>(`/pro/imports/${body.importId}/receipt`)).body
  }
  const facts = async (seller: SignedIn) =>
    (await living(seller)).map(({ miles, grade, price_cents }) => [miles, grade, price_cents])

  test('is corrected by the next file, but for edits, and listed once', async () => {
    const seller = await trusted()
    await misread(seller, { partmiles: '145000' })
    const { corrected, kept } = await send(seller, ['95.50', '95.50', '80'], {
      ...kilometers,
      partgrade: 'Variation',
    })
    // Miles alone give no grade.
    expect(await facts(seller)).toEqual([
      [90_099, 'B', 9550],
      [90_099, null, 9550],
      [90_099, null, 8000],
    ])
    expect(kept).toMatchObject({ total: 1, rows: [{ fields: [{ field: 'partgrade', edited: 'B' }] }] })
    const miles = { field: 'partmiles', before: 145_000, after: 90_099 }
    const grade = { field: 'partgrade', before: 'C', after: null }
    expect(corrected?.total).toBe(3)
    expect(corrected?.rows.map(({ fields }) => fields)).toMatchObject([
      [miles],
      expect.arrayContaining([expect.objectContaining(miles), expect.objectContaining(grade)]),
      expect.arrayContaining([expect.objectContaining({ field: 'partprice', before: 95.5, after: 80 })]),
    ])
    // From then on a change is the yard's own.
    const next = await send(seller, ['95.50', '90', '80'], { ...kilometers, partgrade: 'Variation' })
    expect(next.corrected).toBeUndefined()
    expect((await facts(seller))[1]).toEqual([90_099, null, 9000])
  })

  test.each([[{}], [{ partgrade: 'Variation' }]])(
    'is removed if it is in no row, with the column %j',
    async (more) => {
      const seller = await trusted()
      await misread(seller, {})
      await send(seller, ['95.50', '95.50', '95.50'], more)
      expect((await facts(seller)).map(([, grade]) => grade)).toEqual(['B', null, null])
    },
  )
})

/* Tried on many parts in one file: an import takes longer than any of its rows. */

const PARTS = 20
const FIELDS = ['partprice', 'partgrade', 'partdescription'] as const
const byHand = { partprice: '99', partgrade: 'D', partdescription: 'By hand' }

const someValues = fc.record({
  partprice: fc.constantFrom('10', '20', '30'),
  partgrade: fc.constantFrom('A', 'B', 'C'),
  partdescription: fc.constantFrom('One', 'Two', 'Three'),
})
const someParts = fc.array(
  fc.record({
    first: someValues,
    field: fc.constantFrom(...FIELDS),
    next: fc.array(someValues, { minLength: 3, maxLength: 3 }),
  }),
  { minLength: PARTS, maxLength: PARTS },
)

test('an edit survives every file that says nothing new about its field, and the rest follows the file', async () => {
  await fc.assert(
    fc.asyncProperty(someParts, async (parts) => {
      const seller = await trusted()
      const rowsOf = (file: number) =>
        parts.map(({ first, field, next }, at) => {
          const values = { ...first, ...next[file], [field]: first[field] }
          return partFields(at, { ...values, stocknum: `S-${at}` })
        })
      await importRows(app, seller, rowsOf(-1))
      const listings = await living(seller)
      for (const [at, { field }] of parts.entries()) {
        const { status } = await seller.api.put(`/seller/parts/${listings[at]?.id}`, {
          [field]: byHand[field],
        })
        expect(status).toBe(200)
      }
      for (const file of [0, 1, 2]) {
        await importRows(app, seller, rowsOf(file))
        const shown = (await living(seller)).map(({ price_cents, grade, description }) => [
          String(price_cents / 100),
          grade,
          description,
        ])
        const wanted = parts.map(({ field, next }) => {
          const values = { ...next[file], [field]: byHand[field] }
          return FIELDS.map((each) => values[each])
        })
        expect(shown).toEqual(wanted)
      }
    }),
    { numRuns: atLength({ full: 2, brief: 1 }), seed: 17, endOnFailure: true },
  )
}, 60_000)
