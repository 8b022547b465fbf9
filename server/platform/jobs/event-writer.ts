import type { Db } from '#server/platform/database.ts'
import { ChangeNotices } from './job-changed.ts'
import type { RunKey } from './job-claims.ts'
import type { JobProgress } from './job-definition.ts'
import { appendEvents, type EventBatch, type JobEvent } from './job-events.ts'
import { LogAllowance } from './log-allowance.ts'
import { outliveOutage } from './outlive-outage.ts'
import { storableLines } from './storable-text.ts'

// Lines that come within this time share a statement: a script that prints 10,000 lines costs 10 writes a second.
const GATHER_MS = 100
// A bar that moves twice a second looks alive; more would fill the table.
const PROGRESS_MS = 500
// More than this makes the handler wait, so that a noisy one is bounded in memory. A batch is as large at most.
const FULL = { lines: 1_000, characters: 1_000_000 }

export type EventWriterOptions = {
  /** Called once, with the reason, when the run is not ours any more. */
  readonly onFailure: (error: unknown) => void
  /** Aborted when a database that is away is not waited for any more. */
  readonly ending: AbortSignal
}

/**
 * Collects what a run says and stores it in order; waits out a database that is away. Once the run is not ours any more
 * everything throws the reason.
 */
export class EventWriter {
  readonly #db: Db
  readonly #run: RunKey
  readonly #options: EventWriterOptions
  readonly #notices: ChangeNotices
  readonly #closing = new AbortController()
  readonly #allowance = new LogAllowance()
  #lines: JobEvent[] = []
  #characters = 0
  #progress: JobProgress | undefined
  #progressAt = Number.NEGATIVE_INFINITY
  #writing: Promise<void> | undefined
  #stopGathering: () => void = () => undefined
  #holds = 0
  #failure: unknown

  constructor(db: Db, run: RunKey, options: EventWriterOptions) {
    this.#db = db
    this.#run = run
    this.#options = options
    this.#notices = new ChangeNotices(db, run.jobId)
  }

  /** Resolves at once while there is room. */
  async log(lines: readonly string[], stream: string): Promise<void> {
    for (const message of lines.flatMap(storableLines)) {
      this.#add(this.#allowance.take({ kind: 'log', stream, message }))
    }
    this.#startWriting()
    while (this.#isFull() && this.#writing !== undefined && this.#holds === 0) await this.#writing
    this.#throwFailure()
  }

  /** Resolves when all that was said by now is stored; at once while a transaction of the handler is open. */
  async flush(): Promise<void> {
    const last = this.#lines.at(-1)
    this.#stopGathering()
    this.#startWriting()
    while (this.#holds === 0 && last && this.#lines.includes(last)) await this.#writing
    // What was taken out last is being stored.
    if (this.#holds === 0) await this.#writing
    this.#throwFailure()
  }

  progress(progress: JobProgress): void {
    this.#throwFailure()
    this.#progress = progress
    this.#startWriting()
  }

  /**
   * Writes nothing until the answered function is called: a handler that has a transaction open may hold the job's row,
   * and a write would wait for that transaction while the handler waits for the write.
   */
  hold(): () => void {
    this.#holds += 1
    return () => {
      this.#holds -= 1
      this.#startWriting()
    }
  }

  /** Stores what is left; throws if the run is not ours any more. */
  async close(): Promise<void> {
    this.#closing.abort()
    this.#stopGathering()
    this.#add(this.#allowance.takeRest())
    this.#startWriting()
    while (this.#writing !== undefined) await this.#writing
    this.#notices.stop()
    this.#throwFailure()
  }

  /** Forgets what is left. */
  abandon(reason: unknown): void {
    this.#failure ??= reason
    this.#lines = []
    this.#characters = 0
    this.#progress = undefined
    this.#closing.abort()
    this.#stopGathering()
    this.#notices.stop()
  }

  #add(lines: readonly JobEvent[]): void {
    this.#lines.push(...lines)
    for (const { message } of lines) this.#characters += message.length
    if (this.#isFull()) this.#stopGathering()
  }

  #isFull(): boolean {
    return this.#lines.length > FULL.lines || this.#characters > FULL.characters
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure
  }

  #startWriting(): void {
    if (this.#writing !== undefined || !this.#canWrite()) return
    this.#writing = this.#write()
      .catch((error: unknown) => {
        this.abandon(error)
        this.#options.onFailure(error)
      })
      .finally(() => {
        this.#writing = undefined
        this.#startWriting()
      })
  }

  #canWrite(): boolean {
    return this.#holds === 0 && (this.#lines.length > 0 || this.#progress !== undefined)
  }

  async #write(): Promise<void> {
    const { signal } = this.#closing
    if (!signal.aborted && !this.#isFull()) await this.#gather()
    if (!this.#canWrite()) return
    const batch = this.#takeBatch()
    if (batch.events.length === 0) return
    // At the end of a run its outcome follows at once, and notifies.
    const notify = !signal.aborted && this.#notices.isDue()
    await outliveOutage(() => appendEvents(this.#db, this.#run, { ...batch, notify }), this.#options.ending)
  }

  #gather(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, GATHER_MS)
      this.#stopGathering = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  #takeBatch(): Omit<EventBatch, 'notify'> {
    const events = this.#takeLines()
    const isProgressDue = performance.now() - this.#progressAt >= PROGRESS_MS || this.#closing.signal.aborted
    const progress = isProgressDue ? this.#progress : undefined
    if (progress) {
      this.#progress = undefined
      this.#progressAt = performance.now()
      events.push({ kind: 'progress', message: progress.note ?? '', data: { ...progress } })
    }
    return { events, progress }
  }

  #takeLines(): JobEvent[] {
    let count = 0
    let characters = 0
    for (const { message } of this.#lines) {
      if (count === FULL.lines || (count > 0 && characters + message.length > FULL.characters)) break
      count += 1
      characters += message.length
    }
    this.#characters -= characters
    return this.#lines.splice(0, count)
  }
}
