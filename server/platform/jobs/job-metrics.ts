import { sql } from 'kysely'
import { Gauge, type Registry } from 'prom-client'
import type { Db } from '#server/platform/database/database.ts'

/**
 * Adds the metrics for alerts about workers, read from the database at each scrape because workers have no port. While
 * the database is down they have no values, and `database_up` is 0.
 */
export function measureJobs(registry: Registry, db: Db): void {
  new Gauge({
    name: 'database_up',
    help: 'Whether this process can query the database.',
    registers: [registry],
    async collect() {
      this.set((await read(sql`select 1`, db)) ? 1 : 0)
    },
  })
  new Gauge({
    name: 'jobs_by_state',
    help: 'Jobs by queue: due (should be running), running, waiting-manual, and failed in the last hour.',
    labelNames: ['queue', 'state'],
    registers: [registry],
    async collect() {
      this.reset()
      for (const { queue, state, count } of (await read(COUNTS, db)) ?? []) this.set({ queue, state }, count)
    },
  })
  new Gauge({
    name: 'job_oldest_due_seconds',
    help: 'How long the oldest job of a queue has been due without being taken by a worker.',
    labelNames: ['queue'],
    registers: [registry],
    async collect() {
      this.reset()
      for (const { queue, seconds } of (await read(OLDEST, db)) ?? []) this.set({ queue }, seconds)
    },
  })
}

// Both queries use the indexes of unfinished and failed jobs, not the millions of ended ones.
const COUNTS = sql<{ queue: string; state: string; count: number }>`
  select queue, case when status in ('queued', 'retrying') then 'due' else status end as state, count(*) as count
  from job
  where status in ('queued', 'running', 'waiting-manual', 'retrying')
    and (status not in ('queued', 'retrying') or run_after <= now())
  group by 1, 2
  union all
  select queue, 'failed', count(*) from job
  where status = 'failed' and ended_at > now() - interval '1 hour'
  group by 1`

// A job whose concurrency key is taken waits for another one, not for a worker.
const OLDEST = sql<{ queue: string; seconds: number }>`
  select queue, extract(epoch from now() - min(run_after))::float8 as seconds
  from job
  where status in ('queued', 'retrying') and run_after <= now() and not exists (
    select from job holder
    where holder.concurrency_key = job.concurrency_key and holder.status in ('running', 'waiting-manual')
  )
  group by 1`

type Statement<T> = ReturnType<typeof sql<T>>

/** Returns undefined if the database fails, so that a scrape still returns everything else. */
async function read<T>(statement: Statement<T>, db: Db): Promise<T[] | undefined> {
  try {
    return (await statement.execute(db)).rows
  } catch {
    return undefined
  }
}
