import type pg from 'pg'
import { PgBoss } from 'pg-boss'
import type { Log } from '#server/platform/log.ts'
import type { JobQueue } from './job-definition.ts'

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
