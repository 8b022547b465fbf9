import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import { defineJob } from '#server/platform/jobs/job-definition.ts'
import { jobRow, QUICK, startJobBench, untilStatus } from '#tests/support/job-bench.ts'
import { plainQueue } from '#tests/support/plain-queue.ts'

const payload = z.object({ lines: z.number(), length: z.number(), fails: z.boolean() })
const queue = plainQueue('noisy', { payload, resumable: false, timeoutSeconds: 120 })
const AT_ONCE = 500

const bench = await startJobBench()
const { db } = bench
beforeAll(async () => {
  const noisy = defineJob(queue, async ({ payload: { lines, length, fails }, log }) => {
    for (let n = 0; n < lines; n += AT_ONCE) {
      const batch = Array.from({ length: Math.min(AT_ONCE, lines - n) }, (_, k) => `line ${n + k + 1}`)
      await log(batch.map((line) => line.padEnd(length, '.')))
    }
    if (fails) throw new Error('the disk is full')
  })
  // On a busy machine, this much output delays a heartbeat for longer than the other tests allow.
  await bench.start([noisy], { times: { ...QUICK, staleMs: 20_000 } })
})

async function print(output: z.infer<typeof payload>, status: string): Promise<string> {
  const jobId = await enqueueJob(db, { queue, payload: output })
  await untilStatus({ db }, jobId, status, 100_000)
  return jobId
}

/** Summarizes a stored log in one row. */
async function logOf(jobId: string) {
  const { rows } = await sql<{ lines: number; bytes: number; own: string[]; last: string[] }>`
    select count(*)::int as lines, sum(octet_length(message))::int as bytes,
           array_agg(message order by seq) filter (where stream = 'system') as own,
           (array_agg(message order by seq desc))[1:2] as last
    from job_event where job_id = ${jobId} and kind = 'log'`.execute(db)
  const [told] = rows
  if (!told) throw new Error('no log')
  return told
}

test('of 150,000 lines, 100,000, a notice and the last 200 are stored', async () => {
  const jobId = await print({ lines: 150_000, length: 0, fails: true }, 'failed')
  const log = await logOf(jobId)
  expect(log.lines).toBe(100_000 + 1 + 1 + 200)
  expect(log.own).toEqual([
    'This log is full after 100,000 lines. Further lines are counted, and only the last ones are kept.',
    '… 49,800 lines were omitted',
  ])
  // The reason a run failed is at its end.
  expect(log.last).toEqual(['line 150000', 'line 149999'])
  const row = await jobRow({ db }, jobId)
  const { rows } = await sql<{ events: number; next: string }>`
    select count(*)::int as events, (array_agg(kind || ': ' || message order by seq desc))[1] as next
    from job_event where job_id = ${jobId}`.execute(db)
  // Numbers have no gaps where lines were omitted.
  expect(rows[0]).toEqual({ events: row.last_seq, next: 'done: failed' })
}, 120_000)

test('of long lines, the first 20 MB and the last 1 MB are stored', async () => {
  const log = await logOf(await print({ lines: 1_000, length: 60_000, fails: false }, 'completed'))
  expect(log.own).toEqual([
    'This log is full after 333 lines. Further lines are counted, and only the last ones are kept.',
    '… 651 lines were omitted',
  ])
  expect(log.lines).toBe(333 + 1 + 1 + 16)
  expect(log.bytes).toBeLessThan(21_100_000)
}, 120_000)

test('an endless line is stored in 64 kB pieces, and each counts as a line', async () => {
  const log = await logOf(await print({ lines: 1, length: 1_000_000, fails: false }, 'completed'))
  expect(log).toMatchObject({ lines: 16, bytes: 1_000_000, own: null })
})
