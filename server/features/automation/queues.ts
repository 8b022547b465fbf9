import { sql } from 'kysely'
import type { JobStatus, Queue } from '#contract/automation.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { openSharedReads } from '#server/platform/database/reads.ts'
import { waitInWords } from '#server/platform/errors.ts'
import { pauseQueue, resumeQueue } from '#server/platform/jobs/deliveries.ts'
import { isWorkerAlive } from '#server/platform/jobs/direct-connection.ts'
import type { By } from '#server/platform/jobs/enqueue-job.ts'
import { findQueue, type Queues } from './new-job.ts'

/* What is in the queues. */

type QueueCount = {
  queue: string
  status: JobStatus
  count: number
  /** Of those the ones that are not due yet. */
  delayed: number
  /** Since when the one that is due longest has been. */
  dueSince: Date | null
}

/** Jobs that have ended, by queue and status: counted in an index, and yet 300 ms of a core for 1,000,000 of them. */
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

/** Jobs that failed within the last hour, by queue. */
async function countLateFailures(db: Db): Promise<{ queue: string; count: number }[]> {
  const { rows } = await sql<{ queue: string; count: number }>`
    select queue, count(*) as count from job
    where status = 'failed' and ended_at > now() - interval '1 hour' group by queue order by queue`.execute(
    db,
  )
  return rows
}

/** Since when which queues are paused. */
async function listPauses(db: Db): Promise<Map<string, Date>> {
  const { rows } = await sql<{ name: string; pausedAt: Date }>`
    select name, paused_at as "pausedAt" from job_queue where paused_at is not null`.execute(db)
  return new Map(rows.map(({ name, pausedAt }) => [name, pausedAt]))
}

export type QueueFacts = {
  counts: readonly { queue: string; status: string; count: number; delayed: number; dueSince: Date | null }[]
  /** Since when which queues are paused. */
  pauses: ReadonlyMap<string, Date>
  /** Of the last hour. */
  lateFailures: readonly { queue: string; count: number }[]
  workerAlive: boolean
}

// What administrators start themselves comes first; the product's own queues follow.
const OPERATED = [
  'ingest-autoparts',
  'preprocess',
  'namingOptimizer',
  'h1Optimizer',
  'descriptionOptimizer',
  'internalLinking',
]

/** Every queue that this version knows, with what waits, runs and has ended in it. */
function describeQueues(queues: Queues, facts: QueueFacts): Queue[] {
  const operated = OPERATED.flatMap((name) => findQueue(queues, name) ?? [])
  const own = queues.filter(({ name }) => !OPERATED.includes(name))
  return [...operated, ...own.toSorted((a, b) => a.name.localeCompare(b.name))].map((queue) => ({
    key: queue.name,
    name: queue.title,
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

/** Waiting is what could start now; delayed has a later time. A job that asks a person is active. */
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

// Workers look for jobs every second; a queue that is full or held to a rate may take longer, and then somebody should
// know.
const LONG_WAIT_SECONDS = 60

/** What an operator should look at, one sentence each. */
function queueWarnings(queues: Queues, facts: QueueFacts, now: Date): string[] {
  const known = new Set(queues.map(({ name }) => name))
  const waiting = waitingByQueue(facts, now)
  const late = waiting.filter(
    ({ queue, seconds }) => known.has(queue) && !facts.pauses.has(queue) && seconds > LONG_WAIT_SECONDS,
  )
  return [
    ...(facts.workerAlive ? [] : ['No worker is running: no job is started until one is']),
    ...[...facts.pauses.keys()]
      .filter((queue) => known.has(queue))
      .map((queue) => `${queue} is paused: ${jobs(countIn(waiting, queue), 'waits', 'wait')}`),
    ...late.map(({ queue, seconds }) => `${queue}: a job has waited for ${waitInWords(seconds)}`),
    ...facts.lateFailures.map(
      ({ queue, count }) => `${queue}: ${jobs(count, 'failed', 'failed')} in the last hour`,
    ),
    ...waiting
      .filter(({ queue }) => !known.has(queue))
      .map(
        ({ queue, count }) =>
          `${jobs(count, 'waits', 'wait')} in “${queue}”, a queue that this version does not have`,
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

// Where counting is as quick as anything else nothing is remembered.
const CHEAP_MS = 50
// A twentieth of a core may go into counting, however many people look.
const SHARE = 20
// However busy the machine is.
const LONGEST_MS = 10_000

/**
 * Reads all queues, for everybody who asks at the time at once. Among a million jobs the ended ones are counted every few
 * seconds only: what waits and runs is always true, what has ended may be told a moment late.
 */
export function openQueueReader(queues: Queues): QueueReader {
  const share = openSharedReads()
  let kept: { counts: QueueCount[]; until: number } | undefined
  const ended = async (db: Db): Promise<QueueCount[]> => {
    const began = performance.now()
    if (kept && began < kept.until) return kept.counts
    const counts = await countEnded(db)
    const now = performance.now()
    kept = { counts, until: now + keptFor(now - began) }
    return counts
  }
  const read: QueueReader = async (db) => {
    // One after the other: jobs and other people need the connections as well.
    const facts = {
      counts: [...(await ended(db)), ...(await countUnfinished(db))],
      pauses: await listPauses(db),
      lateFailures: await countLateFailures(db),
      workerAlive: await isWorkerAlive(db),
    }
    return { queues: describeQueues(queues, facts), warnings: queueWarnings(queues, facts, new Date()) }
  }
  return (db) => share('queues', () => read(db))
}

const keptFor = (tookMs: number) => (tookMs > CHEAP_MS ? Math.min(tookMs * SHARE, LONGEST_MS) : 0)

/** Pauses a queue or lets it go on; what it is already is not written down again. */
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
