import { mkdtemp, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { upkeepJobs } from '#server/features/running/upkeep/jobs.ts'
import { sweepArtifactsQueue, tidyDatabaseQueue } from '#server/features/running/upkeep/tidy-database.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { openFileStore } from '#server/platform/files/open-file-store.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import { startJobBench, untilStatus } from '#tests/support/job-bench.ts'

const bench = await startJobBench()
const { db } = bench
let dir: string
let files: FileStore
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'partharbor-upkeep-'))
  files = await openFileStore({ kind: 'fs', dir })
  await bench.start(upkeepJobs({ db, files, now: () => new Date() }))
})
afterAll(() => rm(dir, { recursive: true, force: true }))

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

/** Computes months as the database does, in its time zone. */
async function month(offset: number): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select to_char(date_trunc('month', current_date) + make_interval(months => ${offset}), 'YYYYMM') as name`.execute(
    db,
  )
  return rows[0]?.name ?? ''
}

test('upcoming months get partitions, even if one was missed', async () => {
  await sql`drop table ${sql.table(`job_event_${await month(2)}`)}`.execute(db)
  await tidy()
  expect(await partitionsOf('job_event')).toEqual([
    `job_event_${await month(0)}`,
    `job_event_${await month(1)}`,
    `job_event_${await month(2)}`,
    'job_event_rest',
  ])
})

test('a month with rows in the default partition stays there, and the others are created', async () => {
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

test('partitions entirely past their retention are dropped, newer ones stay', async () => {
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

test('sessions, throttles, windows and replies are deleted when expired, not before', async () => {
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
    insert into idempotency_record (owner, key, request_hash, reply, created_at) values
      ('ann', 'old', '', '{}', now() - interval '49 hours'), ('ann', 'new', '', '{}', now() - interval '47 hours')`.execute(
    db,
  )
  await sql`
    insert into view_salt select (now() at time zone 'utc')::date - n, decode(repeat('00', 32), 'hex') from generate_series(0, 1) n`.execute(
    db,
  )
  await sql`insert into view_mark select day, uuidv7() from view_salt`.execute(db)
  await sql`
    insert into factor_ticket (token_hash, user_id, purpose, expires_at)
    select decode(md5(n::text), 'hex'), '019a0000-0000-7000-8000-00000000000a', 'sign-in',
           now() + make_interval(mins => n)
    from generate_series(-1, 1, 2) n`.execute(db)
  expect(await tidy()).toMatchObject({
    sessions: 6_000,
    throttles: 1,
    rateWindows: 1,
    replies: 1,
    tickets: 1,
    viewSalts: 1,
    viewMarks: 1,
  })
  type Expiring = 'session' | 'sign_in_throttle' | 'rate_window' | 'idempotency_record' | 'factor_ticket'
  const left = async (table: Expiring) => (await sql`select from ${sql.table(table)}`.execute(db)).rows.length
  expect(await left('factor_ticket')).toBe(1)
  expect(await left('session')).toBe(2)
  expect(await left('sign_in_throttle')).toBe(2)
  expect(await left('rate_window')).toBe(1)
  expect(await left('idempotency_record')).toBe(1)
  expect(await tidy()).toEqual({
    partitions: [],
    strays: 0,
    sessions: 0,
    throttles: 0,
    rateWindows: 0,
    replies: 0,
    resets: 0,
    viewSalts: 0,
    viewMarks: 0,
    signInLinks: 0,
    devices: 0,
    tickets: 0,
    addressLinks: 0,
    messageLinks: 0,
    unconfirmedSearches: 0,
    stoppedSearches: 0,
    searchOwners: 0,
    holdWatches: 0,
    foundParts: 0,
    jobEvents: 0,
    jobs: 0,
    mails: 0,
    providerEvents: 0,
  })
})

test('rows of months without a partition are deleted past their retention, newer ones stay', async () => {
  const id = '019a0000-0000-7000-8000-00000000000b'
  await sql`
    insert into job_event (job_id, seq, at, kind)
    select ${id}, n, now() - make_interval(months => 7 - 2 * (n % 2)), 'log' from generate_series(1, 6) n`.execute(
    db,
  )
  await sql`
    insert into listing_change (change_set_id, listing_id, version, changes, at) values
      (${id}, ${id}, 1, '{}', now() - interval '25 months'), (${id}, ${id}, 2, '{}', now() - interval '23 months')`.execute(
    db,
  )
  await sql`
    insert into listing_view values
      (${id}, current_date - interval '25 months', 1), (${id}, current_date - interval '23 months', 1)`.execute(
    db,
  )
  expect(await tidy()).toMatchObject({ strays: 5 })
  const left = async (table: string, key: string) =>
    (await sql`select from ${sql.table(table)} where ${sql.ref(key)} = ${id}`.execute(db)).rows.length
  expect(await left('job_event_rest', 'job_id')).toBe(3)
  expect(await left('listing_change_rest', 'listing_id')).toBe(1)
  expect(await left('listing_view_rest', 'listing_id')).toBe(1)
})

test('the audit log’s default partition is emptied as a whole once every entry in it has expired', async () => {
  const note = (months: number) =>
    sql`insert into audit_entry (action, at) values ('test', now() - make_interval(months => ${months}))`.execute(
      db,
    )
  const noted = async () => (await sql`select from audit_entry_rest`.execute(db)).rows.length
  await note(25)
  expect(await tidy()).toMatchObject({ partitions: ['audit_entry_rest'] })
  expect(await noted()).toBe(0)
  await note(25)
  await note(23)
  expect(await tidy()).toMatchObject({ partitions: [] })
  expect(await noted()).toBe(2)
})

test('ended jobs are deleted after 90 days with their events and artifacts, unfinished and newer ones never', async () => {
  const made = async (days: number, status: string) => {
    const { rows } = await sql<{ id: string }>`
      with made as (
        insert into job (queue, status, ended_at, created_at)
        select 'old', ${status}::text, case when ${status}::text <> 'waiting-manual' then at end, at
        from (select now() - make_interval(days => ${days}) as at)
        returning id, created_at
      ), told as (
        insert into job_event (job_id, seq, at, kind) select id, n, created_at, 'log' from made, generate_series(1, 3) n
      ), kept as (
        insert into job_artifact (job_id, name, file_key, bytes) select id, 'rows.csv', 'a', 1 from made
      )
      select id from made`.execute(db)
    return rows[0]?.id ?? ''
  }
  const old = [await made(91, 'completed'), await made(91, 'failed'), await made(92, 'cancelled')]
  const kept = [await made(89, 'completed'), await made(100, 'waiting-manual')]
  await db
    .updateTable('job')
    .set({ retry_of: old[0] ?? null })
    .where('id', '=', kept[0] ?? '')
    .execute()
  expect(await tidy()).toMatchObject({ jobs: 3, jobEvents: 9 })
  const of = (table: 'job_event' | 'job_artifact') =>
    db
      .selectFrom(table)
      .select('job_id')
      .distinct()
      .where('job_id', 'in', [...old, ...kept])
      .orderBy('job_id')
      .execute()
  const rest = kept.toSorted().map((job_id) => ({ job_id }))
  expect(await of('job_artifact')).toEqual(rest)
  expect(await of('job_event')).toEqual(rest)
  expect(
    await db.selectFrom('job').select(['id', 'retry_of']).where('queue', '=', 'old').orderBy('id').execute(),
  ).toEqual(kept.toSorted().map((id) => ({ id, retry_of: null })))
})

test('artifact files are deleted after their row, never before it or within a day', async () => {
  const { rows } = await sql<{ id: string }>`
    insert into job (queue, status, ended_at) values ('left', 'completed', now() - interval '89 days'),
      ('left', 'completed', now() - interval '91 days') returning id`.execute(db)
  const keys = ['has-a-row', 'row-is-gone', 'never-had-one', 'just-written'].map(
    (name) => `artifacts/${name}`,
  )
  const [kept = '', past = '', orphan = '', young = ''] = keys
  const days = new Date(Date.now() - 2 * 86_400_000)
  for (const key of keys) {
    await files.put(key, Buffer.from('12345'))
    if (key !== young) await utimes(join(dir, key), days, days)
  }
  await files.put('images/other', Buffer.from('1'))
  await utimes(join(dir, 'images/other'), days, days)
  await sql`
    insert into job_artifact (job_id, name, file_key, bytes)
    values (${rows[0]?.id}, 'a', ${kept}, 5), (${rows[1]?.id}, 'b', ${past}, 5)`.execute(db)
  const sweep = async () => {
    const jobId = await enqueueJob(db, { queue: sweepArtifactsQueue, payload: {} })
    return (await untilStatus({ db }, jobId, 'completed')).result
  }
  expect(await sweep()).toEqual({ files: 1, bytes: 5 })
  expect(await files.exists(orphan)).toBe(false)
  expect(await files.exists(past)).toBe(true)
  await tidy()
  expect(await sweep()).toEqual({ files: 1, bytes: 5 })
  const left = await Promise.all([kept, past, young, 'images/other'].map((key) => files.exists(key)))
  expect(left).toEqual([true, false, true, true])
})

test('mail is deleted 90 days after it was written, unless it is still to be sent', async () => {
  for (const state of ['sent', 'failed', 'kept', 'queued']) {
    for (const days of [89, 91]) {
      await sql`
        insert into mail (recipient, subject, body, state, created_at)
        values ('ann@yard.example', ${`${state} ${days}`}, '', ${state}, now() - make_interval(days => ${days}))`.execute(
        db,
      )
    }
  }
  expect(await tidy()).toMatchObject({ mails: 3 })
  const left = await db.selectFrom('mail').select('subject').orderBy('subject').execute()
  expect(left.map(({ subject }) => subject)).toEqual([
    'failed 89',
    'kept 89',
    'queued 89',
    'queued 91',
    'sent 89',
  ])
})

test('password reset links are deleted a day after they expired', async () => {
  const { id } = await db
    .insertInto('app_user')
    .values({ name: 'Bob', email: 'bob@yard.example', password_hash: '' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`
    insert into password_reset (token_hash, user_id, expires_at) values
      ('past', ${id}, now() - interval '25 hours'), ('kept', ${id}, now() - interval '23 hours')`.execute(db)
  expect(await tidy()).toMatchObject({ resets: 1 })
  const left = await db.selectFrom('password_reset').select('token_hash').execute()
  expect(left.map(({ token_hash }) => token_hash.toString())).toEqual(['kept'])
})

test('payment provider events are deleted 90 days after they were handled; unhandled ones stay', async () => {
  await sql`
    insert into stripe_event (id, type, received_at, handled_at) values
      ('past', 'invoice.paid', now() - interval '91 days', now() - interval '91 days'),
      ('handled late', 'invoice.paid', now() - interval '91 days', now() - interval '89 days'),
      ('new', 'invoice.paid', now() - interval '89 days', now() - interval '89 days'),
      ('unhandled', 'invoice.paid', now() - interval '91 days', null)`.execute(db)
  expect(await tidy()).toMatchObject({ providerEvents: 1 })
  const left = await db.selectFrom('stripe_event').select('id').orderBy('id').execute()
  expect(left.map(({ id }) => id)).toEqual(['handled late', 'new', 'unhandled'])
})
