import { sql } from 'kysely'
import type { Json } from '#db/schema.gen.ts'
import type { Db } from '#server/platform/database.ts'

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

/**
 * Starts a job: a compare-and-set, so of many that try one gets it. Answers undefined where the job is not waiting (any
 * more) or its queue is paused, and `busy` while another job with its concurrency key runs.
 */
export async function claimJob(db: Db, jobId: string): Promise<Claim | 'busy' | undefined> {
  try {
    const { rows } = await sql<Claim>`
      with claimed as (
        update job
        set status = 'running', question = null, run_no = run_no + 1, last_seq = last_seq + 1, heartbeat_at = now(),
            started_at = coalesce(started_at, now()), updated_at = now()
        where id = ${jobId} and status in ('queued', 'retrying')
          and not exists (select from job_queue where name = job.queue and paused_at is not null)
        returning *
      ), stored as (
        insert into job_event (job_id, seq, kind, message, data)
        select id, last_seq, 'status', 'running', jsonb_build_object('status', 'running', 'runNo', run_no)
        from claimed
      )
      select id as "jobId", run_no as "runNo", queue, payload, checkpoint, attempts, resumable,
             max_attempts as "maxAttempts"
      from claimed`.execute(db)
    return rows[0]
  } catch (error) {
    if (isKeyTaken(error)) return 'busy'
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
    select queue from unnest(${queues}::text[]) as queue
    where not exists (select from job_queue where name = queue.queue and paused_at is not null) and exists (
      select from job
      where job.queue = queue.queue and status in ('queued', 'retrying') and run_after <= now()
    )`.execute(db)
  return rows.map(({ queue }) => queue)
}
