import { sql } from 'kysely'
import type { JobStatus, Queue } from '#contract/admin/automation.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { openSharedReads } from '#server/platform/database/reads.ts'
import { waitInWords } from '#server/platform/errors.ts'
import { pauseQueue, resumeQueue } from '#server/platform/jobs/deliveries.ts'
import { isWorkerAlive } from '#server/platform/jobs/direct-connection.ts'
import type { By } from '#server/platform/jobs/enqueue-job.ts'
import { findQueue, type Queues } from './new-job.ts'

type QueueCount = {
  queue: string
  status: JobStatus
  count: number
  /** How many of them are not due yet. */
  delayed: number
  /** When the longest-waiting job became due. */
  dueSince: Date | null
}

/** Counts ended jobs by queue and status: an index-only scan, but still 300 ms of CPU for 1,000,000 jobs. */
async function countEnded(db: Db): Promise<QueueCount[]> {
  const { rows } = await sql<QueueCount>`
    select queue, status, count(*) as count, 0 as delayed, null::timestamptz as "dueSince"
    from job where status in ('completed', 'failed', 'cancelled') group by queue, status`.execute(db)
  return rows
}

async function countUnfinished(db: Db): Promise<QueueCount[]> {
  const { rows } = await sql<QueueCount>`
    select queue, status, count(*) as count, count(*) filter (where run_after > now()) as delayed,
           min(run_after) filter (where run_after <= now() and status in ('queued', 'retrying')) as "dueSince"
    from job where status in ('queued', 'running', 'waiting-manual', 'retrying') group by queue, status`.execute(
    db,
  )
  return rows
}

/** Counts the jobs that failed within the last hour, by queue. */
async function countRecentFailures(db: Db): Promise<{ queue: string; count: number }[]> {
  const { rows } = await sql<{ queue: string; count: number }>`
    select queue, count(*) as count from job
    where status = 'failed' and ended_at > now() - interval '1 hour' group by queue order by queue`.execute(
    db,
  )
  return rows
}

/** When each paused queue was paused. */
async function listPauses(db: Db): Promise<Map<string, Date>> {
  const { rows } = await sql<{ name: string; pausedAt: Date }>`
    select name, paused_at as "pausedAt" from job_queue where paused_at is not null`.execute(db)
  return new Map(rows.map(({ name, pausedAt }) => [name, pausedAt]))
}

type QueueFacts = {
  counts: readonly QueueCount[]
  /** When each paused queue was paused. */
  pauses: ReadonlyMap<string, Date>
  /** Failures within the last hour. */
  recentFailures: readonly { queue: string; count: number }[]
  workerAlive: boolean
}

// Queues that administrators fill come first, the program's own queues follow.
const OPERATED = [
  'ingest-autoparts',
  'preprocess',
  'namingOptimizer',
  'h1Optimizer',
  'descriptionOptimizer',
  'internalLinking',
]

/** Describes every queue of this version with the counts of its jobs. */
function describeQueues(queues: Queues, facts: QueueFacts): Queue[] {
  const operated = OPERATED.flatMap((name) => findQueue(queues, name) ?? [])
  const own = queues.filter(({ name }) => !OPERATED.includes(name))
  return [...operated, ...own.toSorted((a, b) => a.name.localeCompare(b.name))].map((queue) => ({
    key: queue.name,
    name: queue.title,
    internal: !OPERATED.includes(queue.name),
    ...countsOf(queue.name, facts),
    pausedAt: facts.pauses.get(queue.name)?.toISOString() ?? null,
    concurrency: queue.concurrency,
    attempts: queue.maxAttempts,
    timeoutSeconds: queue.timeoutSeconds,
    startsPerMinute: queue.rateLimit
      ? Math.round((queue.rateLimit.starts * 60) / queue.rateLimit.perSeconds)
      : null,
  }))
}

/** Waiting jobs could start now, delayed ones are due later. A job that waits for an answer is active. */
function countsOf(name: string, { counts }: QueueFacts): Pick<Queue, 'counts' | 'db'> {
  const own = counts.filter(({ queue }) => queue === name)
  const sum = (statuses: readonly string[], of: 'count' | 'delayed' = 'count') =>
    own.filter(({ status }) => statuses.includes(status)).reduce((total, row) => total + row[of], 0)
  const due = ['queued', 'retrying']
  return {
    counts: {
      waiting: sum(due) - sum(due, 'delayed'),
      active: sum(['running', 'waiting-manual']),
      completed: sum(['completed']),
      failed: sum(['failed']),
      delayed: sum(due, 'delayed'),
    },
    db: { total: own.reduce((total, { count }) => total + count, 0) },
  }
}

// Workers check for jobs every second. A full or rate-limited queue may take longer, and then an operator should know.
const LONG_WAIT_SECONDS = 60

/** Warnings for an operator, one sentence each. */
function queueWarnings(queues: Queues, facts: QueueFacts, now: Date): string[] {
  const known = new Set(queues.map(({ name }) => name))
  const waiting = waitingByQueue(facts, now)
  const late = waiting.filter(
    ({ queue, seconds }) => known.has(queue) && !facts.pauses.has(queue) && seconds > LONG_WAIT_SECONDS,
  )
  return [
    ...(facts.workerAlive ? [] : ['No worker is running, so no jobs will start']),
    ...[...facts.pauses.keys()]
      .filter((queue) => known.has(queue))
      .map((queue) => `${queue} is paused: ${jobs(countIn(waiting, queue), 'waiting', 'waiting')}`),
    ...late.map(({ queue, seconds }) => `${queue}: a job has been waiting for ${waitInWords(seconds)}`),
    ...facts.recentFailures.map(
      ({ queue, count }) => `${queue}: ${jobs(count, 'failed', 'failed')} in the last hour`,
    ),
    ...waiting
      .filter(({ queue }) => !known.has(queue))
      .map(
        ({ queue, count }) =>
          `${jobs(count, 'is waiting', 'are waiting')} in “${queue}”, a queue that this version does not have`,
      ),
  ]
}

type Waiting = { queue: string; count: number; seconds: number }

function waitingByQueue({ counts }: QueueFacts, now: Date): Waiting[] {
  const rows = counts.filter(({ status }) => status === 'queued' || status === 'retrying')
  return [...Map.groupBy(rows, ({ queue }) => queue)].map(([queue, own]) => {
    const since = own.flatMap(({ dueSince }) => dueSince?.getTime() ?? [])
    return {
      queue,
      count: own.reduce((total, { count }) => total + count, 0),
      seconds: since.length > 0 ? Math.round((now.getTime() - Math.min(...since)) / 1_000) : 0,
    }
  })
}

const countIn = (waiting: readonly Waiting[], queue: string) =>
  waiting.find((row) => row.queue === queue)?.count ?? 0

const jobs = (count: number, one: string, many: string) =>
  `${count.toLocaleString('en-US')} ${count === 1 ? `job ${one}` : `jobs ${many}`}`

export type QueueReader = (db: Db) => Promise<{ queues: Queue[]; warnings: string[] }>

// A count this fast is not cached.
const CHEAP_MS = 50
// Counting takes at most a twentieth of a core, however many administrators are watching.
const CACHE_FACTOR = 20
// The limit even on a busy machine.
const MAX_CACHE_MS = 10_000

/**
 * Reads all queues, once for all concurrent requests. With a million jobs the counts of ended jobs are cached for a few
 * seconds; the counts of waiting and running jobs are always current.
 */
export function openQueueReader(queues: Queues): QueueReader {
  const share = openSharedReads()
  let kept: { counts: QueueCount[]; until: number } | undefined
  const ended = async (db: Db): Promise<QueueCount[]> => {
    const began = performance.now()
    if (kept && began < kept.until) return kept.counts
    const counts = await countEnded(db)
    const now = performance.now()
    const tookMs = now - began
    kept = { counts, until: now + (tookMs > CHEAP_MS ? Math.min(tookMs * CACHE_FACTOR, MAX_CACHE_MS) : 0) }
    return counts
  }
  const read: QueueReader = async (db) => {
    // Sequentially, because jobs and other requests need the connections as well.
    const facts = {
      counts: [...(await ended(db)), ...(await countUnfinished(db))],
      pauses: await listPauses(db),
      recentFailures: await countRecentFailures(db),
      workerAlive: await isWorkerAlive(db),
    }
    return { queues: describeQueues(queues, facts), warnings: queueWarnings(queues, facts, new Date()) }
  }
  return (db) => share('queues', () => read(db))
}

/** Pauses or resumes a queue. A change that has no effect is not audited. */
export async function changeQueue(
  db: Db,
  { key, paused, by }: { key: string; paused: boolean; by: By },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const isPaused = (await listPauses(trx)).has(key)
    if (paused === isPaused) return
    if (paused) await pauseQueue(trx, key, by.actorUserId)
    else await resumeQueue(trx, key)
    await writeAudit(trx, { action: paused ? 'queue-paused' : 'queue-resumed', target: key, ...by })
  })
}
