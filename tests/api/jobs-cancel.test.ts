import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { claimJob } from '#server/platform/jobs/claims.ts'
import { cancelWaiting, requestCancel } from '#server/platform/jobs/control.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import { defineJob } from '#server/platform/jobs/job-definition.ts'
import { openQuestion } from '#server/platform/jobs/questions.ts'
import {
  deliveriesOf,
  eventsOf,
  jobRow,
  QUICK,
  startJobBench,
  told,
  untilStatus,
} from '#tests/support/job-bench.ts'
import { plainQueue } from '#tests/support/plain-queue.ts'

const payload = z.object({ seconds: z.number(), deaf: z.boolean().optional() })
const queue = plainQueue('waiting', { payload, maxAttempts: 3, retryDelaySeconds: 60, concurrency: 8 })
const unserved = { ...queue, name: 'unserved' }
const asking = { ...queue, name: 'asking' }
const tidying = { ...queue, name: 'tidying', abortGraceSeconds: 6 }

const bench = await startJobBench(unserved)
const { db } = bench
beforeAll(async () => {
  const waiting = defineJob(queue, async ({ payload: { seconds, deaf }, signal }) => {
    if (seconds < 0) throw new Error('not today')
    await sleep(seconds * 1_000, undefined, { ...(!deaf && { signal }) })
  })
  const asks = defineJob(asking, (job) => job.ask({ key: 'colour', text: 'Which colour?' }))
  const tidies = defineJob(tidying, async ({ payload: { seconds }, signal, log }) => {
    await once(signal, 'abort')
    await sleep(seconds * 1_000)
    await log('trimmedValue up')
    signal.throwIfAborted()
  })
  // The production heartbeat: this measures the notification, not the next heartbeat.
  await bench.start([waiting, asks, tidies], { times: { ...QUICK, heartbeatMs: 2_000, staleMs: 10_000 } })
})

describe('a job is canceled', () => {
  test('at once while queued, and is never started', async () => {
    const jobId = await enqueueJob(db, { queue: unserved, payload: { seconds: 1 } })
    expect(await requestCancel(db, jobId)).toBe('cancelled')
    expect(await jobRow({ db }, jobId)).toMatchObject({ status: 'cancelled', run_no: 0 })
    expect(await claimJob(db, jobId)).toBeUndefined()
    expect(told(await eventsOf({ db }, jobId))).toEqual(['status: cancelled', 'done: cancelled'])
    expect(await deliveriesOf({ db }, jobId)).toEqual([])
  })

  test('at once while it waits for its next attempt', async () => {
    const jobId = await enqueueJob(db, { queue, payload: { seconds: -1 } })
    await untilStatus({ db }, jobId, 'retrying')
    expect(await requestCancel(db, jobId)).toBe('cancelled')
    expect(await jobRow({ db }, jobId)).toMatchObject({ status: 'cancelled', attempts: 1 })
    expect(await deliveriesOf({ db }, jobId)).toEqual([])
  })

  test('within a second while it runs', async () => {
    const jobId = await enqueueJob(db, { queue, payload: { seconds: 30 } })
    await untilStatus({ db }, jobId, 'running')
    const asked = performance.now()
    expect(await requestCancel(db, jobId)).toBe('running')
    const row = await untilStatus({ db }, jobId, 'cancelled')
    expect(performance.now() - asked).toBeLessThan(1_000)
    expect(row).toMatchObject({ attempts: 0, error: null })
    expect(told(await eventsOf({ db }, jobId)).slice(-2)).toEqual(['status: cancelled', 'done: cancelled'])
  })

  test('within a few seconds while it runs and ignores its signal', async () => {
    const jobId = await enqueueJob(db, { queue, payload: { seconds: 6, deaf: true } })
    await untilStatus({ db }, jobId, 'running')
    await requestCancel(db, jobId)
    await untilStatus({ db }, jobId, 'cancelled', 4_000)
  })

  test('after the grace period of its queue, with what it logged in it', async () => {
    const jobId = await enqueueJob(db, { queue: tidying, payload: { seconds: 3.5 } })
    await untilStatus({ db }, jobId, 'running')
    await requestCancel(db, jobId)
    await untilStatus({ db }, jobId, 'cancelled')
    expect(told(await eventsOf({ db }, jobId)).slice(-3)).toEqual([
      'log: trimmedValue up',
      'status: cancelled',
      'done: cancelled',
    ])
  })

  test('within a second while it waits for an answer with a worker, and at once without one', async () => {
    const withWorker = await enqueueJob(db, { queue: asking, payload: { seconds: 1 } })
    await untilStatus({ db }, withWorker, 'waiting-manual')
    const asked = performance.now()
    expect(await requestCancel(db, withWorker)).toBe('waiting-manual')
    await untilStatus({ db }, withWorker, 'cancelled')
    expect(performance.now() - asked).toBeLessThan(1_000)
    const parked = await enqueueJob(db, { queue: asking, payload: { seconds: 1 } })
    await vi.waitFor(async () => {
      expect(await jobRow({ db }, parked)).toMatchObject({ status: 'waiting-manual', heartbeat_at: null })
    }, 5_000)
    expect(await requestCancel(db, parked)).toBe('cancelled')
    expect(await requestCancel(db, parked)).toBe('cancelled')
    for (const jobId of [withWorker, parked]) {
      expect(await jobRow({ db }, jobId)).toMatchObject({ status: 'cancelled', question: null, run_no: 1 })
      expect(await deliveriesOf({ db }, jobId)).toEqual([])
      expect(told(await eventsOf({ db }, jobId)).filter((line) => line.startsWith('done'))).toHaveLength(1)
    }
  })

  test('among many at once if it has no worker; the others are left to their workers', async () => {
    const make = () => enqueueJob(db, { queue: unserved, payload: { seconds: 1 } })
    const [queued, running, waiting, ended] = [await make(), await make(), await make(), await make()]
    await claimJob(db, running)
    const run = await claimJob(db, waiting)
    if (!run || run === 'busy') throw new Error('the job could not be claimed')
    await openQuestion(db, run, { key: 'colour', text: 'Which colour?' })
    await requestCancel(db, ended)
    expect(await cancelWaiting(db, [queued, running, waiting, ended])).toEqual([queued])
    const statuses = await Promise.all([queued, running, waiting].map((id) => jobRow({ db }, id)))
    expect(statuses.map(({ status }) => status)).toEqual(['cancelled', 'running', 'waiting-manual'])
  })

  test('once, however many times it is requested', async () => {
    const jobId = await enqueueJob(db, { queue: unserved, payload: { seconds: 1 } })
    const answers = await Promise.all(Array.from({ length: 5 }, () => requestCancel(db, jobId)))
    expect(answers).toEqual(Array.from({ length: 5 }, () => 'cancelled'))
    expect(await eventsOf({ db }, jobId)).toHaveLength(2)
  })

  test('not after it has ended: its status stays', async () => {
    const jobId = await enqueueJob(db, { queue, payload: { seconds: 0 } })
    await untilStatus({ db }, jobId, 'completed')
    expect(await requestCancel(db, jobId)).toBe('completed')
    expect(await jobRow({ db }, jobId)).toMatchObject({ status: 'completed', cancel_requested_at: null })
  })

  test('not if it does not exist', async () => {
    expect(await requestCancel(db, '019a0000-0000-7000-8000-000000000000')).toBeUndefined()
  })

  test('or started, never both, when both happen at once', async () => {
    for (let round = 0; round < 20; round += 1) {
      const jobId = await enqueueJob(db, { queue: unserved, payload: { seconds: 1 } })
      const [answer, claim] = await Promise.all([requestCancel(db, jobId), claimJob(db, jobId)])
      const { status, cancel_requested_at } = await jobRow({ db }, jobId)
      expect(cancel_requested_at).not.toBeNull()
      expect([answer, status]).toEqual(claim ? ['running', 'running'] : ['cancelled', 'cancelled'])
    }
    await db.updateTable('job').set({ status: 'cancelled' }).where('queue', '=', 'unserved').execute()
  })
})

test('work that finishes before the cancel takes effect stays completed', async () => {
  const jobId = await enqueueJob(db, { queue, payload: { seconds: 1, deaf: true } })
  await untilStatus({ db }, jobId, 'running')
  await requestCancel(db, jobId)
  await untilStatus({ db }, jobId, 'completed')
})
