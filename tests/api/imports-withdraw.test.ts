import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { StagingPlan } from '#contract/admin/staging.ts'
import type { ErrorReply } from '#contract/endpoint.ts'
import type { ImportRecord, StagedReply } from '#contract/imports.ts'
import { holdPlan } from '#server/features/stock-files/plan/promote.ts'
import { failStalledPromotions } from '#server/features/stock-files/promotion/failures.ts'
import { sweepImports } from '#server/features/stock-files/receive/sweep.ts'
import { segmentKey } from '#server/features/stock-files/store/segments.ts'
import { lockStagingFile } from '#server/features/stock-files/store/staged-files.ts'
import { settleJob } from '#server/platform/jobs/outcomes.ts'
import { csvOf, newKey, partRows, proSeller, sendCsv } from '#tests/support/make-imports.ts'
import {
  listingsOf,
  partsFields,
  sendRows,
  startPromotionWorker,
  untilState,
} from '#tests/support/promotions.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
const { db, files } = app

const withdraw = (seller: SignedIn, importId: string) =>
  seller.api.post<ImportRecord & ErrorReply>(`/pro/imports/${importId}/undo`, {})

const readImport = async (seller: SignedIn, importId: string) =>
  (await seller.api.get<ImportRecord>(`/pro/imports/${importId}`)).body

const auditOf = (target: string) =>
  db
    .selectFrom('audit_entry')
    .where('target', '=', target)
    .where('action', 'like', 'import-%')
    .select(['action', 'detail', 'ip'])
    .execute()

const sendChunk = (seller: SignedIn, idempotencyKey: string, chunkIndex: number) =>
  sendCsv<{ importId: string } & ErrorReply>(seller.api, {
    file: csvOf(partRows(3, 1 + 3 * chunkIndex)),
    fields: { idempotencyKey, chunkIndex, chunkCount: 3 },
  })

/** Waits until a statement waits for a lock. */
async function untilBlocked(): Promise<void> {
  const find = async () => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      db,
    )
    return rows.length
  }
  await expect.poll(find).toBe(1)
}

describe('an import that is still arriving', () => {
  test('is withdrawn with its chunks; later chunks under its key are refused', async () => {
    const seller = await proSeller(app)
    const key = newKey()
    const { importId } = (await sendChunk(seller, key, 0)).body
    const { sha256 } = await db
      .selectFrom('import_segment')
      .where('import_id', '=', importId)
      .select('sha256')
      .executeTakeFirstOrThrow()
    expect(await readImport(seller, importId)).toMatchObject({ canWithdraw: true, canUndo: false })

    const answer = await withdraw(seller, importId)
    expect(answer.status).toBe(202)
    expect(answer.body).toMatchObject({
      state: 'withdrawn',
      undoneAt: expect.any(String),
      missingChunks: [],
      canWithdraw: false,
      canUndo: false,
    })
    expect(await db.selectFrom('import_chunk').where('import_id', '=', importId).execute()).toEqual([])
    expect(await auditOf(importId)).toMatchObject([{ action: 'import-withdrawn', ip: '127.0.0.1' }])
    for (const chunk of [0, 1]) {
      const late = await sendChunk(seller, key, chunk)
      expect([late.status, late.body.code]).toEqual([410, 'WITHDRAWN'])
      expect(late.body.error).toContain('This import was withdrawn')
    }
    expect(await readImport(seller, importId)).toMatchObject({ state: 'withdrawn' })

    const again = await withdraw(seller, importId)
    expect([again.status, again.body.code]).toEqual([409, 'CONFLICT'])
    const inTwoDays = new Date(Date.now() + 2 * 86_400_000)
    await sweepImports({ db, files, now: inTwoDays, signal: new AbortController().signal })
    expect(await files.exists(segmentKey(sha256))).toBe(false)
  })

  test('sending it twice with one Idempotency-Key gives the same response', async () => {
    const seller = await proSeller(app)
    const { importId } = (await sendChunk(seller, newKey(), 0)).body
    const key = { 'idempotency-key': 'one-withdrawal' }
    const send = () => seller.api.post<ImportRecord>(`/pro/imports/${importId}/undo`, {}, key)
    const [first, again] = [await send(), await send()]
    expect([first.status, again.status, again.headers['idempotent-replayed']]).toEqual([202, 202, 'true'])
    expect(again.body).toEqual(first.body)
    expect(await auditOf(importId)).toHaveLength(1)
  })

  test('makes room for the next', async () => {
    const seller = await proSeller(app)
    const begun: string[] = []
    for (let count = 0; count < 20; count += 1) {
      begun.push((await sendChunk(seller, newKey(), 0)).body.importId)
    }
    expect((await sendChunk(seller, newKey(), 0)).body.code).toBe('QUOTA_REACHED')
    await withdraw(seller, begun[7] ?? '')
    expect((await sendChunk(seller, newKey(), 0)).status).toBe(200)
  })

  test('is either withdrawn or complete when its last chunk arrives at the same moment', async () => {
    for (let round = 0; round < 6; round += 1) {
      const seller = await proSeller(app)
      const key = newKey()
      const { importId } = (await sendChunk(seller, key, 0)).body
      await sendChunk(seller, key, 1)
      const [last, answer] = await Promise.all([sendChunk(seller, key, 2), withdraw(seller, importId)])
      expect(answer.status).toBe(202)
      expect(await readImport(seller, importId)).toMatchObject({ state: 'withdrawn', canWithdraw: false })
      const count = (table: 'staging_file' | 'promotion') =>
        db.selectFrom(table).where('seller_id', '=', seller.user.sellerId).selectAll().execute()
      const made = [await count('staging_file'), await count('promotion')].map(({ length }) => length)
      expect(made).toEqual(last.status === 200 ? [1, 1] : [0, 0])
      expect((await sendChunk(seller, key, 2)).status).toBe(last.status === 200 ? 200 : 410)
    }
  })
})

describe('an import that waits', () => {
  test('for its plan is withdrawn while an administrator asks for the plan, whoever comes first', async () => {
    const seller = await proSeller(app, { trusted: true })
    const { promotionId, fileId, importId } = await sendRows(app, seller, partsFields(2))
    const withdrawing = await db.transaction().execute(async (trx) => {
      // As planning, promoting and resolving do: the file first, then its promotion.
      await lockStagingFile(trx, fileId)
      const answer = withdraw(seller, importId)
      await untilBlocked()
      await holdPlan(trx, promotionId)
      return { answer }
    })
    const { status, body } = await withdrawing.answer
    expect([status, body.state]).toEqual([202, 'withdrawn'])
  })

  test('for its plan is withdrawn, and its job ends', async () => {
    const seller = await proSeller(app, { trusted: true })
    const { body } = await sendCsv<StagedReply>(seller.api, { file: csvOf(partRows(2)) })
    expect(await readImport(seller, body.importId)).toMatchObject({ state: 'planning', canWithdraw: true })
    const answer = await withdraw(seller, body.importId)
    expect([answer.status, answer.body.state]).toEqual([202, 'withdrawn'])
    const promotion = await db
      .selectFrom('promotion')
      .where('import_id', '=', body.importId)
      .select(['state', 'plan_job_id'])
      .executeTakeFirstOrThrow()
    const job = await db
      .selectFrom('job')
      .where('id', '=', promotion.plan_job_id ?? '')
      .select('status')
      .executeTakeFirst()
    expect([promotion.state, job?.status]).toEqual(['undone', 'cancelled'])
    expect((await withdraw(seller, body.importId)).body.error).toBe('This import was already withdrawn.')
  })

  test('for an administrator is withdrawn, and promoting its file is refused', async () => {
    const worker = await startPromotionWorker(app)
    const [seller, admin] = [await proSeller(app), await app.signUp({ role: 'admin' })]
    const { promotionId, importId, path } = await sendRows(app, seller, partsFields(3))
    const { planId } = await untilState(app, promotionId, 'planned')
    const answer = await withdraw(seller, importId)
    expect([answer.status, answer.body.state, answer.body.canWithdraw]).toEqual([202, 'withdrawn', false])
    expect((await seller.api.get(`/pro/imports/${importId}/receipt`)).status).toBe(409)
    const confirmed = await seller.api.post<ErrorReply>(`/pro/imports/${importId}/confirm`, { planId })
    expect([confirmed.status, confirmed.body.error]).toEqual([
      409,
      'There is nothing to confirm: this import was undone.',
    ])
    // A user who saw its plan did not mean a withdrawn one.
    const promote = { root: 'ecomm', paths: [path], planId }
    const promoted = await admin.api.post<ErrorReply>('/admin/automation/staging/promote', promote)
    expect([promoted.status, promoted.body.code]).toEqual([409, 'STALE'])
    const blind = await admin.api.post<ErrorReply>('/admin/automation/staging/promote', {
      root: 'ecomm',
      paths: [path],
    })
    expect([blind.status, blind.body.code]).toEqual([409, 'CONFLICT'])
    expect(blind.body.error).toMatch(/^\S+ was undone or withdrawn/)
    expect(await listingsOf(app, seller)).toEqual([])
    await worker.close()
  })

  test('for the seller’s confirmation is withdrawn, and listings of earlier imports stay live', async () => {
    const worker = await startPromotionWorker(app)
    const seller = await proSeller(app, { trusted: true })
    const first = await sendRows(app, seller, partsFields(10))
    await untilState(app, first.promotionId, 'applied')
    const { promotionId, importId } = await sendRows(app, seller, partsFields(2), { mode: 'replace' })
    await untilState(app, promotionId, 'review')
    expect(await readImport(seller, importId)).toMatchObject({ canConfirm: true, canWithdraw: true })
    expect((await withdraw(seller, importId)).body).toMatchObject({ state: 'withdrawn', canConfirm: false })
    const live = (await listingsOf(app, seller)).filter(
      ({ ended_at, deleted_at }) => !ended_at && !deleted_at,
    )
    expect(live).toHaveLength(10)
    await worker.close()
  })

  test('for its plan is withdrawn even when the plan is made at the same moment', async () => {
    const worker = await startPromotionWorker(app)
    for (let round = 0; round < 5; round += 1) {
      const seller = await proSeller(app, { trusted: true })
      const { promotionId, importId } = await sendRows(app, seller, partsFields(400))
      await new Promise((resolve) => setTimeout(resolve, round * 25))
      const { status, body } = await withdraw(seller, importId)
      expect(status).toBe(202)
      expect(['withdrawn', 'undoing', 'undone']).toContain(body.state)
      await untilState(app, promotionId, 'undone')
      const left = (await listingsOf(app, seller)).filter(({ deleted_at }) => deleted_at === null)
      expect(left).toEqual([])
    }
    await worker.close()
  })
})

describe('an import that failed', () => {
  /** An import whose job lost its worker for good, before or after some of its parts went live. */
  async function failedImport(seller: SignedIn, applied: number) {
    const { promotionId, importId, path } = await sendRows(app, seller, partsFields(2))
    const promotion = await db
      .updateTable('promotion')
      .set({ applied, ...(applied > 0 && { touched_at: new Date() }) })
      .where('id', '=', promotionId)
      .returning('plan_job_id')
      .executeTakeFirstOrThrow()
    await db
      .transaction()
      .execute((trx) =>
        settleJob(trx, promotion.plan_job_id ?? '', { to: 'failed', error: 'worker lost', counts: 'lost' }),
      )
    await failStalledPromotions(db, new AbortController().signal)
    return { importId, path }
  }

  test('before anything went live is withdrawn, and nobody publishes it by mistake', async () => {
    const [seller, admin] = [await proSeller(app), await app.signUp({ role: 'admin' })]
    const { importId, path } = await failedImport(seller, 0)
    expect(await readImport(seller, importId)).toMatchObject({
      state: 'failed',
      canUndo: false,
      canWithdraw: true,
    })
    const { plan } = (
      await admin.api.get<{ plan: StagingPlan }>(
        `/admin/automation/staging/plan?${new URLSearchParams({ root: 'ecomm', path })}`,
      )
    ).body
    expect(plan).toMatchObject({ state: 'failed', canUndo: false, canWithdraw: false })
    const { status, body } = await withdraw(seller, importId)
    expect([status, body.state, body.canWithdraw]).toEqual([202, 'withdrawn', false])
    expect(await auditOf(importId)).toMatchObject([
      { action: 'import-withdrawn', detail: { state: 'failed' } },
    ])
    const promoted = await admin.api.post<ErrorReply>('/admin/automation/staging/promote', {
      root: 'ecomm',
      paths: [path],
    })
    expect([promoted.status, promoted.body.error]).toEqual([
      409,
      expect.stringMatching(/was undone or withdrawn/),
    ])
    expect((await withdraw(seller, importId)).body.error).toBe('This import was already withdrawn.')
  })

  test('with parts live is not withdrawn but undone', async () => {
    const seller = await proSeller(app)
    const { importId } = await failedImport(seller, 1)
    expect(await readImport(seller, importId)).toMatchObject({
      state: 'failed',
      canUndo: true,
      canWithdraw: false,
    })
    const { status, body } = await withdraw(seller, importId)
    expect([status, body.state]).toEqual([202, 'undoing'])
  })
})
