import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { requestCancel } from '#server/platform/jobs/control.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import { settleJob } from '#server/platform/jobs/outcomes.ts'
import { longTest } from '#tests/support/at-length.ts'
import { eventsOf, jobRow, startJobBench, untilStatus } from '#tests/support/job-bench.ts'
import { processesOf, whatIsLeft } from '#tests/support/processes.ts'
import { type BadScript, badScriptJob, badScriptQueue } from '#tests/support/script-definitions.ts'
import { untilSaid } from '#tests/support/script-lines.ts'

// Each test starts a process, on a machine that is busy with other things.
const SLOW_MS = 40_000

const bench = await startJobBench(badScriptQueue)
let files: string
const workers: ChildProcess[] = []

beforeAll(async () => {
  files = await mkdtemp(join(tmpdir(), 'partharbor-scripts-'))
})
afterEach(async () => {
  for (const worker of workers.splice(0)) {
    if (worker.exitCode !== null || worker.signalCode !== null) continue
    worker.kill('SIGKILL')
    await once(worker, 'exit')
  }
})
afterAll(() => rm(files, { recursive: true, force: true }))

/** Starts a script whose processes all carry a unique mark in their command lines. */
async function start(scriptId: BadScript, flags: Record<string, string | number> = {}) {
  const mark = `mark-${randomUUID()}`
  const payload = { scriptId, flags: { text: mark, ...flags } }
  return { mark, id: await enqueueJob(bench.database.db, { queue: badScriptQueue, payload }) }
}

async function startWorker(...flags: string[]): Promise<ChildProcess> {
  const program = join(import.meta.dirname, '../support/script-worker-program.ts')
  const args = [...flags, program, bench.url, files]
  const worker = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  workers.push(worker)
  await once(worker.stdout ?? worker, 'data')
  return worker
}

const said = async (id: string) => (await eventsOf(bench.database, id)).map(({ message }) => message)

describe('with a worker in this process', () => {
  let worker: { close(): Promise<void> }
  beforeAll(async () => {
    worker = await bench.start([badScriptJob(bench.url, files)])
  })
  afterAll(() => worker.close())

  test('cancel: a script that handles it ends by itself, and its last lines are kept', async () => {
    const { id } = await start('ends-when-asked')
    await untilSaid(bench.database, id, 'ready')
    await requestCancel(bench.database.db, id)
    await untilStatus(bench.database, id, 'cancelled', SLOW_MS)
    const lines = await said(id)
    expect(lines).toContain('trimmedValue up')
    expect(lines).toContain('The script was asked to end (SIGTERM).')
    expect(lines.join()).not.toContain('SIGKILL')
  })

  test('cancel: a script that ignores SIGTERM is killed after 5 s with everything it started', async () => {
    const { id, mark } = await start('ignores-sigterm')
    await untilSaid(bench.database, id, 'ignoring')
    expect(processesOf(mark).length).toBeGreaterThan(1)
    const askedAt = Date.now()
    await requestCancel(bench.database.db, id)
    await untilStatus(bench.database, id, 'cancelled', SLOW_MS)
    expect(Date.now() - askedAt).toBeGreaterThan(4_500)
    expect(await whatIsLeft(mark, 1_000)).toEqual([])
    const lines = await said(id)
    expect(lines).toContain('not now')
    expect(lines).toContain('The script was still running after 5 s and was killed (SIGKILL).')
  })

  test('a run that lost its job is killed immediately', async () => {
    const { id, mark } = await start('ignores-sigterm')
    await untilSaid(bench.database, id, 'ignoring')
    await settleJob(bench.database.db, id, { to: 'failed', error: 'worker lost', counts: 'lost' })
    expect(await whatIsLeft(mark, 4_500)).toEqual([])
    expect(await jobRow(bench.database, id)).toMatchObject({ status: 'failed', error: 'worker lost' })
    expect((await said(id)).at(-1)).toBe('failed')
  })

  test('a script that waits for input forever is ended when its time is up', async () => {
    const short = { ...badScriptQueue, name: 'scripts-in-short', timeoutSeconds: 2 }
    const own = await bench.start([badScriptJob(bench.url, files, short)])
    const payload = { scriptId: 'listens', flags: {} } as const
    const id = await enqueueJob(bench.database.db, { queue: short, payload })
    expect((await untilStatus(bench.database, id, 'failed', SLOW_MS)).error).toBe('took longer than 2 s')
    await own.close()
  })

  test('anything a script leaves running ends with it', async () => {
    const { id, mark } = await start('leaves-a-child')
    await untilStatus(bench.database, id, 'completed', SLOW_MS)
    expect(await whatIsLeft(mark, 1_000)).toEqual([])
  })

  test('a process that left the group and keeps the pipes open does not hold up the job', async () => {
    const { id } = await start('leaves-the-group', { count: 600 })
    const { result } = await untilStatus(bench.database, id, 'completed', SLOW_MS)
    const { pid } = result as { pid: number }
    process.kill(pid, 'SIGKILL')
  })
})

describe('with a worker process', () => {
  test('kill -9: blocking scripts and everything they started are gone within seconds', async () => {
    const worker = await startWorker()
    const { id, mark } = await start('blocks-and-forks')
    await untilSaid(bench.database, id, 'blocking')
    await expect.poll(() => processesOf(mark).length).toBeGreaterThan(2)
    worker.kill('SIGKILL')
    expect(await whatIsLeft(mark, 5_000)).toEqual([])
    await requestCancel(bench.database.db, id)
  })

  longTest(
    'a flood of output: worker and script stay small, and the last line arrives',
    async () => {
      const worker = await startWorker('--max-old-space-size=128')
      const megabytes = 300
      const { id } = await start('floods', { count: megabytes * 10 })
      const { result } = await untilStatus(bench.database, id, 'completed', 170_000)
      // Both would exceed it if they kept everything not yet passed on.
      expect((result as { rss: number }).rss).toBeLessThan(megabytes)
      expect(mostMemory(worker)).toBeLessThan(megabytes)
      expect(await said(id)).toContain('the end')
    },
    180_000,
  )
})

/** In MB, the peak over the life of the process. */
function mostMemory({ pid }: ChildProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024
}
