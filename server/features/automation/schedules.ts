import { sql } from 'kysely'
import type { JobSchedule } from '#contract/automation.ts'
import type { JsonObject } from '#db/schema.gen.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import { type Db, inTransaction, violatesUnique } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { type By, enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import { type EnqueueScheduled, nextRunOf } from '#server/platform/jobs/schedules.ts'
import { type AskedJob, checkNewJob, type Queues } from './new-job.ts'

export type ScheduleRow = {
  id: string
  name: string
  queue: string
  payload: JsonObject
  options: JsonObject
  cron: string
  timeZone: string
  enabled: boolean
  nextRunAt: Date | null
  lastRunAt: Date | null
  lastJobId: string | null
  problem: string | null
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

/** Of two who change it at once the second sees what the first made of it. */
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
  return madeOf(rows)
}

/** A problem of the last time is history: what is stored now was checked. */
async function updateSchedule(trx: Db, id: string, schedule: NewSchedule): Promise<ScheduleRow> {
  const { name, queue, payload, options, cron, timeZone, enabled, nextRunAt } = schedule
  const { rows } = await sql<ScheduleRow>`
    update job_schedule
    set name = ${name}, queue = ${queue}, payload = ${JSON.stringify(payload)}::jsonb,
        options = ${JSON.stringify(options)}::jsonb, cron = ${cron}, time_zone = ${timeZone}, enabled = ${enabled},
        next_run_at = ${nextRunAt}, problem = null, updated_at = now()
    where id = ${id}
    returning ${columns}`.execute(trx)
  return madeOf(rows)
}

async function deleteScheduleRow(trx: Db, id: string): Promise<string | undefined> {
  const { rows } = await sql<{
    name: string
  }>`delete from job_schedule where id = ${id} returning name`.execute(trx)
  return rows[0]?.name
}

function madeOf(rows: readonly ScheduleRow[]): ScheduleRow {
  const [row] = rows
  if (!row) throw new Error('a schedule was not written')
  return row
}

export type AskedSchedule = AskedJob & { name: string; cron: string; timeZone: string; enabled: boolean }

/**
 * Judges a schedule as it is asked for: its job as one that is enqueued now, its time as one that comes.
 * @throws AppError VALIDATION_FAILED with what is wrong in its field
 */
export function checkSchedule(queues: Queues, asked: AskedSchedule, now: Date): NewSchedule {
  const { queue, payload, options } = checkNewJob(queues, asked)
  const { name, timeZone, enabled } = asked
  const cron = asked.cron.split(/\s+/).join(' ')
  // Any expression tells whether there is such a zone.
  orRefuse('timeZone', () => nextRunOf('0 0 * * *', timeZone, now))
  const next = orRefuse('cron', () => nextRunOf(cron, timeZone, now))
  // It came as JSON and went through the queue's schema.
  const checked = payload as JsonObject
  return {
    name,
    queue: queue.name,
    payload: checked,
    options,
    cron,
    timeZone,
    enabled,
    nextRunAt: enabled ? next : null,
  }
}

type Change = { [K in keyof AskedSchedule]?: AskedSchedule[K] | undefined }

/** What a change does not name stays as it is. */
export function changedSchedule(before: ScheduleRow, change: Change): AskedSchedule {
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

/** For the failure of writing a schedule of that name: @throws AppError CONFLICT where another has it, else the failure */
function refuseTakenName(name: string): (failure: unknown) => never {
  return (failure) => {
    if (!violatesUnique(failure, 'job_schedule_name')) throw failure
    const sentence = `There is a schedule “${name}” already. Choose another name.`
    throw new AppError('CONFLICT', sentence, { fields: { name: sentence } })
  }
}

/** What the audit log keeps of a schedule. */
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

/** @throws AppError CONFLICT where the name is taken */
export function createSchedule(db: Db, schedule: NewSchedule, by: By): Promise<ScheduleRow> {
  return inTransaction(db, async (trx) => {
    const inserting = insertSchedule(trx, schedule, by.actorUserId)
    const made = await inserting.catch(refuseTakenName(schedule.name))
    const detail = auditedSchedule(made)
    await writeAudit(trx, { action: 'schedule-created', target: made.id, detail, ...by })
    return made
  })
}

/** `judge` makes the schedule as it shall be from the one that is there. */
type ChangeScheduleChange = { id: string; judge: (before: ScheduleRow) => NewSchedule; by: By }

/** @throws AppError NOT_FOUND, CONFLICT where the name is taken, and what judging throws */
export async function changeSchedule(db: Db, { id, judge, by }: ChangeScheduleChange): Promise<ScheduleRow> {
  return db.transaction().execute(async (trx) => {
    const before = await lockSchedule(trx, id)
    if (!before) throw new AppError('NOT_FOUND', 'There is no such schedule.')
    const wanted = judge(before)
    const after = await updateSchedule(trx, id, wanted).catch(refuseTakenName(wanted.name))
    const detail = auditedSchedule(after)
    await writeAudit(trx, { action: 'schedule-changed', target: id, detail, ...by })
    return after
  })
}

/** Jobs that it has enqueued stay. @throws AppError NOT_FOUND */
export async function deleteSchedule(db: Db, id: string, by: By): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const name = await deleteScheduleRow(trx, id)
    if (name === undefined) throw new AppError('NOT_FOUND', 'There is no such schedule.')
    await writeAudit(trx, { action: 'schedule-deleted', target: id, detail: { name }, ...by })
  })
}

/** How the clock enqueues: the payload is judged again, since a later version may have other rules for it. */
export function enqueueScheduled(queues: Queues): EnqueueScheduled {
  return async (trx, { queue, payload, options, createdBy }) => {
    const checked = checkNewJob(queues, { queue, payload, options })
    return enqueueJob(trx, { ...checked, ...(createdBy !== null && { createdBy }) })
  }
}
