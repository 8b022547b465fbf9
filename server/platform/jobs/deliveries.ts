import { type RawBuilder, sql } from 'kysely'
import type pg from 'pg'
import type { PgBoss } from 'pg-boss'
import type { Db } from '#server/platform/database/database.ts'
import type { Log } from '#server/platform/log.ts'
import type { JobQueue } from './job-definition.ts'

/*
 * A delivery is a row of pg-boss (`pgboss.job`) that means "this job is waiting for a worker". It has the same id as our
 * job, so a job never has two. The statement that starts a job deletes its delivery, so the two never disagree; pg-boss's
 * own retries, heartbeats and expiry are unused. We write the rows in SQL, which pg-boss supports: it needs no second
 * connection pool in the api processes and joins the caller's transaction. `claims.ts` and `reconciler.ts` also read the
 * table where it is joined with ours.
 */

// pg-boss expires only active deliveries, and ours never are.
const EXPIRE_SECONDS = 86_400

/** Inserts deliveries for `jobs`, the `from` clause of a relation with `id`, `queue` and `run_after`. */
export function insertDeliveries(jobs: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    insert into pgboss.job (id, name, data, start_after, retry_limit, expire_seconds, keep_until)
    select id, queue, jsonb_build_object('jobId', id), run_after, 0, ${EXPIRE_SECONDS}::int, 'infinity' from ${jobs}`
}

/** The same, but resets a delivery that already exists. */
export function renewDeliveries(jobs: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    ${insertDeliveries(jobs)}
    on conflict (name, id) do update
      set state = 'created', start_after = excluded.start_after, started_on = null, completed_on = null,
          created_on = now()`
}

/** Deletes the deliveries of `jobs`, a relation with `id` and `queue`. */
export function deleteDeliveries(jobs: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    delete from pgboss.job delivery using ${jobs} as gone where delivery.name = gone.queue and delivery.id = gone.id`
}

/** Makes the job deliverable when it is due. */
export async function sendDelivery(trx: Db, jobId: string): Promise<void> {
  await renewDeliveries(sql`job where id = ${jobId}`).execute(trx)
}

// An arbitrary number, the same in every process.
const PREPARE_LOCK = 7_204_113

/**
 * Installs or upgrades pg-boss's schema and creates the queues, one process at a time: pg-boss takes its own lock only
 * after `create schema`, which fails if two processes run it at once. Costs a few queries if there is nothing to do.
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
  const boss = await openBoss(client, { supervise: false })
  // Errors that matter fail the calls below.
  boss.on('error', () => undefined)
  await boss.start()
  try {
    const known = new Set((await boss.getQueues()).map(({ name }) => name))
    for (const { name } of queues) if (!known.has(name)) await boss.createQueue(name)
  } finally {
    await boss.stop({ graceful: false, close: false })
  }
}

/** Runs pg-boss's table maintenance (expiry, index bloat) until `close`. */
export async function maintainDeliveries(pool: pg.Pool, log: Log): Promise<{ close(): Promise<void> }> {
  const boss = await openBoss(pool, { supervise: true })
  boss.on('error', (error) => log.warn({ err: error }, 'queue library'))
  boss.on('warning', ({ message, data }) => log.warn({ data }, `queue library: ${message}`))
  await boss.start()
  return { close: () => boss.stop({ graceful: false, close: false }) }
}

// Rarely, because pg-boss's own rounds only maintain tables that we keep small.
const TEN_MINUTES = 600
const HOUR = 3_600

async function openBoss(
  database: pg.Pool | pg.ClientBase,
  { supervise }: { supervise: boolean },
): Promise<PgBoss> {
  // Only now: a script's process claims its own job and needs none of the library's 50 files.
  const { PgBoss } = await import('pg-boss')
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

/** Throws if jobs cannot be enqueued. For `/readyz`. */
export async function requireQueues(db: Db): Promise<void> {
  const { rows } = await sql`select from pgboss.queue limit 1`.execute(db)
  if (rows.length === 0) throw new Error('no job queues: the migration has not finished')
}

/** Stops starting jobs of the queue; running jobs continue. Idempotent. */
export async function pauseQueue(db: Db, queue: string, userId: string): Promise<void> {
  await sql`
    insert into job_queue (name, paused_at, paused_by) values (${queue}, now(), ${userId})
    on conflict (name) do update set paused_at = excluded.paused_at, paused_by = excluded.paused_by
      where job_queue.paused_at is null`.execute(db)
}

export async function resumeQueue(db: Db, queue: string): Promise<void> {
  await sql`update job_queue set paused_at = null, paused_by = null where name = ${queue}`.execute(db)
}
