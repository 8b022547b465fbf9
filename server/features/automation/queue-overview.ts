import type { Queue } from '#contract/automation.ts'
import { waitInWords } from '#server/platform/errors.ts'
import { findQueue, type Queues } from './new-job.ts'

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
export function describeQueues(queues: Queues, facts: QueueFacts): Queue[] {
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
export function queueWarnings(queues: Queues, facts: QueueFacts, now: Date): string[] {
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
