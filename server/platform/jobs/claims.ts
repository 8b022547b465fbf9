import { type RawBuilder, sql } from 'kysely'
import type { Json, JsonValue } from '#db/schema.gen.ts'
import type { Db } from '#server/platform/database/database.ts'
import { deleteDeliveries } from './deliveries.ts'
import { FenceLost } from './job-definition.ts'

/** Matches jobs that have a worker: not ended, and not parked on a question. */
export const IS_RUNNING: RawBuilder<unknown> = sql`
  job.status in ('running', 'waiting-manual') and job.heartbeat_at is not null`

/** Matches a job that is still in this run and has not been given to another. */
export const isInRun = ({ jobId, runNo }: RunKey): RawBuilder<unknown> => sql`
  job.id = ${jobId} and job.run_no = ${runNo} and ${IS_RUNNING}`

/**
 * Locks the job for this run until the transaction ends. Heartbeats and events pass the lock (they change no key), but
 * giving the job to another run does not, because it takes `for update`. @throws FenceLost
 */
export async function holdFence(trx: Db, run: RunKey): Promise<void> {
  const { rows } = await sql`
    select set_config('idle_in_transaction_session_timeout', ${`${MAX_IDLE_SECONDS}s`}, true),
           set_config('application_name', ${fenceName(run.jobId)}, true)
    from job
    where ${isInRun(run)}
    for key share`.execute(trx)
  if (rows.length === 0) throw new FenceLost(run.jobId)
}

/** A transaction of this run that is fenced from its first statement. @throws FenceLost */
export function inFence<T>(db: Db, run: RunKey, work: (trx: Db) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (trx) => {
    await holdFence(trx, run)
    return work(trx)
  })
}

/** The application name of a connection while it holds a job's fence, by which `endStoppedRuns` finds it. */
export const fenceName = (jobId: string): string => `run ${jobId}`

// A worker that hangs in a fenced transaction blocks the job. The database ends such a transaction after this time, so that
// another worker gets the job within half a minute. No handler computes this long between two statements.
const MAX_IDLE_SECONDS = 10

/** Does not count as a heartbeat, because a script writes from its own process even while its worker is paused. */
export async function storeCheckpoint(db: Db, run: RunKey, checkpoint: JsonValue): Promise<void> {
  const { numAffectedRows } = await sql`
    update job set checkpoint = ${JSON.stringify(checkpoint)}::jsonb, updated_at = now()
    where ${isInRun(run)}`.execute(db)
  if (numAffectedRows === 0n) throw new FenceLost(run.jobId)
}

/** A started run: the job at that moment, and the number that fences it. */
export type Claim = {
  jobId: string
  runNo: number
  queue: string
  payload: Json
  checkpoint: Json | null
  /** Errors thrown so far. */
  attempts: number
  maxAttempts: number
  resumable: boolean
}

/** `isBusy`: not started because another job with its concurrency key is running. */
type Candidate = Claim & { readonly isBusy: boolean }

const IS_KEY_TAKEN = sql`exists (
  select from job holder
  where holder.concurrency_key = job.concurrency_key and holder.status in ('running', 'waiting-manual')
)`

/**
 * Starts up to `limit` due jobs of a queue and deletes their deliveries in one statement: only one worker gets each job,
 * and a worker that dies has either started a job or not touched it. Skips paused queues and jobs whose concurrency key is
 * taken, so that they do not block the jobs behind them.
 */
export async function claimJobs(db: Db, queue: string, limit: number): Promise<Claim[]> {
  const due = sql`
    select job.id, job.concurrency_key, delivery.created_on, false as is_busy
    from pgboss.job delivery join job on job.id = delivery.id and job.queue = delivery.name
    where delivery.name = ${queue} and delivery.state < 'active' and not delivery.blocked
      and delivery.start_after <= now() and job.status in ('queued', 'retrying')
      and (job.concurrency_key is null or not ${IS_KEY_TAKEN})
      and not exists (select from job_queue where name = ${queue} and paused_at is not null)
    order by delivery.priority desc, delivery.created_on
    limit ${limit}
    for update skip locked`
  return claim(db, due)
}

/** Starts one waiting job, due or not; `busy` while another job with its key is running. */
export async function claimJob(db: Db, jobId: string): Promise<Claim | 'busy' | undefined> {
  const waiting = sql`
    select id, concurrency_key, created_at as created_on, concurrency_key is not null and ${IS_KEY_TAKEN} as is_busy
    from job
    where id = ${jobId} and status in ('queued', 'retrying')
      and not exists (select from job_queue where name = job.queue and paused_at is not null)
    for update skip locked`
  const [job] = await claim(db, waiting)
  return job?.isBusy ? 'busy' : job
}

/**
 * Starts at most one candidate with a concurrency key per statement, so that two workers never wait for each other's keys.
 */
async function claim(db: Db, candidates: RawBuilder<unknown>): Promise<Candidate[]> {
  try {
    const { rows } = await sql<Candidate>`
      /* prepared */
      with candidate as materialized (${candidates}),
      chosen as (
        select id from candidate where concurrency_key is null
        union all
        (
          select id from candidate where concurrency_key is not null and not is_busy
          order by created_on, id limit 1
        )
      ), claimed as (
        update job
        set status = 'running', question = null, run_no = run_no + 1, last_seq = last_seq + 1, heartbeat_at = now(),
            started_at = coalesce(started_at, now()), updated_at = now()
        from chosen where job.id = chosen.id
        returning job.*
      ), stored as (
        insert into job_event (job_id, seq, kind, message, data)
        select id, last_seq, 'status', 'running', jsonb_build_object('status', 'running', 'runNo', run_no)
        from claimed
      ), taken as (
        ${deleteDeliveries(sql`claimed`)}
      )
      select id as "jobId", run_no as "runNo", queue, payload, checkpoint, attempts, resumable,
             max_attempts as "maxAttempts", false as "isBusy"
      from claimed
      union all
      select id, 0, '', null, null, 0, false, 0, true from candidate where is_busy`.execute(db)
    return rows
  } catch (error) {
    // Another worker just started a job with the same key. The next try finds it busy.
    if (isKeyTaken(error)) return claim(db, candidates)
    throw error
  }
}

function isKeyTaken(error: unknown): boolean {
  return error instanceof Error && 'constraint' in error && error.constraint === 'job_running_by_key'
}

export type RunKey = { readonly jobId: string; readonly runNo: number }
export type Beat = RunKey & {
  readonly cancelRequested: boolean
  /** The job is waiting for an answer. */
  readonly isAsking: boolean
  /** The job has unread lines of input. */
  readonly hasInput: boolean
}

/**
 * Updates the heartbeats of all of a worker's runs in one statement. Returns the runs that are still its own; missing ones
 * were taken over. Skips rows locked by a transaction until the next beat, so that one slow job does not make the others
 * look dead.
 */
export async function beatRuns(db: Db, runs: readonly RunKey[]): Promise<Beat[]> {
  const ids = runs.map(({ jobId }) => jobId)
  const numbers = runs.map(({ runNo }) => runNo)
  const { rows } = await sql<Beat>`
    with run as (
      select * from unnest(${ids}::uuid[], ${numbers}::int[]) as run(id, run_no)
    ), free as (
      select job.id from job join run on job.id = run.id and job.run_no = run.run_no
      where job.status in ('running', 'waiting-manual') and job.heartbeat_at is not null
      for no key update of job skip locked
    ), beaten as (
      update job set heartbeat_at = now() from free where job.id = free.id
    )
    select job.id as "jobId", job.run_no as "runNo", job.cancel_requested_at is not null as "cancelRequested",
           job.question is not null as "isAsking",
           exists (select from job_input where job_id = job.id and taken_at is null) as "hasInput"
    from job join run on job.id = run.id and job.run_no = run.run_no
    where job.status in ('running', 'waiting-manual') and job.heartbeat_at is not null`.execute(db)
  return rows
}

/** Returns the queues that are not paused and have a due job. One cheap query for all keeps an idle worker quiet. */
export async function queuesWithWork(db: Db, queues: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ queue: string }>`
    /* prepared */
    select queue from unnest(${queues}::text[]) as queue
    where not exists (select from job_queue where name = queue.queue and paused_at is not null) and exists (
      select from job
      where job.queue = queue.queue and status in ('queued', 'retrying') and run_after <= now()
    )`.execute(db)
  return rows.map(({ queue }) => queue)
}
