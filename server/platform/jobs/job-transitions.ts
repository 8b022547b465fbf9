import { type RawBuilder, sql } from 'kysely'
import type { JsonValue } from '#db/schema.gen.ts'
import type { Db } from '#server/platform/database.ts'
import { deleteDeliveries, renewDeliveries } from './delivery-rows.ts'
import { JOB_CHANGED } from './job-changed.ts'
import type { RunKey } from './job-claims.ts'
import { eventRows, type JobEvent } from './job-events.ts'
import { isInRun } from './run-fence.ts'

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
  if (!(await settle(db, sql`id = ${jobId}`, outcome))) throw new Error(`Job ${jobId} does not exist`)
}

/** The same for the outcome of a run; answers false, and does nothing, where the run is over already. */
export function settleRun(db: Db, run: RunKey, outcome: Outcome): Promise<boolean> {
  return settle(db, isInRun(run), outcome)
}

async function settle(db: Db, which: RawBuilder<unknown>, outcome: Outcome): Promise<boolean> {
  const ends = outcome.to !== 'retrying' && outcome.to !== 'queued'
  const counts = 'counts' in outcome ? outcome.counts : 'nothing'
  const events = eventsOf(outcome, ends)
  const { rows } = await sql`
    with locked as (
      select id from job where ${which} for update
    ), settled as (
      update job
      set status = ${outcome.to},
          result = ${outcome.to === 'completed' ? JSON.stringify(outcome.result ?? null) : null}::jsonb,
          error = ${'error' in outcome ? outcome.error : null},
          attempts = attempts + ${counts === 'attempt' ? 1 : 0},
          lost_deliveries = lost_deliveries + ${counts === 'lost' ? 1 : 0},
          run_after = now() + make_interval(secs => ${'afterSeconds' in outcome ? outcome.afterSeconds : 0}),
          ended_at = case when ${ends} then now() end,
          heartbeat_at = null,
          question = null,
          last_seq = last_seq + ${events.length},
          updated_at = now()
      from locked where job.id = locked.id
      returning job.id, queue, run_no, run_after, last_seq - ${events.length} as seq_before
    ), stored as (
      insert into job_event (job_id, seq, kind, stream, message, data)
      select id, seq_before + n, kind, stream, message, data || jsonb_build_object('runNo', run_no)
      from settled, ${eventRows(events)}
    ), delivered as (
      ${ends ? deleteDeliveries(sql`settled`) : renewDeliveries(sql`settled`)}
    )
    select pg_notify(${JOB_CHANGED}, id::text) from settled`.execute(db)
  return rows.length > 0
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
