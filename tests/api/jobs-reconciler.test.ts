import { sql } from 'kysely'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { claimJob } from '#server/platform/jobs/claims.ts'
import { requestCancel } from '#server/platform/jobs/control.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import { defineJob, type JobQueue } from '#server/platform/jobs/job-definition.ts'
import { enqueueIfDue } from '#server/platform/jobs/schedules.ts'
import { longTest } from '#tests/support/at-length.ts'
import {
  deliveriesOf,
  eventsOf,
  jobRow,
  openJobBench,
  QUICK,
  roundsOfReconciling,
  startJobBench,
  told,
  untilStatus,
} from '#tests/support/job-bench.ts'
import { type Nothing, plainQueue } from '#tests/support/plain-queue.ts'

const served = plainQueue('served')
const resumable = plainQueue('resumable')
const fragile = plainQueue('fragile', { resumable: false, maxAttempts: 5 })
const hourly = plainQueue('hourly')

const bench = await startJobBench(resumable, fragile, hourly)
const { db } = bench
beforeAll(async () => {
  const nothing = defineJob(served, async () => undefined)
  // Two workers, only one of which reconciles at a time.
  await bench.start([nothing])
  await bench.start([nothing])
})

describe('deliveries', () => {
  test('a job whose delivery vanished is delivered again', async () => {
    const jobId = await db.transaction().execute(async (trx) => {
      const made = await enqueueJob(trx, { queue: served, payload: {} })
      await sql`delete from pgboss.job where id = ${made}`.execute(trx)
      return made
    })
    await untilStatus({ db }, jobId, 'completed')
  })

  test('a job whose delivery was taken by a worker that died before starting it is delivered again', async () => {
    const jobId = await db.transaction().execute(async (trx) => {
      const made = await enqueueJob(trx, { queue: served, payload: {} })
      await sql`
        update pgboss.job set state = 'active', started_on = now() - interval '16 seconds' where id = ${made}`.execute(
        trx,
      )
      return made
    })
    await untilStatus({ db }, jobId, 'completed')
  })

  test('deliveries of ended or unknown jobs are removed', async () => {
    const jobId = await enqueueJob(db, { queue: resumable, payload: {} })
    await sql`update job set status = 'completed' where id = ${jobId}`.execute(db)
    const orphan = '019a0000-0000-7000-8000-000000000001'
    await sql`insert into pgboss.job (id, name) values (${orphan}, 'resumable')`.execute(db)
    await vi.waitFor(async () => {
      expect(await deliveriesOf({ db }, jobId)).toEqual([])
      expect(await deliveriesOf({ db }, orphan)).toEqual([])
    }, 5_000)
  })

  test('a job far back in a long queue is found as well', async () => {
    const long = plainQueue('long')
    await bench.declare(long)
    await sql`
      with made as (
        insert into job (queue) select 'long' from generate_series(1, 2050) returning id
      )
      insert into pgboss.job (id, name, keep_until) select id, 'long', 'infinity' from made`.execute(db)
    const last = await enqueueJob(db, { queue: long, payload: {} })
    await sql`delete from pgboss.job where id = ${last}`.execute(db)
    await vi.waitFor(async () => expect(await deliveriesOf({ db }, last)).toEqual(['created']), 10_000)
    const orphan = 'ffffffff-0000-7000-8000-000000000001'
    await sql`insert into pgboss.job (id, name) values (${orphan}, 'long')`.execute(db)
    await vi.waitFor(async () => expect(await deliveriesOf({ db }, orphan)).toEqual([]), 10_000)
    await sql`update job set status = 'cancelled' where queue = 'long'`.execute(db)
    const left = sql`select from pgboss.job where name = 'long'`
    await vi.waitFor(async () => expect((await left.execute(db)).rows).toHaveLength(0), 10_000)
  })

  test('a running job has no delivery, and none is created', async () => {
    const jobId = await enqueueJob(db, { queue: resumable, payload: {} })
    await claimJob(db, jobId)
    await roundsOfReconciling(bench, 2)
    expect(await deliveriesOf({ db }, jobId)).toEqual([])
    expect((await jobRow({ db }, jobId)).status).toBe('running')
  })
})

describe('a job whose worker was lost', () => {
  async function lost(what: JobQueue<Nothing>): Promise<string> {
    const jobId = await enqueueJob(db, { queue: what, payload: {} })
    await claimByTheDead(jobId)
    return jobId
  }

  /** Claims the job, with its last heartbeat a minute ago. */
  async function claimByTheDead(jobId: string): Promise<void> {
    await claimJob(db, jobId)
    await sql`update job set heartbeat_at = now() - interval '1 minute' where id = ${jobId}`.execute(db)
  }

  test('returns to the queue if it is resumable, without using up an attempt', async () => {
    const jobId = await enqueueJob(db, { queue: resumable, payload: {} })
    await claimJob(db, jobId)
    const row = await untilStatus({ db }, jobId, 'queued')
    expect(row).toMatchObject({ attempts: 0, lost_deliveries: 1, heartbeat_at: null, run_no: 1 })
    expect(told(await eventsOf({ db }, jobId))).toEqual([
      'status: running',
      'error: worker lost',
      'status: queued',
    ])
    expect(await deliveriesOf({ db }, jobId)).toEqual(['created'])
  })

  test('does so five times, then fails', async () => {
    const jobId = await enqueueJob(db, { queue: resumable, payload: {} })
    for (let times = 1; times <= 5; times += 1) {
      await claimByTheDead(jobId)
      expect((await untilStatus({ db }, jobId, 'queued')).lost_deliveries).toBe(times)
    }
    await claimByTheDead(jobId)
    const row = await untilStatus({ db }, jobId, 'failed')
    expect(row).toMatchObject({ error: 'worker lost', lost_deliveries: 6, attempts: 0, run_no: 6 })
    expect(await deliveriesOf({ db }, jobId)).toEqual([])
  })

  test('fails if it cannot be repeated, whatever attempts remain', async () => {
    const row = await untilStatus({ db }, await lost(fragile), 'failed')
    expect(row).toMatchObject({ error: 'worker lost', attempts: 0, lost_deliveries: 1 })
  })

  test('is not taken for lost before live workers had the time for a heartbeat, as after an outage', async () => {
    const other = await openJobBench()
    onTestFinished(() => other.close())
    await other.declare(resumable)
    const jobId = await enqueueJob(other.db, { queue: resumable, payload: {} })
    await claimJob(other.db, jobId)
    await sql`update job set heartbeat_at = now() - interval '1 hour'`.execute(other.db)
    const startedAt = Date.now()
    await other.start([defineJob(served, async () => undefined)])
    await untilStatus(other, jobId, 'queued')
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(QUICK.staleMs)
  })

  test('is canceled if that was requested', async () => {
    const jobId = await lost(resumable)
    expect(await requestCancel(db, jobId)).toBe('running')
    await untilStatus({ db }, jobId, 'cancelled')
  })
})

describe('periodic jobs', () => {
  const every = (everySeconds: number) => ({ queue: hourly, everySeconds })
  const count = async () =>
    (await db.selectFrom('job').select('id').where('queue', '=', 'hourly').execute()).length

  test('start once, however many processes try, and again when due', async () => {
    const many = Array.from({ length: 16 })
    // With the connections already open, all try at the same moment.
    await Promise.all(many.map(() => sql`select pg_sleep(0.2)`.execute(db)))
    const asked = await Promise.all(many.map(() => enqueueIfDue(db, every(3_600))))
    expect(asked.filter((id) => id !== undefined)).toHaveLength(1)
    expect(await enqueueIfDue(db, every(0))).toBeUndefined()
    await sql`update job set status = 'completed', created_at = now() - interval '59 minutes' where queue = 'hourly'`.execute(
      db,
    )
    expect(await enqueueIfDue(db, every(3_600))).toBeUndefined()
    await sql`update job set created_at = now() - interval '61 minutes' where queue = 'hourly'`.execute(db)
    expect(await enqueueIfDue(db, every(3_600))).toBeDefined()
    expect(await count()).toBe(2)
  })

  test('a job with nothing to do leaves no record', async () => {
    await sql`
      update job set status = 'completed', created_at = now() - interval '2 hours' where queue = 'hourly'`.execute(
      db,
    )
    const before = await count()
    const ask = (needed: boolean) => enqueueIfDue(db, { ...every(3_600), isNeeded: async () => needed })
    expect(await ask(false)).toBeUndefined()
    expect(await count()).toBe(before)
    expect(await ask(true)).toBeDefined()
    expect(await ask(true)).toBeUndefined()
    expect(await count()).toBe(before + 1)
  })

  test('start as often as they ask, beside one whose check fails, and are not checked in between', async () => {
    const own = await openJobBench()
    try {
      const [often, seldom, broken] = [plainQueue('often'), plainQueue('seldom'), plainQueue('broken')]
      await own.declare(often, seldom, broken)
      const runs: string[] = []
      const checked: string[] = []
      const isNeeded = async () => checked.push('seldom') === 0
      const definition = defineJob(often, async ({ jobId }) => {
        runs.push(jobId)
      })
      await own.start([definition], {
        periodic: [
          { queue: broken, everySeconds: 1, isNeeded: () => Promise.reject(new Error('no such table')) },
          { queue: often, everySeconds: 1 },
          { queue: seldom, everySeconds: 3_600, isNeeded },
        ],
      })
      await vi.waitFor(() => expect(runs.length).toBeGreaterThanOrEqual(3), 20_000)
      expect(checked).toEqual(['seldom'])
    } finally {
      await own.close()
    }
  })

  longTest('with two workers, the leader starts them once', async () => {
    const both = plainQueue('both-know-it')
    const runs: string[] = []
    const definition = defineJob(both, async ({ jobId }) => {
      runs.push(jobId)
    })
    const periodic = [{ queue: both, everySeconds: 3_600 }]
    const other = await openJobBench()
    try {
      await other.declare(both)
      await Promise.all([other.start([definition], { periodic }), other.start([definition], { periodic })])
      await vi.waitFor(() => expect(runs).toHaveLength(1), 5_000)
      await roundsOfReconciling(other, 3)
      expect(runs).toHaveLength(1)
    } finally {
      await other.close()
    }
  })
})
