import { z } from 'zod'
import { endpoints } from './endpoint.ts'
import { jobEvent } from './job-events.ts'
import { newJob, repeatedJob } from './new-job.ts'

/** Mission Control: queues, jobs, their live streams. Admins only. */

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

/** Nothing more happens to it; it can be run again as another job. */
export const hasEnded = (status: JobStatus): boolean => endedStatuses.includes(status)

/** In characters: of a line that is sent to a job, and of an answer. */
export const LONGEST_LINE = 16_384

const count = z.number().int()
const json = z.record(z.string(), z.unknown())

const queue = z.object({
  key: z.string(),
  name: z.string(),
  counts: z.object({ waiting: count, active: count, completed: count, failed: count, delayed: count }),
  db: z.object({ total: count }),
  /** Nothing of it is started while it is paused; what runs goes on. */
  pausedAt: z.string().nullable(),
  /** How its jobs are run, by every worker process. */
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
  /** Errors that its runs ended with so far. */
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

/** What a script waits to be told. */
const question = z.object({
  key: z.string(),
  text: z.string(),
  /** JSON Schema of an object of plain values, where the answer is a form; else the answer is a line of text. */
  schema: json.nullable(),
  /** Why the last answer was not taken. */
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
  /** As the engine sees it: delivery, run number, signs of life, what holds it. */
  state: json,
})
export type JobDetail = z.infer<typeof jobDetail>

const byId = z.object({ id: z.uuid() })
const adminErrors = ['SIGNED_OUT', 'NOT_ALLOWED'] as const
/** Of calls that make something: sent again with the same Idempotency-Key they answer what they made. */
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
    method: 'GET',
    path: '/admin/automation/queues',
    summary: 'Every queue with what waits, runs and has ended in it, and what an operator should look at',
    access: 'admin',
    limit: 'read',
    reply: z.object({ queues: z.array(queue), warnings: z.array(z.string()) }),
    errors: adminErrors,
  },
  changeQueue: {
    method: 'PUT',
    path: '/admin/automation/queues/{key}',
    summary: 'Pause a queue, or let it go on',
    access: 'admin',
    limit: 'write',
    params: z.object({ key: z.string().max(100) }),
    body: z.object({ paused: z.boolean('Say whether it is paused') }),
    reply: queue,
    errors: [...adminErrors, 'NOT_FOUND', 'VALIDATION_FAILED'],
  },
  listJobs: {
    method: 'GET',
    path: '/admin/automation/jobs',
    summary:
      'Jobs, newest first. A search goes back a stretch at a time: a page may hold fewer, even none, and lead on',
    access: 'admin',
    limit: 'read',
    query: z.object({
      ...jobFilter,
      cursor: z.string().max(100).optional(),
      limit: z.coerce.number().int().min(1).max(100).default(20),
    }),
    reply: z.object({
      items: z.array(job),
      pageInfo: z.object({
        nextCursor: z.string().nullable(),
        /** Of a search: how far back it has looked by now. */
        searchedBackTo: z.string().nullable(),
      }),
    }),
    errors: [...adminErrors, 'MALFORMED'],
  },
  readJob: {
    method: 'GET',
    path: '/admin/automation/jobs/{id}',
    summary: 'One job with its last events, its artifacts and the state of the engine',
    access: 'admin',
    limit: 'read',
    params: byId,
    reply: jobDetail,
    errors: [...adminErrors, 'NOT_FOUND'],
  },
  enqueueJob: {
    method: 'POST',
    path: '/admin/automation/jobs',
    summary: 'Enqueue a job; attempts are brought between 1 and 25',
    access: 'admin',
    limit: 'write',
    body: newJob,
    status: 202,
    reply: enqueued,
    errors: creatingErrors,
  },
  cancelJob: {
    method: 'POST',
    path: '/admin/automation/jobs/{id}/cancel',
    summary:
      'Stop a job: at once while it waits, else its script gets 5 seconds. An ended one stays as it is',
    access: 'admin',
    limit: 'write',
    params: byId,
    reply: control,
    errors: [...adminErrors, 'NOT_FOUND'],
  },
  retryJob: {
    method: 'POST',
    path: '/admin/automation/jobs/{id}/retry',
    summary: 'Run an ended job again, as it was or with another payload, as a new job linked to it',
    access: 'admin',
    limit: 'write',
    params: byId,
    body: repeatedJob.nullish(),
    status: 202,
    reply: enqueued,
    errors: [...creatingErrors, 'NOT_FOUND', 'CONFLICT'],
  },
  controlJob: {
    method: 'POST',
    path: '/admin/automation/jobs/{id}/control',
    summary:
      'Send a line to a running script, or the answer to one that waits for it (JSON where it gave a schema)',
    access: 'admin',
    limit: 'write',
    // A line of a person; longer input belongs into a file.
    bodyBytes: 64 * 1024,
    params: byId,
    body: z.object({
      action: z.literal('stdin', 'The action is stdin'),
      data: z
        .string('Write what to send')
        .max(LONGEST_LINE, `A command can have at most ${LONGEST_LINE.toLocaleString('en-US')} characters`),
      /** The key of the question that it answers: when that one is not open any more, nothing is sent. */
      question: z
        .string('A question is named by its key')
        .max(1_000, 'This is no key of a question')
        .nullish(),
    }),
    reply: control,
    errors: [...adminErrors, 'NOT_FOUND', 'VALIDATION_FAILED', 'CONFLICT'],
  },
  streamJob: {
    method: 'GET',
    path: '/admin/automation/jobs/{id}/stream',
    summary:
      'The job’s events as server-sent events: log, progress, status, error, done. Ids are their numbers; Last-Event-ID goes on after one',
    access: 'admin',
    limit: 'read',
    params: byId,
    reply: 'binary',
    errors: [...adminErrors, 'NOT_FOUND', 'TOO_MANY'],
  },
  readArtifact: {
    method: 'GET',
    path: '/admin/automation/jobs/{id}/artifacts/{artifactId}',
    summary: 'A file that a job left',
    access: 'admin',
    limit: 'read',
    params: z.object({ id: z.uuid(), artifactId: z.uuid() }),
    reply: 'binary',
    errors: [...adminErrors, 'NOT_FOUND'],
  },
  downloadLog: {
    method: 'GET',
    path: '/admin/automation/jobs/{id}/log',
    summary: 'All kept lines of a job as text',
    access: 'admin',
    limit: 'read',
    params: byId,
    reply: 'binary',
    errors: [...adminErrors, 'NOT_FOUND'],
  },
  bulkJobs: {
    method: 'POST',
    path: '/admin/automation/jobs/bulk',
    summary:
      'Retry or cancel every job of a filter, as a job: a retry begins with one, and goes on when that one ends well. `count` only counts',
    access: 'admin',
    limit: 'write',
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
      /** None where it only counted, or where nothing matches. */
      jobId: z.uuid().nullable(),
    }),
    errors: [...creatingErrors, 'CONFLICT'],
  },
})
