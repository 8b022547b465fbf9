import { setImmediate } from 'node:timers/promises'
import { type Db, isDatabaseDown } from '#server/platform/database.ts'
import type { RunKey } from './job-claims.ts'
import { type Outcome, type RunOutcome, settleFreeRuns, settleRun } from './job-transitions.ts'

// Rows that one statement locks; it takes some milliseconds for as many.
const MOST = 100

type Waiting = RunOutcome & PromiseWithResolvers<boolean>

/**
 * Stores the outcomes of a worker's runs. Those that come while a statement is under way share the next one: one that
 * comes alone waits for nobody, and a thousand short jobs a second cost some dozen commits.
 */
export class OutcomeWriter {
  readonly #db: Db
  #waiting: Waiting[] = []
  #writing: Promise<void> | undefined

  constructor(db: Db) {
    this.#db = db
  }

  /** Answers false where the run is over already. */
  settle({ jobId, runNo }: RunKey, outcome: Outcome): Promise<boolean> {
    const waiting: Waiting = { jobId, runNo, outcome, ...Promise.withResolvers<boolean>() }
    this.#waiting.push(waiting)
    this.#writing ??= this.#writeAll()
    return waiting.promise
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Handlers that end in one turn of the event loop end together.
      await setImmediate()
      const batch = this.#waiting.splice(0, MOST)
      const [first] = batch
      if (batch.length === 1 && first) await this.#writeAlone(first)
      else await this.#writeTogether(batch)
    }
    // With the last look and not a moment after it: an outcome that comes in between would wait for the next one.
    this.#writing = undefined
  }

  async #writeTogether(batch: readonly Waiting[]): Promise<void> {
    try {
      const settled = new Set(await settleFreeRuns(this.#db, batch))
      for (const one of batch) {
        if (settled.has(one.jobId)) one.resolve(true)
        // Over already, or something holds its row: whichever it is, the others do not wait for it.
        else void this.#writeAlone(one)
      }
    } catch (error) {
      // One that cannot be stored must not keep the others from it.
      if (isDatabaseDown(error)) for (const one of batch) one.reject(error)
      else await Promise.all(batch.map((one) => this.#writeAlone(one)))
    }
  }

  async #writeAlone(one: Waiting): Promise<void> {
    try {
      one.resolve(await settleRun(this.#db, one, one.outcome))
    } catch (error) {
      one.reject(error)
    }
  }
}
