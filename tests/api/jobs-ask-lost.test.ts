import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { controlJob, requestCancel } from '#server/platform/jobs/control.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import { longTest } from '#tests/support/at-length.ts'
import { eventsOf, jobRow, QUICK, startJobBench, told, untilStatus } from '#tests/support/job-bench.ts'
import { asksQueue } from '#tests/support/job-worker-queues.ts'

/* Workers in their own processes, killed and stopped while their jobs wait for a person. */

const TIMES = { ...QUICK, staleMs: 2_000, parkMs: 60_000 }
const NOBODY = '019a0000-0000-7000-8000-000000000000'

const bench = await startJobBench(asksQueue)
const { db } = bench
const workers: ChildProcess[] = []
beforeAll(async () => {
  await sql`create table job_trace (job_id uuid, step int, run_no int)`.execute(db)
  await sql`insert into app_user (id, email, name, password_hash) values (${NOBODY}, 'a@b.example', 'A', 'x')`.execute(
    db,
  )
})
afterAll(async () => {
  await Promise.all(workers.map(kill))
})

async function startWorker(times = TIMES): Promise<ChildProcess> {
  const program = join(import.meta.dirname, '../support/job-worker-program.ts')
  const args = [program, bench.url, JSON.stringify(times)]
  const worker = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  workers.push(worker)
  if (!worker.stdout) throw new Error('no output')
  await once(worker.stdout, 'data')
  return worker
}

const lives = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null

/** The worker that an earlier test left running, or a new one. */
const someWorker = async (): Promise<ChildProcess> => workers.findLast(lives) ?? startWorker()

/** Stops it as a deployment does. */
async function stop(worker: ChildProcess): Promise<void> {
  const ended = once(worker, 'exit')
  worker.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
}

async function kill(worker: ChildProcess): Promise<void> {
  if (!lives(worker)) return
  const ended = once(worker, 'exit')
  worker.kill('SIGKILL')
  await ended
}

const enqueue = (more: { resumable?: boolean } = {}) =>
  enqueueJob(db, { queue: asksQueue, payload: { steps: 2, ms: 0 }, ...more })

const answer = (jobId: string, line: string) => controlJob(db, { jobId, line, userId: NOBODY })

async function untilAsked(jobId: string, step: number, runNo: number): Promise<void> {
  await expect
    .poll(() => jobRow({ db }, jobId), { timeout: 15_000 })
    .toMatchObject({ status: 'waiting-manual', run_no: runNo, question: { key: `step ${step}` } })
}

async function traceOf(jobId: string): Promise<number[][]> {
  const { rows } = await sql<{ step: number; run_no: number }>`
    select step, run_no from job_trace where job_id = ${jobId} order by step, run_no`.execute(db)
  return rows.map(({ step, run_no }) => [step, run_no])
}

test('a worker is killed while its job waits: another one asks again, but only what is unanswered', async () => {
  const first = await someWorker()
  const jobId = await enqueue()
  await untilAsked(jobId, 0, 1)
  await answer(jobId, 'yes')
  await untilAsked(jobId, 1, 1)
  await kill(first)
  await startWorker()
  await untilAsked(jobId, 1, 2)
  await answer(jobId, 'well')
  const row = await untilStatus({ db }, jobId, 'completed')
  expect(row).toMatchObject({ result: 'yes well', lost_deliveries: 1, attempts: 0, question: null })
  expect(await traceOf(jobId)).toEqual([
    [0, 1],
    [1, 2],
  ])
})

test('a worker is killed while its job waits: an answer that arrives before anyone notices is not lost', async () => {
  const first = await someWorker()
  const jobId = await enqueue()
  await untilAsked(jobId, 0, 1)
  await kill(first)
  expect(await answer(jobId, 'yes')).toEqual({ to: 'answer', status: 'running' })
  await startWorker()
  await untilAsked(jobId, 1, 2)
  expect(await traceOf(jobId)).toEqual([[0, 2]])
  expect(await requestCancel(db, jobId)).toBe('waiting-manual')
  await untilStatus({ db }, jobId, 'cancelled')
})

test('a worker is killed while its job waits: a job that must not be repeated fails with "worker lost"', async () => {
  const first = await someWorker()
  const jobId = await enqueue({ resumable: false })
  await untilAsked(jobId, 0, 1)
  await kill(first)
  await startWorker()
  const row = await untilStatus({ db }, jobId, 'failed', 15_000)
  expect(row).toMatchObject({ error: 'worker lost', question: null })
  expect(await answer(jobId, 'too late')).toEqual({ to: 'nobody', status: 'failed' })
})

longTest(
  'a worker paused while its job waited wakes after another one got the answer, and writes nothing',
  async () => {
    await kill(await someWorker())
    // This time has passed by the time another run can start.
    const stopped = await startWorker({ ...TIMES, parkMs: TIMES.staleMs })
    const jobId = await enqueue()
    await untilAsked(jobId, 0, 1)
    stopped.kill('SIGSTOP')
    await startWorker()
    await untilAsked(jobId, 0, 2)
    await answer(jobId, 'yes')
    await untilAsked(jobId, 1, 2)
    const [before, events] = [await jobRow({ db }, jobId), await eventsOf({ db }, jobId)]
    // It is past the time to park the job, and the answer can be read.
    const told = once(stopped.stdout ?? stopped, 'data')
    stopped.kill('SIGCONT')
    expect(String(await told)).toContain(`${jobId} is over`)
    // Everything it still had to write is written.
    await stop(stopped)
    const { heartbeat_at: _beat, ...row } = await jobRow({ db }, jobId)
    const { heartbeat_at: _before, ...expected } = before
    expect(row).toEqual(expected)
    expect(await eventsOf({ db }, jobId)).toEqual(events)
    await answer(jobId, 'well')
    await untilStatus({ db }, jobId, 'completed')
    expect(await traceOf(jobId)).toEqual([
      [0, 2],
      [1, 2],
    ])
  },
)

test('a worker that shuts down while its job waits leaves it waiting; the answer goes to the next worker', async () => {
  const first = await someWorker()
  const jobId = await enqueue()
  await untilAsked(jobId, 0, 1)
  await stop(first)
  expect(await jobRow({ db }, jobId)).toMatchObject({ status: 'waiting-manual', heartbeat_at: null })
  expect(await answer(jobId, 'yes')).toEqual({ to: 'answer', status: 'queued' })
  await startWorker()
  await untilAsked(jobId, 1, 2)
  await answer(jobId, 'well')
  const row = await untilStatus({ db }, jobId, 'completed')
  expect(row).toMatchObject({ result: 'yes well', lost_deliveries: 0 })
  expect(told(await eventsOf({ db }, jobId))).toEqual([
    'status: running',
    'status: waiting-manual',
    'status: queued',
    'status: running',
    'status: waiting-manual',
    'status: running',
    'status: completed',
    'done: completed',
  ])
})
