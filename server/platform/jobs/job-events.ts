import { type RawBuilder, sql } from 'kysely'
import type { JobEventKind } from '#contract/job-events.ts'
import type { JsonValue } from '#db/schema.gen.ts'
import type { Db } from '#server/platform/database.ts'
import { JOB_CHANGED } from './job-changed.ts'
import type { RunKey } from './job-claims.ts'
import { FenceLost, type JobProgress } from './job-definition.ts'
import { isInRun } from './run-fence.ts'

export type JobEvent = {
  kind: JobEventKind
  stream?: string
  message: string
  data?: JsonValue
}

export type EventBatch = {
  events: readonly JobEvent[]
  /** Also becomes the job's current progress. */
  progress: JobProgress | undefined
  /** Tell the listeners. */
  notify: boolean
}

/**
 * Stores events of a run under the next numbers of its job, or throws FenceLost. Numbers are handed out by the job's row,
 * which stays locked until they are visible: whoever reads up to a number has seen all before it. (A global sequence
 * would let a later number appear first, and a reader that remembers the highest one loses lines.)
 */
export async function appendEvents(db: Db, run: RunKey, batch: EventBatch): Promise<void> {
  const count = batch.events.length
  const progress = batch.progress ? JSON.stringify(batch.progress) : null
  const { rows } = await sql`
    with numbered as (
      update job set last_seq = last_seq + ${count}, progress = coalesce(${progress}::jsonb, progress)
      where ${isInRun(run)}
      returning id, last_seq - ${count} as seq_before
    ), stored as (
      insert into job_event (job_id, seq, kind, stream, message, data)
      select id, seq_before + n, kind, stream, message, data
      from numbered, ${eventRows(sql`${JSON.stringify(batch.events)}::jsonb`)}
    )
    select case when ${batch.notify} then pg_notify(${JOB_CHANGED}, id::text) end from numbered`.execute(db)
  if (rows.length === 0) throw new FenceLost(run.jobId)
}

/** Events, a JSON array, as rows `(kind, stream, message, data, n)`, n counting from 1 in their order. */
export function eventRows(events: RawBuilder<unknown>) {
  return sql`rows from (
    jsonb_to_recordset(${events}) as (kind text, stream text, message text, data jsonb)
  ) with ordinality as event(kind, stream, message, data, n)`
}
