import { CronExpressionParser } from 'cron-parser'
import { sql } from 'kysely'
import type { JsonObject } from '#db/schema.gen.ts'
import type { Db } from '#server/platform/database/database.ts'
import { storableError } from '#server/platform/database/storable-text.ts'
import { enqueueJob } from './enqueue-job.ts'
import type { JobQueue } from './job-definition.ts'

const FIELDS = 5

/**
 * The next time of a cron expression (minute, hour, day of month, month, day of week) after a moment, in a time zone. A
 * time skipped by daylight saving time moves an hour later; a repeated one counts once.
 * @throws Error with a message for people
 */
export function nextRunOf(cron: string, timeZone: string, after: Date): Date {
  requireZone(timeZone)
  const fields = cron.trim().split(/\s+/)
  if (fields.length !== FIELDS) {
    throw new Error(
      'Write five fields: minute, hour, day of month, month, day of week. "0 6 * * 1" is Mondays at 6:00.',
    )
  }
  // The parser's H means a random value, which would differ each time.
  if (fields.some((field) => /(^|[,/])H/i.test(field)))
    throw new Error(unreadable(cron, 'H is not supported'))
  try {
    return CronExpressionParser.parse(fields.join(' '), { currentDate: after, tz: timeZone }).next().toDate()
  } catch (error) {
    throw new Error(unreadable(cron, error instanceof Error ? error.message : String(error)))
  }
}

const unreadable = (cron: string, why: string): string =>
  `"${cron}" is not a valid time: ${why}. Write minute, hour, day of month, month, day of week.`

function requireZone(timeZone: string): void {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone })
    if (/^[A-Za-z]/.test(timeZone)) return
  } catch {
    // Invalid; reported below.
  }
  throw new Error(`There is no time zone "${timeZone}". Use one such as UTC or America/New_York.`)
}

/** What a schedule enqueues. */
type DueSchedule = {
  readonly id: string
  readonly name: string
  readonly queue: string
  readonly payload: JsonObject
  readonly options: JsonObject
  readonly createdBy: string | null
}

/** Enqueues the job of a schedule in the given transaction and returns its id; an error becomes the schedule's problem. */
export type EnqueueScheduled = (trx: Db, schedule: DueSchedule) => Promise<string>

type LockedSchedule = DueSchedule & {
  readonly cron: string
  readonly timeZone: string
  readonly dueAt: Date
  readonly now: Date
  readonly isBusy: boolean
}

/**
 * Enqueues the due schedules and returns the number of jobs. The same transaction sets a schedule's next run, so each
 * run happens once even if several processes do this at once. After several missed runs, only one is made up.
 */
export async function enqueueDueSchedules(db: Db, enqueue: EnqueueScheduled): Promise<number> {
  let enqueued = 0
  for (;;) {
    const done = await takeDue(db, enqueue)
    if (done === 'none') return enqueued
    if (done === 'enqueued') enqueued += 1
  }
}

class NotEnqueued extends Error {
  readonly schedule: LockedSchedule

  constructor(schedule: LockedSchedule, cause: unknown) {
    super('a schedule could not enqueue its job', { cause })
    this.schedule = schedule
  }
}

async function takeDue(db: Db, enqueue: EnqueueScheduled): Promise<'none' | 'enqueued' | 'skipped'> {
  try {
    return await db.transaction().execute(async (trx) => {
      const schedule = await lockDue(trx)
      if (!schedule) return 'none'
      if (schedule.isBusy) {
        await moveOn(trx, schedule, { problem: 'Skipped: the previous job has not ended yet.' })
        return 'skipped'
      }
      const jobId = await enqueue(trx, schedule).catch((error: unknown) => {
        throw new NotEnqueued(schedule, error)
      })
      await moveOn(trx, schedule, { jobId })
      return 'enqueued'
    })
  } catch (error) {
    if (!(error instanceof NotEnqueued)) throw error
    await moveOn(db, error.schedule, { problem: storableError(error.cause) })
    return 'skipped'
  }
}

async function lockDue(trx: Db): Promise<LockedSchedule | undefined> {
  const { rows } = await sql<LockedSchedule>`
    select id, name, queue, payload, options, created_by as "createdBy", cron, time_zone as "timeZone",
           next_run_at as "dueAt", now() as now,
           exists (
             select from job
             where job.id = last_job_id and status in ('queued', 'retrying', 'running', 'waiting-manual')
           ) as "isBusy"
    from job_schedule
    where enabled and next_run_at <= now()
    order by next_run_at limit 1
    for update skip locked`.execute(trx)
  return rows[0]
}

/**
 * A schedule without a next run is skipped until it is edited. One that was changed or run meanwhile is left alone.
 */
async function moveOn(
  db: Db,
  { id, cron, timeZone, dueAt, now }: LockedSchedule,
  { jobId, problem }: { jobId?: string; problem?: string },
): Promise<void> {
  const next = tryNextRun(cron, timeZone, now)
  await sql`
    update job_schedule
    set next_run_at = ${'at' in next ? next.at : null}, problem = ${problem ?? ('problem' in next ? next.problem : null)},
        last_run_at = case when ${jobId !== undefined} then now() else last_run_at end,
        last_job_id = coalesce(${jobId ?? null}::uuid, last_job_id), updated_at = now()
    where id = ${id} and next_run_at = ${dueAt}`.execute(db)
}

function tryNextRun(cron: string, timeZone: string, after: Date): { at: Date } | { problem: string } {
  try {
    return { at: nextRunOf(cron, timeZone, after) }
  } catch (error) {
    return { problem: storableError(error) }
  }
}

/** A job with an empty payload that runs at a fixed interval. */
export type PeriodicJob = {
  readonly queue: JobQueue<Record<string, never>>
  readonly everySeconds: number
  /** Whether there is anything to do, checked in a transaction; if not, no job is enqueued and the check repeats. */
  readonly isNeeded?: (trx: Db) => Promise<boolean>
}

/**
 * Enqueues the job if the last one was enqueued long enough ago, and returns its id. The last job's row is the clock, so
 * restarts neither repeat nor skip a run; a lock per queue lets only one process do it.
 */
export async function enqueueIfDue(db: Db, periodic: PeriodicJob): Promise<string | undefined> {
  const { queue, everySeconds, isNeeded } = periodic
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ free: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended(${`periodic:${queue.name}`}, 0)) as free`.execute(trx)
    if (!rows[0]?.free || (await isRecent(trx, queue.name, everySeconds))) return undefined
    if (isNeeded && !(await isNeeded(trx))) return undefined
    return enqueueJob(trx, { queue, payload: {} })
  })
}

/** An unfinished job counts as recent however old it is: a second one would only do the same. */
async function isRecent(trx: Db, queue: string, everySeconds: number): Promise<boolean> {
  const { rows } = await sql`
    select from job
    where queue = ${queue}
      and (created_at > now() - make_interval(secs => ${everySeconds})
        or status in ('queued', 'retrying', 'running', 'waiting-manual'))
    limit 1`.execute(trx)
  return rows.length > 0
}
