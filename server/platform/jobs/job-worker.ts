import { isDatabaseDown } from '#server/platform/database.ts'
import { ActiveRuns } from './active-runs.ts'
import { claimJobs, queuesWithWork } from './job-claims.ts'
import type { JobDefinition } from './job-definition.ts'
import { type RunSurroundings, startRun } from './job-run.ts'
import { OutcomeWriter } from './outcome-writer.ts'
import { returnStarts, takeStarts } from './queue-rates.ts'

export type JobWorkerOptions = Omit<RunSurroundings, 'ending' | 'outcomes'> & {
  readonly definitions: readonly JobDefinition[]
  /** How often an idle worker looks for work; also how late a job starts at most. */
  readonly pollMs: number
  readonly heartbeatMs: number
}

// A queue that had work for every place is asked for more at once; the others are looked at so often meanwhile.
const LOOK_AROUND_MS = 100

/** Starts jobs while there are free slots, runs them, shows that they live, and stops in good order. */
export class JobWorker {
  readonly #options: JobWorkerOptions
  readonly #definitions: ReadonlyMap<string, JobDefinition>
  readonly #runs: ActiveRuns
  readonly #outcomes: OutcomeWriter
  /** Queues that had work for every place the last time. */
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

  /** There may be work: look without waiting for the next poll. */
  lookNow(): void {
    this.#lookAgain = true
    this.#wake()
  }

  /** Something about a job was asked of whoever runs it. */
  onControl(jobId: string): void {
    if (this.#runs.has(jobId)) void this.#beat()
  }

  /**
   * Takes nothing new. Jobs that can go on elsewhere go back to the queue at once; the others get the time to finish.
   */
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
    if (left > 0) await returnStarts(control, queue, { ...grant, starts: left })
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

  /** A database that is away is one line in the log, not one a second; everything goes on when it is back. */
  async #orDown<T>(work: () => Promise<T>, otherwise: T): Promise<T> {
    try {
      const answer = await work()
      if (this.#isDown) this.#options.log.info('worker reaches the database again')
      this.#isDown = false
      return answer
    } catch (error) {
      // Anything else is a defect of ours, which must not stay silent.
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
