import { type RawBuilder, sql } from 'kysely'
import type { Json, JsonValue } from '#db/schema.gen.ts'
import type { Db } from '#server/platform/database/database.ts'
import { deleteDeliveries } from './deliveries.ts'
import { FenceLost } from './job-definition.ts'

/** That a job has a worker: it has not ended, and its question has not left it without one. */
export const IS_RUNNING: RawBuilder<unknown> = sql`
  job.status in ('running', 'waiting-manual') and job.heartbeat_at is not null`

/** That a job is in this run still, and was not given to another. */
export const isInRun = ({ jobId, runNo }: RunKey): RawBuilder<unknown> => sql`
  job.id = ${jobId} and job.run_no = ${runNo} and ${IS_RUNNING}`

/**
 * Holds the job for this run until the transaction ends, or throws FenceLost. The lock lets heartbeats and events pass
 * (they change no key) but keeps out whoever wants to give the job to another run, since that takes `for update`.
 */
export async function holdFence(trx: Db, run: RunKey): Promise<void> {
  const { rows } = await sql`
    select set_config('idle_in_transaction_session_timeout', ${`${MOST_IDLE_SECONDS}s`}, true),
           set_config('application_name', ${fenceName(run.jobId)}, true)
    from job
    where ${isInRun(run)}
    for key share`.execute(trx)
  if (rows.length === 0) throw new FenceLost(run.jobId)
}

/** A transaction of this run: it is fenced from its first statement on. Throws FenceLost. */
export function inFence<T>(db: Db, run: RunKey, work: (trx: Db) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (trx) => {
    await holdFence(trx, run)
    return work(trx)
  })
}

/** What a connection is called while it holds the fence of a job, so that it can be found (see endStoppedRuns). */
export const fenceName = (jobId: string): string => `run ${jobId}`

// A worker that is stopped in the middle of a fenced transaction holds the job: the database ends its transaction after
// this time, so that another worker has the job within half a minute. Nobody computes for so long between two statements.
const MOST_IDLE_SECONDS = 10

/** No sign of life: a script writes from a process of its own, also while the worker that shall hear a stop is paused. */
export async function storeCheckpoint(db: Db, run: RunKey, checkpoint: JsonValue): Promise<void> {
  const { numAffectedRows } = await sql`
    update job set checkpoint = ${JSON.stringify(checkpoint)}::jsonb, updated_at = now()
    where ${isInRun(run)}`.execute(db)
  if (numAffectedRows === 0n) throw new FenceLost(run.jobId)
}

/** A started run: the job as it stood at that moment, and the number that fences it. */
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

/** A candidate that was not started is busy: another job with its concurrency key runs. */
type Candidate = Claim & { readonly isBusy: boolean }

const IS_KEY_TAKEN = sql`exists (
  select from job holder
  where holder.concurrency_key = job.concurrency_key and holder.status in ('running', 'waiting-manual')
)`

/**
 * Starts up to `limit` due jobs of a queue and takes their deliveries, in one statement: of many workers that try one
 * gets each, and a worker that dies has started a job or has not touched it. None of a paused queue, and none whose
 * concurrency key is taken: what stands behind those is not held up by them.
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

/** The same for one job that waits, due or not; `busy` while another job with its key runs. */
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
 * Of the candidates with a concurrency key one is started at most, so that two workers who start several never wait for
 * one another's keys; the others come with the next statement.
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
    // Another worker has started a job with that key at this very moment. Asked again, it is busy.
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
  /** It waits for an answer. */
  readonly isAsking: boolean
  /** Somebody sent it lines that nobody has taken. */
  readonly hasInput: boolean
}

/**
 * Shows that these runs live, in one statement for all of a worker. Answers those that are still theirs, whoever is
 * missing was taken over. A row that is locked (by a transaction that stores a checkpoint) is left for the next beat,
 * so that one slow job does not let the others look dead.
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

/** Of these queues, those that are not paused and in which a job is due. One cheap query asks for all, so an idle worker is quiet. */
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
