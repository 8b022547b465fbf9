import { sql } from 'kysely'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import { defineJob } from '#server/platform/jobs/job-definition.ts'
import { type EnqueueScheduled, enqueueDueSchedules, nextRunOf } from '#server/platform/jobs/schedules.ts'
import { roundsOfReconciling, startJobBench } from '#tests/support/job-bench.ts'
import { plainQueue } from '#tests/support/plain-queue.ts'

const payload = z.object({ dataset: z.string('Name a dataset') })
const queue = plainQueue('scheduled', { payload })

const bench = await startJobBench(queue)
const { db } = bench
beforeEach(async () => {
  await db.deleteFrom('job_schedule').execute()
  await db.deleteFrom('job').execute()
})

const enqueue: EnqueueScheduled = (trx, { payload, options }) =>
  enqueueJob(trx, { queue, payload: payload as { dataset: string }, options })

type Settings = {
  cron?: string
  timeZone?: string
  dueSecondsAgo?: number
  payload?: object
  enabled?: boolean
}
async function newSchedule({ dueSecondsAgo = 1, ...settings }: Settings = {}): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into job_schedule (name, queue, payload, cron, time_zone, enabled, next_run_at)
    values (uuidv7()::text, 'scheduled', ${JSON.stringify(settings.payload ?? { dataset: '7' })}::jsonb,
            ${settings.cron ?? '0 6 * * *'}, ${settings.timeZone ?? 'UTC'}, ${settings.enabled ?? true},
            now() - make_interval(secs => ${dueSecondsAgo}))
    returning id`.execute(db)
  return rows[0]?.id ?? ''
}

const scheduleRow = (id: string) =>
  db.selectFrom('job_schedule').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const jobs = () => db.selectFrom('job').selectAll().orderBy('id').execute()
const makeDue = (id: string) =>
  sql`update job_schedule set next_run_at = now() - interval '1 second' where id = ${id}`.execute(db)

test('a due schedule is enqueued as saved, and its next time is set', async () => {
  const id = await newSchedule({ cron: '30 2 * * *', timeZone: 'America/New_York' })
  const before = new Date()
  expect(await enqueueDueSchedules(db, enqueue)).toBe(1)
  const [job] = await jobs()
  expect(job).toMatchObject({ queue: 'scheduled', status: 'queued', payload: { dataset: '7' } })
  const row = await scheduleRow(id)
  expect(row).toMatchObject({ last_job_id: job?.id, problem: null })
  expect(row.next_run_at).toEqual(nextRunOf('30 2 * * *', 'America/New_York', before))
  expect(row.last_run_at?.getTime()).toBeGreaterThanOrEqual(before.getTime())
  expect(await enqueueDueSchedules(db, enqueue)).toBe(0)
})

test('schedules that are not due or are disabled do nothing', async () => {
  await newSchedule({ dueSecondsAgo: -60 })
  await newSchedule({ enabled: false })
  expect(await enqueueDueSchedules(db, enqueue)).toBe(0)
  expect(await jobs()).toEqual([])
})

test('however many processes run at once, each due time makes one job', async () => {
  await Promise.all(Array.from({ length: 5 }, () => newSchedule()))
  // With the connections already open, all try at the same moment.
  await Promise.all(Array.from({ length: 10 }, () => sql`select pg_sleep(0.2)`.execute(db)))
  const counts = await Promise.all(Array.from({ length: 10 }, () => enqueueDueSchedules(db, enqueue)))
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(5)
  expect(await jobs()).toHaveLength(5)
})

test('with two workers, the leader enqueues it once', async () => {
  const runs: string[] = []
  const definition = defineJob(queue, async ({ jobId }) => {
    runs.push(jobId)
  })
  const workers = await Promise.all(
    [1, 2].map(() => bench.start([definition], { enqueueScheduled: enqueue })),
  )
  await newSchedule()
  await vi.waitFor(() => expect(runs).toHaveLength(1), 5_000)
  await roundsOfReconciling(bench, 3)
  expect(runs).toHaveLength(1)
  const scheduled = (await jobs()).filter((job) => job.queue === queue.name)
  expect(scheduled).toHaveLength(1)
  await Promise.all(workers.map((worker) => worker.close()))
})

test('times missed while no worker ran are made up by one job', async () => {
  const id = await newSchedule({ cron: '* * * * *', dueSecondsAgo: 3 * 86_400 })
  expect(await enqueueDueSchedules(db, enqueue)).toBe(1)
  expect(await jobs()).toHaveLength(1)
  const { next_run_at } = await scheduleRow(id)
  expect(next_run_at?.getTime()).toBeGreaterThan(Date.now())
})

describe('problems', () => {
  test('are shown on the schedule, which runs again next time; other schedules are not affected', async () => {
    const [wrong, right] = [await newSchedule({ payload: {}, dueSecondsAgo: 60 }), await newSchedule()]
    expect(await enqueueDueSchedules(db, enqueue)).toBe(1)
    const row = await scheduleRow(wrong)
    expect(row.problem).toContain('Name a dataset')
    expect(row).toMatchObject({ last_job_id: null, last_run_at: null })
    expect(row.next_run_at?.getTime()).toBeGreaterThan(Date.now())
    expect(await scheduleRow(right)).toMatchObject({ problem: null })
    await sql`update job_schedule set payload = '{"dataset":"7"}' where id = ${wrong}`.execute(db)
    await makeDue(wrong)
    expect(await enqueueDueSchedules(db, enqueue)).toBe(1)
    expect(await scheduleRow(wrong)).toMatchObject({ problem: null })
  })

  test('include a statement that the database refuses, and nothing is left half done', async () => {
    const id = await newSchedule()
    const refused: EnqueueScheduled = async (trx, schedule) => {
      await enqueue(trx, schedule)
      await sql`select 1 / 0`.execute(trx)
      return 'never'
    }
    expect(await enqueueDueSchedules(db, refused)).toBe(0)
    expect((await scheduleRow(id)).problem).toBe('division by zero')
    expect(await jobs()).toEqual([])
  })

  test.each([
    ['61 * * * *', 'UTC', 'is not a valid time'],
    ['0 6 * * *', 'Mars/Olympus', 'There is no time zone "Mars/Olympus"'],
  ])('a time that is no longer valid runs once and then stops: %s %s', async (cron, timeZone, problem) => {
    const id = await newSchedule({ cron, timeZone })
    await enqueueDueSchedules(db, enqueue)
    const row = await scheduleRow(id)
    expect(row.problem).toContain(problem)
    expect(row).toMatchObject({ next_run_at: null, enabled: true })
    expect(await enqueueDueSchedules(db, enqueue)).toBe(0)
  })

  test('include a previous job that has not ended, so jobs do not pile up', async () => {
    const id = await newSchedule()
    await enqueueDueSchedules(db, enqueue)
    await makeDue(id)
    expect(await enqueueDueSchedules(db, enqueue)).toBe(0)
    const row = await scheduleRow(id)
    expect(row.problem).toBe('Skipped: the previous job has not ended yet.')
    expect(row.next_run_at?.getTime()).toBeGreaterThan(Date.now())
    await db.updateTable('job').set({ status: 'completed' }).execute()
    await makeDue(id)
    expect(await enqueueDueSchedules(db, enqueue)).toBe(1)
    expect(await scheduleRow(id)).toMatchObject({ problem: null })
  })
})
