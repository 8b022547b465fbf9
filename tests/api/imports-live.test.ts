import { expect, test } from 'vitest'
import type { ErrorReply } from '#contract/endpoint.ts'
import type { DryRunReply, ImportReceipt, ImportRecord, StagedReply } from '#contract/imports.ts'
import type { Listing } from '#contract/listings.ts'
import type { PromotionSummary } from '#server/features/stock-files/promotion/summaries.ts'
import type { ApiClient } from '#tests/support/api-client.ts'
import { badRow, csvOf, newKey, partRow, proSeller, sendCsv } from '#tests/support/make-imports.ts'
import { startPromotionWorker, untilImport } from '#tests/support/promotions.ts'
import { startTestApp } from '#tests/support/test-app.ts'

/* From a yard's file over HTTP to searchable listings, and back. */

const app = await startTestApp()
await startPromotionWorker(app)

const until = (api: ApiClient, id: string, state: PromotionSummary['state']) =>
  untilImport(app, api, id, state)

const partsOf = async (api: ApiClient) => {
  const { body } = await api.get<{ items: Listing[]; total: number }>(`/seller/parts?perPage=20`)
  return body
}

const fordPart = (number: number, changes = {}) => partRow(number, { Model: 'Crown Victoria', ...changes })
const fordParts = (count: number) => Array.from({ length: count }, (_, index) => fordPart(index + 1))

/** The actions on an import, each with its address and whether the request id is known. */
const auditOf = async (importId: string) =>
  (
    await app.db
      .selectFrom('audit_entry')
      .select(['action', 'ip', 'request_id'])
      .where('target', '=', importId)
      .where('action', 'like', 'import-%')
      .execute()
  ).map(({ action, ip, request_id }) => [action, ip, request_id !== null])

test('a trusted seller’s file goes live by itself, is searchable, and is undone except for edited listings', async () => {
  const { api } = await proSeller(app, { trusted: true })
  const rows = [...fordParts(12), badRow(99), fordPart(3)]
  const sent = { file: csvOf(rows), fields: { idempotencyKey: newKey() } }
  const dry = await sendCsv<DryRunReply>(api, { ...sent, dryRun: true })
  expect(dry.body.preview).toMatchObject({ total: 14, errors: 1, whole: { create: 12, merged: 1 } })
  const { importId } = (await sendCsv<StagedReply>(api, sent)).body

  const live = await until(api, importId, 'applied')
  expect(live).toMatchObject({
    total: 14,
    rejected: 1,
    plan: { create: 12, update: 0, unchanged: 0, ended: 0, merged: 1, rejected: 1 },
    progress: { done: 12, total: 12 },
    review: [],
    error: null,
    canUndo: true,
    canConfirm: false,
  })
  expect(live.appliedAt).toEqual(expect.any(String))
  const receipt = await api.get<ImportReceipt>(`/pro/imports/${importId}/receipt`)
  expect(receipt.body).toMatchObject({
    importId,
    fileName: 'parts.csv',
    state: 'applied',
    approvedBy: null,
    total: 14,
    created: 12,
    merged: 1,
    rejected: 1,
    undone: 0,
    left: [],
  })
  const mine = await partsOf(api)
  expect(mine.total).toBe(12)
  const edited = mine.items[0]
  expect((await api.put(`/seller/parts/${edited?.id}`, { partprice: '12.34' })).status).toBe(200)

  const undoing = await api.post<ImportRecord>(`/pro/imports/${importId}/undo`)
  expect([undoing.status, undoing.body.canUndo]).toEqual([202, false])
  expect(await auditOf(importId)).toEqual([['import-undone', '127.0.0.1', true]])
  const undone = await until(api, importId, 'undone')
  expect(undone.undoneAt).toEqual(expect.any(String))
  const after = await api.get<ImportReceipt>(`/pro/imports/${importId}/receipt`)
  expect(after.body).toMatchObject({ state: 'undone', created: 12, undone: 11, leftAsIs: 1 })
  expect(after.body.left).toMatchObject([{ id: edited?.id, partslug: edited?.partslug }])
  expect((await partsOf(api)).items.map(({ id }) => id)).toEqual([edited?.id])
  const again = await api.post<ErrorReply>(`/pro/imports/${importId}/undo`)
  expect([again.status, again.body.code]).toEqual([409, 'CONFLICT'])
})

test('a dry run predicts the plan: changed, equal and new parts', async () => {
  const { api } = await proSeller(app, { trusted: true })
  const first = await sendCsv<StagedReply>(api, { file: csvOf(fordParts(6)) })
  await until(api, first.body.importId, 'applied')
  const file = csvOf([fordPart(1), fordPart(2, { Price: '1.00' }), fordPart(3), fordPart(7), fordPart(7)])
  const dry = await sendCsv<DryRunReply>(api, { file, dryRun: true })
  const { importId } = (await sendCsv<StagedReply>(api, { file })).body
  const { plan } = await until(api, importId, 'applied')
  const { refused, ...whole } = dry.body.preview.whole ?? { refused: -1 }
  expect(whole).toEqual({ create: 1, update: 1, unchanged: 2, merged: 1 })
  expect(plan).toMatchObject({ ...whole, rejected: refused })
  // None of it affects other sellers' parts with the same numbers.
  const other = await proSeller(app)
  const theirs = await sendCsv<DryRunReply>(other.api, { file, dryRun: true })
  expect(theirs.body.preview.whole).toEqual({ create: 4, update: 0, unchanged: 0, merged: 1, refused: 0 })
})

test('a receipt accounts for every row, even one that matches its edited listing', async () => {
  const { api } = await proSeller(app, { trusted: true })
  const send = (file: string) => sendCsv<StagedReply>(api, { file })
  await until(api, (await send(csvOf(fordParts(3)))).body.importId, 'applied')
  const edited = (await partsOf(api)).items.find(({ partname }) => partname === `Alternator 1`)
  expect((await api.put(`/seller/parts/${edited?.id}`, { partprice: '12' })).status).toBe(200)
  const rows = [fordPart(1, { Price: '12' }), fordPart(2, { Price: '13' }), fordPart(3)]
  const { importId } = (await send(csvOf(rows))).body
  await until(api, importId, 'applied')
  const { body } = await api.get<ImportReceipt>(`/pro/imports/${importId}/receipt`)
  expect(body).toMatchObject({ total: 3, created: 0, updated: 1, unchanged: 2, merged: 0, rejected: 0 })
})

test('a full stock that would end too much asks, and the seller who saw the plan can confirm it', async () => {
  const { api } = await proSeller(app, { trusted: true })
  const first = await sendCsv<StagedReply>(api, { file: csvOf(fordParts(5)) })
  await until(api, first.body.importId, 'applied')
  const fields = { mode: 'replace' }
  const { importId } = (await sendCsv<StagedReply>(api, { file: csvOf(fordParts(2)), fields })).body
  const asking = await until(api, importId, 'review')
  expect(asking).toMatchObject({
    mode: 'replace',
    plan: { ended: 3, unchanged: 2 },
    review: [{ code: 'endings' }],
    canConfirm: true,
    canUndo: false,
  })
  const at = `/pro/imports/${importId}/confirm`
  const blind = await api.post<ErrorReply>(at, {})
  expect([blind.status, Object.keys(blind.body.fields ?? {})]).toEqual([422, ['planId']])
  const stale = await api.post<ErrorReply>(at, { planId: importId })
  expect([stale.status, stale.body.code]).toEqual([409, 'STALE'])
  expect((await api.post(at, { planId: asking.plan?.id })).status).toBe(200)
  await until(api, importId, 'applied')
  expect((await partsOf(api)).total).toBe(2)
  const { body } = await api.get<ImportReceipt>(`/pro/imports/${importId}/receipt`)
  expect(body).toMatchObject({ ended: 3, unchanged: 2, created: 0 })
  expect(await auditOf(importId)).toEqual([['import-confirmed', '127.0.0.1', true]])
})

test('a full stock never ends a part whose row was rejected, and asks if a row cannot be read at all', async () => {
  const { api } = await proSeller(app, { trusted: true })
  const first = await sendCsv<StagedReply>(api, { file: csvOf(fordParts(10)) })
  await until(api, first.body.importId, 'applied')
  const fields = { mode: 'replace' }
  const nine = fordParts(9)
  const wrong = csvOf([...nine, fordPart(10, { Price: 'ask' })])
  const kept = (await sendCsv<StagedReply>(api, { file: wrong, fields })).body
  expect(kept.rejected).toBe(1)
  expect(await until(api, kept.importId, 'applied')).toMatchObject({ plan: { ended: 0, unchanged: 9 } })
  expect((await partsOf(api)).total).toBe(10)
  const ragged = `${csvOf(nine)}just,three,cells\n`
  const asking = (await sendCsv<StagedReply>(api, { file: ragged, fields })).body
  const { review } = await until(api, asking.importId, 'review')
  expect(review).toMatchObject([{ code: 'endings', message: expect.stringContaining('1 of its rows') }])
  expect((await partsOf(api)).total).toBe(10)
})

test('another seller’s file stays hidden until an administrator promotes it', async () => {
  const { api, user } = await proSeller(app)
  const { importId, files } = (await sendCsv<StagedReply>(api, { file: csvOf(fordParts(3)) })).body
  const waiting = await until(api, importId, 'planned')
  expect(waiting).toMatchObject({ plan: { create: 3 }, canUndo: false, canConfirm: false })
  await app.db.updateTable('seller').set({ tier: 'FREE' }).where('id', '=', user.sellerId).execute()
  expect((await partsOf(api)).total).toBe(0)
  const admin = await app.signUp({ role: 'admin' })
  const promoted = await admin.api.post('/admin/automation/staging/promote', {
    root: 'ecomm',
    paths: [files.json],
  })
  expect(promoted.status).toBe(202)
  await until(api, importId, 'applied')
  expect((await partsOf(api)).total).toBe(3)
  const { body } = await api.get<ImportReceipt>(`/pro/imports/${importId}/receipt`)
  expect(body).toMatchObject({ approvedBy: admin.person.name, created: 3 })
  // Undoing needs no tier.
  expect((await api.post(`/pro/imports/${importId}/undo`)).status).toBe(202)
  await until(api, importId, 'undone')
})

test('an import without good rows gets an empty plan and completes', async () => {
  const { api } = await proSeller(app, { trusted: true })
  const { importId } = (await sendCsv<StagedReply>(api, { file: csvOf([badRow(1)]) })).body
  const done = await until(api, importId, 'applied')
  expect(done).toMatchObject({ rejected: 1, plan: { create: 0, update: 0, ended: 0, rejected: 1 } })
  expect((await api.get<ImportReceipt>(`/pro/imports/${importId}/receipt`)).body).toMatchObject({
    total: 1,
    rejected: 1,
    created: 0,
  })
})

test('imports are listed newest first and paged', async () => {
  const { api, user } = await proSeller(app)
  const ids: string[] = []
  for (let number = 1; number <= 21; number += 1) {
    const { id } = await app.db
      .insertInto('import')
      .values({
        seller_id: user.sellerId,
        dry_run: false,
        key: newKey(),
        request_hash: Buffer.from(`${number}`),
        mode: 'add',
        mapping: '{}',
        state: 'receiving',
        received: 1,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    ids.unshift(id)
  }
  const page = async (number: number) => {
    const { body } = await api.get<{ items: ImportRecord[]; total: number; perPage: number }>(
      `/pro/imports?page=${number}`,
    )
    expect([body.total, body.perPage]).toEqual([21, 20])
    return body.items.map(({ id }) => id)
  }
  expect(await page(1)).toEqual(ids.slice(0, 20))
  expect(await page(2)).toEqual(ids.slice(20))
})
