import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#server/platform/database.ts'
import { RunAborted } from './decide-outcome.ts'
import { beatRuns } from './job-claims.ts'
import { type ActiveRun, LONGEST_GRACE_SECONDS } from './job-run.ts'

/** The runs of one worker process: who is alive, and which slots are taken. */
export class ActiveRuns {
  readonly #control: Db
  /** Their outcome is open: they must show signs of life. */
  readonly #open = new Set<ActiveRun>()
  /** A handler that was left behind still has its slot. */
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

  /** Shows that all live, and aborts those that were cancelled or given to somebody else. */
  async beat(): Promise<void> {
    const runs = [...this.#open]
    if (runs.length === 0) return
    const beats = await beatRuns(this.#control, runs)
    for (const run of runs) {
      const beat = beats.find(({ jobId, runNo }) => jobId === run.jobId && runNo === run.runNo)
      if (beat) run.hear(beat)
      if (beat?.cancelRequested) run.abort(new RunAborted('cancelled', 'the job was cancelled'))
      // A run that ended while the question was under way is not missing, it is settled.
      else if (!beat) run.abort(new RunAborted('taken-over', 'the job was given to another run'))
    }
  }

  /** Those that can go on elsewhere stop now, the others get the time to finish; after it they are stopped as well. */
  async stop(timeForOthersMs: number): Promise<void> {
    this.#abort((run) => run.resumable)
    await this.#settledWithin(timeForOthersMs)
    this.#abort(() => true)
    await this.#settledWithin(LAST_MS)
  }

  #abort(which: (run: ActiveRun) => boolean): void {
    for (const run of this.#open) {
      if (which(run)) run.abort(new RunAborted('stopping', 'the worker stops'))
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
