import { type RawBuilder, sql } from 'kysely'
import type { Job, JobDetail, JobStatus } from '#contract/admin/automation.ts'
import type { JsonObject, JsonValue } from '#db/schema.gen.ts'
import type { Db } from '#server/platform/database/database.ts'
import { BULK_QUEUE, type BulkPayload } from './automation-queues.ts'
import { type EventRow, presentEvent } from './job-stream.ts'
import { findQueue, type Queues } from './new-job.ts'

type JobTimes = { createdAt: Date; updatedAt: Date; startedAt: Date | null; endedAt: Date | null }

type JobRow = JobTimes &
  Omit<Job, keyof JobTimes | 'queueKey' | '_count'> & {
    queue: string
    /** Events are numbered without gaps, so the last number counts them. */
    events: number
    artifacts: number
  }

const columns: RawBuilder<unknown> = sql`
  job.id, job.status, job.queue, job.script_id as "scriptId", job.attempts, job.max_attempts as "maxAttempts",
  job.created_at as "createdAt", job.updated_at as "updatedAt", job.started_at as "startedAt",
  job.ended_at as "endedAt", job.payload, job.options, job.progress, job.error, job.retry_of as "retryOf",
  job.cancel_requested_at is not null as "cancelRequested", job.last_seq as events,
  (select count(*) from job_artifact a where a.job_id = job.id) as artifacts`

/** Returns the jobs in the order of `ids`. */
export async function readJobs(db: Db, ids: readonly string[]): Promise<JobRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<JobRow>`
    select ${columns} from unnest(${ids}::uuid[]) with ordinality as wanted(id, place)
    join job using (id) order by place`.execute(db)
  return rows
}

export type JobDetailRow = JobRow & {
  result: JsonValue | null
  question: {
    key: string
    text: string
    schema?: JsonObject | null
    problem?: string | null
    askedAt: string
  } | null
  createdBy: string | null
  retriedBy: string[]
  runNo: number
  resumable: boolean
  lostDeliveries: number
  heartbeatAt: Date | null
  runAfter: Date
  concurrencyKey: string | null
  /** The other job that is running with the same concurrency key, if any. */
  keyHeldBy: string | null
  checkpoint: JsonValue | null
  cancelRequestedAt: Date | null
  delivery: { state: string; startAfter: string; createdOn: string; startedOn: string | null } | null
}

export async function findJob(db: Db, id: string): Promise<JobDetailRow | undefined> {
  const { rows } = await sql<JobDetailRow>`
    select ${columns}, job.result, job.question, app_user.name as "createdBy",
           array(select r.id::text from job r where r.retry_of = job.id order by r.id) as "retriedBy",
           job.run_no as "runNo", job.resumable, job.lost_deliveries as "lostDeliveries",
           job.heartbeat_at as "heartbeatAt", job.run_after as "runAfter",
           job.concurrency_key as "concurrencyKey", job.checkpoint,
           job.cancel_requested_at as "cancelRequestedAt",
           (select holder.id from job holder
            where holder.concurrency_key = job.concurrency_key and holder.status in ('running', 'waiting-manual')
              and holder.id <> job.id) as "keyHeldBy",
           (select jsonb_build_object('state', d.state, 'startAfter', d.start_after, 'createdOn', d.created_on,
                                      'startedOn', d.started_on)
            from pgboss.job d where d.name = job.queue and d.id = job.id) as delivery
    from job left join app_user on app_user.id = job.created_by
    where job.id = ${id}`.execute(db)
  return rows[0]
}

type Artifact = { id: string; name: string; bytes: number; createdAt: Date; fileKey: string }

export async function listArtifacts(db: Db, jobId: string): Promise<Artifact[]> {
  const { rows } = await sql<Artifact>`
    select id, name, bytes, created_at as "createdAt", file_key as "fileKey"
    from job_artifact where job_id = ${jobId} order by id`.execute(db)
  return rows
}

const LAST_EVENTS = 200

/** Lists the last events, oldest first. The condition on `at` skips the partitions older than the job. */
export async function listLastEvents(db: Db, job: Pick<JobRow, 'id' | 'createdAt'>): Promise<EventRow[]> {
  const { rows } = await sql<EventRow>`
    select seq, at, kind, stream, message, data from job_event
    where job_id = ${job.id} and at >= ${job.createdAt}::timestamptz - interval '1 hour'
    order by seq desc limit ${LAST_EVENTS}`.execute(db)
  return rows.reverse()
}

// A job that was restarted more often shows only its first statuses.
const MAX_STATUSES = 200

type StatusEvent = { status: JobStatus; at: Date; runNo: number | null }

export async function listStatuses(db: Db, job: Pick<JobRow, 'id' | 'createdAt'>): Promise<StatusEvent[]> {
  const { rows } = await sql<StatusEvent>`
    select data ->> 'status' as status, at, (data ->> 'runNo')::int as "runNo" from job_event
    where job_id = ${job.id} and kind = 'status' and at >= ${job.createdAt}::timestamptz - interval '1 hour'
    order by seq limit ${MAX_STATUSES}`.execute(db)
  return rows
}

type Locked = Pick<JobRow, 'status' | 'cancelRequested'>

/** Locks the job so that nothing else can start or end it meanwhile. */
export async function lockJob(trx: Db, id: string): Promise<Locked | undefined> {
  const { rows } = await sql<Locked>`
    select status, cancel_requested_at is not null as "cancelRequested"
    from job where id = ${id} for update`.execute(trx)
  return rows[0]
}

/** What a retry copies from the original job. */
export type RepeatedJob = Pick<JobRow, 'id' | 'status' | 'queue' | 'payload' | 'options' | 'maxAttempts'> & {
  concurrencyKey: string | null
  sellerId: string | null
}

/** Returns the jobs that still exist, in id order. The caller checks whether they have ended. */
export async function readRepeatedJobs(db: Db, ids: readonly string[]): Promise<RepeatedJob[]> {
  const { rows } = await sql<RepeatedJob>`
    select id, status, queue, payload, options, max_attempts as "maxAttempts",
           concurrency_key as "concurrencyKey", seller_id as "sellerId"
    from job where id = any(${ids}::uuid[]) order by id`.execute(db)
  return rows
}

/**
 * Returns those of these jobs that no other job repeats, which stays true until the transaction ends because inserting a
 * reference to a job locks it. The second statement runs after the locks and so sees what was committed meanwhile.
 */
export async function lockUnrepeated(trx: Db, ids: readonly string[]): Promise<string[]> {
  await sql`select from job where id = any(${ids}::uuid[]) order by id for update`.execute(trx)
  const { rows } = await sql<{ id: string }>`
    select id from job
    where id = any(${ids}::uuid[]) and not exists (select from job r where r.retry_of = job.id)
    order by id`.execute(trx)
  return rows.map(({ id }) => id)
}

/**
 * Finds an unfinished bulk action with the same payload, ignoring its count of matching jobs. No other bulk action can
 * start until the transaction ends.
 */
export async function findSameBulk(
  trx: Db,
  { matching: _matching, ...bulk }: BulkPayload,
): Promise<string | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${BULK_QUEUE}, 0))`.execute(trx)
  const { rows } = await sql<{ id: string }>`
    select id from job
    where queue = ${BULK_QUEUE} and status in ('queued', 'retrying', 'running', 'waiting-manual')
      and cancel_requested_at is null and payload - 'matching' = ${JSON.stringify(bulk)}::jsonb
    limit 1`.execute(trx)
  return rows[0]?.id
}

type Outcome = Pick<JobRow, 'status' | 'error'>

export async function findOutcome(db: Db, id: string): Promise<Outcome | undefined> {
  const { rows } = await sql<Outcome>`
    select status, error from job where id = ${id}`.execute(db)
  return rows[0]
}

/** The reply's schema drops the other fields. */
type Attempts = Pick<JobRow, 'status' | 'attempts' | 'maxAttempts' | 'startedAt'>

/** The attempt that a job is on or ended with. The row counts only failed attempts: a success would be 0 of 1. */
export function attemptOf({ status, attempts, maxAttempts, startedAt }: Attempts): number {
  const isBetween = status === 'queued' || status === 'retrying' || startedAt === null
  // A lost worker spends no attempt, but there was one.
  const started = status === 'failed' ? Math.max(attempts, 1) : attempts + 1
  return Math.min(isBetween ? attempts : started, maxAttempts)
}

export function presentJob(row: JobRow): Job {
  return {
    ...row,
    attempts: attemptOf(row),
    queueKey: row.queue,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
    _count: { events: row.events, artifacts: row.artifacts },
  }
}

type JobParts = {
  events: readonly EventRow[]
  artifacts: readonly Artifact[]
  statuses: readonly StatusEvent[]
}

export function presentJobDetail(
  row: JobDetailRow,
  { events, artifacts, statuses }: JobParts,
  queues: Queues,
): JobDetail {
  return {
    ...presentJob(row),
    events: events.map(presentEvent),
    artifacts: artifacts.map((artifact) => ({ ...artifact, createdAt: artifact.createdAt.toISOString() })),
    question: row.question && {
      schema: null,
      problem: null,
      ...row.question,
      askedAt: new Date(row.question.askedAt).toISOString(),
    },
    result: row.result,
    retriedBy: row.retriedBy,
    createdBy: row.createdBy,
    // Enqueueing writes no event, so the first entry comes from the job itself.
    timeline: [
      { status: 'queued', at: row.createdAt.toISOString(), runNo: null },
      ...statuses.map((entry) => ({ ...entry, at: entry.at.toISOString() })),
    ],
    state: engineState(row, queues),
  }
}

const isoOrNull = (time: string | null | undefined) => (time ? new Date(time).toISOString() : null)

function engineState(row: JobDetailRow, queues: Queues): Record<string, unknown> {
  const { delivery } = row
  return {
    delivery: delivery && {
      state: delivery.state,
      startAfter: isoOrNull(delivery.startAfter),
      createdOn: isoOrNull(delivery.createdOn),
      startedOn: isoOrNull(delivery.startedOn),
    },
    runNo: row.runNo,
    runAfter: row.runAfter.toISOString(),
    heartbeatAt: row.heartbeatAt?.toISOString() ?? null,
    lostDeliveries: row.lostDeliveries,
    resumable: row.resumable,
    timeoutSeconds: findQueue(queues, row.queue)?.timeoutSeconds ?? null,
    concurrencyKey: row.concurrencyKey,
    keyHeldBy: row.keyHeldBy,
    cancelRequestedAt: row.cancelRequestedAt?.toISOString() ?? null,
    checkpoint: row.checkpoint,
  }
}
