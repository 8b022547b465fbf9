import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { preprocessQueue } from '#server/features/running/automation/automation-queues.ts'
import { automationJobs } from '#server/features/running/automation/jobs.ts'
import { JOB_QUEUES } from '#server/job-queues.ts'
import { openFileStore } from '#server/platform/files/open-file-store.ts'
import { controlJob, requestCancel } from '#server/platform/jobs/control.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import { longTest } from '#tests/support/at-length.ts'
import { eventsOf, insertAdmin, jobRow, startJobBench, untilStatus } from '#tests/support/job-bench.ts'
import { startProgram } from '#tests/support/program.ts'
import { untilSaid } from '#tests/support/script-lines.ts'

// Each test starts a process, on a machine that is busy with other things.
const SLOW_MS = 40_000

const bench = await startJobBench()
const userId = await insertAdmin(bench)
let dataDir: string
let worker: { close(): Promise<void> }

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'partharbor-self-check-'))
  worker = await startWorker()
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))

/** The worker’s own wiring: the program of the command line, with the worker’s settings. */
function startWorker() {
  const scripts = {
    program: join(import.meta.dirname, '../../server/main.ts'),
    command: ['run-script'],
    settings: { DATABASE_URL: bench.url, DATA_DIR: dataDir, EMAIL_CONFIRM: 'off' },
  }
  const jobs = automationJobs({ db: bench.database.db, queues: JOB_QUEUES, scripts })
  return bench.start(jobs.filter(({ queue }) => queue.name === preprocessQueue.name))
}

function start(flags: Record<string, boolean | number>) {
  const payload = preprocessQueue.payload.parse({ scriptId: 'self-check', flags })
  return enqueueJob(bench.database.db, { queue: preprocessQueue, payload, resumable: true })
}

async function story(id: string) {
  const events = (await eventsOf(bench.database, id)).filter(({ kind }) => kind === 'log')
  const said = (stream: string) =>
    events.filter((event) => event.stream === stream).map(({ message }) => message)
  return { stdout: said('stdout'), stderr: said('stderr') }
}

const artifactsOf = (id: string) =>
  bench.database.db.selectFrom('job_artifact').selectAll().where('job_id', '=', id).execute()

test('it measures, prints to both streams, moves the progress bar, leaves a report and returns a result', async () => {
  const id = await start({ lines: 25, seconds: 0 })
  const row = await untilStatus(bench.database, id, 'completed', SLOW_MS)
  expect(row.progress).toEqual({ done: 25, total: 25, note: 'Printing lines' })
  expect(row.result).toMatchObject({ lines: 25, roundTripMs: expect.any(Number) })
  const { stdout, stderr } = await story(id)
  expect(stdout[0]).toBe('Self-check, run 1')
  expect(stdout.join('\n')).toMatch(
    /Database: PostgreSQL 1\d\.\d+, round trip [\d.]+ ms to [\d.]+ ms, unfinished jobs: 1/,
  )
  expect(stdout.join('\n')).toMatch(/File store: 256 kB written in [\d.]+ ms, read in [\d.]+ ms, removed in/)
  expect(stdout.at(-1)).toBe('Everything works.')
  expect(stderr).toEqual(['Line 10 of 25', 'Line 20 of 25'])
  const [report] = await artifactsOf(id)
  expect(report?.name).toBe('self-check.csv')
  const store = await openFileStore({ kind: 'fs', dir: join(dataDir, 'files') })
  const content = await store.get(report?.file_key ?? '')
  expect(content && (await text(content))).toMatch(/^what,value\ndatabaseVersion,1\d.*\n(.+\n)+lines,25\n$/)
})

test('Test prints fewer lines; Dry run leaves no report', async () => {
  const id = await start({ test: true, dryRun: true, lines: 1_000 })
  await untilStatus(bench.database, id, 'completed', SLOW_MS)
  expect((await story(id)).stderr).toEqual(['Line 10 of 10'])
  expect(await artifactsOf(id)).toEqual([])
})

test('Fail ends the script with an error', async () => {
  const id = await start({ test: true, fail: true })
  expect((await untilStatus(bench.database, id, 'failed', SLOW_MS)).error).toBe(
    'Failed as requested: the Fail flag is on.',
  )
})

test('Ask waits for a form, rejects a bad answer with the reason, and continues with a good one', async () => {
  const id = await start({ test: true, ask: true })
  const { question } = await untilStatus(bench.database, id, 'waiting-manual', SLOW_MS)
  expect(question).toMatchObject({
    key: 'go-on',
    schema: {
      required: ['go'],
      properties: { go: { enum: ['yes', 'no'] }, lines: {}, note: { type: 'string' } },
    },
  })
  await controlJob(bench.database.db, { jobId: id, userId, line: '{"go":"perhaps"}' })
  await expect
    .poll(async () => (await jobRow(bench.database, id)).question, { timeout: SLOW_MS })
    .toMatchObject({ key: 'go-on#2', problem: 'go: Choose yes or no' })
  await controlJob(bench.database.db, { jobId: id, userId, line: '{"go":"yes","lines":4,"note":"hi"}' })
  const { result } = await untilStatus(bench.database, id, 'completed', SLOW_MS)
  expect(result).toMatchObject({ lines: 4, answer: { go: 'yes', note: 'hi' } })
})

describe('during a long run', () => {
  test('it prints what it is sent, and stops when it is canceled', async () => {
    const id = await start({ lines: 1_000, seconds: 600 })
    await untilSaid(bench.database, id, 'Line 1 of 1000')
    await controlJob(bench.database.db, { jobId: id, userId, line: 'hello there' })
    await untilSaid(bench.database, id, 'Received: hello there')
    await requestCancel(bench.database.db, id)
    await untilStatus(bench.database, id, 'cancelled', SLOW_MS)
    expect((await story(id)).stderr.at(-1)).toBe('The script was asked to end.')
  })

  longTest(
    'a worker that stops passes the script to the next one, which resumes from the checkpoint',
    async () => {
      const id = await start({ lines: 40, seconds: 8 })
      await untilSaid(bench.database, id, 'Line 8 of 40')
      await worker.close()
      expect(await jobRow(bench.database, id)).toMatchObject({ status: 'queued', attempts: 0 })
      worker = await startWorker()
      const lines = await untilSaid(bench.database, id, 'Line 40 of 40')
      expect(lines.find((line) => line.startsWith('Continuing after line '))).toMatch(
        /line [5-9]\d* \(run 2\)/,
      )
      await untilStatus(bench.database, id, 'completed', SLOW_MS)
    },
  )
})

test('a script is not a command of its own', async () => {
  const { ended, output } = startProgram({
    args: ['run-script', 'self-check'],
    settings: { DATA_DIR: dataDir },
  })
  expect(await ended).toBe(1)
  expect(output()).toContain('Scripts run as jobs in a worker. Enqueue it in Mission Control.')
})
