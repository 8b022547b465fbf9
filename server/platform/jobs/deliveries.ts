import { sql } from 'kysely'
import type pg from 'pg'
import { PgBoss } from 'pg-boss'
import type { Db } from '#server/platform/database.ts'
import type { Log } from '#server/platform/log.ts'
import type { JobQueue } from './job-definition.ts'

/*
 * Everything that knows the queue library. A delivery is its row (`pgboss.job`): "look whether this job can run". It
 * carries the id of our job, and has that same id, so that a job never has two. Whether the job really runs is decided
 * by our table alone, and when it ends the delivery goes; that is why retries, heartbeats and expiry of the library stay
 * unused. Rows are inserted by SQL, which the library supports, since that needs no second connection pool in the api
 * processes and joins the caller's transaction.
 */

// Our reconciler sees to lost workers. A delivery in work for longer than this only loses its mark of being in work.
const EXPIRE_SECONDS = 86_400

/** Makes the job deliverable, at the time it is due; a delivery that is there already starts afresh. */
export async function sendDelivery(trx: Db, jobId: string): Promise<void> {
  await sql`
    insert into pgboss.job (id, name, data, start_after, retry_limit, expire_seconds, keep_until)
    select id, queue, jsonb_build_object('jobId', id), run_after, 0, ${EXPIRE_SECONDS}, 'infinity'
    from job where id = ${jobId}
    on conflict (name, id) do update
      set state = 'created', start_after = excluded.start_after, started_on = null, completed_on = null,
          created_on = now()`.execute(trx)
}

export async function removeDelivery(trx: Db, jobId: string, queue: string): Promise<void> {
  await sql`delete from pgboss.job where name = ${queue} and id = ${jobId}`.execute(trx)
}

/** A worker's end of the queue library. */
export type Deliveries = {
  /** Takes up to `limit` due deliveries of a queue out of the hands of all other workers; answers their job ids. */
  take(queue: string, limit: number): Promise<string[]>
  close(): Promise<void>
}

/**
 * Installs or upgrades the queue library's schema, under its own lock, and declares the queues. Every process calls it
 * at its start, before the first enqueueJob; it costs a few queries where there is nothing to do.
 */
export async function prepareJobQueues(
  pool: pg.Pool,
  queues: readonly Pick<JobQueue<never>, 'name'>[],
): Promise<void> {
  const boss = openBoss(pool, { supervise: false })
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

/** Opens the library for a worker, which also keeps the library's tables tidy (expiry, index bloat). */
export async function openDeliveries(pool: pg.Pool, log: Log): Promise<Deliveries> {
  const boss = openBoss(pool, { supervise: true })
  boss.on('error', (error) => log.warn({ err: error }, 'queue library'))
  boss.on('warning', ({ message, data }) => log.warn({ data }, `queue library: ${message}`))
  await boss.start()
  return {
    take: async (queue, limit) =>
      (await boss.fetch<{ jobId: string }>(queue, { batchSize: limit })).map(({ data }) => data.jobId),
    close: () => boss.stop({ graceful: false, close: false }),
  }
}

// An idle system should rest: the library's own rounds only tidy tables that we keep small.
const TEN_MINUTES = 600
const HOUR = 3_600

function openBoss(pool: pg.Pool, { supervise }: { supervise: boolean }): PgBoss {
  return new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
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
