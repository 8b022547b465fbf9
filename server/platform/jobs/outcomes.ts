import { setImmediate } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { JsonValue } from '#db/schema.gen.ts'
import { type Db, isDatabaseDown } from '#server/platform/database/database.ts'
import { storableError } from '#server/platform/database/storable-text.ts'
import { DISK_RETRY_SECONDS, diskFailure } from '#server/platform/disk-failure.ts'
import { IS_RUNNING, type RunKey } from './claims.ts'
import { deleteDeliveries, renewDeliveries } from './deliveries.ts'
import { FenceLost, GiveUp } from './job-definition.ts'
import { eventRows, JOB_CHANGED, type JobEvent } from './job-events.ts'

/** What happens to a job after a run, or without one. */
export type Outcome =
  | { readonly to: 'completed'; readonly result: JsonValue | undefined }
  | { readonly to: 'failed'; readonly error: string; readonly counts: 'attempt' | 'lost' }
  | {
      readonly to: 'retrying'
      readonly error: string
      readonly counts: 'attempt' | 'nothing'
      readonly afterSeconds: number
    }
  | { readonly to: 'queued'; readonly reason?: string; readonly counts: 'lost' | 'nothing' }
  | { readonly to: 'cancelled' }

/**
 * Applies an outcome to a job: row, events, delivery and notification in one statement. Waits for a fenced transaction of
 * the job's run, so that none is cut off halfway.
 */
export async function settleJob(db: Db, jobId: string, outcome: Outcome): Promise<void> {
  const settled = await settle(db, [{ jobId, outcome }], WAITING)
  if (settled.length === 0) throw new Error(`Job ${jobId} does not exist`)
}

/** The same outcome for many jobs, which the caller has locked. */
export async function settleJobs(trx: Db, jobIds: readonly string[], outcome: Outcome): Promise<void> {
  const changes = jobIds.map((jobId) => ({ jobId, outcome }))
  await settle(trx, changes, WAITING)
}

/** Applies the outcome of a run; returns false and does nothing if the run is already over. */
export async function settleRun(db: Db, run: RunKey, outcome: Outcome): Promise<boolean> {
  return (await settle(db, [{ ...run, outcome }], WAITING)).length > 0
}

type RunOutcome = RunKey & { readonly outcome: Outcome }

/**
 * Applies outcomes of many runs at once. Returns the settled jobs; missing ones are already over, or their row was
 * locked and skipped.
 */
export function settleFreeRuns(db: Db, outcomes: readonly RunOutcome[]): Promise<string[]> {
  return settle(db, outcomes, sql`skip locked`)
}

const WAITING = sql``

type JobOutcome = { readonly jobId: string; readonly runNo?: number; readonly outcome: Outcome }

async function settle(db: Db, outcomes: readonly JobOutcome[], held: RawBuilder<unknown>): Promise<string[]> {
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
    ), removed as (
      ${deleteDeliveries(sql`(select * from settled where ends)`)}
    ), sent as (
      ${renewDeliveries(sql`settled where not ends`)}
    )
    select id, pg_notify(${JOB_CHANGED}, id::text) from settled`.execute(db)
  return rows.map(({ id }) => id)
}

function rowOf({ jobId, runNo, outcome }: JobOutcome): Record<string, unknown> {
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

/** Why a run's signal was aborted; the signal's reason is one of these, so handlers throw it on. */
export class RunAborted extends Error {
  override name = 'RunAborted'
  readonly why: 'cancelled' | 'timeout' | 'taken-over' | 'stopping' | 'parked'

  constructor(why: RunAborted['why'], message: string) {
    super(message)
    this.why = why
  }
}

/** The job keeps waiting for its answer without a worker. */
export type Parked = { readonly to: 'waiting-manual' }

export type RunEnd = { readonly result: JsonValue | undefined } | { readonly error: unknown }

export type RunFacts = {
  readonly end: RunEnd
  readonly aborted: RunAborted | undefined
  /** The error happened during a database outage. */
  readonly duringOutage: boolean
  readonly resumable: boolean
  /** Errors of earlier runs. */
  readonly attempts: number
  readonly maxAttempts: number
  readonly retryDelaySeconds: number
}

const LONGEST_DELAY_SECONDS = 3_600

/**
 * Decides what happens to a job after a run; undefined if the job belongs to another run. Finished work counts as finished
 * even if it was canceled or stopped meanwhile.
 */
export function decideOutcome(facts: RunFacts): Outcome | Parked | undefined {
  const { end, aborted } = facts
  if (aborted?.why === 'taken-over') return undefined
  if ('result' in end) return { to: 'completed', result: end.result }
  if (end.error instanceof FenceLost) return undefined
  if (aborted?.why === 'cancelled') return { to: 'cancelled' }
  if (aborted?.why === 'parked') return { to: 'waiting-manual' }
  if (aborted?.why === 'stopping') return interrupted(facts.resumable, 'worker stopped')
  if (facts.duringOutage && facts.resumable) return interrupted(true, 'the database was away')
  const error = storableError(aborted?.why === 'timeout' ? aborted : end.error)
  // Retried until the disk has room again; only time is lost.
  if (facts.resumable && !aborted && diskFailure(end.error)) {
    return { to: 'retrying', error, counts: 'nothing', afterSeconds: DISK_RETRY_SECONDS }
  }
  const attempt = facts.attempts + 1
  if (attempt >= facts.maxAttempts || end.error instanceof GiveUp) {
    return { to: 'failed', error, counts: 'attempt' }
  }
  const afterSeconds = Math.min(facts.retryDelaySeconds * 2 ** facts.attempts, LONGEST_DELAY_SECONDS)
  return { to: 'retrying', error, counts: 'attempt', afterSeconds }
}

function interrupted(resumable: boolean, reason: string): Outcome {
  return resumable
    ? { to: 'queued', reason, counts: 'nothing' }
    : { to: 'failed', error: `worker lost: ${reason} before the job ended`, counts: 'lost' }
}

/** A job that was redelivered this often after lost workers is likely what kills them. */
const MAX_LOST_DELIVERIES = 5

/** Decides what happens to a running job whose worker sends no heartbeats. */
export function decideLost(job: {
  cancelRequested: boolean
  resumable: boolean
  lostDeliveries: number
}): Outcome {
  if (job.cancelRequested) return { to: 'cancelled' }
  return job.resumable && job.lostDeliveries < MAX_LOST_DELIVERIES
    ? { to: 'queued', reason: 'worker lost', counts: 'lost' }
    : { to: 'failed', error: 'worker lost', counts: 'lost' }
}

// Rows locked by one statement, which takes a few milliseconds for this many.
const MAX_BATCH = 100

type Waiting = RunOutcome & PromiseWithResolvers<boolean>

/**
 * Stores the outcomes of a worker's runs. Outcomes that arrive while a statement is running share the next one: a single
 * one does not wait, and a thousand short jobs per second need only a few dozen commits.
 */
export class OutcomeWriter {
  readonly #db: Db
  #waiting: Waiting[] = []
  #writing: Promise<void> | undefined

  constructor(db: Db) {
    this.#db = db
  }

  /** Returns false if the run is already over. */
  settle({ jobId, runNo }: RunKey, outcome: Outcome): Promise<boolean> {
    const waiting: Waiting = { jobId, runNo, outcome, ...Promise.withResolvers<boolean>() }
    this.#waiting.push(waiting)
    this.#writing ??= this.#writeAll()
    return waiting.promise
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Handlers that end in the same turn of the event loop share a statement.
      await setImmediate()
      const batch = this.#waiting.splice(0, MAX_BATCH)
      const [first] = batch
      if (batch.length === 1 && first) await this.#writeAlone(first)
      else await this.#writeTogether(batch)
    }
    // In the same tick as the check above: an outcome that arrived in between would be stuck until the next one.
    this.#writing = undefined
  }

  async #writeTogether(batch: readonly Waiting[]): Promise<void> {
    try {
      const settled = new Set(await settleFreeRuns(this.#db, batch))
      for (const one of batch) {
        if (settled.has(one.jobId)) one.resolve(true)
        // Already over, or its row is locked: either way the others do not wait for it.
        else void this.#writeAlone(one)
      }
    } catch (error) {
      // One outcome that cannot be stored must not block the others.
      if (isDatabaseDown(error)) for (const one of batch) one.reject(error)
      else await Promise.all(batch.map((one) => this.#writeAlone(one)))
    }
  }

  async #writeAlone(one: Waiting): Promise<void> {
    try {
      one.resolve(await settleRun(this.#db, one, one.outcome))
    } catch (error) {
      one.reject(error)
    }
  }
}
