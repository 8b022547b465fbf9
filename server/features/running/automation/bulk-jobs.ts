import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { hasEnded, type JobStatus, jobStatuses } from '#contract/admin/automation.ts'
import type { JsonObject } from '#db/schema.gen.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { cancelWaiting, requestCancel } from '#server/platform/jobs/control.ts'
import { type By, enqueueJob, findJobAuthor } from '#server/platform/jobs/enqueue-job.ts'
import { GiveUp, type JobRun } from '#server/platform/jobs/job-definition.ts'
import { type BulkPayload, bulkJobsQueue } from './automation-queues.ts'
import { type Choice, countJobs, everyId, findJobs, type JobFilter } from './find-jobs.ts'
import { repeatJob } from './job-actions.ts'
import { findOutcome, findSameBulk, lockUnrepeated, readRepeatedJobs } from './job-details.ts'
import { type CheckedJob, checkNewJob, type JobRequest, type Queues } from './new-job.ts'

const LIVE = jobStatuses.filter((status) => !hasEnded(status))

/** The statuses an action applies to. Without a status filter it retries failed jobs and cancels unfinished ones. */
export function bulkStatuses(
  action: BulkPayload['action'],
  { statuses }: Pick<JobFilter, 'statuses'>,
): JobStatus[] {
  const apt: readonly JobStatus[] = action === 'cancel' ? LIVE : ['failed', 'cancelled']
  if (statuses.length > 0) return statuses.filter((status) => apt.includes(status))
  return action === 'cancel' ? [...apt] : ['failed']
}

/** Jobs that were already repeated, by hand or by another bulk action, are not repeated again. */
function bulkChoice({
  action,
  queues,
  statuses,
}: Pick<BulkPayload, 'action' | 'queues' | 'statuses'>): Choice {
  return { queues, statuses, exceptBulk: true, toRepeat: action === 'retry' }
}

const stored = z.object({
  /** The last processed id. */
  above: z.string(),
  done: z.number(),
  /** Jobs that could not be repeated. */
  left: z.number(),
  /** The first retry and the job it repeats. */
  canary: z.object({ jobId: z.string(), of: z.string() }).nullable(),
  passed: z.boolean(),
})

/** The checkpoint from which another worker can resume. */
type BulkProgress = z.infer<typeof stored>

const NO_PROGRESS: BulkProgress = { above: everyId.above, done: 0, left: 0, canary: null, passed: false }

// A person waits for the count in a dialog; beyond this the count is reported as a minimum.
const COUNT_TIMEOUT_MS = 6_000
const COUNT_BATCH = 5_000

export type BulkCount = { matching: number; matchingIsAtLeast: boolean }

/** How many jobs a bulk action would affect. Without search words it takes one statement; searching logs is time-limited. */
export async function countBulk(db: Db, bulk: Omit<BulkPayload, 'matching'>): Promise<BulkCount> {
  if (bulk.statuses.length === 0) return { matching: 0, matchingIsAtLeast: false }
  const choice = bulkChoice(bulk)
  if (bulk.words === '') return { matching: await countJobs(db, choice, everyId), matchingIsAtLeast: false }
  const until = performance.now() + COUNT_TIMEOUT_MS
  let matching = 0
  let { below } = everyId
  for (;;) {
    const walk = { range: { ...everyId, below }, oldestFirst: false, limit: COUNT_BATCH }
    const found = await findJobs(db, { choice, words: bulk.words, walk, until })
    matching += found.ids.length
    if (found.nextCursor === null) return { matching, matchingIsAtLeast: false }
    if (performance.now() > until) return { matching, matchingIsAtLeast: true }
    below = found.nextCursor
  }
}

/**
 * Enqueues the bulk job, audits the request, and returns the job's id.
 * @throws AppError CONFLICT if the same bulk action is already running
 */
export function startBulk(db: Db, bulk: BulkPayload, by: By): Promise<string> {
  return inTransaction(db, async (trx) => {
    const same = await findSameBulk(trx, bulk)
    if (same !== undefined) throw new AppError('CONFLICT', alreadyRunning(same))
    const jobId = await enqueueJob(trx, { queue: bulkJobsQueue, payload: bulk, createdBy: by.actorUserId })
    const { action, queues, statuses, words, matching } = bulk
    const detail = {
      action,
      queues: queues.join(', '),
      statuses: statuses.join(', '),
      search: words,
      matching,
    }
    await writeAudit(trx, { action: 'jobs-bulk', target: jobId, detail, ...by })
    return jobId
  })
}

const alreadyRunning = (jobId: string) =>
  `Job ${jobId} is already doing this. Wait for it to finish, or cancel it first.`

/** Repeats these jobs unless another job already does. Returns the new progress and the log lines. */
async function repeatJobs(
  trx: Db,
  { ids, createdBy, queues }: { ids: readonly string[]; createdBy: string | null; queues: Queues },
  progress: BulkProgress,
): Promise<{ progress: BulkProgress; lines: string[] }> {
  let { done, left, canary } = progress
  const lines: string[] = []
  for (const original of await readRepeatedJobs(trx, await lockUnrepeated(trx, ids))) {
    const { id, queue, payload, options, maxAttempts } = original
    const checked = check(queues, { queue, payload, options: { ...options, attempts: maxAttempts } })
    if (typeof checked === 'string') {
      left += 1
      lines.push(`${id} (${queue}) was skipped: ${checked}`)
      continue
    }
    const jobId = await repeatJob(trx, { original, checked, createdBy })
    canary ??= { jobId, of: id }
    done += 1
    lines.push(`${id} (${queue}) runs again as ${jobId}`)
  }
  return { progress: { ...progress, done, left, canary }, lines }
}

function check(queues: Queues, request: JobRequest): CheckedJob | string {
  try {
    return checkNewJob(queues, request)
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}

type Deps = { db: Db; queues: Queues; canaryMs?: number }

// Repeating takes several statements per job; waiting jobs are canceled a page at a time.
const PAGE_SIZE = { retry: 50, cancel: 500 }
const SEARCH_TIMEOUT_MS = 5_000

/**
 * Retries or cancels every matching job that is older than this one, oldest first, page by page. A retry starts with a
 * single canary job and waits for it, in case whatever made the jobs fail is still broken. Resumes from its checkpoint.
 */
export async function runBulkJobs(deps: Deps, job: JobRun<BulkPayload>): Promise<JsonObject> {
  let progress = stored.safeParse(job.checkpoint).data ?? NO_PROGRESS
  let atEnd = false
  while (!atEnd) {
    progress = await awaitCanary(deps, job, progress)
    const { ids, nextCursor } = await findPage(deps.db, job, progress)
    const page = { ids, above: nextCursor ?? ids.at(-1) ?? progress.above, progress }
    progress = await (job.payload.action === 'retry' ? retryPage(deps, job, page) : cancelPage(job, page))
    job.progress({ done: progress.done + progress.left, total: job.payload.matching })
    atEnd = nextCursor === null
  }
  // The canary may have been the only job.
  await awaitCanary(deps, job, progress)
  const { done, left, canary } = progress
  return { action: job.payload.action, done, left, canary: canary?.jobId ?? null }
}

function findPage(db: Db, { jobId, payload }: JobRun<BulkPayload>, { above, passed }: BulkProgress) {
  const isFirst = payload.action === 'retry' && !passed
  return findJobs(db, {
    choice: bulkChoice(payload),
    words: payload.words,
    // Ids are in order of creation, so jobs created from now on, including by this job, are above its own id.
    walk: {
      range: { ...everyId, above, below: jobId },
      oldestFirst: true,
      limit: isFirst ? 1 : PAGE_SIZE[payload.action],
    },
    until: performance.now() + SEARCH_TIMEOUT_MS,
  })
}

type BulkPage = { ids: readonly string[]; above: string; progress: BulkProgress }

async function retryPage(
  { queues }: Deps,
  job: JobRun<BulkPayload>,
  { ids, above, progress }: BulkPage,
): Promise<BulkProgress> {
  const repeated = await job.withFence(async (trx) => {
    const createdBy = (await findJobAuthor(trx, job.jobId)) ?? null
    const result = await repeatJobs(trx, { ids, createdBy, queues }, { ...progress, above })
    await job.saveCheckpoint(result.progress, trx)
    return result
  })
  await job.log(repeated.lines)
  return repeated.progress
}

const CANCEL_OUTCOMES: Record<string, string> = {
  cancelled: 'is canceled',
  running: 'is stopping',
  'waiting-manual': 'is stopping',
}

/**
 * Cancels waiting jobs all at once and the others in one transaction each, since the row of a running job may be locked.
 * Canceling a job twice is harmless.
 */
async function cancelPage(
  job: JobRun<BulkPayload>,
  { ids, above, progress }: BulkPage,
): Promise<BulkProgress> {
  job.signal.throwIfAborted()
  const cancelled = await job.withFence(async (trx) => {
    const gone = new Set(await cancelWaiting(trx, ids))
    // The page is not finished yet, but these will not be found again.
    await job.saveCheckpoint({ ...progress, done: progress.done + gone.size }, trx)
    return gone
  })
  await job.log(ids.filter((id) => cancelled.has(id)).map((id) => `${id} is canceled`))
  for (const id of ids.filter((id) => !cancelled.has(id))) {
    job.signal.throwIfAborted()
    const status = await job.withFence((trx) => requestCancel(trx, id))
    await job.log(`${id} ${CANCEL_OUTCOMES[status ?? ''] ?? 'had already ended'}`)
  }
  const after = { ...progress, above, done: progress.done + ids.length }
  await job.saveCheckpoint(after)
  return after
}

const CANARY_MS = 1_000

/** Waits until the canary has completed; returns at once if there is none yet or it already passed. */
async function awaitCanary(
  { db, canaryMs = CANARY_MS }: Deps,
  job: JobRun<BulkPayload>,
  progress: BulkProgress,
): Promise<BulkProgress> {
  const { canary } = progress
  if (!canary || progress.passed) return progress
  await job.log(`waiting for the first job, ${canary.jobId}, before starting the rest`)
  for (;;) {
    const outcome = await findOutcome(db, canary.jobId)
    if (outcome?.status === 'completed') break
    if (!outcome || hasEnded(outcome.status)) {
      const how = outcome ? endInWords(outcome) : 'deleted'
      throw new GiveUp(
        `The first job, ${canary.jobId} (a retry of ${canary.of}), ended as ${how}. No other job was started.`,
      )
    }
    await sleep(canaryMs, undefined, { signal: job.signal })
  }
  await job.log(`${canary.jobId} is completed: starting the rest`)
  const passed = { ...progress, passed: true }
  await job.saveCheckpoint(passed)
  return passed
}

/** Without a final period, because the sentence continues. */
const endInWords = ({ status, error }: { status: string; error: string | null }) =>
  error === null ? status : `${status}: ${error.replace(/\.$/, '')}`
