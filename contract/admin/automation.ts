import { z } from 'zod'
import { adminErrors, byId, count, endpoints } from '#contract/endpoint.ts'

/** Mission Control: queues, jobs, their live streams and schedules. Admins only. */

/** What a running job reports: a log line, its progress, its status. */
export const jobEventKinds = ['log', 'progress', 'status', 'error', 'done'] as const
export type JobEventKind = (typeof jobEventKinds)[number]

/** Events are numbered within their job, without gaps; a stream carries the number as its event id. */
const jobEvent = z.object({
  id: z.number().int(),
  kind: z.enum(jobEventKinds),
  /** Null for most events; `COMPLETED` or `FAILED` for the last one. */
  status: z.string().nullable(),
  message: z.string(),
  payload: z.object({
    /** `stdout`, `stderr` or `system`. */
    stream: z.string().nullable(),
    message: z.string(),
    loggedAt: z.string(),
    /** Progress events only. */
    stage: z.string().optional(),
    percentage: z.number().optional(),
    count: z.number().optional(),
    total: z.number().optional(),
    data: z.unknown().optional(),
  }),
})
export type JobEvent = z.infer<typeof jobEvent>

const payload = z.record(
  z.string(),
  z.unknown(),
  'The payload must be a JSON object, such as {"perPage": 48}',
)
const jobOptions = z.looseObject(
  { attempts: z.number('Attempts must be a number').nullish() },
  'The options must be a JSON object, such as {"attempts": 1}',
)

const newJob = z.object({
  queue: z.string('Choose a queue').min(1, 'Choose a queue').max(100),
  payload: payload.default({}),
  options: jobOptions.default({}),
})

/** No defaults: omitted fields stay unchanged. */
const repeatedJob = z.object({ payload: payload.optional(), options: jobOptions.optional() })

export const jobStatuses = [
  'queued',
  'running',
  'completed',
  'failed',
  'waiting-manual',
  'retrying',
  'cancelled',
] as const
export type JobStatus = (typeof jobStatuses)[number]

const endedStatuses: readonly JobStatus[] = ['completed', 'failed', 'cancelled']

/** The job is over; it can be repeated as a new job. */
export const hasEnded = (status: JobStatus): boolean => endedStatuses.includes(status)

/** Maximum characters of an input line or an answer to a job. */
export const LONGEST_LINE = 16_384

const json = z.record(z.string(), z.unknown())

const queue = z.object({
  key: z.string(),
  name: z.string(),
  /** Filled by the program itself, not by administrators. */
  internal: z.boolean(),
  counts: z.object({ waiting: count, active: count, completed: count, failed: count, delayed: count }),
  db: z.object({ total: count }),
  /** While paused, no job starts; running jobs continue. */
  pausedAt: z.string().nullable(),
  /** Per worker process. */
  concurrency: count,
  attempts: count,
  timeoutSeconds: count,
  startsPerMinute: count.nullable(),
})
export type Queue = z.infer<typeof queue>

const progress = z.object({ done: z.number(), total: z.number().optional(), note: z.string().optional() })

const job = z.object({
  id: z.uuid(),
  status: z.enum(jobStatuses),
  queueKey: z.string(),
  scriptId: z.string().nullable(),
  /** The attempt that it is on or ended with; 0 before the first one. */
  attempts: count,
  maxAttempts: count,
  createdAt: z.string(),
  updatedAt: z.string(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  payload: json,
  options: json,
  progress: progress.nullable(),
  error: z.string().nullable(),
  /** The job that this one repeats. */
  retryOf: z.uuid().nullable(),
  cancelRequested: z.boolean(),
  _count: z.object({ events: count, artifacts: count }),
})
export type Job = z.infer<typeof job>

const artifact = z.object({ id: z.uuid(), name: z.string(), bytes: count, createdAt: z.string() })

/** The question a script is waiting on. */
const question = z.object({
  key: z.string(),
  text: z.string(),
  /** JSON Schema of an object of plain values if the answer is a form; otherwise the answer is a line of text. */
  schema: json.nullable(),
  /** Why the last answer was refused. */
  problem: z.string().nullable(),
  askedAt: z.string(),
})
export type JobQuestion = z.infer<typeof question>

const jobDetail = job.extend({
  /** The last 200, oldest first; the stream has all of them. */
  events: z.array(jobEvent),
  artifacts: z.array(artifact),
  question: question.nullable(),
  result: z.unknown(),
  /** Its statuses since it was enqueued, each with its run. */
  timeline: z.array(z.object({ status: z.enum(jobStatuses), at: z.string(), runNo: count.nullable() })),
  retriedBy: z.array(z.uuid()),
  createdBy: z.string().nullable(),
  /** The engine's view: delivery, run number, heartbeats, locks. */
  state: json,
})
export type JobDetail = z.infer<typeof jobDetail>

/** For calls that create something: a repeat with the same Idempotency-Key returns the same result. */
const creatingErrors = [...adminErrors, 'VALIDATION_FAILED', 'KEY_REUSED', 'STILL_RUNNING'] as const

/** Filters a list or a bulk action. Lists are comma-separated. */
const jobFilter = {
  queue: z.string().max(2_000).optional(),
  status: z.string().max(200).optional(),
  /** Words in ids, scripts, payloads, errors and log lines. */
  search: z.string().max(200).optional(),
}

const control = z.object({ ok: z.literal(true), status: z.enum(jobStatuses) })
const enqueued = z.object({ jobId: z.uuid() })

export const automationEndpoints = endpoints({
  listQueues: {
    summary: 'All queues with their job counts, and warnings for operators',
    reply: z.object({ queues: z.array(queue), warnings: z.array(z.string()) }),
    errors: adminErrors,
  },
  changeQueue: {
    summary: 'Pause or resume a queue',
    params: z.object({ key: z.string().max(100) }),
    body: z.object({ paused: z.boolean('paused must be true or false') }),
    reply: queue,
    errors: [...adminErrors, 'NOT_FOUND', 'VALIDATION_FAILED'],
  },
  listJobs: {
    summary:
      'Jobs, newest first. A search goes back in time page by page: a page may have fewer jobs, even none, and a cursor',
    query: z.object({
      ...jobFilter,
      cursor: z.string().max(100).optional(),
      limit: z.coerce.number().int().min(1).max(100).default(20),
    }),
    reply: z.object({
      items: z.array(job),
      pageInfo: z.object({
        nextCursor: z.string().nullable(),
        /** How far back a search has read. */
        searchedBackTo: z.string().nullable(),
      }),
    }),
    errors: [...adminErrors, 'MALFORMED'],
  },
  readJob: {
    summary: 'One job with its last events, its artifacts, and the state of the engine',
    params: byId,
    reply: jobDetail,
    errors: [...adminErrors, 'NOT_FOUND'],
  },
  enqueueJob: {
    summary: 'Enqueue a job with 1 to 25 attempts',
    body: newJob,
    status: 202,
    reply: enqueued,
    errors: creatingErrors,
  },
  cancelJob: {
    summary:
      'Cancel a job: a waiting one at once, a running one within 5 seconds. An ended job does not change',
    params: byId,
    reply: control,
    errors: [...adminErrors, 'NOT_FOUND'],
  },
  retryJob: {
    summary: 'Run an ended job again as a new job linked to it, optionally with another payload',
    params: byId,
    body: repeatedJob.nullish(),
    status: 202,
    reply: enqueued,
    errors: [...creatingErrors, 'NOT_FOUND', 'CONFLICT'],
  },
  controlJob: {
    summary:
      'Send a line of input to a running script, or the answer to its question (JSON if it has a schema)',
    // A line that a person types; longer input belongs in a file.
    bodyBytes: 64 * 1024,
    params: byId,
    body: z.object({
      action: z.literal('stdin', 'The action must be stdin'),
      data: z
        .string('Enter the input to send')
        .max(LONGEST_LINE, `A command can have at most ${LONGEST_LINE.toLocaleString('en-US')} characters`),
      /** The key of the question it answers; if that question is no longer open, nothing is sent. */
      question: z.string('The question must be its key').max(1_000, 'This is not a question’s key').nullish(),
    }),
    reply: control,
    errors: [...adminErrors, 'NOT_FOUND', 'VALIDATION_FAILED', 'CONFLICT'],
  },
  streamJob: {
    summary:
      'The job’s events as server-sent events: log, progress, status, error, done. Their ids are their numbers; continues after Last-Event-ID',
    params: byId,
    reply: 'binary',
    errors: [...adminErrors, 'NOT_FOUND', 'TOO_MANY'],
  },
  readArtifact: {
    summary: 'A file attached to a job',
    params: z.object({ id: z.uuid(), artifactId: z.uuid() }),
    reply: 'binary',
    errors: [...adminErrors, 'NOT_FOUND'],
  },
  downloadLog: {
    summary: 'All stored log lines of a job as text',
    params: byId,
    reply: 'binary',
    errors: [...adminErrors, 'NOT_FOUND'],
  },
  readScriptSettings: {
    summary: 'The language model that scripts use by default, and whether there is a key for it',
    reply: z.object({ model: z.string(), hasKey: z.boolean() }),
    errors: adminErrors,
  },
  bulkJobs: {
    summary:
      'Retry or cancel all jobs that match a filter, in a job. A retry starts with one job and continues if it succeeds. `count` only counts',
    body: z.object({
      action: z.enum(['retry', 'cancel'], 'The action must be retry or cancel'),
      ...jobFilter,
      count: z.boolean().default(false),
    }),
    status: 202,
    reply: z.object({
      /** Matching jobs that the action applies to: failed or canceled and not retried yet, or not ended. */
      matching: count,
      /** Counting stops after a few seconds, because searching logs is slow: there may be more. */
      matchingIsAtLeast: z.boolean(),
      /** Missing if the call only counted, or if nothing matches. */
      jobId: z.uuid().nullable(),
    }),
    errors: [...creatingErrors, 'CONFLICT'],
  },
})

/** Enqueues a job at set times. */
const schedule = z.object({
  id: z.uuid(),
  name: z.string(),
  queue: z.string(),
  payload: json,
  options: json,
  cron: z.string(),
  timeZone: z.string(),
  enabled: z.boolean(),
  nextRunAt: z.string().nullable(),
  lastRunAt: z.string().nullable(),
  lastJobId: z.uuid().nullable(),
  /** Why the last job was not enqueued. */
  problem: z.string().nullable(),
})
export type JobSchedule = z.infer<typeof schedule>

const required = (prompt: string, field: string) =>
  z.string(prompt).trim().min(1, prompt).max(100, `${field} can have at most 100 characters`)

const scheduleFields = {
  name: required('Enter a name', 'A name'),
  /** Five fields: minute, hour, day of month, month, day of week. */
  cron: required('Enter a cron expression', 'A cron expression'),
  timeZone: z.string('Choose a time zone').max(100),
  enabled: z.boolean('enabled must be true or false'),
}

const changedSchedule = repeatedJob.extend({ queue: newJob.shape.queue, ...scheduleFields }).partial()

const newSchedule = newJob.extend({
  ...scheduleFields,
  timeZone: scheduleFields.timeZone.default('UTC'),
  enabled: scheduleFields.enabled.default(true),
})

export const jobScheduleEndpoints = endpoints({
  listSchedules: {
    summary: 'Schedules that enqueue jobs',
    reply: z.object({ items: z.array(schedule) }),
    errors: adminErrors,
  },
  createSchedule: {
    summary: 'Create a schedule that enqueues a job',
    body: newSchedule,
    status: 201,
    reply: schedule,
    errors: [...adminErrors, 'VALIDATION_FAILED', 'CONFLICT', 'KEY_REUSED', 'STILL_RUNNING'],
  },
  changeSchedule: {
    summary: 'Change a schedule, or turn it off or on',
    params: byId,
    body: changedSchedule,
    reply: schedule,
    errors: [...adminErrors, 'NOT_FOUND', 'VALIDATION_FAILED', 'CONFLICT'],
  },
  deleteSchedule: {
    summary: 'Delete a schedule; the jobs it enqueued are kept',
    params: byId,
    reply: z.object({ ok: z.literal(true) }),
    errors: [...adminErrors, 'NOT_FOUND'],
  },
})
