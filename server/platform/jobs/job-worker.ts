import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Db, isDatabaseDown } from '#server/platform/database/database.ts'
import { beatRuns, claimJobs, queuesWithWork } from './claims.ts'
import type { JobDefinition, RateLimit } from './job-definition.ts'
import { type ActiveRun, LONGEST_GRACE_SECONDS, type RunContext, startRun } from './job-run.ts'
import { OutcomeWriter, RunAborted } from './outcomes.ts'

/** How many jobs a worker may start, and the rate-limit window they count in. */
export type Grant = { readonly starts: number; readonly windowAt: Date }

/**
 * Takes up to `wanted` starts from the queue's rate limit, which all workers share. A window begins with the first start
 * after the previous window has ended.
 */
export async function takeStarts(
  db: Db,
  queue: string,
  { starts, perSeconds }: RateLimit,
  wanted: number,
): Promise<Grant> {
  const { rows } = await sql<Grant>`
    with made as (
      insert into job_queue (name) values (${queue}) on conflict (name) do nothing
    ), old as (
      select name, case when passed then 0 else window_starts end as taken,
             case when passed then now()::timestamptz(3) else window_at end as window_at
      from job_queue, lateral (select window_at <= now() - make_interval(secs => ${perSeconds}) as passed) as window_
      where name = ${queue}
      for update of job_queue
    ), granted as (
      select name, taken, window_at, greatest(least(${wanted}, ${starts} - taken), 0)::int as starts from old
    ), taken as (
      update job_queue set window_at = granted.window_at, window_starts = granted.taken + granted.starts
      from granted where job_queue.name = granted.name and granted.starts > 0
    )
    select starts, window_at as "windowAt" from granted`.execute(db)
  // The row was just inserted and is not visible to the same statement.
  return rows[0] ?? takeStarts(db, queue, { starts, perSeconds }, wanted)
}

/** Returns unused starts. */
export async function giveBackStarts(db: Db, queue: string, { starts, windowAt }: Grant): Promise<void> {
  await sql`
    update job_queue set window_starts = greatest(window_starts - ${starts}, 0)
    where name = ${queue} and window_at = ${windowAt}`.execute(db)
}

/** The runs of one worker process and the slots they occupy. */
class ActiveRuns {
  readonly #control: Db
  /** Runs without an outcome, which need heartbeats. */
  readonly #open = new Set<ActiveRun>()
  /** Occupied slots per queue; an abandoned handler keeps its slot. */
  readonly #busy = new Map<string, number>()
  readonly #onFree: () => void

  constructor(control: Db, onFree: () => void) {
    this.#control = control
    this.#onFree = onFree
  }

  busy(queue: string): number {
    return this.#busy.get(queue) ?? 0
  }

  add(run: ActiveRun): void {
    this.#open.add(run)
    this.#busy.set(run.queue, this.busy(run.queue) + 1)
    void run.settled.then(() => this.#open.delete(run))
    void run.over.then(() => {
      this.#busy.set(run.queue, this.busy(run.queue) - 1)
      this.#onFree()
    })
  }

  has(jobId: string): boolean {
    return [...this.#open].some((run) => run.jobId === jobId)
  }

  /** Sends heartbeats, and aborts runs that were canceled or taken over. */
  async beat(): Promise<void> {
    const runs = [...this.#open]
    if (runs.length === 0) return
    const beats = await beatRuns(this.#control, runs)
    for (const run of runs) {
      const beat = beats.find(({ jobId, runNo }) => jobId === run.jobId && runNo === run.runNo)
      if (beat) run.hear(beat)
      if (beat?.cancelRequested) run.abort(new RunAborted('cancelled', 'the job was canceled'))
      // Harmless for a run that ended during the query: it is already settled.
      else if (!beat) run.abort(new RunAborted('taken-over', 'the job was given to another run'))
    }
  }

  /** Stops resumable runs now and gives the others time to finish, then stops them as well. */
  async stop(timeForOthersMs: number): Promise<void> {
    this.#abort((run) => run.resumable)
    await this.#settledWithin(timeForOthersMs)
    this.#abort(() => true)
    await this.#settledWithin(LAST_MS)
  }

  #abort(which: (run: ActiveRun) => boolean): void {
    for (const run of this.#open) {
      if (which(run)) run.abort(new RunAborted('stopping', 'the worker is stopping'))
    }
  }

  async #settledWithin(ms: number): Promise<void> {
    const timer = new AbortController()
    const late = sleep(ms, undefined, { signal: timer.signal }).catch(() => undefined)
    await Promise.race([Promise.all([...this.#open].map(({ settled }) => settled)), late])
    timer.abort()
  }
}

// Time for handlers to notice the abort, and for their outcomes to be stored.
const LAST_MS = LONGEST_GRACE_SECONDS * 1_000 + 2_000

export type JobWorkerOptions = Omit<RunContext, 'ending' | 'outcomes'> & {
  readonly definitions: readonly JobDefinition[]
  /** How often an idle worker checks for jobs, which is also the longest delay of a start. */
  readonly pollMs: number
  readonly heartbeatMs: number
}

// A queue that filled all its slots is checked again at once; the others at this interval meanwhile.
const LOOK_AROUND_MS = 100

/** Starts jobs while there are free slots, sends heartbeats, and shuts down gracefully. */
export class JobWorker {
  readonly #options: JobWorkerOptions
  readonly #definitions: ReadonlyMap<string, JobDefinition>
  readonly #runs: ActiveRuns
  readonly #outcomes: OutcomeWriter
  /** Queues that filled all their slots the last time. */
  readonly #full = new Set<string>()
  readonly #stopping = new AbortController()
  readonly #ending = new AbortController()
  readonly #beats: NodeJS.Timeout
  readonly #looking: Promise<void>
  #wake: () => void = () => undefined
  #lookAgain = false
  #lookedAround = Number.NEGATIVE_INFINITY
  #isDown = false

  constructor(options: JobWorkerOptions) {
    this.#options = options
    this.#definitions = new Map(options.definitions.map((definition) => [definition.queue.name, definition]))
    this.#runs = new ActiveRuns(options.control, () => this.lookNow())
    this.#outcomes = new OutcomeWriter(options.control)
    this.#beats = setInterval(() => void this.#beat(), options.heartbeatMs)
    this.#looking = this.#look()
  }

  /** Checks for jobs without waiting for the next poll. */
  lookNow(): void {
    this.#lookAgain = true
    this.#wake()
  }

  /** Called when there is a request for a job, such as a cancellation. */
  onControl(jobId: string): void {
    if (this.#runs.has(jobId)) void this.#beat()
  }

  /** Starts nothing new. Resumable jobs return to the queue at once; the others get time to finish. */
  async stop(timeForOthersMs: number): Promise<void> {
    this.#stopping.abort()
    this.lookNow()
    await this.#looking
    await this.#runs.stop(timeForOthersMs)
    this.#ending.abort()
    clearInterval(this.#beats)
  }

  async #look(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      this.#lookAgain = false
      const started = await this.#orDown(() => this.#takeWork(), 0)
      if (started === 0 && !this.#lookAgain) await this.#pause()
    }
  }

  async #takeWork(): Promise<number> {
    const free = [...this.#definitions.keys()].filter((queue) => this.#freeSlots(queue) > 0)
    if (free.length === 0) return 0
    let started = 0
    for (const queue of await this.#queuesToAsk(free)) started += await this.#takeFrom(queue)
    return started
  }

  async #queuesToAsk(free: readonly string[]): Promise<readonly string[]> {
    const full = free.filter((queue) => this.#full.has(queue))
    const now = performance.now()
    if (full.length > 0 && now - this.#lookedAround < LOOK_AROUND_MS) return full
    this.#lookedAround = now
    return queuesWithWork(this.#options.control, free)
  }

  async #takeFrom(queue: string): Promise<number> {
    const { control } = this.#options
    const limit = this.#definitions.get(queue)?.queue.rateLimit
    if (!limit) return this.#startSome(queue, this.#freeSlots(queue))
    const grant = await takeStarts(control, queue, limit, this.#freeSlots(queue))
    if (grant.starts === 0) return 0
    const started = await this.#startSome(queue, grant.starts)
    const left = grant.starts - started
    if (left > 0) await giveBackStarts(control, queue, { ...grant, starts: left })
    return started
  }

  async #startSome(queue: string, most: number): Promise<number> {
    const definition = this.#definitions.get(queue)
    if (!definition) return 0
    const around = { ...this.#options, outcomes: this.#outcomes, ending: this.#ending.signal }
    const claims = await claimJobs(this.#options.control, queue, most)
    for (const claim of claims) this.#runs.add(startRun(definition, claim, around))
    if (claims.length === most) this.#full.add(queue)
    else this.#full.delete(queue)
    return claims.length
  }

  #freeSlots(queue: string): number {
    return (this.#definitions.get(queue)?.queue.concurrency ?? 0) - this.#runs.busy(queue)
  }

  async #beat(): Promise<void> {
    await this.#orDown(() => this.#runs.beat(), undefined)
  }

  /** Logs an outage once, not once per second; work resumes when the database is back. */
  async #orDown<T>(work: () => Promise<T>, otherwise: T): Promise<T> {
    try {
      const result = await work()
      if (this.#isDown) this.#options.log.info('worker reaches the database again')
      this.#isDown = false
      return result
    } catch (error) {
      // Anything else is a bug and must not stay silent.
      if (!isDatabaseDown(error)) this.#options.log.error({ err: error }, 'worker failed to look for work')
      else if (!this.#isDown) this.#options.log.warn({ err: error }, 'worker cannot reach the database')
      this.#isDown = isDatabaseDown(error)
      return otherwise
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.#options.pollMs)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
