import { z } from 'zod'
import { endpoints } from './endpoint.ts'

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

/* Jobs that administrators start: now, again, or on a schedule. */

const payload = z.record(z.string(), z.unknown(), 'The payload has to be a JSON object, as {"perPage": 48}')
const jobOptions = z.looseObject(
  { attempts: z.number('Attempts is a number').nullish() },
  'The options have to be a JSON object, as {"attempts": 1}',
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

const count = z.number().int()
const json = z.record(z.string(), z.unknown())

const queue = z.object({
  key: z.string(),
  name: z.string(),
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

const progress = z.object({
  done: z.number(),
  total: z.number().optional(),
  note: z.string().optional(),
})

const job = z.object({
  id: z.uuid(),
  status: z.enum(jobStatuses),
  queueKey: z.string(),
  scriptId: z.string().nullable(),
  /** Failed runs so far. */
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
export type JobArtifact = z.infer<typeof artifact>

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
  /** The last ones, oldest first; the stream has them all. */
  events: z.array(jobEvent),
  artifacts: z.array(artifact),
  question: question.nullable(),
  result: z.unknown(),
  /** Its statuses since it was enqueued, with the run that each belongs to. */
  timeline: z.array(z.object({ status: z.enum(jobStatuses), at: z.string(), runNo: count.nullable() })),
  /** The jobs that repeat this one. */
  retriedBy: z.array(z.uuid()),
  createdBy: z.string().nullable(),
  /** The engine's view: delivery, run number, heartbeats, locks. */
  state: json,
})
export type JobDetail = z.infer<typeof jobDetail>

const byId = z.object({ id: z.uuid() })
const adminErrors = ['SIGNED_OUT', 'NOT_ALLOWED'] as const
/** For calls that create something: a repeat with the same Idempotency-Key returns the same result. */
const creatingErrors = [...adminErrors, 'VALIDATION_FAILED', 'KEY_REUSED', 'STILL_RUNNING'] as const

/** Which jobs: of a list or of a bulk action. Lists are comma-separated. */
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
    summary: 'Every queue with what waits, runs and has ended in it, and what an operator should look at',
    reply: z.object({ queues: z.array(queue), warnings: z.array(z.string()) }),
    errors: adminErrors,
  },
  changeQueue: {
    summary: 'Pause a queue, or let it go on',
    params: z.object({ key: z.string().max(100) }),
    body: z.object({ paused: z.boolean('Say whether it is paused') }),
    reply: queue,
    errors: [...adminErrors, 'NOT_FOUND', 'VALIDATION_FAILED'],
  },
  listJobs: {
    summary:
      'Jobs, newest first. A search goes back a stretch at a time: a page may hold fewer, even none, and lead on',
    query: z.object({
      ...jobFilter,
      cursor: z.string().max(100).optional(),
      limit: z.coerce.number().int().min(1).max(100).default(20),
    }),
    reply: z.object({
      items: z.array(job),
      pageInfo: z.object({
        nextCursor: z.string().nullable(),
        /** For a search: how far back it has read. */
        searchedBackTo: z.string().nullable(),
      }),
    }),
    errors: [...adminErrors, 'MALFORMED'],
  },
  readJob: {
    summary: 'One job with its last events, its artifacts and the state of the engine',
    params: byId,
    reply: jobDetail,
    errors: [...adminErrors, 'NOT_FOUND'],
  },
  enqueueJob: {
    summary: 'Enqueue a job; attempts are brought between 1 and 25',
    body: newJob,
    status: 202,
    reply: enqueued,
    errors: creatingErrors,
  },
  cancelJob: {
    summary:
      'Stop a job: at once while it waits, else its script gets 5 seconds. An ended one stays as it is',
    params: byId,
    reply: control,
    errors: [...adminErrors, 'NOT_FOUND'],
  },
  retryJob: {
    summary: 'Run an ended job again, as it was or with another payload, as a new job linked to it',
    params: byId,
    body: repeatedJob.nullish(),
    status: 202,
    reply: enqueued,
    errors: [...creatingErrors, 'NOT_FOUND', 'CONFLICT'],
  },
  controlJob: {
    summary:
      'Send a line to a running script, or the answer to one that waits for it (JSON where it gave a schema)',
    // A line of a person; longer input belongs into a file.
    bodyBytes: 64 * 1024,
    params: byId,
    body: z.object({
      action: z.literal('stdin', 'The action is stdin'),
      data: z
        .string('Write what to send')
        .max(LONGEST_LINE, `A command can have at most ${LONGEST_LINE.toLocaleString('en-US')} characters`),
      /** The key of the question it answers; if that question is no longer open, nothing is sent. */
      question: z
        .string('A question is named by its key')
        .max(1_000, 'This is no key of a question')
        .nullish(),
    }),
    reply: control,
    errors: [...adminErrors, 'NOT_FOUND', 'VALIDATION_FAILED', 'CONFLICT'],
  },
  streamJob: {
    summary:
      'The job’s events as server-sent events: log, progress, status, error, done. Ids are their numbers; Last-Event-ID goes on after one',
    params: byId,
    reply: 'binary',
    errors: [...adminErrors, 'NOT_FOUND', 'TOO_MANY'],
  },
  readArtifact: {
    summary: 'A file that a job left',
    params: z.object({ id: z.uuid(), artifactId: z.uuid() }),
    reply: 'binary',
    errors: [...adminErrors, 'NOT_FOUND'],
  },
  downloadLog: {
    summary: 'All kept lines of a job as text',
    params: byId,
    reply: 'binary',
    errors: [...adminErrors, 'NOT_FOUND'],
  },
  bulkJobs: {
    summary:
      'Retry or cancel every job of a filter, as a job: a retry begins with one, and goes on when that one ends well. `count` only counts',
    body: z.object({
      action: z.enum(['retry', 'cancel'], 'The action is retry or cancel'),
      ...jobFilter,
      count: z.boolean().default(false),
    }),
    status: 202,
    reply: z.object({
      /** Jobs of the filter that the action applies to: ended badly and not repeated yet, or not ended. */
      matching: count,
      /** A search through logs takes its time: it counts for some seconds, and then there may be more. */
      matchingIsAtLeast: z.boolean(),
      /** Missing if the call only counted, or if nothing matches. */
      jobId: z.uuid().nullable(),
    }),
    errors: [...creatingErrors, 'CONFLICT'],
  },
})

/** A job that is enqueued by the clock. */
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
  /** Why it was not enqueued the last time. */
  problem: z.string().nullable(),
})
export type JobSchedule = z.infer<typeof schedule>

const changedSchedule = repeatedJob.extend({
  queue: newJob.shape.queue.optional(),
  name: z
    .string('Give it a name')
    .trim()
    .min(1, 'Give it a name')
    .max(100, 'A name has at most 100 characters')
    .optional(),
  /** Five fields: minute, hour, day of month, month, day of week. */
  cron: z
    .string('Say when, as a cron expression')
    .trim()
    .min(1, 'Say when, as a cron expression')
    .max(100, 'A cron expression has at most 100 characters')
    .optional(),
  timeZone: z.string('Choose a time zone').max(100).optional(),
  enabled: z.boolean('A schedule is on or off').optional(),
})

const newSchedule = newJob.extend({
  name: changedSchedule.shape.name.unwrap(),
  cron: changedSchedule.shape.cron.unwrap(),
  timeZone: changedSchedule.shape.timeZone.unwrap().default('UTC'),
  enabled: changedSchedule.shape.enabled.unwrap().default(true),
})

export const jobScheduleEndpoints = endpoints({
  listSchedules: {
    summary: 'Jobs that are enqueued by the clock',
    reply: z.object({ items: z.array(schedule) }),
    errors: adminErrors,
  },
  createSchedule: {
    summary: 'Enqueue a job by the clock from now on',
    body: newSchedule,
    status: 201,
    reply: schedule,
    errors: [...adminErrors, 'VALIDATION_FAILED', 'CONFLICT', 'KEY_REUSED', 'STILL_RUNNING'],
  },
  changeSchedule: {
    summary: 'Change a schedule, or switch it off and on',
    params: byId,
    body: changedSchedule,
    reply: schedule,
    errors: [...adminErrors, 'NOT_FOUND', 'VALIDATION_FAILED', 'CONFLICT'],
  },
  deleteSchedule: {
    summary: 'Remove a schedule; jobs it has enqueued stay',
    params: byId,
    reply: z.object({ ok: z.literal(true) }),
    errors: [...adminErrors, 'NOT_FOUND'],
  },
})
