import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import { claimJob } from '#server/platform/jobs/claims.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import { defineJob } from '#server/platform/jobs/job-definition.ts'
import { appendEvents, JOB_CHANGED } from '#server/platform/jobs/job-events.ts'
import { atLength } from '#tests/support/at-length.ts'
import { eventsOf, jobRow, startJobBench, untilStatus } from '#tests/support/job-bench.ts'
import { plainQueue } from '#tests/support/plain-queue.ts'

const queue = plainQueue('chatty', { resumable: false })

const bench = await startJobBench(queue)
const { db } = bench

async function readSince(jobId: string, seq: number): Promise<number[]> {
  const { rows } = await sql<{ seq: number }>`
    select seq from job_event where job_id = ${jobId} and seq > ${seq} order by seq`.execute(db)
  return rows.map((row) => row.seq)
}

test('a reader that continues from the last number seen misses nothing, whatever else writes', async () => {
  const jobId = await enqueueJob(db, { queue, payload: {} })
  const run = await claimJob(db, jobId)
  if (!run || run === 'busy') throw new Error('not claimed')
  const WRITERS = 6
  const BATCHES = atLength({ full: 15, brief: 6 })
  let writing = true
  const seen: number[] = []
  const reader = (async () => {
    for (let last = 0; ; last = seen.at(-1) ?? last) {
      const ended = !writing
      seen.push(...(await readSince(jobId, last)))
      if (ended) return
    }
  })()
  const write = async (writer: number) => {
    for (let batch = 0; batch < BATCHES; batch += 1) {
      const events = Array.from({ length: 1 + (batch % 3) }, (_, n) => ({
        kind: 'log' as const,
        stream: `writer ${writer}`,
        message: `${batch}.${n}`,
      }))
      // A transaction that lingers after taking its numbers makes later numbers visible first.
      await db.transaction().execute(async (trx) => {
        await appendEvents(trx, run, { events, progress: undefined, notify: false })
        await sleep(Math.random() * 5)
      })
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))
  writing = false
  await reader
  const total = 1 + (WRITERS * BATCHES * (1 + 2 + 3)) / 3
  expect(seen).toEqual(Array.from({ length: total }, (_, n) => n + 1))
  expect((await jobRow({ db }, jobId)).last_seq).toBe(total)
})

test('a noisy job keeps its order, has long lines split and is stored in few statements', async () => {
  const noisy = { ...queue, name: 'noisy' }
  await bench.start([
    defineJob(noisy, async (job) => {
      for (let line = 0; line < 5_000; line += 1) await job.log(`line ${line}`)
      await job.log(`${'x'.repeat(150_000)}\ud800`)
    }),
  ])
  const jobId = await enqueueJob(db, { queue: noisy, payload: {} })
  await untilStatus({ db }, jobId, 'completed')
  const lines = (await eventsOf({ db }, jobId)).filter(({ kind }) => kind === 'log')
  expect(lines.slice(0, 5_000).map(({ message }) => message)).toEqual(
    Array.from({ length: 5_000 }, (_, n) => `line ${n}`),
  )
  expect(lines.slice(5_000).map(({ message }) => message.length)).toEqual([65_536, 65_536, 18_929])
  // Lines stored together have the same time.
  expect(new Set(lines.map(({ at }) => at.getTime())).size).toBeLessThan(60)
})

test('rapid progress is stored a few times, including the last value', async () => {
  const racing = { ...queue, name: 'racing' }
  await bench.start([
    defineJob(racing, async (job) => {
      for (let done = 1; done <= 2_000; done += 1) {
        job.progress({ done, total: 2_000 })
        if (done % 100 === 0) await sleep(50)
      }
    }),
  ])
  const jobId = await enqueueJob(db, { queue: racing, payload: {} })
  const row = await untilStatus({ db }, jobId, 'completed')
  expect(row.progress).toEqual({ done: 2_000, total: 2_000 })
  const stored = (await eventsOf({ db }, jobId)).filter(({ kind }) => kind === 'progress')
  expect(stored.length).toBeGreaterThanOrEqual(2)
  expect(stored.length).toBeLessThanOrEqual(5)
})

test('listeners get only a job’s id, at most five times a second and at its end', async () => {
  const listener = new pg.Client({ connectionString: bench.url })
  await listener.connect()
  await listener.query(`listen ${JOB_CHANGED}`)
  const heard: (string | undefined)[] = []
  listener.on('notification', ({ payload }) => heard.push(payload))
  const steady = { ...queue, name: 'steady' }
  await bench.start([
    defineJob(steady, async (job) => {
      for (let n = 0; n < 100; n += 1) {
        await job.log(`line ${n}`)
        await sleep(20)
      }
    }),
  ])
  const jobId = await enqueueJob(db, { queue: steady, payload: {} })
  await untilStatus({ db }, jobId, 'completed')
  await sleep(100)
  await listener.end()
  // The last one of an earlier test's job may come as late as this.
  const jobs = await db.selectFrom('job').select('id').execute()
  expect(jobs.map(({ id }) => id)).toEqual(expect.arrayContaining([...new Set(heard)]))
  const own = heard.filter((payload) => payload === jobId)
  expect(own.length).toBeGreaterThanOrEqual(5)
  // Over its whole duration: a busy machine may deliver several at once.
  const { started_at, ended_at } = await jobRow({ db }, jobId)
  const seconds = ((ended_at?.getTime() ?? 0) - (started_at?.getTime() ?? 0)) / 1_000
  expect(own.length).toBeLessThanOrEqual(5 * seconds + 2)
})
