import { type RawBuilder, sql } from 'kysely'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { storable } from '#server/platform/database/storable-text.ts'
import { isInRun, type RunKey } from './claims.ts'
import { FenceLost, type NewQuestion } from './job-definition.ts'
import { notifyJobChanged } from './job-events.ts'
import { settleJob } from './outcomes.ts'

export async function addInput(
  trx: Db,
  { jobId, line, userId }: { jobId: string; line: string; userId: string },
): Promise<void> {
  await sql`
    insert into job_input (job_id, line, sent_by) values (${jobId}, ${storable(line)}, ${userId})`.execute(
    trx,
  )
}

// Far more than a person types; longer input is delivered in batches.
const AT_ONCE = 100

/** Takes the job's unread lines of input in order, so that no other run gets them. */
export async function takeInput(db: Db, run: RunKey): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    with taken as (
      update job_input set taken_at = now()
      where id in (
        select job_input.id from job_input join job on job.id = job_input.job_id
        where ${isInRun(run)} and taken_at is null
        order by job_input.id limit ${AT_ONCE}
        for update of job_input skip locked
      )
      returning id, line
    )
    select line from taken order by id`.execute(db)
  return rows.map(({ line }) => line)
}

/**
 * Makes the job of a run wait for an answer, or returns the answer already stored under the question's key. Asking the
 * same question again changes nothing. @throws FenceLost
 */
export function openQuestion(db: Db, run: RunKey, question: NewQuestion): Promise<string | undefined> {
  return inTransaction(db, async (trx) => {
    const { rows } = await sql<{ askedKey: string | null }>`
      select question ->> 'key' as "askedKey" from job where ${isInRun(run)} for no key update`.execute(trx)
    const [job] = rows
    if (!job) throw new FenceLost(run.jobId)
    const answer = await findAnswer(trx, run.jobId, question.key)
    if (answer === undefined && job.askedKey !== question.key) await storeQuestion(trx, run.jobId, question)
    return answer
  })
}

async function storeQuestion(trx: Db, jobId: string, question: NewQuestion): Promise<void> {
  const { key, text, schema, problem } = question
  const stored = {
    key,
    text: storable(text),
    schema: schema ?? null,
    problem: problem ? storable(problem) : null,
  }
  await sql`
    with asked as (
      update job
      set status = 'waiting-manual', last_seq = last_seq + 1, updated_at = now(),
          question = ${JSON.stringify(stored)}::jsonb || jsonb_build_object('askedAt', now())
      where id = ${jobId}
      returning *
    )
    ${statusEvents(sql`asked`)}`.execute(trx)
  await notifyJobChanged(trx, jobId)
}

/** Inserts the events of rows whose status just changed and whose `last_seq` was increased for them. */
const statusEvents = (changed: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into job_event (job_id, seq, kind, message, data)
  select id, last_seq, 'status', status, jsonb_build_object('status', status, 'runNo', run_no) from ${changed}`

async function findAnswer(db: Db, jobId: string, key: string): Promise<string | undefined> {
  const { rows } = await sql<{ answer: string }>`
    select answer from job_answer where job_id = ${jobId} and key = ${key}`.execute(db)
  return rows[0]?.answer
}

/** The answer to a question of this run, if there is one and the run still owns the job. */
export async function readAnswer(db: Db, run: RunKey, key: string): Promise<string | undefined> {
  const { rows } = await sql<{ answer: string }>`
    select answer from job_answer join job on job.id = job_answer.job_id
    where ${isInRun(run)} and key = ${key}`.execute(db)
  return rows[0]?.answer
}

/** A locked job that is waiting for an answer. */
export type AskingJob = { readonly id: string; readonly key: string; readonly hasWorker: boolean }

/** Stores the answer. The waiting run continues with it, or else the job returns to the queue. */
export async function answerQuestion(
  trx: Db,
  job: AskingJob,
  { line, userId }: { line: string; userId: string },
): Promise<'running' | 'queued'> {
  await sql`
    insert into job_answer (job_id, key, answer, answered_by)
    values (${job.id}, ${job.key}, ${storable(line)}, ${userId})
    on conflict (job_id, key) do update
      set answer = excluded.answer, answered_by = excluded.answered_by, answered_at = now()`.execute(trx)
  if (job.hasWorker) {
    await resume(trx, job.id)
    return 'running'
  }
  await settleJob(trx, job.id, { to: 'queued', counts: 'nothing' })
  return 'queued'
}

async function resume(trx: Db, jobId: string): Promise<void> {
  await sql`
    with answered as (
      update job set status = 'running', question = null, last_seq = last_seq + 1, updated_at = now()
      where id = ${jobId}
      returning *
    )
    ${statusEvents(sql`answered`)}`.execute(trx)
  await notifyJobChanged(trx, jobId)
}

/**
 * Parks the job of a run that is waiting for its answer, so that it has no worker. If an answer or a cancellation arrived
 * while the handler was ending, the job is queued or canceled at once. Does nothing if the run is already over.
 */
export async function parkRun(db: Db, run: RunKey): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ isAsking: boolean; cancelRequested: boolean }>`
      select question is not null as "isAsking", cancel_requested_at is not null as "cancelRequested"
      from job where ${isInRun(run)} for update`.execute(trx)
    const [job] = rows
    if (!job) return
    if (job.cancelRequested) return settleJob(trx, run.jobId, { to: 'cancelled' })
    if (!job.isAsking) return settleJob(trx, run.jobId, { to: 'queued', counts: 'nothing' })
    await sql`update job set heartbeat_at = null, updated_at = now() where id = ${run.jobId}`.execute(trx)
    await notifyJobChanged(trx, run.jobId)
  })
}
