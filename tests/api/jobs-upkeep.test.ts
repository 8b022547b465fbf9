import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { upkeepJobs } from '#server/features/upkeep/jobs.ts'
import { tidyDatabaseQueue } from '#server/features/upkeep/upkeep-queues.ts'
import type { Db } from '#server/platform/database.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import { type JobBench, openJobBench, untilStatus } from '#tests/support/job-bench.ts'

let bench: JobBench
let db: Db
beforeAll(async () => {
  bench = await openJobBench()
  db = bench.database.db
  await bench.start(upkeepJobs({ db, now: () => new Date() }))
})
afterAll(() => bench.close())

async function tidy() {
  const jobId = await enqueueJob(db, { queue: tidyDatabaseQueue, payload: {} })
  return (await untilStatus({ db }, jobId, 'completed')).result
}

async function partitionsOf(table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = ${table}::regclass order by 1`.execute(
    db,
  )
  return rows.map(({ name }) => name)
}

/** As the database counts months, in its own time zone. */
async function month(offset: number): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select to_char(date_trunc('month', current_date) + make_interval(months => ${offset}), 'YYYYMM') as name`.execute(
    db,
  )
  return rows[0]?.name ?? ''
}

test('the months to come have partitions, also where one was missed', async () => {
  await sql`drop table ${sql.table(`job_event_${await month(2)}`)}`.execute(db)
  await tidy()
  expect(await partitionsOf('job_event')).toEqual([
    `job_event_${await month(0)}`,
    `job_event_${await month(1)}`,
    `job_event_${await month(2)}`,
    'job_event_rest',
  ])
})

test('a month that already has rows in the default partition is left there, and the others are made', async () => {
  const [current, next] = [`listing_view_${await month(0)}`, `listing_view_${await month(1)}`]
  await sql`drop table ${sql.table(current)}, ${sql.table(next)}`.execute(db)
  await sql`insert into listing_view values ('019a0000-0000-7000-8000-000000000000', current_date, 3)`.execute(
    db,
  )
  await tidy()
  const partitions = await partitionsOf('listing_view')
  expect(partitions).toContain(next)
  expect(partitions).not.toContain(current)
  const { rows } = await sql<{ views: number }>`select views from listing_view`.execute(db)
  expect(rows).toEqual([{ views: 3 }])
})

test('partitions whose every row is older than the rule keeps are dropped, younger ones stay', async () => {
  const [past, edge] = [await month(-8), await month(-6)]
  for (const name of [past, edge]) {
    const first = `${name.slice(0, 4)}-${name.slice(4)}-01`
    await sql
      .raw(
        `create table job_event_${name} partition of job_event
         for values from ('${first}') to ((date '${first}' + interval '1 month')::date)`,
      )
      .execute(db)
  }
  expect(await tidy()).toMatchObject({ partitions: [`job_event_${past}`] })
  const left = await partitionsOf('job_event')
  expect(left).not.toContain(`job_event_${past}`)
  expect(left).toContain(`job_event_${edge}`)
})

test('sessions, throttles, windows and replies go when they are of no use, not before', async () => {
  await sql`
    insert into app_user (id, name, email, password_hash)
    values ('019a0000-0000-7000-8000-00000000000a', 'Ann', 'ann@yard.example', '')`.execute(db)
  await sql`
    insert into session (token_hash, user_id, expires_at)
    select decode(md5(n::text), 'hex'), '019a0000-0000-7000-8000-00000000000a',
           now() + make_interval(mins => case when n <= 6000 then -1 else 5 end)
    from generate_series(1, 6002) n`.execute(db)
  await sql`
    insert into sign_in_throttle values
      ('old', 9, now() - interval '3 days', now() - interval '3 days'),
      ('still blocked', 9, now() + interval '1 hour', now() - interval '3 days'),
      ('new', 1, 'epoch', now() - interval '23 hours')`.execute(db)
  await sql`
    insert into rate_window values ('old', now() - interval '25 hours', 1), ('new', now() - interval '1 hour', 1)`.execute(
    db,
  )
  await sql`
    insert into idempotency_record (owner, key, request_hash, created_at) values
      ('ann', 'old', '', now() - interval '49 hours'), ('ann', 'new', '', now() - interval '47 hours')`.execute(
    db,
  )
  expect(await tidy()).toMatchObject({ sessions: 6_000, throttles: 1, rateWindows: 1, replies: 1 })
  const left = async (table: 'session' | 'sign_in_throttle' | 'rate_window' | 'idempotency_record') =>
    (await sql`select from ${sql.table(table)}`.execute(db)).rows.length
  expect(await left('session')).toBe(2)
  expect(await left('sign_in_throttle')).toBe(2)
  expect(await left('rate_window')).toBe(1)
  expect(await left('idempotency_record')).toBe(1)
  expect(await tidy()).toEqual({ partitions: [], sessions: 0, throttles: 0, rateWindows: 0, replies: 0 })
})
