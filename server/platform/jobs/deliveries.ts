import { type RawBuilder, sql } from 'kysely'
import type pg from 'pg'
import { PgBoss } from 'pg-boss'
import type { Db } from '#server/platform/database/database.ts'
import type { Log } from '#server/platform/log.ts'
import type { JobQueue } from './job-definition.ts'

/*
 * A delivery is a row of the queue library (`pgboss.job`): "this job waits for a worker". It carries the id of our job,
 * and has that same id, so that a job never has two. The statement that starts a job takes its delivery away, so a
 * running job has none and nothing lies between the two; that is why retries, heartbeats and expiry of the library stay
 * unused. Rows are written by SQL, which the library supports, since that needs no second connection pool in the api
 * processes and joins the caller's transaction. How a row looks stands here; it is also asked for where both tables meet
 * in one statement (`job-claims.ts`, `reconcile-jobs.ts`), and whether there is a queue in `enqueue-job.ts` and
 * `queues-ready.ts`.
 */

// Only of one that is in work, which ours never are.
const EXPIRE_SECONDS = 86_400

/** The insert of deliveries for jobs: what follows `from`, with `id`, `queue` and `run_after`, says for which. */
export function insertDeliveries(jobs: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    insert into pgboss.job (id, name, data, start_after, retry_limit, expire_seconds, keep_until)
    select id, queue, jsonb_build_object('jobId', id), run_after, 0, ${EXPIRE_SECONDS}::int, 'infinity' from ${jobs}`
}

/** The same where a delivery may be there already: it starts afresh. */
export function renewDeliveries(jobs: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    ${insertDeliveries(jobs)}
    on conflict (name, id) do update
      set state = 'created', start_after = excluded.start_after, started_on = null, completed_on = null,
          created_on = now()`
}

/** The delete of deliveries of jobs, a relation with `id` and `queue`. */
export function deleteDeliveries(jobs: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    delete from pgboss.job delivery using ${jobs} as gone where delivery.name = gone.queue and delivery.id = gone.id`
}

/** Makes the job deliverable, at the time it is due. */
export async function sendDelivery(trx: Db, jobId: string): Promise<void> {
  await renewDeliveries(sql`job where id = ${jobId}`).execute(trx)
}

/* The queue library itself. It keeps the deliveries; what those are is told in `delivery-rows.ts`. */

// Any number of ours; the same in every process.
const PREPARE_LOCK = 7_204_113

/**
 * Installs or upgrades the queue library's schema and declares the queues, one process after the other: the library's
 * own lock comes after its `create schema`, which two at once do not survive. Every process calls it at its start,
 * before the first enqueueJob; it costs a few queries where there is nothing to do.
 */
export async function prepareJobQueues(
  pool: pg.Pool,
  queues: readonly Pick<JobQueue<never>, 'name'>[],
): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [PREPARE_LOCK])
    try {
      await declareQueues(client, queues)
    } finally {
      await client.query('select pg_advisory_unlock($1)', [PREPARE_LOCK])
    }
  } finally {
    client.release()
  }
}

async function declareQueues(
  client: pg.ClientBase,
  queues: readonly Pick<JobQueue<never>, 'name'>[],
): Promise<void> {
  const boss = openBoss(client, { supervise: false })
  // Nothing is listening for long enough to care: what matters fails the calls below.
  boss.on('error', () => undefined)
  await boss.start()
  try {
    const known = new Set((await boss.getQueues()).map(({ name }) => name))
    for (const { name } of queues) if (!known.has(name)) await boss.createQueue(name)
  } finally {
    await boss.stop({ graceful: false, close: false })
  }
}

/** Keeps the library's tables tidy (expiry, index bloat), until `close`. */
export async function tendDeliveries(pool: pg.Pool, log: Log): Promise<{ close(): Promise<void> }> {
  const boss = openBoss(pool, { supervise: true })
  boss.on('error', (error) => log.warn({ err: error }, 'queue library'))
  boss.on('warning', ({ message, data }) => log.warn({ data }, `queue library: ${message}`))
  await boss.start()
  return { close: () => boss.stop({ graceful: false, close: false }) }
}

// An idle system should rest: the library's own rounds only tidy tables that we keep small.
const TEN_MINUTES = 600
const HOUR = 3_600

function openBoss(database: pg.Pool | pg.ClientBase, { supervise }: { supervise: boolean }): PgBoss {
  return new PgBoss({
    db: { executeSql: (text, values) => database.query(text, values) },
    supervise,
    schedule: false,
    superviseIntervalSeconds: TEN_MINUTES,
    monitorIntervalSeconds: HOUR,
    maintenanceIntervalSeconds: HOUR,
    queueCacheIntervalSeconds: HOUR,
    flowIntervalSeconds: HOUR,
    bamIntervalSeconds: TEN_MINUTES,
  })
}

/** Throws where jobs cannot be enqueued: what `/readyz` asks. */
export async function requireQueues(db: Db): Promise<void> {
  const { rows } = await sql`select from pgboss.queue limit 1`.execute(db)
  if (rows.length === 0) throw new Error('no job queues: the migration has not run to its end')
}

/** Nothing of the queue is started from now on; what runs goes on. Pausing twice changes nothing. */
export async function pauseQueue(db: Db, queue: string, userId: string): Promise<void> {
  await sql`
    insert into job_queue (name, paused_at, paused_by) values (${queue}, now(), ${userId})
    on conflict (name) do update set paused_at = excluded.paused_at, paused_by = excluded.paused_by
      where job_queue.paused_at is null`.execute(db)
}

export async function resumeQueue(db: Db, queue: string): Promise<void> {
  await sql`update job_queue set paused_at = null, paused_by = null where name = ${queue}`.execute(db)
}
