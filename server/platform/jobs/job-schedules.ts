import { sql } from 'kysely'
import type { JsonObject } from '#db/schema.gen.ts'
import type { Db } from '#server/platform/database.ts'
import { nextRunOf } from './cron-times.ts'
import { storableError } from './storable-text.ts'

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
