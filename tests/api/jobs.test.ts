import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { requireQueues } from '#server/platform/jobs/deliveries.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import { defineJob, GiveUp, type JobQueue, type JobRun } from '#server/platform/jobs/job-definition.ts'
import {
  deliveriesOf,
  eventsOf,
  jobRow,
  openJobBench,
  startJobBench,
  told,
  untilStatus,
} from '#tests/support/job-bench.ts'
import { plainQueue } from '#tests/support/plain-queue.ts'

const payload = z.object({ work: z.string() })
type Work = z.infer<typeof payload>
const queue = (name: string, settings: Partial<JobQueue<Work>> = {}) =>
  plainQueue(name, { payload, resumable: false, ...settings })

const bench = await startJobBench()

/** Starts a worker with one handler for this test, and returns a function that enqueues work for it. */
async function handled(
  settings: JobQueue<Work>,
  handler: Parameters<typeof defineJob<Work>>[1],
): Promise<(what: string, more?: object) => Promise<string>> {
  const worker = await bench.start([defineJob(settings, handler)])
  // Ten idle workers that poll twenty times a second would cost more than the tests.
  onTestFinished(() => worker.close())
  return (what, more) => enqueueJob(bench.database.db, { queue: settings, payload: { work: what }, ...more })
}

describe('enqueueing', () => {
  const waiting = queue('waiting')
  beforeAll(() => bench.declare(waiting))

  test('record and delivery are written in the caller’s transaction', async () => {
    const { db } = bench.database
    const id = await db.transaction().execute(async (trx) => {
      const made = await enqueueJob(trx, { queue: waiting, payload: { work: 'a' } })
      expect((await jobRow({ db: trx }, made)).status).toBe('queued')
      await expect(jobRow(bench.database, made)).rejects.toThrow()
      expect(await deliveriesOf(bench.database, made)).toEqual([])
      return made
    })
    expect(await jobRow(bench.database, id)).toMatchObject({
      queue: 'waiting',
      status: 'queued',
      payload: { work: 'a' },
      run_no: 0,
      max_attempts: 1,
    })
    expect(await deliveriesOf(bench.database, id)).toEqual(['created'])
  })

  test('a rolled-back transaction leaves neither record nor delivery', async () => {
    let made = ''
    const rolledBack = bench.database.db.transaction().execute(async (trx) => {
      made = await enqueueJob(trx, { queue: waiting, payload: { work: 'a' } })
      throw new Error('changed my mind')
    })
    await expect(rolledBack).rejects.toThrow('changed my mind')
    await expect(jobRow(bench.database, made)).rejects.toThrow()
    expect(await deliveriesOf(bench.database, made)).toEqual([])
  })

  test('an unknown queue and an invalid payload are refused', async () => {
    const { db } = bench.database
    await expect(enqueueJob(db, { queue: queue('nobody-knows'), payload: { work: 'a' } })).rejects.toThrow(
      'There is no queue "nobody-knows"',
    )
    const wrong = { work: 7 } as unknown as Work
    await expect(enqueueJob(db, { queue: waiting, payload: wrong })).rejects.toThrow('expected string')
  })
})

test('processes that start at once install the queue library once and declare every queue', async () => {
  const fresh = await openJobBench()
  try {
    const { pool, db } = fresh.database
    await pool.query('drop schema pgboss cascade')
    await expect(requireQueues(db)).rejects.toThrow()
    await Promise.all([1, 2, 3].map(() => fresh.declare(queue('first'), queue('second'))))
    await requireQueues(db)
    await fresh.declare(queue('second'), queue('third'))
    const { rows } = await pool.query('select name from pgboss.queue order by name')
    expect(rows.map(({ name }) => name)).toEqual(['first', 'second', 'third'])
    const id = await enqueueJob(db, { queue: queue('third'), payload: { work: 'a' } })
    expect(await deliveriesOf(fresh.database, id)).toEqual(['created'])
  } finally {
    await fresh.close()
  }
})

test('a job runs, records its events and leaves no delivery behind', async () => {
  const enqueue = await handled(queue('telling'), async (job) => {
    await job.log(['one', 'two'])
    job.progress({ done: 1, total: 2, note: 'half way' })
    await job.log('three\u0000', 'stderr')
    return { seen: job.payload.work, run: job.runNo }
  })
  const id = await enqueue('a')
  const row = await untilStatus(bench.database, id, 'completed')
  expect(row).toMatchObject({
    result: { seen: 'a', run: 1 },
    progress: { done: 1, total: 2, note: 'half way' },
    attempts: 0,
    error: null,
    heartbeat_at: null,
  })
  expect(row.ended_at).not.toBeNull()
  const events = await eventsOf(bench.database, id)
  expect(told(events)).toEqual([
    'status: running',
    'log: one',
    'log: two',
    'log: three',
    'progress: half way',
    'status: completed',
    'done: completed',
  ])
  expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(events[3]).toMatchObject({ stream: 'stderr' })
  expect(row.last_seq).toBe(7)
  expect(await deliveriesOf(bench.database, id)).toEqual([])
})

test('a delayed job waits for its time', async () => {
  const startedAt = new Map<string, number>()
  const enqueue = await handled(queue('later'), async (job) => {
    startedAt.set(job.jobId, Date.now())
  })
  const runAfter = new Date(Date.now() + 1_000)
  const [soon, later] = [await enqueue('soon'), await enqueue('later', { runAfter })]
  await untilStatus(bench.database, soon, 'completed')
  expect((await jobRow(bench.database, later)).status).toBe('queued')
  await untilStatus(bench.database, later, 'completed')
  expect(startedAt.get(later)).toBeGreaterThanOrEqual(runAfter.getTime())
})

describe('errors', () => {
  test('an error counts as an attempt; the delay doubles; the last one fails the job', async () => {
    const startedAt: number[] = []
    const last: boolean[] = []
    const settings = queue('failing', { maxAttempts: 3, retryDelaySeconds: 0.4 })
    const enqueue = await handled(settings, async (job) => {
      startedAt.push(Date.now())
      last.push(job.lastAttempt)
      throw new Error(`no ${job.payload.work} today`)
    })
    const id = await enqueue('bread')
    const row = await untilStatus(bench.database, id, 'failed')
    expect(row).toMatchObject({ attempts: 3, run_no: 3, error: 'no bread today', lost_deliveries: 0 })
    expect(last).toEqual([false, false, true])
    const [first = 0, second = 0, third = 0] = startedAt
    expect(second - first).toBeGreaterThanOrEqual(400)
    expect(third - second).toBeGreaterThanOrEqual(800)
    expect(told(await eventsOf(bench.database, id))).toEqual([
      ...Array.from({ length: 2 }, () => [
        'status: running',
        'error: no bread today',
        'status: retrying',
      ]).flat(),
      'status: running',
      'error: no bread today',
      'status: failed',
      'done: failed',
    ])
    expect(await deliveriesOf(bench.database, id)).toEqual([])
  })

  test('a successful retry completes the job with its checkpoint', async () => {
    const enqueue = await handled(
      queue('second-try', { maxAttempts: 3, retryDelaySeconds: 0 }),
      async (job) => {
        if (job.checkpoint === null) {
          await job.saveCheckpoint({ page: 7 })
          throw new Error('not yet')
        }
        return { from: job.checkpoint }
      },
    )
    const row = await untilStatus(bench.database, await enqueue('a'), 'completed')
    expect(row).toMatchObject({ attempts: 1, run_no: 2, error: null, result: { from: { page: 7 } } })
  })

  test('a handler that gives up is not retried', async () => {
    const enqueue = await handled(queue('giving-up', { maxAttempts: 5 }), async () => {
      throw new GiveUp('the address does not exist')
    })
    const row = await untilStatus(bench.database, await enqueue('a'), 'failed')
    expect(row).toMatchObject({ attempts: 1, error: 'the address does not exist' })
  })

  test('a run that takes too long is aborted, even if it ignores its signal', async () => {
    const reasons: unknown[] = []
    const settings = queue('slow', { timeoutSeconds: 0.3 })
    const enqueue = await handled(settings, async (job: JobRun<Work>) => {
      job.signal.addEventListener('abort', () => reasons.push(job.signal.reason.message))
      await sleep(job.payload.work === 'deaf' ? 4_500 : 1_000, undefined, {
        ...(job.payload.work !== 'deaf' && { signal: job.signal }),
      })
    })
    const [listening, deaf] = [await enqueue('listening'), await enqueue('deaf')]
    const row = await untilStatus(bench.database, listening, 'failed', 1_500)
    expect(row.error).toBe('took longer than 0.3 s')
    expect((await untilStatus(bench.database, deaf, 'failed')).error).toBe('took longer than 0.3 s')
    expect(reasons).toEqual(['took longer than 0.3 s', 'took longer than 0.3 s'])
  })

  test('a result that cannot be stored fails the job instead of running it forever', async () => {
    const enqueue = await handled(queue('odd-result', { maxAttempts: 3 }), async () => ({ text: 'a\u0000b' }))
    const row = await untilStatus(bench.database, await enqueue('a'), 'failed')
    expect(row.error).toContain('the result could not be stored')
    expect(row.run_no).toBe(1)
  })

  test('a payload that no longer fits its schema fails the job, not the worker', async () => {
    const enqueue = await handled(queue('moved-on'), async (job) => ({ seen: job.payload.work }))
    const old = await enqueue('old', { runAfter: new Date(Date.now() + 400) })
    await bench.database.db.updateTable('job').set({ payload: '{"work":7}' }).where('id', '=', old).execute()
    expect((await untilStatus(bench.database, old, 'failed')).error).toContain('expected string')
    await untilStatus(bench.database, await enqueue('new'), 'completed')
  })
})

describe('concurrency', () => {
  /** Records the maximum number of concurrent runs. */
  function crowd() {
    const seen = { now: 0, most: 0 }
    const handler = async () => {
      seen.now += 1
      seen.most = Math.max(seen.most, seen.now)
      await sleep(60)
      seen.now -= 1
    }
    return { seen, handler }
  }

  test('a worker runs as many jobs of a queue as the queue allows', async () => {
    const { seen, handler } = crowd()
    const enqueue = await handled(queue('three-lanes', { concurrency: 3 }), handler)
    const ids = await Promise.all(Array.from({ length: 12 }, (_, n) => enqueue(`${n}`)))
    for (const id of ids) await untilStatus(bench.database, id, 'completed')
    expect(seen.most).toBe(3)
  })

  test('of the jobs with the same concurrency key, one runs and the others wait', async () => {
    const { seen, handler } = crowd()
    const enqueue = await handled(queue('one-dataset', { concurrency: 5 }), handler)
    const ids = await Promise.all(
      Array.from({ length: 3 }, (_, n) => enqueue(`${n}`, { concurrencyKey: 'dataset:7' })),
    )
    for (const id of ids)
      expect(await untilStatus(bench.database, id, 'completed')).toMatchObject({ run_no: 1 })
    expect(seen.most).toBe(1)
  })
})
