import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { JobDetail } from '#contract/admin/automation.ts'
import type { ErrorReply } from '#contract/endpoint.ts'
import { bulkJobsQueue } from '#server/features/running/automation/automation-queues.ts'
import { runBulkJobs } from '#server/features/running/automation/bulk-jobs.ts'
import { applyQueue } from '#server/features/stock-files/stock-file-queues.ts'
import { JOB_QUEUES } from '#server/job-queues.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import { defineJob, GiveUp } from '#server/platform/jobs/job-definition.ts'
import { startJobEngine } from '#server/platform/jobs/job-engine.ts'
import { openLog } from '#server/platform/log.ts'
import { deliveriesOf, eventsOf, jobRow, QUICK, told, untilStatus } from '#tests/support/job-bench.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp({ PAYMENTS: 'off' })
const { db } = app
const { api, user } = await app.signUp({ role: 'admin' })

const JOBS = '/admin/automation/jobs'
type Bulk = { matching: number; matchingIsAtLeast: boolean; jobId: string | null } & ErrorReply
const bulk = (body: object) => api.post<Bulk>(`${JOBS}/bulk`, body)

let made = 0
type Made = { dataset?: string; status?: string; queue?: string }
async function make({
  dataset = 'fine',
  status = 'failed',
  queue = 'ingest-autoparts',
}: Made = {}): Promise<string> {
  made += 1
  const payload = JSON.stringify({ dataset: `${dataset} ${made}` })
  const { id } = await db
    .insertInto('job')
    .values({ queue, status, payload, max_attempts: 2, ...(status === 'failed' && { ended_at: new Date() }) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
const retriesOf = async (...ids: string[]) =>
  db.selectFrom('job').selectAll().where('retry_of', 'in', ids).orderBy('id').execute()

/** A worker whose ingest does what the dataset says: `broken` fails, `held` waits until the gate opens. */
async function startWorker({ ingests = true } = {}) {
  const url = app.config.databaseUrl ?? ''
  const ingest = defineJob(applyQueue, async ({ payload, signal }) => {
    if (payload.dataset.startsWith('broken')) throw new GiveUp('The yard is closed.')
    while (payload.dataset.startsWith('held') && !gateIsOpen) {
      signal.throwIfAborted()
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })
  const bulkJobs = defineJob(bulkJobsQueue, (job) =>
    runBulkJobs({ db, queues: JOB_QUEUES, canaryMs: 20 }, job),
  )
  const log = openLog({ role: 'test', level: 'silent' })
  const engine = await startJobEngine({
    url,
    directUrl: url,
    db,
    log,
    definitions: ingests ? [ingest, bulkJobs] : [bulkJobs],
    periodic: [],
    times: QUICK,
  })
  workers.push(engine)
  return engine
}
const workers: { close(): Promise<void> }[] = []
const stopWorkers = () => Promise.all(workers.splice(0).map((worker) => worker.close()))
let gateIsOpen = false
// A worker looks for work every 50 ms here; a busy machine needs more.
const SOON = { timeout: 10_000, interval: 20 }
// 1,204 of them, beside two other files of tests on two cores.
const MANY_MS = 30_000
afterAll(stopWorkers)
beforeEach(async () => {
  await stopWorkers()
  gateIsOpen = false
  await db.deleteFrom('job').execute()
})

describe('POST /admin/automation/jobs/bulk', () => {
  test('counting makes no job', async () => {
    await make()
    await make({ status: 'cancelled' })
    await make({ status: 'completed' })
    await make({ status: 'queued', queue: 'send-mail' })
    const nothing = { matchingIsAtLeast: false, jobId: null }
    const counted = async (body: object) => (await bulk({ ...body, count: true })).body
    expect(await counted({ action: 'retry' })).toEqual({ matching: 1, ...nothing })
    expect(await counted({ action: 'retry', status: 'failed,cancelled' })).toEqual({
      matching: 2,
      ...nothing,
    })
    expect(await counted({ action: 'retry', status: 'completed' })).toEqual({ matching: 0, ...nothing })
    expect(await counted({ action: 'cancel' })).toEqual({ matching: 1, ...nothing })
    expect(await counted({ action: 'cancel', queue: 'ingest-autoparts' })).toEqual({
      matching: 0,
      ...nothing,
    })
    expect(await counted({ action: 'retry', search: 'fine' })).toEqual({ matching: 1, ...nothing })
    expect(await counted({ action: 'retry', search: 'f_ne' })).toEqual({ matching: 0, ...nothing })
    expect(await db.selectFrom('job').select('id').execute()).toHaveLength(4)
  })

  test('no match makes no job', async () => {
    expect(await bulk({ action: 'cancel' })).toMatchObject({
      status: 202,
      body: { matching: 0, jobId: null },
    })
    expect(await db.selectFrom('job').select('id').execute()).toEqual([])
  })

  test('202 with the job, once per Idempotency-Key, in the audit log', async () => {
    await make()
    const key = { 'idempotency-key': 'one-bulk' }
    const body = { action: 'retry', queue: 'ingest-autoparts' }
    const [first, second] = [
      await api.post<Bulk>(`${JOBS}/bulk`, body, key),
      await api.post<Bulk>(`${JOBS}/bulk`, body, key),
    ]
    expect([first.status, first.body.matching]).toEqual([202, 1])
    expect(second.body).toEqual(first.body)
    const entries = await db.selectFrom('audit_entry').selectAll().where('action', '=', 'jobs-bulk').execute()
    expect(entries).toMatchObject([
      {
        target: first.body.jobId,
        actor_user_id: user.id,
        detail: { action: 'retry', queues: 'ingest-autoparts', statuses: 'failed', matching: 1 },
      },
    ])
  })

  test('409 names the job that already does the same, even for two at once; a different one is fine', async () => {
    await make()
    await make({ dataset: 'dull' })
    const asked = { action: 'retry', queue: 'ingest-autoparts' }
    const both = await Promise.all([bulk(asked), bulk(asked)])
    expect(both.map(({ status }) => status).sort()).toEqual([202, 409])
    const first = both.find(({ status }) => status === 202)?.body.jobId ?? ''
    const refused = both.find(({ status }) => status === 409)?.body
    expect([refused?.code, refused?.error]).toEqual(['CONFLICT', expect.stringContaining(first)])
    await make()
    expect((await bulk(asked)).status).toBe(409)
    expect((await bulk({ ...asked, count: true })).status).toBe(202)
    expect((await bulk({ ...asked, search: 'dull' })).status).toBe(202)
    await api.post(`${JOBS}/${first}/cancel`)
    expect((await bulk(asked)).status).toBe(202)
  })

  test('422 for an unknown action or status', async () => {
    expect((await bulk({ action: 'delete' })).body.fields?.action).toBe('The action must be retry or cancel')
    const { status, body } = await bulk({ action: 'retry', status: 'broken' })
    expect([status, body.fields?.status]).toEqual([422, expect.stringMatching(/no status broken/)])
  })
})

describe('retrying many', () => {
  test('one first; the others, oldest first, once that one succeeds', async () => {
    const ids = [await make({ dataset: 'held' }), await make(), await make()]
    const { body } = await bulk({ action: 'retry' })
    const later = await make()
    await startWorker()
    const canary = await vi.waitFor(async () => {
      const [first, ...others] = await retriesOf(...ids)
      expect([first?.retry_of, others]).toEqual([ids[0], []])
      return first
    }, SOON)
    gateIsOpen = true
    const done = await untilStatus({ db }, body.jobId ?? '', 'completed')
    expect(done.result).toEqual({ action: 'retry', done: 3, left: 0, canary: canary?.id })
    const retries = await retriesOf(...ids, later)
    expect(retries.map((job) => job.retry_of)).toEqual(ids)
    expect(retries.map((job) => [job.max_attempts, job.created_by])).toEqual(ids.map(() => [2, user.id]))
    const lines = told(await eventsOf({ db }, body.jobId ?? ''))
    for (const [at, id] of ids.entries()) {
      expect(lines).toContain(`log: ${id} (ingest-autoparts) runs again as ${retries[at]?.id}`)
    }
    expect(done.progress).toEqual({ done: 3, total: 3 })
  })

  test('stops when the first one fails, and says which', async () => {
    const ids = [await make({ dataset: 'broken' }), await make(), await make()]
    const { body } = await bulk({ action: 'retry' })
    await startWorker()
    const { error } = await untilStatus({ db }, body.jobId ?? '', 'failed')
    const [canary, ...others] = await retriesOf(...ids)
    expect(others).toEqual([])
    expect(error).toBe(
      `The first job, ${canary?.id} (a retry of ${ids[0]}), ended as failed: The yard is closed. No other job was started.`,
    )
  })

  test('never one already retried, nor one whose payload is no longer valid', async () => {
    const [again, broken, fine] = [await make(), await make(), await make()]
    await api.post(`${JOBS}/${again}/retry`)
    await db.updateTable('job').set({ payload: '{}' }).where('id', '=', broken).execute()
    const { body } = await bulk({ action: 'retry' })
    expect(body.matching).toBe(2)
    await startWorker()
    const { result } = await untilStatus({ db }, body.jobId ?? '', 'completed')
    expect(result).toMatchObject({ done: 1, left: 1 })
    expect((await retriesOf(again, broken, fine)).map((job) => job.retry_of)).toEqual([again, fine])
    const lines = told(await eventsOf({ db }, body.jobId ?? ''))
    expect(lines).toContain(`log: ${broken} (ingest-autoparts) was skipped: dataset is missing`)
  })

  test('resumes where a worker stopped: none twice, none forgotten', async () => {
    const ids = [await make({ dataset: 'held' })]
    for (let n = 0; n < 120; n += 1) ids.push(await make())
    const { body } = await bulk({ action: 'retry' })
    await startWorker()
    await vi.waitFor(async () => expect(await retriesOf(...ids)).toHaveLength(1), SOON)
    await stopWorkers()
    expect((await jobRow({ db }, body.jobId ?? '')).status).toBe('queued')
    gateIsOpen = true
    await startWorker()
    await untilStatus({ db }, body.jobId ?? '', 'completed')
    expect((await retriesOf(...ids)).map((job) => job.retry_of)).toEqual(ids)
  })
})

describe('canceling many', () => {
  test('waiting and running jobs, but never itself or another bulk action', async () => {
    await startWorker()
    const running = await enqueueJob(db, { queue: applyQueue, payload: { dataset: 'held' } })
    await untilStatus({ db }, running, 'running')
    const waiting = [
      await make({ status: 'queued', queue: 'send-mail' }),
      await make({ status: 'retrying', queue: 'send-mail' }),
    ]
    const other = await make({ status: 'queued', queue: bulkJobsQueue.name })
    const ended = await make({ status: 'completed' })
    const { body } = await bulk({ action: 'cancel' })
    expect(body.matching).toBe(3)
    const { result } = await untilStatus({ db }, body.jobId ?? '', 'completed')
    expect(result).toMatchObject({ action: 'cancel', done: 3 })
    for (const id of [running, ...waiting]) await untilStatus({ db }, id, 'cancelled')
    expect((await jobRow({ db }, ended)).status).toBe('completed')
    const { body: left } = await api.get<JobDetail>(`${JOBS}/${other}`)
    expect(left.cancelRequested).toBe(false)
    const lines = told(await eventsOf({ db }, body.jobId ?? ''))
    expect(lines).toContain(`log: ${running} is stopping`)
    expect(lines).toContain(`log: ${waiting[0]} is canceled`)
  })

  test('jobs without a worker page by page, with their deliveries, each reported by itself', async () => {
    const ids: string[] = []
    for (let n = 0; n < 3; n += 1) {
      ids.push(await enqueueJob(db, { queue: applyQueue, payload: { dataset: `waits ${n}` } }))
    }
    const parked = await make({ status: 'waiting-manual', queue: 'send-mail' })
    await sql`
      insert into job (queue, status, payload, max_attempts)
      select 'send-mail', 'queued', '{}', 1 from generate_series(1, 600)`.execute(db)
    const before = await db.selectFrom('job').select('id').execute()
    // Held by somebody else: it is asked for on its own, and keeps no other waiting.
    const held = ids[1] ?? ''
    const letGo = Promise.withResolvers<void>()
    const holding = db.transaction().execute(async (trx) => {
      await sql`select from job where id = ${held} for key share`.execute(trx)
      await letGo.promise
    })
    const { body } = await bulk({ action: 'cancel', status: 'queued,retrying,waiting-manual' })
    expect(body.matching).toBe(604)
    await startWorker({ ingests: false })
    const isCancelled = async (id: string) => expect((await jobRow({ db }, id)).status).toBe('cancelled')
    await vi.waitFor(() => isCancelled(parked), SOON)
    expect((await jobRow({ db }, held)).status).toBe('queued')
    letGo.resolve()
    await holding
    const { result } = await untilStatus({ db }, body.jobId ?? '', 'completed', MANY_MS)
    expect(result).toMatchObject({ action: 'cancel', done: 604 })
    for (const { id } of before) await isCancelled(id)
    expect(await deliveriesOf({ db }, held)).toEqual([])
    for (const id of [...ids, parked]) {
      expect(told(await eventsOf({ db }, id))).toEqual(['status: cancelled', 'done: cancelled'])
    }
    const lines = told(await eventsOf({ db }, body.jobId ?? ''))
    expect(lines.filter((line) => line.endsWith(' is canceled'))).toHaveLength(604)
  }, 60_000)
})
