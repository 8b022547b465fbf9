import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { queueMail } from '#server/features/talk/mail/mail.ts'
import { JOB_QUEUES } from '#server/job-queues.ts'
import { type Database, openDatabase } from '#server/platform/database/database.ts'
import { migrate } from '#server/platform/database/migrations.ts'
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '#server/platform/embedded-postgres/embedded-postgres.ts'
import { requestCancel } from '#server/platform/jobs/control.ts'
import { prepareJobQueues } from '#server/platform/jobs/deliveries.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import type { JobQueue } from '#server/platform/jobs/job-definition.ts'
import type { EngineTimes } from '#server/platform/jobs/job-engine.ts'
import { deliveriesOf, eventsOf, jobRow, told, untilStatus } from '#tests/support/job-bench.ts'
import { onceQueue, type Steps, stepsQueue } from '#tests/support/job-worker-queues.ts'
import { startProgram } from '#tests/support/program.ts'

let folder: string
let dataDir: string
let postgres: EmbeddedPostgres
let database: Database
const workers: ChildProcess[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'partharbor-worker-'))
  dataDir = join(folder, 'data')
  postgres = await startEmbeddedPostgres({ dir: join(folder, 'postgres'), fast: true })
  database = openDatabase(postgres.url('owner'), { max: 5, applicationName: 'test' })
  await migrate(database.pool)
  await prepareJobQueues(database.pool, [stepsQueue, onceQueue])
  await sql`create table job_trace (job_id uuid, step int, run_no int)`.execute(database.db)
})
afterAll(async () => {
  await database.close()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  await sql`delete from job`.execute(database.db)
  await sql`delete from pgboss.job`.execute(database.db)
})
afterEach(async () => {
  for (const worker of workers.splice(0)) await end(worker, 'SIGKILL')
})

/** For what one test shows with the times of production. */
const SOONER = { heartbeatMs: 500, reconcileMs: 1_000, staleMs: 3_000, pollMs: 200 }

async function startWorker(times: Partial<EngineTimes> = {}): Promise<ChildProcess> {
  const program = join(import.meta.dirname, '../support/job-worker-program.ts')
  const args = [program, postgres.url('owner'), JSON.stringify(times)]
  const worker = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  workers.push(worker)
  if (!worker.stdout) throw new Error('no output')
  await once(worker.stdout, 'data')
  return worker
}

async function end(worker: ChildProcess, signal: NodeJS.Signals): Promise<number | NodeJS.Signals> {
  if (worker.exitCode !== null || worker.signalCode !== null) return worker.exitCode ?? worker.signalCode ?? 0
  const ended = once(worker, 'exit')
  worker.kill(signal)
  const [code, killedBy] = await ended
  return code ?? killedBy
}

const enqueue = (queue: JobQueue<Steps>, steps: number, ms: number) =>
  enqueueJob(database.db, { queue, payload: { steps, ms } })

async function traceOf(jobId: string): Promise<{ step: number; run: number }[]> {
  const { rows } = await sql<{ step: number; run: number }>`
    select step, run_no as run from job_trace where job_id = ${jobId} order by step, run_no`.execute(
    database.db,
  )
  return rows
}

const stepsTo = (steps: number) => Array.from({ length: steps }, (_, step) => step)

async function untilSteps(jobId: string, steps: number): Promise<void> {
  await vi.waitFor(async () => expect((await traceOf(jobId)).length).toBeGreaterThanOrEqual(steps), 20_000)
}

describe('kill -9 of a worker', () => {
  test('its jobs resume on another worker, or end as lost, within 30 seconds', async () => {
    const first = await startWorker()
    const [steps, once] = [await enqueue(stepsQueue, 60, 100), await enqueue(onceQueue, 1, 60_000)]
    await untilSteps(steps, 5)
    await untilStatus(database, once, 'running')
    await startWorker()
    await end(first, 'SIGKILL')
    const killedAt = Date.now()
    const lost = await untilStatus(database, once, 'failed', 30_000)
    expect(lost).toMatchObject({ error: 'worker lost', attempts: 0, lost_deliveries: 1 })
    const again = async () => expect((await jobRow(database, steps)).run_no).toBe(2)
    await vi.waitFor(again, { timeout: 30_000, interval: 250 })
    expect(Date.now() - killedAt).toBeLessThan(30_000)
    const done = await untilStatus(database, steps, 'completed', 30_000)
    expect(done).toMatchObject({ attempts: 0, lost_deliveries: 1 })
    expect((await traceOf(steps)).map(({ step }) => step)).toEqual(stepsTo(60))
    expect(told(await eventsOf(database, steps))).toContain('error: worker lost')
    expect(await deliveriesOf(database, steps)).toEqual([])
  })

  test('of the only one: its job resumes when a new one starts', async () => {
    const only = await startWorker(SOONER)
    const jobId = await enqueue(stepsQueue, 40, 100)
    await untilSteps(jobId, 5)
    await end(only, 'SIGKILL')
    await startWorker(SOONER)
    await untilStatus(database, jobId, 'completed', 40_000)
    const trace = await traceOf(jobId)
    expect(trace.map(({ step }) => step)).toEqual(stepsTo(40))
    expect(new Set(trace.map(({ run }) => run))).toEqual(new Set([1, 2]))
  })
})

test('a paused worker that wakes after its job was reassigned writes nothing', async () => {
  const times = { heartbeatMs: 300, reconcileMs: 500, staleMs: 2_000, pollMs: 200 }
  const paused = await startWorker(times)
  const jobId = await enqueue(stepsQueue, 60, 60)
  await untilSteps(jobId, 5)
  paused.kill('SIGSTOP')
  await startWorker(times)
  await untilStatus(database, jobId, 'completed', 40_000)
  const [row, events] = [await jobRow(database, jobId), await eventsOf(database, jobId)]
  paused.kill('SIGCONT')
  await sleep(3_000)
  expect(await jobRow(database, jobId)).toEqual(row)
  expect(await eventsOf(database, jobId)).toEqual(events)
  const trace = await traceOf(jobId)
  expect(trace.map(({ step }) => step)).toEqual(stepsTo(60))
  expect(row).toMatchObject({ run_no: 2, lost_deliveries: 1 })
})

test('SIGTERM: one job is returned with its checkpoint, the other finishes, and the process exits cleanly', async () => {
  const stopped = await startWorker()
  const [steps, once] = [await enqueue(stepsQueue, 50, 100), await enqueue(onceQueue, 1, 4_000)]
  await untilSteps(steps, 5)
  await untilStatus(database, once, 'running')
  const askedAt = Date.now()
  expect(await end(stopped, 'SIGTERM')).toBe(0)
  expect(Date.now() - askedAt).toBeLessThan(10_000)
  expect(await jobRow(database, once)).toMatchObject({ status: 'completed', run_no: 1 })
  const waiting = await jobRow(database, steps)
  expect(waiting).toMatchObject({ status: 'queued', attempts: 0, lost_deliveries: 0, heartbeat_at: null })
  expect(waiting.checkpoint).toBeGreaterThanOrEqual(5)
  expect(await deliveriesOf(database, steps)).toEqual(['created'])
  await startWorker()
  await untilStatus(database, steps, 'completed', 20_000)
  expect((await traceOf(steps)).map(({ step }) => step)).toEqual(stepsTo(50))
})

test('SIGTERM: a job that exceeds the time to finish ends as lost, and the process exits', async () => {
  const stopped = await startWorker({ finishMs: 500 })
  const jobId = await enqueue(onceQueue, 1, 60_000)
  await untilStatus(database, jobId, 'running')
  expect(await end(stopped, 'SIGTERM')).toBe(0)
  const row = await jobRow(database, jobId)
  expect(row).toMatchObject({ status: 'failed', lost_deliveries: 1 })
  expect(row.error).toBe('worker lost: worker stopped before the job ended')
})

test('a database outage longer than the heartbeat limit loses no job and no worker', async () => {
  const [first, second] = [await startWorker(SOONER), await startWorker(SOONER)]
  const steps = await enqueue(stepsQueue, 80, 100)
  const once = await enqueue(onceQueue, 1, 8_000)
  await untilSteps(steps, 5)
  await untilStatus(database, once, 'running')
  await postgres.stop()
  await sleep(5_000)
  const { port } = postgres
  postgres = await startEmbeddedPostgres({ dir: join(folder, 'postgres'), fast: true, port })
  // It only waited: same run, nothing lost, nothing repeated.
  const waited = await untilStatus(database, once, 'completed', 20_000)
  expect(waited).toMatchObject({ run_no: 1, attempts: 0, lost_deliveries: 0 })
  const stepped = await untilStatus(database, steps, 'completed', 30_000)
  expect(stepped).toMatchObject({ attempts: 0, lost_deliveries: 0 })
  expect((await traceOf(steps)).map(({ step }) => step)).toEqual(stepsTo(80))
  expect([first.exitCode, second.exitCode]).toEqual([null, null])
  // Both listen again: a cancel reaches the job’s worker immediately, not with its next heartbeat.
  const long = await enqueue(onceQueue, 1, 60_000)
  await untilStatus(database, long, 'running')
  await requestCancel(database.db, long)
  await untilStatus(database, long, 'cancelled', 1_000)
})

test('the real worker does its housekeeping, keeps mail without a mail server, and exits on request', async () => {
  await prepareJobQueues(database.pool, JOB_QUEUES)
  const settings = {
    DATABASE_URL: postgres.url('owner'),
    DATA_DIR: dataDir,
    SMTP_URL: '',
    EMAIL_CONFIRM: 'off',
  }
  const { child, ended, output } = startProgram({ args: ['worker'], settings })
  workers.push(child)
  const mailId = await queueMail(database.db, { to: 'ann@yard.example', subject: 'Hello', body: 'Ann' })
  const findState = () =>
    database.db.selectFrom('mail').select('state').where('id', '=', mailId).executeTakeFirst()
  await vi.waitFor(async () => expect(await findState(), output()).toEqual({ state: 'kept' }), 20_000)
  const done = [
    'missing-pages',
    'reconcile-payments',
    'send-mail',
    'sweep-artifacts',
    'sweep-imports',
    'sweep-pictures',
    'tidy-database',
    'weekly-summary',
  ]
  await vi.waitFor(async () => {
    const found = await database.db.selectFrom('job').select(['queue', 'status']).orderBy('queue').execute()
    expect(found).toEqual(done.map((queue) => ({ queue, status: 'completed' })))
  }, 20_000)
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
})
