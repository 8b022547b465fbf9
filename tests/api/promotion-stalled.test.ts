import { describe, expect, test } from 'vitest'
import { requestUndo } from '#server/features/stock-files/apply/undo.ts'
import { startPromotion } from '#server/features/stock-files/plan/promote.ts'
import {
  failPromotionOnError,
  failStalledPromotions,
} from '#server/features/stock-files/promotion/failures.ts'
import { FenceLost } from '#server/platform/jobs/job-definition.ts'
import type { EventWriter } from '#server/platform/jobs/job-events.ts'
import { openJobRun } from '#server/platform/jobs/job-run.ts'
import { type Outcome, settleJob } from '#server/platform/jobs/outcomes.ts'
import { nobodyToAsk } from '#tests/support/job-bench.ts'
import { proSeller } from '#tests/support/make-imports.ts'
import {
  askedBy,
  importRows,
  listingsOf,
  partsFields,
  promotionOf,
  sendRows,
  startPromotionWorker,
  untilState,
} from '#tests/support/promotions.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
const { db } = app
const admin = await app.signUp({ role: 'admin' })
const round = () => failStalledPromotions(db, new AbortController().signal)

const lost: Outcome = { to: 'failed', error: 'worker lost', counts: 'lost' }
const cancelled: Outcome = { to: 'cancelled' }

type Job = 'plan_job_id' | 'ingest_job_id' | 'undo_job_id'

async function endJob(promotionId: string, which: Job, outcome: Outcome): Promise<string> {
  const row = await db
    .selectFrom('promotion')
    .selectAll()
    .where('id', '=', promotionId)
    .executeTakeFirstOrThrow()
  const jobId = row[which] ?? ''
  await db.transaction().execute((trx) => settleJob(trx, jobId, outcome))
  return jobId
}

async function openRun(jobId: string) {
  const job = await db.selectFrom('job').selectAll().where('id', '=', jobId).executeTakeFirstOrThrow()
  const claim = {
    jobId,
    runNo: job.run_no,
    queue: job.queue,
    payload: job.payload,
    checkpoint: null,
    attempts: 4,
    maxAttempts: 5,
    resumable: true,
  }
  const events = { hold: () => () => undefined } as unknown as EventWriter
  return openJobRun(claim, { db, events, dialogue: nobodyToAsk, signal: new AbortController().signal })
}

describe('a promotion whose job ended before it did', () => {
  test.each([
    ['failed', lost],
    ['cancelled', cancelled],
  ])('fails if its job ended while planning (%s), and says what can be done', async (end, outcome) => {
    const { promotionId, fileId } = await sendRows(app, await proSeller(app), partsFields(1))
    expect(await round()).toEqual({ failed: 0 })
    const jobId = await endJob(promotionId, 'plan_job_id', outcome)
    expect(await round()).toEqual({ failed: 1 })
    const { state, error, sellerId } = await promotionOf(app, promotionId)
    const why = end === 'failed' ? `under the number ${jobId}.` : 'It was stopped by an administrator.'
    expect([state, error]).toEqual(['failed', expect.stringContaining(why)])
    expect(error).toContain('Nothing went live')
    const again = {
      fileId,
      version: 1,
      sellerId,
      mode: 'add' as const,
      dataset: 'marketplace:ecomm_autoparts',
    }
    const started = await db.transaction().execute((trx) => startPromotion(trx, again))
    expect(started.promotionId).not.toBe(promotionId)
    expect(await round()).toEqual({ failed: 0 })
    await endJob(started.promotionId, 'plan_job_id', cancelled)
    await round()
  })

  test('is left alone when an older run of the job reports a failure', async () => {
    const { promotionId } = await sendRows(app, await proSeller(app), partsFields(1))
    const { plan_job_id: jobId } = await db
      .selectFrom('promotion')
      .selectAll()
      .where('id', '=', promotionId)
      .executeTakeFirstOrThrow()
    const run = await openRun(jobId ?? '')
    await db
      .updateTable('job')
      .set({ run_no: run.runNo + 1, status: 'running', heartbeat_at: new Date() })
      .where('id', '=', run.jobId)
      .execute()
    const broken = () => Promise.reject(new Error('broken'))
    await expect(failPromotionOnError({ run, promotionId }, broken)).rejects.toThrow(FenceLost)
    expect((await promotionOf(app, promotionId)).state).toBe('planning')
    await expect(
      failPromotionOnError({ run: await openRun(run.jobId), promotionId }, broken),
    ).rejects.toThrow('broken')
    expect((await promotionOf(app, promotionId)).state).toBe('failed')
    await db.transaction().execute((trx) => settleJob(trx, run.jobId, cancelled))
  })

  test('a canceled ingest can be resumed; an undo that lost its worker can be requested again', async () => {
    const worker = await startPromotionWorker(app)
    const seller = await proSeller(app, { trusted: true })
    const done = await importRows(app, seller, partsFields(3))
    const untrusted = await proSeller(app)
    const { promotionId, path } = await sendRows(app, untrusted, partsFields(60))
    await untilState(app, promotionId, 'planned')
    await worker.close()

    const promote = () =>
      admin.api.post<{ files: { planId: string }[] }>('/admin/automation/staging/promote', {
        root: 'ecomm',
        paths: [path],
      })
    await promote()
    await db.updateTable('promotion').set({ state: 'applying' }).where('id', '=', promotionId).execute()
    expect(await round()).toEqual({ failed: 0 })
    await endJob(promotionId, 'ingest_job_id', cancelled)

    const asked = { importId: done.importId ?? '', ...askedBy(seller) }
    await requestUndo(db, asked)
    const undoJob = await endJob(done.id, 'undo_job_id', lost)
    expect(await round()).toEqual({ failed: 2 })
    expect(await promotionOf(app, promotionId)).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('It was stopped by an administrator.'),
    })
    expect(await promotionOf(app, done.id)).toMatchObject({
      state: 'failed',
      error: expect.stringMatching(`${undoJob}.*undo it again`),
    })

    const next = await startPromotionWorker(app)
    await requestUndo(db, asked)
    expect(await untilState(app, done.id, 'undone')).toMatchObject({ undone: 3, error: null })
    const { body } = await promote()
    const again = await db
      .selectFrom('promotion')
      .select('id')
      .where('plan_id', '=', body.files[0]?.planId ?? '')
      .executeTakeFirstOrThrow()
    expect(again.id).not.toBe(promotionId)
    await untilState(app, again.id, 'applied')
    expect(await listingsOf(app, untrusted)).toHaveLength(60)
    await next.close()
  })
})
