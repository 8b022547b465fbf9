import { describe, expect, test } from 'vitest'
import type { DryRunReply, ImportReceipt, ImportRecord, StagedReply } from '#contract/imports.ts'
import type { Fields } from '#server/features/stock-files/store/staged-record.ts'
import { atLength } from '#tests/support/at-length.ts'
import { compareCheckWithRun } from '#tests/support/chance-files.ts'
import { exportParts, standardCsv, standardMapping } from '#tests/support/exported-parts.ts'
import {
  csvOf,
  newKey,
  partMapping,
  partRow,
  proSeller,
  type SentImport,
  sendCsv,
} from '#tests/support/make-imports.ts'
import { makeQuickListing } from '#tests/support/make-rows.ts'
import {
  importRows,
  listingsOf,
  partFields,
  startPromotionWorker,
  untilImport,
} from '#tests/support/promotions.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

/* A dry run says what the plan of the same file then says, whatever the seller's parts came from. */

const app = await startTestApp()
await startPromotionWorker(app)
const trusted = () => proSeller(app, { trusted: true })

// Names that the lookups have, so that resolving them changes nothing.
const row = (number: number, changes = {}) => partRow(number, { Model: 'Crown Victoria', ...changes })
const rows = (count: number) => Array.from({ length: count }, (_, at) => row(at + 1))

type Sent = Pick<SentImport, 'file' | 'fields'>

async function check(seller: SignedIn, sent: Sent): Promise<DryRunReply> {
  const { status, body } = await sendCsv<DryRunReply>(seller.api, { ...sent, dryRun: true })
  expect(status).toBe(200)
  return body
}

async function run(seller: SignedIn, sent: Sent): Promise<ImportRecord> {
  const { importId } = (await sendCsv<StagedReply>(seller.api, sent)).body
  return untilImport(app, seller.api, importId)
}

/** What the receipt says of rows that were left out, in the words of a check. */
async function leftOut(seller: SignedIn, { id }: ImportRecord): Promise<string[]> {
  const { body } = await seller.api.get<ImportReceipt>(`/pro/imports/${id}/receipt`)
  expect(body.refused).toBe(body.leftOut.length)
  return body.leftOut.map(({ row, reason }) => `Row ${row} is left out: ${reason}`)
}

const { stocknum: _, ...withoutNumbers } = partMapping

/** As `partRow`, made by an import of records. */
const staged = (number: number, changes: Fields = {}): Fields => ({
  partname: `Alternator ${number}`,
  partcategory: 'Alternator',
  partmanu: 'Ford',
  partmodel: 'Crown Victoria',
  partyear: '2014',
  partprice: `${50 + (number % 50)}.50`,
  stocknum: `S-${number}`,
  ...changes,
})

type Case = {
  what: string
  fill: (seller: SignedIn) => Promise<unknown>
  sent: Sent
  whole: Record<string, number>
  warnings?: string[]
}

const fillWith = (rows: Fields[]) => (seller: SignedIn) => importRows(app, seller, rows)

test.each<Case>([
  {
    what: 'parts listed by hand under the file’s stock numbers',
    fill: (seller) => makeQuickListing(seller.api, { stocknum: 's-2', partname: 'Alternator 2' }),
    sent: { file: csvOf(rows(3)) },
    whole: { create: 2, update: 1, unchanged: 0, merged: 0, refused: 0 },
  },
  {
    what: 'parts that came without the numbers they have now',
    fill: fillWith([staged(1, { stocknum: '' }), staged(2, { stocknum: '' })]),
    sent: { file: csvOf(rows(3)) },
    whole: { create: 1, update: 2, unchanged: 0, merged: 0, refused: 0 },
  },
  {
    what: 'parts that came with the numbers they lack now',
    fill: fillWith([staged(1), staged(2), staged(3)]),
    sent: { file: csvOf(rows(4)), fields: { mapping: withoutNumbers } },
    whole: { create: 1, update: 0, unchanged: 3, merged: 0, refused: 0 },
  },
  {
    what: 'parts whose names are resolved on the way',
    fill: fillWith([]),
    sent: {
      file: csvOf([
        row(1, { Make: 'FORD', Model: 'crown vic' }),
        row(2, { Make: 'Foord', Type: 'ALTERNATORS' }),
      ]),
    },
    whole: { create: 2, update: 0, unchanged: 0, merged: 0, refused: 0 },
  },
  {
    what: 'rows that may be several parts',
    fill: fillWith([staged(1), staged(1, { stocknum: 'S-9' }), staged(2)]),
    // Below its header stands an empty line.
    sent: {
      file: csvOf([row(2), row(1, { Price: '7' })]).replace('\n', '\n\n'),
      fields: { mapping: withoutNumbers },
    },
    whole: { create: 0, update: 0, unchanged: 1, merged: 0, refused: 1 },
    warnings: [
      'Row 4 is left out: it has no stock number and could be any of 2 of your parts (stock number S-1, S-9). Add its stock number.',
    ],
  },
])('$what', async ({ fill, sent, whole, warnings = [] }) => {
  const seller = await trusted()
  await fill(seller)
  const before = (await listingsOf(app, seller)).length
  const checked = await check(seller, sent)
  expect(checked.preview.whole).toEqual(whole)
  expect(checked.warnings.filter((warning) => warning.startsWith('Row '))).toEqual(warnings)
  const { refused, ...rest } = whole
  const done = await run(seller, sent)
  expect(done.plan).toMatchObject({ ...rest, rejected: refused })
  expect(await leftOut(seller, done)).toEqual(warnings)
  expect(await listingsOf(app, seller)).toHaveLength(before + (whole.create ?? 0))
  // Once more it is all there.
  const again = await check(seller, sent)
  expect(again.preview.whole).toMatchObject({ create: 0, update: 0, refused })
})

describe('rows that name one listing and differ', () => {
  test('the first one counts, in the check and in the import', async () => {
    const seller = await trusted()
    await importRows(app, seller, [partFields(1)])
    const [part] = (await exportParts(seller.api)).rows
    if (!part) throw new Error('nothing was exported')
    const prices = ['11', '12', '11']
    const file = standardCsv(prices.map((partprice) => ({ ...part, partprice })))
    const sent = { file, fields: { mapping: standardMapping, idempotencyKey: newKey() } }
    const checked = await check(seller, sent)
    expect(checked.preview.whole).toEqual({ create: 0, update: 1, unchanged: 0, merged: 1, refused: 1 })
    expect(checked.warnings).toContain(
      'Row 3 is left out: it names the same listing as row 2 but differs from it. Only row 2 is used.',
    )
    const { plan } = await run(seller, { ...sent, fields: { ...sent.fields, idempotencyKey: newKey() } })
    expect(plan).toMatchObject({ create: 0, update: 1, merged: 1, rejected: 1 })
    expect((await listingsOf(app, seller)).map(({ price_cents }) => price_cents)).toEqual([1100])
  })

  test('rows are numbered as in the file, even when its chunks arrive in another order', async () => {
    const seller = await trusted()
    await importRows(app, seller, [partFields(1), partFields(2)])
    const [one, two] = (await exportParts(seller.api)).rows
    if (!one || !two) throw new Error('nothing was exported')
    const chunks = [[one], [two, { ...one, partprice: '12' }], [{ ...two, partprice: '13' }]]
    const key = newKey()
    const replies: DryRunReply[] = []
    for (const chunkIndex of [2, 0, 1]) {
      const fields = { mapping: standardMapping, idempotencyKey: key, chunkIndex, chunkCount: 3 }
      replies.push(await check(seller, { file: standardCsv(chunks[chunkIndex] ?? []), fields }))
    }
    expect(replies.map(({ preview }) => preview.whole)).toEqual([
      undefined,
      undefined,
      { create: 0, update: 0, unchanged: 2, merged: 0, refused: 2 },
    ])
    expect(replies[2]?.warnings.filter((warning) => warning.startsWith('Row '))).toEqual([
      'Row 4 is left out: it names the same listing as row 2 but differs from it. Only row 2 is used.',
      'Row 5 is left out: it names the same listing as row 3 but differs from it. Only row 3 is used.',
    ])
    const idempotencyKey = newKey()
    let importId = ''
    for (const chunkIndex of [2, 0, 1]) {
      const fields = { mapping: standardMapping, idempotencyKey, chunkIndex, chunkCount: 3 }
      const sent = { file: standardCsv(chunks[chunkIndex] ?? []), fields }
      importId = (await sendCsv<StagedReply>(seller.api, sent)).body.importId
    }
    const done = await untilImport(app, seller.api, importId)
    expect(await leftOut(seller, done)).toEqual(
      replies[2]?.warnings.filter((warning) => warning.startsWith('Row ')),
    )
  })
})

test('a dry run reports which fields came from the defaults, in how many rows', async () => {
  const seller = await trusted()
  const defaults = { partcity: 'Tulsa', partstate: 'OK', partgrade: 'B' }
  const { preview } = await check(seller, { file: csvOf(rows(3)), fields: { defaults } })
  expect(preview.defaults).toEqual(
    expect.arrayContaining([
      { field: 'partcity', rows: 3 },
      { field: 'partstate', rows: 3 },
    ]),
  )
  expect((await check(seller, { file: csvOf(rows(3)) })).preview.defaults).toBeUndefined()
})

test('receipts have the figures of their checks, whatever the files have', async () => {
  const days = atLength({ full: 50, brief: 10 })
  const yard = async (number: number) => {
    const { api } = await trusted()
    for (let day = 1; day <= days; day += 1) {
      const seed = `yard ${number}, day ${day}`
      const { differences, file } = await compareCheckWithRun(api, seed)
      expect(differences, `${seed}\n${file}`).toEqual([])
    }
  }
  await Promise.all([1, 2, 3, 4].map(yard))
}, 60_000)
