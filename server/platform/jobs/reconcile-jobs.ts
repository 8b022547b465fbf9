import { sql } from 'kysely'
import type { Db } from '#server/platform/database.ts'
import { decideLost } from './decide-outcome.ts'
import { sendDelivery } from './deliveries.ts'
import { type Outcome, settleJob } from './job-transitions.ts'

// A worker claims a job within milliseconds of taking its delivery; after this it never will.
const CLAIM_WITHIN_SECONDS = 15

const isLost = (staleSeconds: number) => sql`
  job.status in ('running', 'waiting-manual') and job.heartbeat_at < now() - make_interval(secs => ${staleSeconds})`

const isUnsent = sql`
  job.status in ('queued', 'retrying') and not exists (
    select from pgboss.job delivery
    where delivery.name = job.queue and delivery.id = job.id
      and (delivery.state in ('created', 'retry')
        or (delivery.state = 'active'
          and delivery.started_on > now() - make_interval(secs => ${CLAIM_WITHIN_SECONDS})))
  )`

const isSpare = sql`
  not exists (
    select from job
    where job.id = delivery.id and job.status in ('queued', 'retrying', 'running', 'waiting-manual')
  )`

export type Wrong = { readonly lost: boolean; readonly unsent: boolean; readonly spare: boolean }

/** What needs mending, in one query: mostly nothing. */
export async function findWrong(db: Db, staleSeconds: number): Promise<Wrong> {
  const { rows } = await sql<Wrong>`
    select exists (select from job where ${isLost(staleSeconds)}) as lost,
           exists (select from job where ${isUnsent}) as unsent,
           exists (select from pgboss.job delivery where ${isSpare}) as spare`.execute(db)
  return rows[0] ?? { lost: false, unsent: false, spare: false }
}

/** A round does this much of each kind at most; the next one comes in a few seconds. */
const AT_ONCE = 500

export type Lost = { readonly jobId: string; readonly outcome: Outcome }

/**
 * Settles the jobs whose worker has shown no sign of life for too long. Rows that a fenced transaction holds are left:
 * whoever holds them is alive, or its connection ends soon.
 */
export async function settleLostRuns(db: Db, staleSeconds: number): Promise<Lost[]> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{
      jobId: string
      resumable: boolean
      lostDeliveries: number
      cancelRequested: boolean
    }>`
      select id as "jobId", resumable, lost_deliveries as "lostDeliveries",
             cancel_requested_at is not null as "cancelRequested"
      from job
      where ${isLost(staleSeconds)}
      limit ${AT_ONCE}
      for update skip locked`.execute(trx)
    const lost = rows.map((job) => ({ jobId: job.jobId, outcome: decideLost(job) }))
    for (const { jobId, outcome } of lost) await settleJob(trx, jobId, outcome)
    return lost
  })
}

/** Sends waiting jobs again whose delivery vanished, or was taken by a worker that ended before it could start them. */
export async function resendDeliveries(db: Db): Promise<string[]> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ id: string }>`
      select job.id from job
      join pgboss.queue on queue.name = job.queue
      where ${isUnsent}
      limit ${AT_ONCE}
      for update of job skip locked`.execute(trx)
    for (const { id } of rows) await sendDelivery(trx, id)
    return rows.map(({ id }) => id)
  })
}

/** Removes deliveries whose job has ended or does not exist. The queue library's tables hold nothing but deliveries. */
export async function clearDeliveries(db: Db): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from pgboss.job delivery where ${isSpare}`.execute(db)
  return Number(numAffectedRows ?? 0)
}
