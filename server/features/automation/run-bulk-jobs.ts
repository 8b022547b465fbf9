import { setTimeout as sleep } from 'node:timers/promises'
import { hasEnded } from '#contract/automation.ts'
import type { JsonObject } from '#db/schema.gen.ts'
import type { Db } from '#server/platform/database/database.ts'
import { cancelWaiting, requestCancel } from '#server/platform/jobs/control.ts'
import { findJobAuthor } from '#server/platform/jobs/enqueue-job.ts'
import { GiveUp, type JobRun } from '#server/platform/jobs/job-definition.ts'
import { bulkChoice } from './bulk-choice.ts'
import { type BulkProgress, readProgress } from './bulk-progress.ts'
import type { BulkPayload } from './bulk-queues.ts'
import { findJobs } from './find-jobs.ts'
import { everyId } from './job-filter.ts'
import { findOutcome } from './job-queries.ts'
import type { Queues } from './new-job.ts'
import { repeatPage } from './repeat-page.ts'

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

type Page = { ids: readonly string[]; above: string; progress: BulkProgress }

function takePage(deps: Deps, job: JobRun<BulkPayload>, page: Page): Promise<BulkProgress> {
  return job.payload.action === 'retry' ? retryPage(deps, job, page) : cancelPage(job, page)
}

async function retryPage(
  { queues }: Deps,
  job: JobRun<BulkPayload>,
  { ids, above, progress }: Page,
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
async function cancelPage(job: JobRun<BulkPayload>, { ids, above, progress }: Page): Promise<BulkProgress> {
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
