import { sql } from 'kysely'
import { LOWEST_ID } from '#server/platform/database/cursors.ts'
import { type Db, isDatabaseDown } from '#server/platform/database/database.ts'
import type { Log } from '#server/platform/log.ts'
import { fenceName } from './claims.ts'
import { sendDelivery } from './deliveries.ts'
import type { DirectConnection } from './direct-connection.ts'
import { decideLost, type Outcome, settleJob } from './outcomes.ts'
import { type EnqueueScheduled, enqueueDueSchedules, enqueueIfDue, type PeriodicJob } from './schedules.ts'

// What a round looks at. A longer backlog is gone through round by round, so that a round stays short (comparing
// 100,000 waiting jobs at once takes 150 ms of a core).
const PAGE = 2_000

const isLost = (staleSeconds: number) => sql`
  job.status in ('running', 'waiting-manual') and job.heartbeat_at < now() - make_interval(secs => ${staleSeconds})`

const isUnsent = sql`
  not exists (
    select from pgboss.job delivery
    where delivery.name = job.queue and delivery.id = job.id and delivery.state in ('created', 'retry')
  )`

export type Findings = {
  /** Some run shows no sign of life. */
  readonly lost: boolean
  /** Waiting jobs of this page that nobody will be given. */
  readonly unsent: string[]
  /** Where the next page begins. */
  readonly next: string
}

/** Looks, in one query, for what is wrong: mostly nothing. */
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
 * Settles the jobs whose worker has shown no sign of life for too long. Rows that a fenced transaction holds are left
 * until that has ended.
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
 * Ends the fenced transactions of runs that show no sign of life any more. The database does so itself when such a
 * transaction idles; in the middle of a COPY it would wait for as long as the worker is stopped. Answers how many.
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

/** Sends waiting jobs again whose delivery vanished, or was taken by a worker of a version that took it before it started them. */
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

/** Where a round through the deliveries stands. */
export type DeliveryPlace = { readonly queue: string; readonly id: string }
const FIRST_DELIVERY: DeliveryPlace = { queue: '', id: LOWEST_ID }

/**
 * Removes the deliveries of a page whose job has ended or does not exist, and answers where the next page begins. The
 * queue library's table holds nothing but deliveries.
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
