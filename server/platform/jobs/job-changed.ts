import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

/** Tells whoever shows a job that its record or events changed; the payload is its id alone, and listeners re-read. */
export const JOB_CHANGED = 'job_changed'

/** Tells whoever runs a job that something is asked of it. Workers listen to this one only: the other is noisy. */
export const JOB_CONTROL = 'job_control'

// With the one that tells of a run's end that makes at most five a second and job.
const BETWEEN_MS = 300

/**
 * Goes out when the transaction commits. Never inside a transaction that writes listings, imports or a ledger: commits
 * that notify wait for one another (13,700 a second become 4,300).
 */
export async function notifyJobChanged(db: Db, jobId: string): Promise<void> {
  await sql`select pg_notify(${JOB_CHANGED}, ${jobId})`.execute(db)
}

/** Makes the worker that runs the job look at its record now instead of at its next heartbeat. */
export async function notifyJobControl(db: Db, jobId: string): Promise<void> {
  await sql`select pg_notify(${JOB_CONTROL}, ${jobId})`.execute(db)
}

/** Thins out the notices of one job; what was thinned out goes out a moment later, so the last change is never silent. */
export class ChangeNotices {
  readonly #sendLate: () => Promise<void>
  #sentAt = Number.NEGATIVE_INFINITY
  #late: NodeJS.Timeout | undefined

  constructor(db: Db, jobId: string) {
    // A notice that is lost with the database costs a listener a moment: on reconnecting it reads again anyway.
    this.#sendLate = () => notifyJobChanged(db, jobId).catch(() => undefined)
  }

  /** Whether the statement that comes now shall notify. */
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
