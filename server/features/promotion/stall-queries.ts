import { sql } from 'kysely'
import type { Db } from '#server/platform/database.ts'
import { ingestQueue } from './promotion-queues.ts'
import type { DeadEnd } from './stop-reason.ts'

/*
 * A promotion waits for the job of its state. It stalls where that job ended otherwise than completed, unless a job for
 * all of its dataset takes it along.
 */

// As many as one round ends; the next goes on.
const MOST_AT_ONCE = 500

const stalled = sql`
  select p.id, wanted.job_id as "jobId", coalesce(j.status, 'gone') as end
  from promotion p
  cross join lateral (
    select case when p.state = 'planning' and p.ingest_job_id is null then p.plan_job_id
                when p.state = 'undoing' then p.undo_job_id
                else p.ingest_job_id end as job_id
  ) wanted
  left join job j on j.id = wanted.job_id
  where (p.state in ('planning', 'applying', 'undoing') or (p.state = 'planned' and p.approved_at is not null))
    and wanted.job_id is not null
    and coalesce(j.status, 'failed') in ('failed', 'cancelled')
    and not (p.state <> 'undoing' and exists (
      select from job other
      where other.status in ('queued', 'retrying', 'running', 'waiting-manual')
        and (other.id = p.plan_job_id
          or (other.queue = ${ingestQueue.name} and other.payload ->> 'dataset' = p.dataset
            and coalesce(other.payload ->> 'promotionId', p.id::text) = p.id::text))
    ))
`

/** There hardly ever are any: a job every two minutes that finds none would leave 720 records a day. */
export async function hasStalled(db: Db): Promise<boolean> {
  const { rows } = await sql`${stalled} limit 1`.execute(db)
  return rows.length > 0
}

export async function listStalled(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`${stalled} order by p.id limit ${MOST_AT_ONCE}`.execute(db)
  return rows.map(({ id }) => id)
}

/** The job that ended without the promotion; undefined where it goes on. */
export async function findStall(db: Db, id: string): Promise<{ jobId: string; end: DeadEnd } | undefined> {
  const { rows } = await sql<{ jobId: string; end: DeadEnd }>`${stalled} and p.id = ${id}`.execute(db)
  return rows[0]
}
