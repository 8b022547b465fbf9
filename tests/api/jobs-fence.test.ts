import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import type { Db } from '#server/platform/database/database.ts'
import { beatRuns, type Claim, claimJob, holdFence, storeCheckpoint } from '#server/platform/jobs/claims.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import { defineJob, FenceLost } from '#server/platform/jobs/job-definition.ts'
import { appendEvents } from '#server/platform/jobs/job-events.ts'
import { settleRun } from '#server/platform/jobs/outcomes.ts'
import { endStoppedRuns, settleLostRuns } from '#server/platform/jobs/reconciler.ts'
import { eventsOf, jobRow, startJobBench, untilStatus } from '#tests/support/job-bench.ts'
import { plainQueue } from '#tests/support/plain-queue.ts'

const queue = plainQueue('fenced', { concurrency: 4 })

const bench = await startJobBench(queue)
const { db } = bench

const enqueue = () => enqueueJob(db, { queue, payload: {} })

async function claim(jobId: string): Promise<Claim> {
  const claimed = await claimJob(db, jobId)
  if (!claimed || claimed === 'busy') throw new Error('the job could not be claimed')
  return claimed
}

/** A minute without a heartbeat, as after kill -9. */
async function forgetBy(db: Db, jobId: string): Promise<void> {
  await sql`update job set heartbeat_at = now() - interval '1 minute' where id = ${jobId}`.execute(db)
}

test('of many concurrent claims of a job, one wins', async () => {
  const jobId = await enqueue()
  const claims = await Promise.all(Array.from({ length: 20 }, () => claimJob(db, jobId)))
  expect(claims.filter((claimed) => claimed !== undefined)).toHaveLength(1)
  expect(await jobRow({ db }, jobId)).toMatchObject({ run_no: 1, status: 'running', last_seq: 1 })
})

describe('a run that was taken over', () => {
  async function takenOver(): Promise<{ old: Claim; current: Claim }> {
    const old = await claim(await enqueue())
    await forgetBy(db, old.jobId)
    expect(await settleLostRuns(db, 30)).toHaveLength(1)
    const current = await claim(old.jobId)
    expect(current.runNo).toBe(old.runNo + 1)
    return { old, current }
  }

  test('writes no event, no checkpoint, no outcome and nothing in its own tables', async () => {
    const { old } = await takenOver()
    const before = [await jobRow({ db }, old.jobId), await eventsOf({ db }, old.jobId)]
    const events = [{ kind: 'log' as const, stream: 'stdout', message: 'I am awake' }]
    await expect(appendEvents(db, old, { events, progress: { done: 9 }, notify: true })).rejects.toThrow(
      FenceLost,
    )
    await expect(storeCheckpoint(db, old, { page: 99 })).rejects.toThrow(FenceLost)
    expect(await settleRun(db, old, { to: 'completed', result: 'mine' })).toBe(false)
    const ownWork = db.transaction().execute(async (trx) => {
      await holdFence(trx, old)
      await sql`insert into mail (recipient, subject, body) values ('a@b.example', 'late', '')`.execute(trx)
    })
    await expect(ownWork).rejects.toThrow(FenceLost)
    expect([await jobRow({ db }, old.jobId), await eventsOf({ db }, old.jobId)]).toEqual(before)
    expect(await db.selectFrom('mail').select('id').where('subject', '=', 'late').execute()).toEqual([])
  })

  test('cannot renew its heartbeat, but its successor can', async () => {
    const { old, current } = await takenOver()
    expect(await beatRuns(db, [old, current])).toEqual([
      {
        jobId: current.jobId,
        runNo: current.runNo,
        cancelRequested: false,
        isAsking: false,
        hasInput: false,
      },
    ])
  })
})

test('a fenced transaction cannot be overtaken: reassigning the job waits for its end', async () => {
  const run = await claim(await enqueue())
  await db.transaction().execute(async (trx) => {
    await holdFence(trx, run)
    await forgetBy(db, run.jobId)
    expect(await settleLostRuns(db, 30)).toEqual([])
    // Heartbeats and events do not block it, and the fence does not block them.
    await beatRuns(db, [run])
    await appendEvents(db, run, { events: [], progress: { done: 1 }, notify: false })
  })
  await forgetBy(db, run.jobId)
  expect(await settleLostRuns(db, 30)).toMatchObject([{ jobId: run.jobId, outcome: { to: 'queued' } }])
})

test('a checkpoint is not a heartbeat: a job that saves one while its worker is paused is still lost', async () => {
  const run = await claim(await enqueue())
  await forgetBy(db, run.jobId)
  await storeCheckpoint(db, run, { page: 1 })
  expect(await settleLostRuns(db, 30)).toMatchObject([{ jobId: run.jobId, outcome: { to: 'queued' } }])
})

test('a stopped worker’s fenced transaction is ended wherever it is; those of others are not', async () => {
  const [stopped, alive] = [await claim(await enqueue()), await claim(await enqueue())]
  const held = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const inTheMiddle = (run: Claim, onHeld: () => void) =>
    db.transaction().execute(async (trx) => {
      await holdFence(trx, run)
      onHeld()
      await goOn.promise
      await storeCheckpoint(trx, run, { page: 1 })
    })
  const writes = inTheMiddle(stopped, () => undefined)
  writes.catch(() => undefined)
  const others = inTheMiddle(alive, held.resolve)
  await held.promise
  await forgetBy(db, stopped.jobId)
  await vi.waitFor(async () => expect(await endStoppedRuns(db, 30)).toBe(1), 10_000)
  await vi.waitFor(
    async () =>
      expect(await settleLostRuns(db, 30)).toMatchObject([
        { jobId: stopped.jobId, outcome: { to: 'queued' } },
      ]),
    10_000,
  )
  goOn.resolve()
  await expect(writes).rejects.toThrow()
  await others
  expect((await jobRow({ db }, stopped.jobId)).checkpoint).toBeNull()
  expect((await jobRow({ db }, alive.jobId)).checkpoint).toEqual({ page: 1 })
})

test('the outcome of an abandoned run waits for that run’s open transaction', async () => {
  const run = await claim(await enqueue())
  const order: string[] = []
  const fenced = Promise.withResolvers<void>()
  const leftBehind = db.transaction().execute(async (trx) => {
    await holdFence(trx, run)
    fenced.resolve()
    await sleep(300)
    order.push('its last write')
  })
  await fenced.promise
  expect(await settleRun(db, run, { to: 'cancelled' })).toBe(true)
  order.push('the outcome')
  await leftBehind
  expect(order).toEqual(['its last write', 'the outcome'])
})

test('a checkpoint and its work are committed or rolled back together', async () => {
  const run = await claim(await enqueue())
  const broken = db.transaction().execute(async (trx) => {
    await storeCheckpoint(trx, run, { page: 2 })
    throw new Error('page 2 was bad')
  })
  await expect(broken).rejects.toThrow('page 2 was bad')
  expect((await jobRow({ db }, run.jobId)).checkpoint).toBeNull()
})

test('a slow transaction that locks one job’s row does not make the others look dead', async () => {
  const [slow, other] = [await claim(await enqueue()), await claim(await enqueue())]
  await forgetBy(db, slow.jobId)
  await forgetBy(db, other.jobId)
  await db.transaction().execute(async (trx) => {
    await storeCheckpoint(trx, slow, { page: 1 })
    const beats = await beatRuns(db, [slow, other])
    expect(beats.map(({ jobId }) => jobId).sort()).toEqual([slow.jobId, other.jobId].sort())
    expect(await settleLostRuns(db, 30)).toEqual([])
  })
})

test('a handler whose job was taken over is notified by its signal, and its result is discarded', async () => {
  const started = Promise.withResolvers<void>()
  const told = Promise.withResolvers<string>()
  const handler = defineJob({ ...queue, name: 'robbed' }, async (job) => {
    started.resolve()
    await sleep(10_000, undefined, { signal: job.signal }).catch(() => undefined)
    told.resolve(job.signal.reason.why)
    await job.withFence(async (trx) => {
      await sql`insert into mail (recipient, subject, body) values ('a@b.example', 'robbed', '')`.execute(trx)
    })
    return { finished: true }
  })
  await bench.start([handler])
  const jobId = await enqueueJob(db, { queue: { ...queue, name: 'robbed' }, payload: {} })
  await started.promise
  await sql`update job set run_no = run_no + 1 where id = ${jobId}`.execute(db)
  expect(await told.promise).toBe('taken-over')
  await sleep(300)
  expect(await jobRow({ db }, jobId)).toMatchObject({ status: 'running', result: null })
  expect(await db.selectFrom('mail').select('id').where('subject', '=', 'robbed').execute()).toEqual([])
  await sql`update job set status = 'cancelled', heartbeat_at = null where id = ${jobId}`.execute(db)
})

test('a handler may log while it has a fenced transaction with a checkpoint open', async () => {
  const busy = { ...queue, name: 'busy-writer' }
  await bench.start([
    defineJob(busy, async (job) => {
      await job.withFence(async (trx) => {
        await job.saveCheckpoint({ page: 1 }, trx)
        await job.log(Array.from({ length: 3_000 }, (_, n) => `line ${n}`))
        await sleep(300)
      })
    }),
  ])
  const jobId = await enqueueJob(db, { queue: busy, payload: {} })
  await untilStatus({ db }, jobId, 'completed')
  const lines = (await eventsOf({ db }, jobId)).filter(({ kind }) => kind === 'log')
  expect(lines.map(({ message }) => message)).toEqual(Array.from({ length: 3_000 }, (_, n) => `line ${n}`))
})
