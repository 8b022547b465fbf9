import { sql } from 'kysely'
import type { JobSchedule } from '#contract/admin/automation.ts'
import type { JsonObject } from '#db/schema.gen.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import { type Db, inTransaction, onlyRow, violatesUnique } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { type By, enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import { type EnqueueScheduled, nextRunOf } from '#server/platform/jobs/schedules.ts'
import { checkNewJob, type JobRequest, type Queues } from './new-job.ts'

export type ScheduleRow = Omit<JobSchedule, 'nextRunAt' | 'lastRunAt'> & {
  nextRunAt: Date | null
  lastRunAt: Date | null
}

type NewSchedule = Omit<ScheduleRow, 'id' | 'lastRunAt' | 'lastJobId' | 'problem'>

const columns = sql`
  id, name, queue, payload, options, cron, time_zone as "timeZone", enabled, next_run_at as "nextRunAt",
  last_run_at as "lastRunAt", last_job_id as "lastJobId", problem`

export async function listSchedules(db: Db): Promise<ScheduleRow[]> {
  const { rows } =
    await sql<ScheduleRow>`select ${columns} from job_schedule order by name_key(name)`.execute(db)
  return rows
}

export async function findSchedule(db: Db, id: string): Promise<ScheduleRow | undefined> {
  const { rows } = await sql<ScheduleRow>`select ${columns} from job_schedule where id = ${id}`.execute(db)
  return rows[0]
}

/** Of two concurrent changes the second sees the result of the first. */
async function lockSchedule(trx: Db, id: string): Promise<ScheduleRow | undefined> {
  const { rows } = await sql<ScheduleRow>`
    select ${columns} from job_schedule where id = ${id} for update`.execute(trx)
  return rows[0]
}

async function insertSchedule(trx: Db, schedule: NewSchedule, userId: string): Promise<ScheduleRow> {
  const { name, queue, payload, options, cron, timeZone, enabled, nextRunAt } = schedule
  const { rows } = await sql<ScheduleRow>`
    insert into job_schedule (name, queue, payload, options, cron, time_zone, enabled, next_run_at, created_by)
    values (${name}, ${queue}, ${JSON.stringify(payload)}::jsonb, ${JSON.stringify(options)}::jsonb, ${cron},
            ${timeZone}, ${enabled}, ${nextRunAt}, ${userId})
    returning ${columns}`.execute(trx)
  return onlyRow(rows)
}

/** Clears the problem of the last run, because the new values have been checked. */
async function updateSchedule(trx: Db, id: string, schedule: NewSchedule): Promise<ScheduleRow> {
  const { name, queue, payload, options, cron, timeZone, enabled, nextRunAt } = schedule
  const { rows } = await sql<ScheduleRow>`
    update job_schedule
    set name = ${name}, queue = ${queue}, payload = ${JSON.stringify(payload)}::jsonb,
        options = ${JSON.stringify(options)}::jsonb, cron = ${cron}, time_zone = ${timeZone}, enabled = ${enabled},
        next_run_at = ${nextRunAt}, problem = null, updated_at = now()
    where id = ${id}
    returning ${columns}`.execute(trx)
  return onlyRow(rows)
}

export type ScheduleRequest = JobRequest & { name: string; cron: string; timeZone: string; enabled: boolean }

/**
 * Validates a requested schedule: its job as if enqueued now, and its next run.
 * @throws AppError VALIDATION_FAILED with the problem in its field
 */
export function checkSchedule(queues: Queues, request: ScheduleRequest, now: Date): NewSchedule {
  const { queue, payload, options } = checkNewJob(queues, request)
  const { name, timeZone, enabled } = request
  const cron = request.cron.split(/\s+/).join(' ')
  // A valid expression fails only for an unknown time zone.
  orRefuse('timeZone', () => nextRunOf('0 0 * * *', timeZone, now))
  const next = orRefuse('cron', () => nextRunOf(cron, timeZone, now))
  return {
    name,
    queue: queue.name,
    // The queue's schema parsed it from JSON.
    payload: payload as JsonObject,
    options,
    cron,
    timeZone,
    enabled,
    nextRunAt: enabled ? next : null,
  }
}

type Change = { [K in keyof ScheduleRequest]?: ScheduleRequest[K] | undefined }

/** Fields missing from the change keep their values. */
export function changedSchedule(before: ScheduleRow, change: Change): ScheduleRequest {
  const { queue, payload, options, name, cron, timeZone, enabled } = before
  return {
    queue: change.queue ?? queue,
    payload: change.payload ?? payload,
    options: change.options ?? options,
    name: change.name ?? name,
    cron: change.cron ?? cron,
    timeZone: change.timeZone ?? timeZone,
    enabled: change.enabled ?? enabled,
  }
}

function orRefuse(field: 'timeZone' | 'cron', compute: () => Date): Date {
  try {
    return compute()
  } catch (error) {
    const sentence = error instanceof Error ? error.message : String(error)
    throw new AppError('VALIDATION_FAILED', sentence, { fields: { [field]: sentence }, cause: error })
  }
}

/** Turns a violation of the unique name into a CONFLICT; rethrows every other failure. */
function refuseTakenName(name: string): (failure: unknown) => never {
  return (failure) => {
    if (!violatesUnique(failure, 'job_schedule_name')) throw failure
    const sentence = `“${name}” already exists. Choose another name.`
    throw new AppError('CONFLICT', sentence, { fields: { name: sentence } })
  }
}

/** The fields of a schedule that the audit log records. */
function auditedSchedule({ name, queue, cron, timeZone, enabled }: ScheduleRow) {
  return { name, queue, cron, timeZone, enabled }
}

export function presentSchedule({ nextRunAt, lastRunAt, ...row }: ScheduleRow): JobSchedule {
  return {
    ...row,
    nextRunAt: nextRunAt?.toISOString() ?? null,
    lastRunAt: lastRunAt?.toISOString() ?? null,
  }
}

/** @throws AppError CONFLICT if the name is taken */
export function createSchedule(db: Db, schedule: NewSchedule, by: By): Promise<ScheduleRow> {
  return inTransaction(db, async (trx) => {
    const inserting = insertSchedule(trx, schedule, by.actorUserId)
    const created = await inserting.catch(refuseTakenName(schedule.name))
    const detail = auditedSchedule(created)
    await writeAudit(trx, { action: 'schedule-created', target: created.id, detail, ...by })
    return created
  })
}

/** `apply` returns the new schedule for the current one. */
type ScheduleChange = { id: string; apply: (before: ScheduleRow) => NewSchedule; by: By }

/** @throws AppError NOT_FOUND, CONFLICT if the name is taken, and whatever `apply` throws */
export async function changeSchedule(db: Db, { id, apply, by }: ScheduleChange): Promise<ScheduleRow> {
  return db.transaction().execute(async (trx) => {
    const before = await lockSchedule(trx, id)
    if (!before) throw new AppError('NOT_FOUND', 'There is no such schedule.')
    const wanted = apply(before)
    const after = await updateSchedule(trx, id, wanted).catch(refuseTakenName(wanted.name))
    const detail = auditedSchedule(after)
    await writeAudit(trx, { action: 'schedule-changed', target: id, detail, ...by })
    return after
  })
}

/** Keeps the jobs it has enqueued. @throws AppError NOT_FOUND */
export async function deleteSchedule(db: Db, id: string, by: By): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ name: string }>`
      delete from job_schedule where id = ${id} returning name`.execute(trx)
    const [detail] = rows
    if (!detail) throw new AppError('NOT_FOUND', 'There is no such schedule.')
    await writeAudit(trx, { action: 'schedule-deleted', target: id, detail, ...by })
  })
}

/** Validates the payload again when a schedule is due, since a later version may have other rules. */
export function enqueueScheduled(queues: Queues): EnqueueScheduled {
  return async (trx, { queue, payload, options, createdBy }) => {
    const checked = checkNewJob(queues, { queue, payload, options })
    return enqueueJob(trx, { ...checked, ...(createdBy !== null && { createdBy }) })
  }
}
