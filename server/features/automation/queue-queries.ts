import { sql } from 'kysely'
import type { JobStatus } from '#contract/automation.ts'
import type { Db } from '#server/platform/database/database.ts'

/* What is in the queues. */

export type QueueCount = {
  queue: string
  status: JobStatus
  count: number
  /** Of those the ones that are not due yet. */
  delayed: number
  /** Since when the one that is due longest has been. */
  dueSince: Date | null
}

/** Jobs that have ended, by queue and status: counted in an index, and yet 300 ms of a core for 1,000,000 of them. */
export async function countEnded(db: Db): Promise<QueueCount[]> {
  const { rows } = await sql<QueueCount>`
    select queue, status, count(*) as count, 0 as delayed, null::timestamptz as "dueSince"
    from job where status in ('completed', 'failed', 'cancelled') group by queue, status`.execute(db)
  return rows
}

export async function countUnfinished(db: Db): Promise<QueueCount[]> {
  const { rows } = await sql<QueueCount>`
    select queue, status, count(*) as count, count(*) filter (where run_after > now()) as delayed,
           min(run_after) filter (where run_after <= now() and status in ('queued', 'retrying')) as "dueSince"
    from job where status in ('queued', 'running', 'waiting-manual', 'retrying') group by queue, status`.execute(
    db,
  )
  return rows
}

/** Jobs that failed within the last hour, by queue. */
export async function countLateFailures(db: Db): Promise<{ queue: string; count: number }[]> {
  const { rows } = await sql<{ queue: string; count: number }>`
    select queue, count(*) as count from job
    where status = 'failed' and ended_at > now() - interval '1 hour' group by queue order by queue`.execute(
    db,
  )
  return rows
}

/** Since when which queues are paused. */
export async function listPauses(db: Db): Promise<Map<string, Date>> {
  const { rows } = await sql<{ name: string; pausedAt: Date }>`
    select name, paused_at as "pausedAt" from job_queue where paused_at is not null`.execute(db)
  return new Map(rows.map(({ name, pausedAt }) => [name, pausedAt]))
}
