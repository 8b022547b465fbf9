import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

/** Notifies viewers that a job or its events changed. The payload is only the job's id; listeners re-read. */
export const JOB_CHANGED = 'job_changed'

/** Notifies the worker of a job about a request. Workers listen only to this channel, since the other is noisy. */
export const JOB_CONTROL = 'job_control'

// With the notification of a run's end that makes at most five per second and job.
const BETWEEN_MS = 300

/**
 * Sent when the transaction commits. Never use it in a transaction that writes listings, imports or a ledger: commits
 * that notify wait for each other (4,300 per second instead of 13,700).
 */
export async function notifyJobChanged(db: Db, jobId: string): Promise<void> {
  await sql`select pg_notify(${JOB_CHANGED}, ${jobId})`.execute(db)
}

/** Makes the job's worker check its row now instead of at the next heartbeat. */
export async function notifyJobControl(db: Db, jobId: string): Promise<void> {
  await sql`select pg_notify(${JOB_CONTROL}, ${jobId})`.execute(db)
}

/** Throttles the notifications of one job. A throttled one is sent a moment later, so the last change is never lost. */
export class ChangeNotices {
  readonly #sendLate: () => Promise<void>
  #sentAt = Number.NEGATIVE_INFINITY
  #late: NodeJS.Timeout | undefined

  constructor(db: Db, jobId: string) {
    // Listeners re-read after reconnecting anyway, so a lost notification only costs a moment.
    this.#sendLate = () => notifyJobChanged(db, jobId).catch(() => undefined)
  }

  /** Whether the next statement should notify. */
  isDue(): boolean {
    const wait = this.#sentAt + BETWEEN_MS - performance.now()
    if (wait > 0) {
      this.#late ??= setTimeout(() => this.#send(), wait)
      return false
    }
    this.#sentAt = performance.now()
    return true
  }

  stop(): void {
    clearTimeout(this.#late)
  }

  #send(): void {
    this.#late = undefined
    this.#sentAt = performance.now()
    void this.#sendLate()
  }
}
