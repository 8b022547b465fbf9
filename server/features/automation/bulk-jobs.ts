import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { hasEnded, type JobStatus, jobStatuses } from '#contract/automation.ts'
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
import { type CheckedJob, checkNewJob, type Queues } from './new-job.ts'

const LIVE = jobStatuses.filter((status) => !hasEnded(status))

/** Which jobs of a filter an action applies to; without a status it retries what failed and cancels what has not ended. */
export function bulkStatuses(
  action: BulkPayload['action'],
  { statuses }: Pick<JobFilter, 'statuses'>,
): JobStatus[] {
  const apt: readonly JobStatus[] = action === 'cancel' ? LIVE : ['failed', 'cancelled']
  if (statuses.length > 0) return statuses.filter((status) => apt.includes(status))
  return action === 'cancel' ? [...apt] : ['failed']
}

/** What has been repeated by hand or by an earlier bulk action is not repeated again. */
function bulkChoice({
  action,
  queues,
  statuses,
}: Pick<BulkPayload, 'action' | 'queues' | 'statuses'>): Choice {
  return { queues, statuses, exceptBulk: true, toRepeat: action === 'retry' }
}

const stored = z.object({
  /** Behind which it goes on. */
  above: z.string(),
  done: z.number(),
  /** Jobs that could not be repeated. */
  left: z.number(),
  /** The first repetition and the job that it repeats, until it has ended well. */
  canary: z.object({ jobId: z.string(), of: z.string() }).nullable(),
  passed: z.boolean(),
})

/** How far a bulk action is: what it knows when another worker goes on with it. */
type BulkProgress = z.infer<typeof stored>

function readProgress(checkpoint: unknown): BulkProgress {
  const known = stored.safeParse(checkpoint)
  return known.success ? known.data : { above: everyId.above, done: 0, left: 0, canary: null, passed: false }
}

// A person waits for the number, and a request must not hold on for much longer.
const COUNTING_MS = 6_000
const A_LOOK = 5_000

export type BulkCount = { matching: number; matchingIsAtLeast: boolean }

/** How many jobs a bulk action would be about. Without words one statement says so; logs are looked through for a while. */
export async function countBulk(db: Db, bulk: Omit<BulkPayload, 'matching'>): Promise<BulkCount> {
  if (bulk.statuses.length === 0) return { matching: 0, matchingIsAtLeast: false }
  const choice = bulkChoice(bulk)
  if (bulk.words === '') return { matching: await countJobs(db, choice, everyId), matchingIsAtLeast: false }
  const until = performance.now() + COUNTING_MS
  let matching = 0
  let { below } = everyId
  for (;;) {
    const walk = { range: { ...everyId, below }, oldestFirst: false, limit: A_LOOK }
    const found = await findJobs(db, { choice, words: bulk.words, walk, until })
    matching += found.ids.length
    if (found.lookedTo === null) return { matching, matchingIsAtLeast: false }
    if (performance.now() > until) return { matching, matchingIsAtLeast: true }
    below = found.lookedTo
  }
}

/**
 * Enqueues the job that does it, and writes down who asked for what; answers its id.
 * @throws AppError CONFLICT where the same is being done already
 */
export function startBulk(db: Db, bulk: BulkPayload, by: By): Promise<string> {
  return inTransaction(db, async (trx) => {
    const same = await findSameBulk(trx, bulk)
    if (same !== undefined) throw new AppError('CONFLICT', underWay(same))
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

const underWay = (jobId: string) =>
  `This is being done already, by the job ${jobId}. Wait for its end, or cancel that job first.`

type Page = { ids: readonly string[]; createdBy: string | null; queues: Queues }

/** Repeats these jobs, except for those that somebody repeats already; answers how far it is then, and what to say. */
async function repeatPage(
  trx: Db,
  { ids, createdBy, queues }: Page,
  progress: BulkProgress,
): Promise<{ progress: BulkProgress; lines: string[] }> {
  let { done, left, canary } = progress
  const lines: string[] = []
  for (const original of await readRepeatedJobs(trx, await lockUnrepeated(trx, ids))) {
    const { id, queue, payload, options, maxAttempts } = original
    const checked = check(queues, { queue, payload, options: { ...options, attempts: maxAttempts } })
    if (typeof checked === 'string') {
      left += 1
      lines.push(`${id} (${queue}) is left: ${checked}`)
      continue
    }
    const jobId = await repeatJob(trx, { original, checked, createdBy })
    canary ??= { jobId, of: id }
    done += 1
    lines.push(`${id} (${queue}) runs again as ${jobId}`)
  }
  return { progress: { ...progress, done, left, canary }, lines }
}

function check(queues: Queues, asked: Parameters<typeof checkNewJob>[1]): CheckedJob | string {
  try {
    return checkNewJob(queues, asked)
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}

type Deps = { db: Db; queues: Queues; canaryMs?: number }

// A repetition is several statements a job; jobs that no worker has are cancelled by the page.
const PAGE = { retry: 50, cancel: 500 }
const A_LOOK_MS = 5_000

/**
 * Retries or cancels every job of a filter that was there before this one, oldest first and page by page. A retry begins
 * with a single job and waits for its end: what made them all fail may still be so. Goes on where a lost worker stopped.
 */
export async function runBulkJobs(deps: Deps, job: JobRun<BulkPayload>): Promise<JsonObject> {
  let progress = readProgress(job.checkpoint)
  let atEnd = false
  while (!atEnd) {
    progress = await awaitCanary(deps, job, progress)
    const { ids, lookedTo } = await findPage(deps.db, job, progress)
    const above = lookedTo ?? ids.at(-1) ?? progress.above
    progress = await takePage(deps, job, { ids, above, progress })
    job.progress({ done: progress.done + progress.left, total: job.payload.matching })
    atEnd = lookedTo === null
  }
  // It may have been the only one.
  await awaitCanary(deps, job, progress)
  const { done, left, canary } = progress
  return { action: job.payload.action, done, left, canary: canary?.jobId ?? null }
}

function findPage(db: Db, { jobId, payload }: JobRun<BulkPayload>, { above, passed }: BulkProgress) {
  const isFirst = payload.action === 'retry' && !passed
  return findJobs(db, {
    choice: bulkChoice(payload),
    words: payload.words,
    // Ids are in the order of creation: what is made from now on, by this job too, lies beyond its own.
    walk: {
      range: { ...everyId, above, below: jobId },
      oldestFirst: true,
      limit: isFirst ? 1 : PAGE[payload.action],
    },
    until: performance.now() + A_LOOK_MS,
  })
}

type RunBulkJobsPage = { ids: readonly string[]; above: string; progress: BulkProgress }

function takePage(deps: Deps, job: JobRun<BulkPayload>, page: RunBulkJobsPage): Promise<BulkProgress> {
  return job.payload.action === 'retry' ? retryPage(deps, job, page) : cancelPage(job, page)
}

async function retryPage(
  { queues }: Deps,
  job: JobRun<BulkPayload>,
  { ids, above, progress }: RunBulkJobsPage,
): Promise<BulkProgress> {
  const taken = await job.withFence(async (trx) => {
    const createdBy = (await findJobAuthor(trx, job.jobId)) ?? null
    const page = await repeatPage(trx, { ids, createdBy, queues }, { ...progress, above })
    await job.saveCheckpoint(page.progress, trx)
    return page
  })
  await job.log(taken.lines)
  return taken.progress
}

const CANCELLED: Record<string, string> = {
  cancelled: 'is cancelled',
  running: 'is told to stop',
  'waiting-manual': 'is told to stop',
}

/**
 * Jobs that no worker has all at once; the others in one transaction each, since a running one may have to be waited for.
 * Asking one twice does no harm.
 */
async function cancelPage(
  job: JobRun<BulkPayload>,
  { ids, above, progress }: RunBulkJobsPage,
): Promise<BulkProgress> {
  job.signal.throwIfAborted()
  const cancelled = await job.withFence(async (trx) => {
    const gone = new Set(await cancelWaiting(trx, ids))
    // The page is not through yet, but these will not be found again.
    await job.saveCheckpoint({ ...progress, done: progress.done + gone.size }, trx)
    return gone
  })
  await job.log(ids.filter((id) => cancelled.has(id)).map((id) => `${id} is cancelled`))
  for (const id of ids.filter((id) => !cancelled.has(id))) {
    job.signal.throwIfAborted()
    const status = await job.withFence((trx) => requestCancel(trx, id))
    await job.log(`${id} ${CANCELLED[status ?? ''] ?? 'has ended by itself'}`)
  }
  const after = { ...progress, above, done: progress.done + ids.length }
  await job.saveCheckpoint(after)
  return after
}

const CANARY_MS = 1_000

/** Until the first repetition has ended well; at once where there is none yet, or where that is known. */
async function awaitCanary(
  { db, canaryMs = CANARY_MS }: Deps,
  job: JobRun<BulkPayload>,
  progress: BulkProgress,
): Promise<BulkProgress> {
  const { canary } = progress
  if (!canary || progress.passed) return progress
  await job.log(`waiting for ${canary.jobId}, the first one, before the rest`)
  for (;;) {
    const outcome = await findOutcome(db, canary.jobId)
    if (outcome?.status === 'completed') break
    if (!outcome || hasEnded(outcome.status)) {
      const how = outcome ? endInWords(outcome) : 'gone'
      throw new GiveUp(
        `The first one, ${canary.jobId} (again ${canary.of}), ended ${how}. No other job was started.`,
      )
    }
    await sleep(canaryMs, undefined, { signal: job.signal })
  }
  await job.log(`${canary.jobId} is completed: going on with the rest`)
  const passed = { ...progress, passed: true }
  await job.saveCheckpoint(passed)
  return passed
}

/** The sentence goes on behind it. */
const endInWords = ({ status, error }: { status: string; error: string | null }) =>
  error === null ? status : `${status}: ${error.replace(/\.$/, '')}`
