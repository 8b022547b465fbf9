import { sql } from 'kysely'
import type { JsonValue } from '#db/schema.gen.ts'
import type { Db } from '#server/platform/database.ts'
import { removeDelivery, sendDelivery } from './delivery-rows.ts'
import { notifyJobChanged } from './job-changed.ts'
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
 * Locks the job for a change of its status; answers false where that run is over already. The lock waits for a fenced
 * transaction of the run, so that nothing of it is half done afterwards.
 */
export async function lockRun(trx: Db, run: RunKey): Promise<boolean> {
  const { rows } = await sql`select from job where ${isInRun(run)} for update`.execute(trx)
  return rows.length > 0
}

/** Carries an outcome out: record, events and delivery. The caller's transaction has the job's row locked. */
export async function settleJob(trx: Db, jobId: string, outcome: Outcome): Promise<void> {
  const ends = outcome.to !== 'retrying' && outcome.to !== 'queued'
  const counts = 'counts' in outcome ? outcome.counts : 'nothing'
  const events = eventsOf(outcome, ends)
  const { rows } = await sql<{ queue: string }>`
    with settled as (
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
      where id = ${jobId}
      returning id, queue, run_no, last_seq - ${events.length} as seq_before
    ), stored as (
      insert into job_event (job_id, seq, kind, stream, message, data)
      select id, seq_before + n, kind, stream, message, data || jsonb_build_object('runNo', run_no) from settled, ${eventRows(events)}
    )
    select queue from settled`.execute(trx)
  const queue = rows[0]?.queue
  if (queue === undefined) throw new Error(`Job ${jobId} does not exist`)
  if (ends) await removeDelivery(trx, jobId, queue)
  else await sendDelivery(trx, jobId)
  await notifyJobChanged(trx, jobId)
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
