import { setTimeout as sleep } from 'node:timers/promises'
import type { Progress } from './import-progress.ts'

// Often enough to hit the moments between two pages; a page of a small import takes some tens of milliseconds.
const LOOK_MS = 20
/** Nothing may stand still for longer, whatever was killed. */
const LONGEST_STILL_MS = 30_000

/**
 * Looks at an import until it is applied, and remembers how long it stood still at most. Time in which the database was
 * away counts for nobody.
 */
export class ImportWatch {
  readonly #read: () => Promise<Progress | undefined>
  #share = 0
  #trace = ''
  #movedAt = Date.now()
  #away = 0
  #longestStillMs = 0

  constructor(read: () => Promise<Progress | undefined>) {
    this.#read = read
  }

  get longestStillMs(): number {
    return this.#longestStillMs
  }

  /** Something makes any progress impossible, or does so no longer. */
  away(isAway: boolean): void {
    this.#away += isAway ? 1 : -1
    this.#movedAt = Date.now()
  }

  /** Resolves when it is applied; rejects when it failed or stands still for too long. */
  async untilApplied(): Promise<void> {
    this.#movedAt = Date.now()
    for (;;) {
      const progress = await this.#read()
      if (progress?.failure) throw new Error(progress.failure)
      this.#note(progress)
      if (progress?.applied) return
      await sleep(LOOK_MS)
    }
  }

  /** Resolves when that share of the way is done, and also when the import ended before. */
  async untilShare(share: number, signal: AbortSignal): Promise<void> {
    while (this.#share < share && !signal.aborted) await sleep(LOOK_MS)
  }

  #note(progress: Progress | undefined): void {
    const now = Date.now()
    if (progress && progress.trace !== this.#trace) {
      this.#share = progress.share
      this.#trace = progress.trace
      this.#movedAt = now
    }
    if (this.#away > 0) return
    const stillMs = now - this.#movedAt
    this.#longestStillMs = Math.max(this.#longestStillMs, stillMs)
    if (stillMs > LONGEST_STILL_MS) {
      throw new Error(`nothing moved for ${Math.round(stillMs / 1000)} s; it stood at ${this.#trace}`)
    }
  }
}
