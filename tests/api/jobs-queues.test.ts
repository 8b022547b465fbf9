import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { claimJob } from '#server/platform/jobs/claims.ts'
import { requestCancel } from '#server/platform/jobs/control.ts'
import { pauseQueue, resumeQueue } from '#server/platform/jobs/deliveries.ts'
import { enqueueJob, type NewJob } from '#server/platform/jobs/enqueue-job.ts'
import { defineJob, type JobQueue } from '#server/platform/jobs/job-definition.ts'
import { giveBackStarts, takeStarts } from '#server/platform/jobs/job-worker.ts'
import {
  insertAdmin,
  jobRow,
  QUICK,
  roundsOfReconciling,
  startJobBench,
  untilStatus,
} from '#tests/support/job-bench.ts'
import { plainQueue } from '#tests/support/plain-queue.ts'

const payload = z.object({ dataset: z.string().optional() })
type Work = z.infer<typeof payload>
const queue = (name: string, settings: Partial<JobQueue<Work>> = {}) =>
  plainQueue(name, { payload, maxAttempts: 3, resumable: false, concurrency: 4, ...settings })

const bench = await startJobBench()
const { db } = bench

const enqueue = (settings: JobQueue<Work>, more: Partial<NewJob<Work>> = {}) =>
  enqueueJob(db, { queue: settings, payload: {}, ...more })

describe('a paused queue', () => {
  test('starts nothing, not even deliveries already taken; running jobs and other queues continue, and it resumes', async () => {
    const [paused, other] = [queue('paused'), queue('other')]
    const userId = await insertAdmin(bench)
    const release = Promise.withResolvers<void>()
    await bench.start([defineJob(paused, () => release.promise), defineJob(other, async () => undefined)])
    const running = await enqueue(paused)
    await untilStatus({ db }, running, 'running')
    await pauseQueue(db, 'paused', userId)
    await pauseQueue(db, 'paused', userId)
    const [waiting, elsewhere] = [await enqueue(paused), await enqueue(other)]
    expect(await claimJob(db, waiting)).toBeUndefined()
    await untilStatus({ db }, elsewhere, 'completed')
    release.resolve()
    await untilStatus({ db }, running, 'completed')
    await roundsOfReconciling(bench, 2)
    expect(await jobRow({ db }, waiting)).toMatchObject({ status: 'queued', run_no: 0, lost_deliveries: 0 })
    expect(await requestCancel(db, await enqueue(paused))).toBe('cancelled')
    const { rows } = await sql<{
      paused_by: string
    }>`select paused_by from job_queue where name = 'paused'`.execute(db)
    expect(rows).toEqual([{ paused_by: userId }])
    await resumeQueue(db, 'paused')
    await untilStatus({ db }, waiting, 'completed')
  })

  test('a queue that was never paused can be resumed', async () => {
    await resumeQueue(db, 'nobody-knows')
  })
})

describe('a rate limit', () => {
  const limit = { starts: 3, perSeconds: 1 }
  const limited = queue('limited', { rateLimit: limit, concurrency: 10 })

  test('is shared by two workers, and every job runs in the end', async () => {
    const startedAt: number[] = []
    const definition = defineJob(limited, async () => {
      startedAt.push(Date.now())
    })
    await bench.declare(limited)
    const ids = await Promise.all(Array.from({ length: 8 }, () => enqueue(limited)))
    await Promise.all([bench.start([definition]), bench.start([definition])])
    await vi.waitFor(() => expect(startedAt).toHaveLength(3), 5_000)
    for (const id of ids) await untilStatus({ db }, id, 'completed', 15_000)
    startedAt.sort((a, b) => a - b)
    // Eight jobs take three windows; each starts after the previous one.
    const [first = 0, , , fourth = 0, , , seventh = 0] = startedAt
    expect(fourth - first).toBeGreaterThanOrEqual(900)
    expect(seventh - fourth).toBeGreaterThanOrEqual(900)
  })

  test('is never exceeded, however many request starts at once', async () => {
    const rate = { starts: 10, perSeconds: 60 }
    const grants = await Promise.all(Array.from({ length: 12 }, () => takeStarts(db, 'crowded', rate, 3)))
    expect(grants.reduce((sum, { starts }) => sum + starts, 0)).toBe(10)
    const [used] = grants.filter(({ starts }) => starts === 3)
    if (!used) throw new Error('nobody was granted three')
    await giveBackStarts(db, 'crowded', { ...used, starts: 2 })
    expect((await takeStarts(db, 'crowded', rate, 5)).starts).toBe(2)
    // Unused starts of a past window expire with it.
    await giveBackStarts(db, 'crowded', { starts: 2, windowAt: new Date(0) })
    expect((await takeStarts(db, 'crowded', rate, 5)).starts).toBe(0)
    for (let window = 0; window < 5; window += 1) {
      await sql`update job_queue set window_at = now() - interval '61 s' where name = 'crowded'`.execute(db)
      await giveBackStarts(db, 'crowded', await takeStarts(db, 'crowded', rate, 5))
      expect((await takeStarts(db, 'crowded', rate, 12)).starts).toBe(10)
    }
  })

  test('counts starts, not checks whether a job may start', async () => {
    const busy = queue('busy-and-limited', { rateLimit: { starts: 2, perSeconds: 60 } })
    const release = Promise.withResolvers<void>()
    await bench.start([defineJob(busy, () => release.promise)])
    const first = await enqueue(busy, { concurrencyKey: 'one' })
    await untilStatus({ db }, first, 'running')
    const second = await enqueue(busy, { concurrencyKey: 'one' })
    // A check that starts nothing leaves no trace; many fit in here.
    await sleep(QUICK.pollMs * 6)
    release.resolve()
    await untilStatus({ db }, second, 'completed')
  })
})

describe('queue settings for jobs', () => {
  const keyed = queue('keyed', { keyOf: ({ dataset }) => dataset && `dataset:${dataset}` })
  beforeAll(() => bench.declare(keyed))

  test('the key comes from the payload unless one is given', async () => {
    const ids = [
      await enqueue(keyed, { payload: { dataset: '7' } }),
      await enqueue(keyed, { payload: { dataset: '7' }, concurrencyKey: 'mine' }),
      await enqueue(keyed),
    ]
    const keys = await Promise.all(ids.map(async (id) => (await jobRow({ db }, id)).concurrency_key))
    expect(keys).toEqual(['dataset:7', 'mine', null])
  })

  test.each([
    [undefined, 3],
    [1, 1],
    [7.9, 7],
    [0, 1],
    [-5, 1],
    [1e9, 25],
    [Number.POSITIVE_INFINITY, 25],
  ])('attempts of %s become %s', async (maxAttempts, expected) => {
    const id = await enqueue(keyed, maxAttempts === undefined ? {} : { maxAttempts })
    expect((await jobRow({ db }, id)).max_attempts).toBe(expected)
  })

  test('a job is resumable as set by its queue or when enqueued', async () => {
    const ids = [await enqueue(keyed), await enqueue(keyed, { resumable: true })]
    const told = await Promise.all(ids.map(async (id) => (await jobRow({ db }, id)).resumable))
    expect(told).toEqual([false, true])
  })
})
