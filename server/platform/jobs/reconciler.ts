import { type Db, isDatabaseDown } from '#server/platform/database.ts'
import { LOWEST_ID } from '#server/platform/id-ends.ts'
import type { Log } from '#server/platform/log.ts'
import type { DirectConnection } from './direct-connection.ts'
import { type EnqueueScheduled, enqueueDueSchedules } from './job-schedules.ts'
import { enqueueIfDue, type PeriodicJob } from './periodic-jobs.ts'
import {
  clearDeliveries,
  endStoppedRuns,
  FIRST_DELIVERY,
  inspectJobs,
  resendDeliveries,
  settleLostRuns,
} from './reconcile-jobs.ts'

export type ReconcilerOptions = {
  readonly db: Db
  readonly direct: DirectConnection
  readonly periodic: readonly PeriodicJob[]
  readonly enqueueScheduled: EnqueueScheduled | undefined
  readonly log: Log
  readonly reconcileMs: number
  /** A run without a sign of life for this long is lost. */
  readonly staleMs: number
  /** Jobs went back to the queue. */
  readonly onRequeued: () => void
}

// Any number will do, but it must never change: it is what makes one worker process of many the leader.
const LEADER_LOCK = 7_214_120_002
// How often the leader asks whether a periodic job is due; the shortest of them comes every two minutes.
const PERIODIC_MS = 60_000

/**
 * Compares, every few seconds and in one process of all, our table with the deliveries and with the signs of life, and
 * mends what a crash left behind. Also starts the periodic and the scheduled jobs.
 */
export class Reconciler {
  readonly #options: ReconcilerOptions
  readonly #timer: NodeJS.Timeout
  #round: Promise<void> | undefined
  /** Rounds have followed one another since then, leader or not. By the wall clock, which a sleeping laptop moves on. */
  #awakeSince = Date.now()
  #roundAt = Date.now()
  #jobsAfter = LOWEST_ID
  #deliveriesAfter = FIRST_DELIVERY
  #periodicAt = Number.NEGATIVE_INFINITY

  constructor(options: ReconcilerOptions) {
    this.#options = options
    this.#timer = setInterval(() => this.#startRound(), options.reconcileMs)
    this.#startRound()
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#round
  }

  #startRound(): void {
    this.#round ??= this.#reconcile()
      .catch((error: unknown) => {
        // Another log line of the same outage helps nobody.
        if (!isDatabaseDown(error)) this.#options.log.error({ err: error }, 'reconciling jobs failed')
      })
      .finally(() => {
        this.#round = undefined
      })
  }

  async #reconcile(): Promise<void> {
    this.#noteRound()
    if (!(await this.#options.direct.tryLock(LEADER_LOCK))) return
    const { db, staleMs } = this.#options
    const { lost, unsent, next } = await inspectJobs(db, staleMs / 1_000, this.#jobsAfter)
    this.#jobsAfter = next
    if (lost) await this.#settleLost()
    if (unsent.length > 0) await this.#resend(unsent)
    this.#deliveriesAfter = await clearDeliveries(db, this.#deliveriesAfter)
    await this.#startScheduled()
    await this.#startPeriodic()
  }

  #noteRound(): void {
    const { reconcileMs, staleMs } = this.#options
    const now = Date.now()
    if (now - this.#roundAt > reconcileMs + staleMs / 2) this.#awakeSince = now
    this.#roundAt = now
  }

  /**
   * After an outage of the database, or a sleep of the machine, every sign of life is old. A missing one counts only
   * once both have been up for as long as it may be missing: workers that live have shown it by then.
   */
  async #settleLost(): Promise<void> {
    const { db, direct, log, staleMs, onRequeued } = this.#options
    if (Date.now() - Math.max(direct.connectedAt, this.#awakeSince) < staleMs) return
    const lost = await settleLostRuns(db, staleMs / 1_000)
    for (const { jobId, outcome } of lost) log.warn({ jobId, outcome: outcome.to }, 'worker lost')
    if (lost.length > 0) onRequeued()
    // They are settled by the next round.
    const ended = await endStoppedRuns(db, staleMs / 1_000)
    if (ended > 0) log.warn({ ended }, 'transactions of workers that are stopped were ended')
  }

  async #resend(unsent: readonly string[]): Promise<void> {
    const { db, log, onRequeued } = this.#options
    const jobIds = await resendDeliveries(db, unsent)
    if (jobIds.length === 0) return
    log.warn({ jobIds }, 'jobs sent again whose delivery was lost')
    onRequeued()
  }

  async #startScheduled(): Promise<void> {
    const { db, enqueueScheduled, onRequeued } = this.#options
    if (enqueueScheduled && (await enqueueDueSchedules(db, enqueueScheduled)) > 0) onRequeued()
  }

  async #startPeriodic(): Promise<void> {
    const { db, periodic, onRequeued } = this.#options
    if (performance.now() - this.#periodicAt < PERIODIC_MS) return
    for (const job of periodic) {
      if (await enqueueIfDue(db, job)) onRequeued()
    }
    this.#periodicAt = performance.now()
  }
}
