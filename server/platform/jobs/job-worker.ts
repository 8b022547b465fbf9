import { ActiveRuns } from './active-runs.ts'
import type { Deliveries } from './deliveries.ts'
import { postponeDelivery } from './delivery-rows.ts'
import { claimJob, queuesWithWork } from './job-claims.ts'
import type { JobDefinition } from './job-definition.ts'
import { type RunSurroundings, startRun } from './job-run.ts'
import { returnStarts, takeStarts } from './queue-rates.ts'

export type JobWorkerOptions = Omit<RunSurroundings, 'ending'> & {
  readonly definitions: readonly JobDefinition[]
  readonly deliveries: Deliveries
  /** How often an idle worker looks for work; also how late a job starts at most. */
  readonly pollMs: number
  readonly heartbeatMs: number
}

// How soon a job looks again whether its concurrency key is free.
const BUSY_SECONDS = 2

/** Takes deliveries while there are free slots, runs them, shows that they live, and stops in good order. */
export class JobWorker {
  readonly #options: JobWorkerOptions
  readonly #definitions: ReadonlyMap<string, JobDefinition>
  readonly #runs: ActiveRuns
  readonly #stopping = new AbortController()
  readonly #ending = new AbortController()
  readonly #beats: NodeJS.Timeout
  readonly #looking: Promise<void>
  #wake: () => void = () => undefined
  #lookAgain = false
  #isDown = false

  constructor(options: JobWorkerOptions) {
    this.#options = options
    this.#definitions = new Map(options.definitions.map((definition) => [definition.queue.name, definition]))
    this.#runs = new ActiveRuns(options.control, () => this.lookNow())
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
    for (const queue of await queuesWithWork(this.#options.control, free))
      started += await this.#takeFrom(queue)
    return started
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
    let started = 0
    for (const jobId of await this.#options.deliveries.take(queue, most))
      started += await this.#start(queue, jobId)
    return started
  }

  #freeSlots(queue: string): number {
    return (this.#definitions.get(queue)?.queue.concurrency ?? 0) - this.#runs.busy(queue)
  }

  /** A delivery that is not wanted any more is cleared away by the reconciler. */
  async #start(queue: string, jobId: string): Promise<0 | 1> {
    const { control } = this.#options
    const definition = this.#definitions.get(queue)
    const claim = await claimJob(control, jobId)
    if (claim === 'busy') await postponeDelivery(control, jobId, BUSY_SECONDS)
    if (!definition || !claim || claim === 'busy') return 0
    this.#runs.add(startRun(definition, claim, { ...this.#options, ending: this.#ending.signal }))
    return 1
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
      if (!this.#isDown) this.#options.log.warn({ err: error }, 'worker cannot reach the database')
      this.#isDown = true
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
