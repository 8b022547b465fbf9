import { type RawBuilder, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { ErrorReply } from '#contract/endpoint.ts'
import type { DryRunReply, StagedReply } from '#contract/imports.ts'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import { contentHash, identityOf, sourceKey } from '#server/features/stock-files/identity/row-identity.ts'
import {
  badRow,
  csvOf,
  newKey,
  partHeader,
  partMapping,
  partRow,
  partRows,
  proSeller,
  sendCsv,
} from '#tests/support/make-imports.ts'
import { makeQuickListing } from '#tests/support/make-rows.ts'
import { stagedRecords } from '#tests/support/staged-rows.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

/* Whole files as they come: too large in some way, empty, doubled. How each is read is tested beside the reader. */

// An administrator approves each import here.
const app = await startTestApp({ IMPORT_REVIEW: 'manual' })
const { api } = await proSeller(app)
const MB = 1024 * 1024

const check = (file: string | Buffer) => sendCsv<DryRunReply>(api, { file, dryRun: true })

test('a row with a field of 10 MB is an error of that row alone, cut short in every answer', async () => {
  const monster = partRow(2, { Title: 'x'.repeat(10 * MB) })
  const file = csvOf([partRow(1), monster, partRow(3)])
  const { status, body, bytes } = await check(file)
  expect([status, body.preview.total, body.preview.errors]).toEqual([200, 3, 1])
  expect(body.preview.rows[0]).toMatchObject({
    index: 2,
    ok: false,
    issues: [{ row: 3, column: 'Title', code: 'TOO_LONG', value: 'x'.repeat(100) }],
  })
  expect(bytes.length).toBeLessThan(5_000)
})

test('even in an unmapped column: every cell is kept, and read again with its row', async () => {
  const file = csvOf([partRow(1, { Bin: 'x'.repeat(100_000) }), partRow(2, { Bin: 'x'.repeat(100_001) })])
  const { body } = await check(file)
  expect([body.preview.total, body.preview.errors]).toEqual([2, 1])
  expect(body.preview.rows[0]).toMatchObject({
    index: 2,
    errors: ['“Bin” is too long (max 100,000 characters)'],
    issues: [{ row: 3, column: 'Bin', code: 'TOO_LONG', value: 'x'.repeat(100) }],
  })
})

test('an unclosed quotation mark is reported with its row, and the other rows are read', async () => {
  const [first, ...rest] = partRows(3)
  const file = `${csvOf(first ? [first] : [])}"open,x\n${csvOf(rest).split('\n').slice(1).join('\n')}`
  for (const ending of ['', `"open,${'x,'.repeat(9 * MB)}`]) {
    const { status, body } = await check(file + ending)
    expect([status, body.preview.total]).toEqual([200, ending === '' ? 4 : 5])
    const issues = body.preview.rows.flatMap((row) => row.issues)
    expect(issues.map(({ row, code }) => [row, code])).toEqual([
      [3, 'UNCLOSED_QUOTE'],
      ...(ending === '' ? [] : [[6, 'RECORD_TOO_LONG']]),
    ])
    expect(issues[0]?.message).toMatch(/^A quotation mark opens in this row and never closes/)
  }
})

test('semicolons, UTF-16 and Windows-1252 are read, and every reply says how', async () => {
  const rows = partRows(2).map((row) => row.map((cell, at) => (at === 0 ? `${cell} café` : cell)))
  const semicolons = `Stock of today\n\n${csvOf(rows).replaceAll(',', ';')}`
  for (const encoding of ['latin1', 'utf16le'] as const) {
    const mark = encoding === 'utf16le' ? '\ufeff' : ''
    const { body } = await check(Buffer.from(mark + semicolons, encoding))
    expect(body.preview).toMatchObject({ total: 2, errors: 0 })
    expect(body.reading).toMatchObject({
      encoding: encoding === 'latin1' ? 'windows-1252' : 'utf-16le',
      delimiter: ';',
      headerRow: 3,
    })
    expect(body.warnings).toContain('The columns are named in row 3. The rows above it are left out.')
  }
  const said = await sendCsv<ErrorReply>(api, {
    file: Buffer.from(csvOf(rows), 'latin1'),
    fields: { reading: '{"encoding":"utf-8"}' },
    dryRun: true,
  })
  expect([said.status, said.body.fields?.file]).toEqual([
    422,
    expect.stringContaining('not UTF-8 text: byte'),
  ])
  const wrong = await sendCsv<ErrorReply>(api, { file: csvOf(rows), fields: { reading: '{"quote":"x"}' } })
  expect([wrong.status, wrong.body.fields?.reading]).toEqual([422, expect.stringContaining('quote')])
})

test('columns with the same name are reported in every reply, and nothing is lost', async () => {
  const header = [...partHeader.slice(0, -1), 'Price', '']
  const rows = [1, 2].map((number) => [...partRow(number).slice(0, -1), '7.00', 'x'])
  const warnings = [expect.stringContaining('“Price (2)”'), expect.stringContaining('“Column 9”')]
  const dry = await check(csvOf(rows, header))
  expect([dry.status, dry.body.warnings]).toEqual([200, warnings])
  const fields = {
    idempotencyKey: newKey(),
    chunkCount: 2,
    mapping: { ...partMapping, partprice: 'Price (2)' },
  }
  const [one, two] = rows
  const first = await sendCsv(api, { file: csvOf([one ?? []], header), fields: { ...fields, chunkIndex: 0 } })
  const last = await sendCsv<StagedReply>(api, {
    file: csvOf([two ?? []], null),
    fields: { ...fields, chunkIndex: 1 },
  })
  expect([first.body.warnings, last.body.warnings]).toEqual([warnings, warnings])
  const records = await stagedRecords(app, last.body.importId)
  expect(records.map(({ fields: { partprice } }) => partprice)).toEqual(['7.00', '7.00'])
})

describe('a file without parts', () => {
  test.each([
    ['empty', ''],
    ['of nothing but a byte order mark', '\ufeff'],
    ['of blank lines', '\r\n\r\n'],
    ['of commas', ',,,\r\n'],
    ['without the columns', 'a\r\n1\r\n'],
    ['of 10,000 columns', `${Array.from({ length: 10_000 }, (_, n) => `c${n}`).join(',')}\r\n`],
  ])('%s is refused with a sentence', async (_name, file) => {
    for (const dryRun of [true, false]) {
      const answer = await sendCsv<ErrorReply>(api, { file, dryRun })
      expect([answer.status, Object.keys(answer.body.fields ?? {})]).toEqual([422, ['file']])
    }
  })

  test('with its header alone has 0 rows', async () => {
    const { body } = await check(csvOf([]))
    expect(body.preview).toEqual({
      total: 0,
      errors: 0,
      rows: [],
      whole: { create: 0, update: 0, unchanged: 0, merged: 0, refused: 0 },
      plan: { creates: 0, updates: 0, ends: 0, missing: 0, held: 0, newNames: [] },
      questions: [],
      leftOut: [],
      remembered: [],
      examples: [],
      wants: ['partcity', 'dealerphone', 'dealername'],
      goesLive: { how: 'review', atOnce: 0, later: 0, waitMinutes: 0 },
    })
    const run = await sendCsv<StagedReply>(api, { file: csvOf([]) })
    expect([run.status, run.body.total, run.body.rejected]).toEqual([200, 0, 0])
  })
})

describe('what a dry run predicts', () => {
  test('equal rows become one part, a part that is listed changes or stays, others are new', async () => {
    const seller = await proSeller(app)
    const { body: run } = await sendCsv<StagedReply>(seller.api, { file: csvOf(partRows(3)) })
    await makeLive(run.importId, seller)
    const again = [
      partRow(1),
      partRow(2, { Price: '1.00' }),
      partRow(3),
      partRow(4),
      partRow(4),
      partRow(5),
      badRow(6),
    ]
    const dry = await sendCsv<DryRunReply>(seller.api, { file: csvOf(again), dryRun: true })
    expect(dry.body.preview).toMatchObject({
      total: 7,
      errors: 1,
      whole: { create: 2, update: 1, unchanged: 2, merged: 1, refused: 0 },
    })
    // Another seller's parts of the same numbers are theirs.
    const { body } = await check(csvOf(again))
    expect(body.preview.whole).toEqual({ create: 5, update: 0, unchanged: 0, merged: 1, refused: 0 })
  })

  test('the rows of one part are judged together, however far apart they are', async () => {
    const rows = [...partRows(4_500), ...partRows(4_500)]
    const { body } = await check(csvOf(rows))
    expect(body.preview.whole).toEqual({
      create: 4_500,
      update: 0,
      unchanged: 0,
      merged: 4_500,
      refused: 0,
    })
  })

  /** Lists the rows of an import, as far as it matters which parts they are. */
  async function makeLive(importId: string, seller: SignedIn): Promise<void> {
    const { id: promotion_id } = await app.db
      .selectFrom('promotion')
      .where('import_id', '=', importId)
      .select('id')
      .executeTakeFirstOrThrow()
    for (const [row_no, { fields }] of (await stagedRecords(app, importId)).entries()) {
      const listing = await makeQuickListing(seller.api)
      await app.db
        .insertInto('listing_source')
        .values({
          seller_id: seller.user.sellerId,
          source_key: Buffer.from(sourceKey(fields), 'hex'),
          ordinal: 0,
          listing_id: listing.id,
          content_hash: Buffer.from(contentHash(fields), 'hex'),
          row_digest: Buffer.from(identityOf(fields).digest ?? '', 'hex'),
          normaliser: 1,
          promotion_id,
          row_no,
        })
        .execute()
    }
  }
})

test('a category deleted between dry run and run does not fail the run', async () => {
  const write = (statement: RawBuilder<unknown>) =>
    withChangeSet(app.db, { actorKind: 'system', reason: 'test' }, (trx) => statement.execute(trx))
  await write(sql`insert into category (name) values ('Flux capacitor')`)
  const file = csvOf([partRow(1, { Type: 'Flux capacitor' })])
  const dry = await check(file)
  await write(sql`delete from category where name = 'Flux capacitor'`)
  const run = await sendCsv<StagedReply>(api, { file })
  expect([dry.body.preview.errors, run.status, run.body.rejected]).toEqual([0, 200, 0])
})

test('of 5,000 bad rows the first 1,000 are returned, and all of them can be fetched', async () => {
  const evil = (number: number) => partRow(number, { Price: '=HYPERLINK("http://evil")', Title: '@SUM(A1)' })
  const rows = Array.from({ length: 5_000 }, (_, index) => evil(index + 1))
  const file = csvOf(rows)
  const dry = await check(file)
  expect([dry.body.preview.errors, dry.body.preview.rows.length]).toEqual([5_000, 1_000])
  expect(dry.bytes.length).toBeLessThan(1 * MB)
  const { body } = await sendCsv<StagedReply>(api, { file })
  expect(body).toMatchObject({ total: 5_000, rejected: 5_000 })
  const csv = (await api.get(`/pro/imports/${body.importId}/rejected.csv`)).bytes.toString()
  const lines = csv.split('\r\n')
  expect(lines.length).toBe(5_002)
  expect(lines[5_000]).toMatch(/^5001,/)
  // Nothing in it is a formula to a spreadsheet.
  expect(lines[1]).toContain(`,'@SUM(A1),`)
  expect(csv).not.toMatch(/[,"]=HYPERLINK|,@SUM/)
})
