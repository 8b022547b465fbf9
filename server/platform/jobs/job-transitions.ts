import { type RawBuilder, sql } from 'kysely'
import type { JsonValue } from '#db/schema.gen.ts'
import type { Db } from '#server/platform/database.ts'
import { deleteDeliveries, renewDeliveries } from './delivery-rows.ts'
import { JOB_CHANGED } from './job-changed.ts'
import type { RunKey } from './job-claims.ts'
import { eventRows, type JobEvent } from './job-events.ts'
import { IS_RUNNING } from './run-fence.ts'

/** What becomes of a job whose run ended, or that never ran. */
export type Outcome =
  | { readonly to: 'completed'; readonly result: JsonValue | undefined }
  | { readonly to: 'failed'; readonly error: string; readonly counts: 'attempt' | 'lost' }
  | {
      readonly to: 'retrying'
      readonly error: string
      readonly counts: 'attempt'
      readonly afterSeconds: number
    }
  | { readonly to: 'queued'; readonly reason?: string; readonly counts: 'lost' | 'nothing' }
  | { readonly to: 'cancelled' }

/**
 * Carries an outcome out: record, events, delivery and notice, in one statement. It waits for a fenced transaction of a run,
 * so that nothing of that is half done afterwards.
 */
export async function settleJob(db: Db, jobId: string, outcome: Outcome): Promise<void> {
  const settled = await settle(db, [{ jobId, outcome }], WAITING)
  if (settled.length === 0) throw new Error(`Job ${jobId} does not exist`)
}

/** The same outcome for many jobs, which the caller has locked. */
export async function settleJobs(trx: Db, jobIds: readonly string[], outcome: Outcome): Promise<void> {
  const asked = jobIds.map((jobId) => ({ jobId, outcome }))
  await settle(trx, asked, WAITING)
}

/** The same for the outcome of a run; answers false, and does nothing, where the run is over already. */
export async function settleRun(db: Db, run: RunKey, outcome: Outcome): Promise<boolean> {
  return (await settle(db, [{ ...run, outcome }], WAITING)).length > 0
}

export type RunOutcome = RunKey & { readonly outcome: Outcome }

/**
 * The same for many runs at once. Answers the jobs that it settled: those that are missing are over already, or
 * something holds their row, which the others do not wait for.
 */
export function settleFreeRuns(db: Db, outcomes: readonly RunOutcome[]): Promise<string[]> {
  return settle(db, outcomes, sql`skip locked`)
}

const WAITING = sql``

type Settling = { readonly jobId: string; readonly runNo?: number; readonly outcome: Outcome }

async function settle(db: Db, outcomes: readonly Settling[], held: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    /* prepared */
    with asked as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(outcomes.map(rowOf))}::jsonb) as asked(
        id uuid, run_no int, status text, result jsonb, error text, attempts int, lost int, after_seconds float8,
        ends boolean, events jsonb, count int)
    ), locked as (
      select job.id from job join asked on asked.id = job.id
      where asked.run_no is null or (asked.run_no = job.run_no and ${IS_RUNNING})
      order by job.id
      for update of job ${held}
    ), settled as (
      update job
      set status = asked.status,
          result = asked.result,
          error = asked.error,
          attempts = job.attempts + asked.attempts,
          lost_deliveries = lost_deliveries + asked.lost,
          run_after = now() + make_interval(secs => asked.after_seconds),
          ended_at = case when asked.ends then now() end,
          heartbeat_at = null,
          question = null,
          last_seq = last_seq + asked.count,
          updated_at = now()
      from locked join asked on asked.id = locked.id
      where job.id = locked.id
      returning job.id, queue, job.run_no, run_after, ends, events, last_seq - count as seq_before
    ), stored as (
      insert into job_event (job_id, seq, kind, stream, message, data)
      select id, seq_before + n, kind, stream, message, data || jsonb_build_object('runNo', run_no)
      from settled, ${eventRows(sql`events`)}
    ), taken_back as (
      ${deleteDeliveries(sql`(select * from settled where ends)`)}
    ), sent as (
      ${renewDeliveries(sql`settled where not ends`)}
    )
    select id, pg_notify(${JOB_CHANGED}, id::text) from settled`.execute(db)
  return rows.map(({ id }) => id)
}

function rowOf({ jobId, runNo, outcome }: Settling): Record<string, unknown> {
  const ends = outcome.to !== 'retrying' && outcome.to !== 'queued'
  const counts = 'counts' in outcome ? outcome.counts : 'nothing'
  const events = eventsOf(outcome, ends)
  return {
    id: jobId,
    run_no: runNo,
    status: outcome.to,
    ...(outcome.to === 'completed' && { result: outcome.result ?? null }),
    error: 'error' in outcome ? outcome.error : null,
    attempts: counts === 'attempt' ? 1 : 0,
    lost: counts === 'lost' ? 1 : 0,
    after_seconds: 'afterSeconds' in outcome ? outcome.afterSeconds : 0,
    ends,
    events,
    count: events.length,
  }
}

function eventsOf(outcome: Outcome, ends: boolean): JobEvent[] {
  const status = {
    status: outcome.to,
    ...('afterSeconds' in outcome && { afterSeconds: outcome.afterSeconds }),
  }
  const events: JobEvent[] = [{ kind: 'status', message: outcome.to, data: status }]
  if ('error' in outcome) events.unshift({ kind: 'error', message: outcome.error })
  if ('reason' in outcome && outcome.reason) events.unshift({ kind: 'error', message: outcome.reason })
  if (ends) events.push({ kind: 'done', message: outcome.to, data: status })
  return events
}
