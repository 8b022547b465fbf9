import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ErrorReply } from '#contract/endpoint.ts'
import type { ImportRecord, StagedReply } from '#contract/imports.ts'
import { countUnreadRows } from '#server/features/stock-files/plan/left-out.ts'
import { sweepImports } from '#server/features/stock-files/receive/sweep.ts'
import { replacementsOf, rewriteStagedFile } from '#server/features/stock-files/store/rewrite.ts'
import { segmentKey, storeSegment } from '#server/features/stock-files/store/segments.ts'
import { badRow, csvOf, newKey, partRow, partRows, proSeller, sendCsv } from '#tests/support/make-imports.ts'
import { partsFields } from '#tests/support/promotions.ts'
import { currentVersion, stageFile } from '#tests/support/stage-file.ts'
import { stagedRows } from '#tests/support/staged-rows.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
const { db, files } = app
const DAY = 86_400_000

let pro: SignedIn
beforeAll(async () => {
  pro = await proSeller(app)
})

/** Sweeps as the job would in this many days. */
const sweepIn = (days: number) =>
  sweepImports({ db, files, now: new Date(Date.now() + days * DAY), signal: new AbortController().signal })

const sendChunk = (seller: SignedIn, idempotencyKey: string, chunkIndex: number) =>
  sendCsv<{ importId: string }>(seller.api, {
    file: csvOf(partRows(3, 1 + 3 * chunkIndex)),
    fields: { idempotencyKey, chunkIndex, chunkCount: 2 },
  })

async function segmentsOf(importId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('import_segment')
    .where('import_id', '=', importId)
    .select('sha256')
    .execute()
  return rows.map(({ sha256 }) => sha256)
}

describe('the sweeper', () => {
  test('abandons an import left unfinished for a week and removes its data', async () => {
    const key = newKey()
    const { importId } = (await sendChunk(pro, key, 0)).body
    const [sha256 = ''] = await segmentsOf(importId)
    expect(await sweepIn(6)).toMatchObject({ abandoned: 0 })
    expect(await files.exists(segmentKey(sha256))).toBe(true)
    expect(await sweepIn(8)).toMatchObject({ abandoned: 1 })
    expect(await files.exists(segmentKey(sha256))).toBe(false)
    const { body } = await pro.api.get<ImportRecord>(`/pro/imports/${importId}`)
    expect(body).toMatchObject({ state: 'abandoned', missingChunks: [], files: null })
    const late = await sendChunk(pro, key, 1)
    expect([late.status, (late.body as unknown as ErrorReply).code]).toEqual([422, 'KEY_REUSED'])
    expect(await sweepIn(8)).toMatchObject({ abandoned: 0, segments: 0 })
  })

  test('leaves an old import alone while it still gets chunks', async () => {
    const key = newKey()
    const { importId } = (await sendChunk(pro, key, 0)).body
    await sql`update import set created_at = now() - interval '9 days' where id = ${importId}`.execute(db)
    expect(await sweepIn(0)).toMatchObject({ abandoned: 0 })
    expect((await sendChunk(pro, key, 1)).body).toMatchObject({ total: 6 })
  })

  test('keeps the segments of staged files, however old', async () => {
    const { body } = await sendCsv<StagedReply>(pro.api, { file: csvOf(partRows(4)) })
    await sweepIn(60)
    expect(await stagedRows(app, body.importId)).toEqual(partRows(4))
  })

  test('removes unreferenced segments a day after they were written', async () => {
    const { sha256 } = await storeSegment(files, ['a chunk that was killed'], 1)
    expect(await sweepIn(0.9)).toMatchObject({ segments: 0 })
    expect(await sweepIn(1.1)).toMatchObject({ segments: 1 })
    expect(await files.exists(segmentKey(sha256))).toBe(false)
  })

  test('keeps what an unfinished script has rewritten; a script that still lost it makes no version', async () => {
    const { fileId, path } = await stageFile(app, {
      sellerId: pro.user.sellerId,
      rows: partsFields(2),
      chunk: 1,
    })
    const rewritten = await storeSegment(files, ['the first row, rewritten'], 9)
    const replaced = replacementsOf(new Map([[0, rewritten]]))
    const checkpoint = { fileId, version: 1, next: 1, replaced, state: null }
    const { id: jobId } = await db
      .insertInto('job')
      .values({ queue: 'script', resumable: true, checkpoint: JSON.stringify(checkpoint) })
      .returning('id')
      .executeTakeFirstOrThrow()
    await sweepIn(7)
    expect(await files.exists(segmentKey(rewritten.sha256))).toBe(true)
    await sql`update job set status = 'cancelled', ended_at = now() where id = ${jobId}`.execute(db)
    await sweepIn(7)
    expect(await files.exists(segmentKey(rewritten.sha256))).toBe(false)

    const run = {
      jobId,
      source: { root: 'ecomm' as const, path },
      checkpoint,
      signal: new AbortController().signal,
      db,
      files,
      progress: () => undefined,
      saveCheckpoint: () => Promise.resolve(),
      withFence: <T>(work: (trx: typeof db) => Promise<T>) => db.transaction().execute(work),
    }
    const goOn = (prepare: () => Promise<void>) =>
      rewriteStagedFile(run, {
        message: 'h1-optimizer',
        columns: ['h1'],
        range: (rows) => ({ from: 0, to: rows, count: rows }),
        concurrent: 1,
        dryRun: false,
        begin: () => Promise.resolve({ prepare, take: () => undefined, state: () => null }),
      })
    const refusal = `Segment 1 of ${path}, rewritten by an earlier run of this job, is missing from the file store (${rewritten.sha256}), so nothing was saved. Run the script again`
    await expect(goOn(() => Promise.reject(new Error('begun in vain')))).rejects.toThrow(refusal)
    await storeSegment(files, ['the first row, rewritten'], 9)
    await expect(goOn(() => files.delete(segmentKey(rewritten.sha256)))).rejects.toThrow(refusal)
    expect(await currentVersion(app, path)).toMatchObject({ version: 1 })
  })

  test('forgets dry runs after a week', async () => {
    const fields = { idempotencyKey: newKey() }
    const sent = { file: csvOf(partRows(2)), fields, dryRun: true }
    await sendCsv(pro.api, sent)
    expect(await sweepIn(6)).toMatchObject({ dryRuns: 0 })
    expect((await sendCsv(pro.api, sent)).headers['idempotent-replayed']).toBe('true')
    expect((await sweepIn(8)).dryRuns).toBeGreaterThan(0)
    expect((await sendCsv(pro.api, sent)).headers['idempotent-replayed']).toBeUndefined()
  })

  test('forgets an unfinished dry run after a day, with its row data', async () => {
    const idempotencyKey = newKey()
    const fields = { idempotencyKey, chunkIndex: 0, chunkCount: 2 }
    await sendCsv(pro.api, { file: csvOf(partRows(2)), fields, dryRun: true })
    const kept = () => db.selectFrom('import').select('id').where('key', '=', idempotencyKey).execute()
    await sweepIn(0.9)
    expect(await kept()).toHaveLength(1)
    await sweepIn(1.1)
    expect(await kept()).toHaveLength(0)
  })

  test('forgets what an import changed once it can no longer be undone', async () => {
    const { body } = await sendCsv<StagedReply>(pro.api, { file: csvOf(partRows(1)) })
    const { importId } = body
    await sql`
      update promotion set state = 'applied', applied_at = now(), applied = 1 where import_id = ${importId}`.execute(
      db,
    )
    await sql`
      insert into promotion_action (promotion_id, row_no, action, source_key, ordinal)
      select id, 1, 'create', '\\x00', 0 from promotion where import_id = ${importId}`.execute(db)
    expect(await sweepIn(30.5)).toMatchObject({ actions: 0 })
    expect(await sweepIn(31.5)).toMatchObject({ actions: 1 })
    await sql`
      insert into promotion_action (promotion_id, row_no, action, source_key, ordinal)
      select id, 1, 'create', '\\x00', 0 from promotion where import_id = ${importId}`.execute(db)
    await sql`
      update promotion set state = 'review', planned_at = now(), applied_at = null where import_id = ${importId}`.execute(
      db,
    )
    expect(await sweepIn(30.5)).toMatchObject({ actions: 0 })
    expect(await sweepIn(31.5)).toMatchObject({ actions: 1 })
  })
})

test('rows kept by a full stock are forgotten with it, and then ending parts needs a confirmation', async () => {
  const file = csvOf([badRow(1), partRow(2), badRow(3), badRow(4)])
  const { body } = await sendCsv<StagedReply>(pro.api, { file, fields: { mode: 'replace' } })
  const { importId } = body
  const kept = () =>
    db
      .selectFrom('promotion_kept_row')
      .where('import_id', '=', importId)
      .select(['row_no', 'source_key'])
      .execute()
  expect((await kept()).length).toBe(3)
  expect(await sweepIn(60)).toMatchObject({ keptRows: 0 })
  await sql`update promotion set state = 'applied', applied_at = now() where import_id = ${importId}`.execute(
    db,
  )
  expect(await sweepIn(30.5)).toMatchObject({ keptRows: 0 })
  expect(await sweepIn(31.5)).toMatchObject({ keptRows: 2 })
  expect(await kept()).toEqual([{ row_no: 1, source_key: null }])
  expect(await countUnreadRows(db, importId)).toBe(1)
  expect(await sweepIn(31.5)).toMatchObject({ keptRows: 0 })
})

describe('quotas', () => {
  let seller: SignedIn
  beforeAll(async () => {
    seller = await proSeller(app)
  })

  test('at most 20 imports are unfinished at a time, even when all start at once', async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => sendChunk(seller, newKey(), 0)))
    const retried = answers.filter(({ status }) => status === 200).length
    for (let begun = retried; begun < 19; begun += 1) await sendChunk(seller, newKey(), 0)
    const last = newKey()
    const race = await Promise.all([last, newKey(), newKey()].map((key) => sendChunk(seller, key, 0)))
    expect(race.filter(({ status }) => status === 200).length).toBe(1)
    const refused = (await sendChunk(seller, newKey(), 0)) as unknown as { status: number; body: ErrorReply }
    expect([refused.status, refused.body.code]).toEqual([422, 'QUOTA_REACHED'])
    expect(refused.body.error).toContain('At most 20 imports')
    // Other sellers are not affected, and checking is always possible.
    expect((await sendChunk(pro, newKey(), 0)).status).toBe(200)
    expect((await sendCsv(seller.api, { file: csvOf(partRows(1)), dryRun: true })).status).toBe(200)
  })

  test('a file sent in one request is never unfinished, so it needs no room', async () => {
    expect((await sendCsv(seller.api, { file: csvOf(partRows(1)) })).status).toBe(200)
  })

  test('a finished import makes room for the next', async () => {
    const { key } = await db
      .selectFrom('import')
      .where('seller_id', '=', seller.user.sellerId)
      .where('state', '=', 'receiving')
      .select('key')
      .executeTakeFirstOrThrow()
    expect((await sendChunk(seller, key, 1)).status).toBe(200)
    expect((await sendChunk(seller, newKey(), 0)).status).toBe(200)
  })

  test('at most 10 GB are staged in 30 days, including undone imports', async () => {
    const large = await proSeller(app)
    const { body } = await sendCsv<StagedReply>(large.api, { file: csvOf(partRows(1)) })
    await sql`update import set bytes = 10::bigint << 30 where id = ${body.importId}`.execute(db)
    const send = () => sendCsv<ErrorReply>(large.api, { file: csvOf(partRows(2)) })
    const refused = await send()
    expect([refused.status, refused.body.code]).toEqual([422, 'QUOTA_REACHED'])
    expect(refused.body.error).toContain('10 GB')
    await sql`update promotion set state = 'undone' where import_id = ${body.importId}`.execute(db)
    expect((await send()).status).toBe(422)
    await sql`update import set created_at = now() - interval '31 days' where id = ${body.importId}`.execute(
      db,
    )
    expect((await send()).status).toBe(200)
  })
})
