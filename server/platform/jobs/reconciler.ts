import { sql } from 'kysely'
import { type Db, isDatabaseDown, LOWEST_ID } from '#server/platform/database/database.ts'
import type { Log } from '#server/platform/log.ts'
import { fenceName } from './claims.ts'
import { sendDelivery } from './deliveries.ts'
import type { DirectConnection } from './direct-connection.ts'
import { decideLost, type Outcome, settleJob } from './outcomes.ts'
import { type EnqueueScheduled, enqueueDueSchedules, enqueueIfDue, type PeriodicJob } from './schedules.ts'

// Jobs per round. A longer backlog takes several rounds, so that each stays short (comparing 100,000 waiting jobs at once
// takes 150 ms of CPU).
const PAGE = 2_000

const isLost = (staleSeconds: number) => sql`
  job.status in ('running', 'waiting-manual') and job.heartbeat_at < now() - make_interval(secs => ${staleSeconds})`

const isUnsent = sql`
  not exists (
    select from pgboss.job delivery
    where delivery.name = job.queue and delivery.id = job.id and delivery.state in ('created', 'retry')
  )`

type Findings = {
  /** Some run has no recent heartbeat. */
  readonly lost: boolean
  /** Waiting jobs of this page without a delivery. */
  readonly unsent: string[]
  /** Where the next page starts. */
  readonly next: string
}

/** Checks for inconsistencies in one query; usually there are none. */
async function inspectJobs(db: Db, staleSeconds: number, after: string): Promise<Findings> {
  const { rows } = await sql<{ lost: boolean; unsent: string[]; full: boolean; last: string | null }>`
    with waiting as materialized (
      select id, queue from job
      where status in ('queued', 'retrying') and id > ${after}
      order by id limit ${PAGE}
    )
    select exists (select from job where ${isLost(staleSeconds)}) as lost,
           array(select id::text from waiting as job where ${isUnsent}) as unsent,
           (select count(*) from waiting) = ${PAGE} as full,
           (select id from waiting order by id desc limit 1) as last`.execute(db)
  const [found] = rows
  if (!found) throw new Error('no findings')
  return { lost: found.lost, unsent: found.unsent, next: found.full && found.last ? found.last : LOWEST_ID }
}

export type Lost = { readonly jobId: string; readonly outcome: Outcome }

/**
 * Settles the jobs whose worker has sent no heartbeat for too long. Skips rows locked by a fenced transaction until that
 * has ended.
 */
export async function settleLostRuns(db: Db, staleSeconds: number): Promise<Lost[]> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{
      jobId: string
      resumable: boolean
      lostDeliveries: number
      cancelRequested: boolean
    }>`
      select id as "jobId", resumable, lost_deliveries as "lostDeliveries",
             cancel_requested_at is not null as "cancelRequested"
      from job
      where ${isLost(staleSeconds)}
      limit ${PAGE}
      for update skip locked`.execute(trx)
    const lost = rows.map((job) => ({ jobId: job.jobId, outcome: decideLost(job) }))
    for (const { jobId, outcome } of lost) await settleJob(trx, jobId, outcome)
    return lost
  })
}

/**
 * Ends the fenced transactions of runs without heartbeats and returns how many. The database itself ends idle ones, but in
 * the middle of a COPY it would wait for as long as the worker hangs.
 */
export async function endStoppedRuns(db: Db, staleSeconds: number): Promise<number> {
  const { rows } = await sql<{ jobId: string }>`
    select id as "jobId" from job where ${isLost(staleSeconds)} limit ${PAGE}`.execute(db)
  if (rows.length === 0) return 0
  const { rows: ended } = await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and usename = current_user
      and application_name = any(${rows.map(({ jobId }) => fenceName(jobId))}::text[])`.execute(db)
  return ended.length
}

/** Renews the deliveries of waiting jobs that lost theirs, or whose delivery an older version's worker took. */
async function resendDeliveries(db: Db, unsent: readonly string[]): Promise<string[]> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ id: string }>`
      select id from job
      where id = any(${unsent}::uuid[]) and status in ('queued', 'retrying') and ${isUnsent}
      for update of job skip locked`.execute(trx)
    for (const { id } of rows) await sendDelivery(trx, id)
    return rows.map(({ id }) => id)
  })
}

/** How far the pass through the deliveries has come. */
type DeliveryPlace = { readonly queue: string; readonly id: string }
const FIRST_DELIVERY: DeliveryPlace = { queue: '', id: LOWEST_ID }

/**
 * Deletes a page's deliveries whose job has ended or does not exist, and returns where the next page starts. pg-boss's
 * table contains only deliveries.
 */
async function clearDeliveries(db: Db, after: DeliveryPlace): Promise<DeliveryPlace> {
  const { rows } = await sql<DeliveryPlace & { full: boolean }>`
    with page as materialized (
      select name, id from pgboss.job
      where (name, id) > (${after.queue}, ${after.id}::uuid)
      order by name, id limit ${PAGE}
    ), cleared as (
      delete from pgboss.job delivery using page
      where delivery.name = page.name and delivery.id = page.id and not exists (
        select from job
        where job.id = page.id and job.status in ('queued', 'retrying', 'running', 'waiting-manual')
      )
    )
    select name as queue, id, (select count(*) from page) = ${PAGE} as full
    from page order by name desc, id desc limit 1`.execute(db)
  const [last] = rows
  return last?.full ? { queue: last.queue, id: last.id } : FIRST_DELIVERY
}

export type ReconcilerOptions = {
  readonly db: Db
  readonly direct: DirectConnection
  readonly periodic: readonly PeriodicJob[]
  readonly enqueueScheduled: EnqueueScheduled | undefined
  readonly log: Log
  readonly reconcileMs: number
  /** A run without a heartbeat for this long is lost. */
  readonly staleMs: number
  /** Called when jobs returned to the queue. */
  readonly onRequeued: () => void
}

// An arbitrary number that must never change: its lock makes one of the worker processes the leader.
const LEADER_LOCK = 7_214_120_002
// A periodic job is checked only as often as it may run, since each check is a transaction; but at least once a minute,
// because another process may have been the leader, and a machine that slept loses time.
const MOST_BETWEEN_CHECKS_MS = 60_000

/**
 * Every few seconds, in one of the worker processes, compares our table with the deliveries and heartbeats and repairs what
 * a crash left behind. Also starts periodic and scheduled jobs.
 */
export class Reconciler {
  readonly #options: ReconcilerOptions
  readonly #timer: NodeJS.Timeout
  #round: Promise<void> | undefined
  /** When the current series of rounds began, as leader or not. By the wall clock, which also runs while a laptop sleeps. */
  #awakeSince = Date.now()
  #roundAt = Date.now()
  #jobsAfter = LOWEST_ID
  #deliveriesAfter = FIRST_DELIVERY
  /** When to check each periodic job again, by the name of its queue. */
  readonly #checkAt = new Map<string, number>()

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
        // The outage is already logged elsewhere.
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
   * After a database outage or a sleep of the machine every heartbeat is old. A missing heartbeat counts only after both
   * have been up for `staleMs`: live workers have sent one by then.
   */
  async #settleLost(): Promise<void> {
    const { db, direct, log, staleMs, onRequeued } = this.#options
    if (Date.now() - Math.max(direct.connectedAt, this.#awakeSince) < staleMs) return
    const lost = await settleLostRuns(db, staleMs / 1_000)
    for (const { jobId, outcome } of lost) log.warn({ jobId, outcome: outcome.to }, 'worker lost')
    if (lost.length > 0) onRequeued()
    // They are settled by the next round.
    const ended = await endStoppedRuns(db, staleMs / 1_000)
    if (ended > 0) log.warn({ ended }, 'ended transactions of hanging workers')
  }

  async #resend(unsent: readonly string[]): Promise<void> {
    const { db, log, onRequeued } = this.#options
    const jobIds = await resendDeliveries(db, unsent)
    if (jobIds.length === 0) return
    log.warn({ jobIds }, 'restored lost deliveries of jobs')
    onRequeued()
  }

  async #startScheduled(): Promise<void> {
    const { db, enqueueScheduled, onRequeued } = this.#options
    if (enqueueScheduled && (await enqueueDueSchedules(db, enqueueScheduled)) > 0) onRequeued()
  }

  async #startPeriodic(): Promise<void> {
    const { db, periodic, onRequeued } = this.#options
    const failures: unknown[] = []
    for (const job of periodic) {
      const { queue, everySeconds } = job
      if (performance.now() < (this.#checkAt.get(queue.name) ?? 0)) continue
      try {
        if (await enqueueIfDue(db, job)) onRequeued()
      } catch (error) {
        // A job whose check always fails must not keep the others from starting.
        failures.push(error)
      }
      this.#checkAt.set(
        queue.name,
        performance.now() + Math.min(everySeconds * 1_000, MOST_BETWEEN_CHECKS_MS),
      )
    }
    if (failures.length > 0) throw failures[0]
  }
}
