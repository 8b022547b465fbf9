import { CronExpressionParser } from 'cron-parser'
import { sql } from 'kysely'
import type { JsonObject } from '#db/schema.gen.ts'
import type { Db } from '#server/platform/database/database.ts'
import { enqueueJob } from './enqueue-job.ts'
import type { JobQueue } from './job-definition.ts'
import { storableError } from './storable-text.ts'

const FIELDS = 5

/**
 * When a cron expression (minute, hour, day of month, month, day of week) comes next after a moment, by the clocks of a
 * time zone. A time that a change to summer time leaves out comes an hour later, one that comes twice counts once.
 * Throws an error whose message tells a person what is wrong.
 */
export function nextRunOf(cron: string, timeZone: string, after: Date): Date {
  requireZone(timeZone)
  const fields = cron.trim().split(/\s+/)
  if (fields.length !== FIELDS) {
    throw new Error(
      'Write five fields: minute, hour, day of month, month, day of week. "0 6 * * 1" is Mondays at 6:00.',
    )
  }
  // What the parser takes for "some minute or other" would be another one each time.
  if (fields.some((field) => /(^|[,/])H/i.test(field)))
    throw new Error(unreadable(cron, 'H is not known here'))
  try {
    return CronExpressionParser.parse(fields.join(' '), { currentDate: after, tz: timeZone }).next().toDate()
  } catch (error) {
    throw new Error(unreadable(cron, error instanceof Error ? error.message : String(error)))
  }
}

const unreadable = (cron: string, why: string): string =>
  `"${cron}" is no time that comes: ${why}. Write minute, hour, day of month, month, day of week.`

function requireZone(timeZone: string): void {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone })
    if (/^[A-Za-z]/.test(timeZone)) return
  } catch {
    // Told below.
  }
  throw new Error(`There is no time zone "${timeZone}". Write one such as UTC or America/New_York.`)
}

/** What a schedule enqueues. */
export type DueSchedule = {
  readonly id: string
  readonly name: string
  readonly queue: string
  readonly payload: JsonObject
  readonly options: JsonObject
  readonly createdBy: string | null
}

/** Enqueues the job of a schedule in the given transaction and answers its id; an error becomes the schedule's problem. */
export type EnqueueScheduled = (trx: Db, schedule: DueSchedule) => Promise<string>

type LockedSchedule = DueSchedule & {
  readonly cron: string
  readonly timeZone: string
  readonly dueAt: Date
  readonly now: Date
  readonly isBusy: boolean
}

/**
 * Enqueues what is due and answers how many jobs that made. The time a schedule comes next is moved on in the transaction
 * that enqueues its job, so each round is run once however many do this at one time. Rounds that were missed while
 * nobody did it are made up for by one.
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
        await moveOn(trx, schedule, { problem: 'Left out: the job of the last time has not ended yet.' })
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
 * One that has no next time any more stays as it is, out of the way, until somebody mends it. One that was changed or run
 * meanwhile is left as it is.
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

/** A job without a payload of its own that shall run again and again, whoever is there to run it. */
export type PeriodicJob = {
  readonly queue: JobQueue<Record<string, never>>
  readonly everySeconds: number
  /** Whether there is anything to do; where it says no, there is no job, and it is asked again. Asked in a transaction. */
  readonly isNeeded?: (trx: Db) => Promise<boolean>
}

/**
 * Enqueues the job if the last one was enqueued long enough ago; answers its id then. The record of the last one is the
 * clock, so that restarts neither repeat nor skip a round, and a lock per queue lets one process of many do it (D21).
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

/** An unfinished one counts as recent however old it is: a second beside it would only do the same. */
async function isRecent(trx: Db, queue: string, everySeconds: number): Promise<boolean> {
  const { rows } = await sql`
    select from job
    where queue = ${queue}
      and (created_at > now() - make_interval(secs => ${everySeconds})
        or status in ('queued', 'retrying', 'running', 'waiting-manual'))
    limit 1`.execute(trx)
  return rows.length > 0
}
