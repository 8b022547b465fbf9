import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ErrorReply } from '#contract/endpoint.ts'
import type { DryRunReply, ImportRecord, StagedReply } from '#contract/imports.ts'
import type { ApiClient } from '#tests/support/api-client.ts'
import { ledgerOf } from '#tests/support/ledger.ts'
import {
  badRow,
  csvOf,
  newKey,
  partMapping,
  partRow,
  partRows,
  proSeller,
  type SentImport,
  sendCsv,
} from '#tests/support/make-imports.ts'
import { stagedRows } from '#tests/support/staged-rows.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()

let pro: SignedIn
beforeAll(async () => {
  pro = await proSeller(app)
})

type ChunkReply = { ok: true; received: number; chunkCount: number; importId: string }

const readImport = async (api: ApiClient, id: string) =>
  (await api.get<ImportRecord>(`/pro/imports/${id}`)).body

describe('a whole file', () => {
  test('is staged with its good rows, keeps the bad ones apart, and its promotion starts', async () => {
    const rows = [partRow(1), badRow(2), partRow(3)]
    const staging = { sellerSlug: 'Whitfield Auto', datasetHint: 'Nightly Stock', timestamp: '2026-01-31' }
    const answer = await sendCsv<StagedReply>(pro.api, {
      file: csvOf(rows),
      fields: { staging, idempotencyKey: newKey() },
    })
    expect(answer.status).toBe(200)
    const { importId, files } = answer.body
    expect(answer.body).toMatchObject({ ok: true, total: 3, rejected: 1, stagingRef: `ecomm:${files.json}` })
    expect(files.json).toMatch(/^\/whitfield-auto\/2026-01-31\/nightly-stock-[0-9a-f]{8}\.json$/)
    expect(files.csv).toBe(files.json.replace('.json', '.csv'))
    expect(files.rejected).toBe(`/api/pro/imports/${importId}/rejected.csv`)
    expect(answer.body.missionControlUrl).toBe(
      `/dashboard/admin/mission-control?view=preprocess&root=ecomm&path=${encodeURIComponent(files.json)}`,
    )
    expect(await stagedRows(app, importId)).toEqual([partRow(1), partRow(3)])
    const record = await readImport(pro.api, importId)
    expect(record).toMatchObject({
      state: 'planning',
      mode: 'add',
      fileName: 'parts.csv',
      chunkCount: 1,
      received: 1,
      missingChunks: [],
      total: 3,
      rejected: 1,
      files,
      canUndo: false,
    })
    const rejected = await pro.api.get(`/pro/imports/${importId}/rejected.csv`)
    expect(rejected.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(rejected.bytes.toString()).toMatch(/^\ufeffrow,errors,Stock,Title,.*\r\n3,.*call us.*\r\n$/)
  })

  test('is stored in the seller’s folder with the hint ecomm by default', async () => {
    const { body } = await sendCsv<StagedReply>(pro.api, { file: csvOf(partRows(1)) })
    const today = new Date().toISOString().slice(0, 10)
    expect(body.files.json).toMatch(new RegExp(`^/${pro.user.sellerSlug}/${today}/ecomm-[0-9a-f]{8}\\.json$`))
    expect(body.files.rejected).toBeUndefined()
  })

  test('with only bad rows is staged empty, and its rows can be downloaded', async () => {
    const { status, body } = await sendCsv<StagedReply>(pro.api, { file: csvOf([badRow(1), badRow(2)]) })
    expect([status, body.total, body.rejected]).toEqual([200, 2, 2])
    expect(await stagedRows(app, body.importId)).toEqual([])
  })
})

describe('sent again', () => {
  test('returns the stored reply and writes nothing', async () => {
    const seller = await proSeller(app)
    const sent: SentImport = { file: csvOf(partRows(3)), fields: { idempotencyKey: newKey() } }
    const first = await sendCsv(seller.api, sent)
    expect(first.headers['idempotent-replayed']).toBeUndefined()
    const before = await ledgerOf(app, seller.user.sellerId)
    const again = await sendCsv(seller.api, sent)
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([200, 'true'])
    expect(again.body).toEqual(first.body)
    expect(await ledgerOf(app, seller.user.sellerId)).toEqual(before)
    expect(before).toEqual({ imports: 1, chunks: 1, segments: 1, files: 1, promotions: 1 })
  })

  test('a dry run too; its key is separate from the run’s', async () => {
    const sent: SentImport = { file: csvOf([partRow(1), badRow(2)]), fields: { idempotencyKey: newKey() } }
    const dry = await sendCsv<DryRunReply>(pro.api, { ...sent, dryRun: true })
    const again = await sendCsv(pro.api, { ...sent, dryRun: true })
    expect(again.body).toEqual(dry.body)
    expect(again.headers['idempotent-replayed']).toBe('true')
    const run = await sendCsv<StagedReply>(pro.api, sent)
    expect([run.status, run.headers['idempotent-replayed'], run.body.total]).toEqual([200, undefined, 2])
  })

  test('different content, mapping, defaults, mode or place under the same key is refused, and nothing is written', async () => {
    const seller = await proSeller(app)
    const idempotencyKey = newKey()
    const file = csvOf(partRows(2))
    const sent: SentImport = { file, fields: { idempotencyKey } }
    await sendCsv(seller.api, sent)
    const before = await ledgerOf(app, seller.user.sellerId)
    const others: SentImport[] = [
      { file: csvOf(partRows(3)), fields: { idempotencyKey } },
      { file, fields: { idempotencyKey, mapping: { ...partMapping, partnum: 'Bin' } } },
      { file, fields: { idempotencyKey, defaults: { partgrade: 'A' } } },
      { file, fields: { idempotencyKey, mode: 'replace' } },
      { file, fields: { idempotencyKey, staging: { datasetHint: 'other' } } },
    ]
    for (const other of others) {
      const answer = await sendCsv<ErrorReply>(seller.api, other)
      expect([answer.status, answer.body.code]).toEqual([422, 'KEY_REUSED'])
      expect(answer.body.error).toContain('belongs to another file')
    }
    expect(await ledgerOf(app, seller.user.sellerId)).toEqual(before)
  })

  test('two sellers with the same key get an import each', async () => {
    const [one, two] = [await proSeller(app), await proSeller(app)]
    const fields = { idempotencyKey: 'nightly' }
    const first = await sendCsv<StagedReply>(one.api, { file: csvOf(partRows(1)), fields })
    const second = await sendCsv<StagedReply>(two.api, { file: csvOf(partRows(2)), fields })
    expect([first.status, second.status]).toEqual([200, 200])
    expect(first.body.importId).not.toBe(second.body.importId)
  })

  test('a file refused as a whole leaves nothing, so the corrected file can use its key', async () => {
    const seller = await proSeller(app)
    const fields = { idempotencyKey: newKey() }
    const wrong = await sendCsv<ErrorReply>(seller.api, { file: 'Name,Price\r\nDoor,5\r\n', fields })
    expect([wrong.status, wrong.body.fields]).toEqual([422, { file: expect.stringContaining('“Stock”') }])
    expect(await ledgerOf(app, seller.user.sellerId)).toMatchObject({ imports: 0, chunks: 0 })
    expect((await sendCsv(seller.api, { file: csvOf(partRows(1)), fields })).status).toBe(200)
  })
})

describe('a missing chunk', () => {
  test('is named, blocks staging and can arrive later', async () => {
    const seller = await proSeller(app)
    const idempotencyKey = newKey()
    const send = (chunkIndex: number) =>
      sendCsv<ChunkReply>(seller.api, {
        file: csvOf(partRows(2, 1 + 2 * chunkIndex)),
        fields: { idempotencyKey, chunkIndex, chunkCount: 4 },
      })
    const first = await send(3)
    const { importId } = first.body
    expect(first.body).toEqual({
      ok: true,
      warnings: [],
      reading: expect.objectContaining({ delimiter: ',', headerRow: 1 }),
      received: 1,
      chunkCount: 4,
      importId,
    })
    expect((await send(0)).body.received).toBe(2)
    expect(await readImport(seller.api, importId)).toMatchObject({
      state: 'receiving',
      received: 2,
      missingChunks: [1, 2],
      missing: [{ from: 1, to: 2 }],
      total: 4,
      files: null,
      plan: null,
    })
    const list = await seller.api.get<{ items: ImportRecord[] }>('/pro/imports')
    expect(list.body.items).toEqual([await readImport(seller.api, importId)])
    const receipt = await seller.api.get<ErrorReply>(`/pro/imports/${importId}/receipt`)
    expect([receipt.status, receipt.body.code]).toEqual([409, 'CONFLICT'])
    await send(2)
    expect(await send(1)).toMatchObject({ status: 200, body: { total: 8, rejected: 0, importId } })
    expect(await stagedRows(app, importId)).toEqual(partRows(8))
  })

  test('only the first of very many are listed', async () => {
    const seller = await proSeller(app)
    const { body } = await sendCsv<ChunkReply>(seller.api, {
      file: csvOf(partRows(1)),
      fields: { idempotencyKey: newKey(), chunkIndex: 1, chunkCount: 100_000 },
    })
    const { missingChunks, missing } = await readImport(seller.api, body.importId)
    expect(missingChunks).toEqual([0, ...Array.from({ length: 19 }, (_, index) => index + 2)])
    expect(missing).toEqual([
      { from: 0, to: 0 },
      { from: 2, to: 99_999 },
    ])
    const idempotencyKey = newKey()
    const fields = { idempotencyKey, chunkIndex: 2, chunkCount: 3 }
    await sendCsv(seller.api, { file: csvOf(partRows(1)), fields })
    const runs = async () =>
      (await seller.api.get<{ items: ImportRecord[] }>('/pro/imports')).body.items.map((item) => item.missing)
    expect(await runs()).toEqual([[{ from: 0, to: 1 }], missing])
    // A chunk that is still being read has not arrived yet.
    await sql`
      update import_chunk set done_at = null, reply = null
      from import where import_id = id and key = ${idempotencyKey}`.execute(app.db)
    expect(await runs()).toEqual([[{ from: 0, to: 2 }], missing])
  })
})

describe('chunk numbers', () => {
  test.each([
    [{ chunkIndex: '0' }, 'chunkCount'],
    [{ chunkCount: '2' }, 'chunkIndex'],
    [{ chunkIndex: '-1', chunkCount: '2' }, 'chunkIndex'],
    [{ chunkIndex: '2', chunkCount: '2' }, 'chunkIndex'],
    [{ chunkIndex: '1000000000', chunkCount: '2' }, 'chunkIndex'],
    [{ chunkIndex: 'NaN', chunkCount: '2' }, 'chunkIndex'],
    [{ chunkIndex: '1.5', chunkCount: '2' }, 'chunkIndex'],
    [{ chunkIndex: '0x1', chunkCount: '2' }, 'chunkIndex'],
    [{ chunkIndex: '0', chunkCount: '0' }, 'chunkCount'],
    [{ chunkIndex: '0', chunkCount: '100001' }, 'chunkCount'],
    [{ chunkIndex: '0', chunkCount: '1e9' }, 'chunkCount'],
    [{ chunkIndex: '0', chunkCount: '99999999999999999999' }, 'chunkCount'],
  ])('%j is refused under the field %s', async (fields, field) => {
    const sent = { file: csvOf(partRows(1)), fields: { idempotencyKey: newKey(), ...fields } }
    const answer = await sendCsv<ErrorReply>(pro.api, sent)
    expect([answer.status, Object.keys(answer.body.fields ?? {})]).toEqual([422, [field]])
  })

  test('the count cannot change between chunks', async () => {
    const idempotencyKey = newKey()
    const send = (chunkIndex: number, chunkCount: number) =>
      sendCsv<ErrorReply>(pro.api, {
        file: csvOf(partRows(1)),
        fields: { idempotencyKey, chunkIndex, chunkCount },
      })
    await send(0, 3)
    const answer = await send(1, 4)
    expect([answer.status, answer.body.code]).toEqual([422, 'KEY_REUSED'])
    expect(answer.body.fields).toHaveProperty('chunkCount')
  })

  test('chunks need a key to be joined', async () => {
    const sent = { file: csvOf(partRows(1)), fields: { chunkIndex: 0, chunkCount: 2 } }
    const answer = await sendCsv<ErrorReply>(pro.api, sent)
    expect([answer.status, answer.body.fields]).toEqual([422, { idempotencyKey: expect.any(String) }])
    expect((await sendCsv(pro.api, { ...sent, dryRun: true })).status).toBe(200)
  })
})

test('another seller’s import is not found; administrators may read it', async () => {
  const { body } = await sendCsv<StagedReply>(pro.api, { file: csvOf([partRow(1), badRow(2)]) })
  const at = `/pro/imports/${body.importId}`
  const other = await proSeller(app)
  const admin = await app.signUp({ role: 'admin' })
  const reading = ['', '/rejected.csv', '/receipt'] as const
  for (const path of reading) expect((await other.api.get(`${at}${path}`)).status).toBe(404)
  for (const path of ['/undo', '/confirm']) {
    expect((await other.api.post(`${at}${path}`, {})).status).toBe(404)
    expect((await admin.api.post(`${at}${path}`, {})).status).toBe(404)
  }
  const asAdmin = await Promise.all(reading.map((path) => admin.api.get(`${at}${path}`)))
  expect(asAdmin.map(({ status }) => status)).toEqual([200, 200, 409])
  expect((await other.api.get<{ items: unknown[] }>('/pro/imports')).body.items).toEqual([])
})
