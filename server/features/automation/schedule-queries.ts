import { sql } from 'kysely'
import type { JsonObject } from '#db/schema.gen.ts'
import type { Db } from '#server/platform/database/database.ts'

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

export type NewSchedule = Omit<ScheduleRow, 'id' | 'lastRunAt' | 'lastJobId' | 'problem'>

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
export async function lockSchedule(trx: Db, id: string): Promise<ScheduleRow | undefined> {
  const { rows } = await sql<ScheduleRow>`
    select ${columns} from job_schedule where id = ${id} for update`.execute(trx)
  return rows[0]
}

export async function insertSchedule(trx: Db, schedule: NewSchedule, userId: string): Promise<ScheduleRow> {
  const { name, queue, payload, options, cron, timeZone, enabled, nextRunAt } = schedule
  const { rows } = await sql<ScheduleRow>`
    insert into job_schedule (name, queue, payload, options, cron, time_zone, enabled, next_run_at, created_by)
    values (${name}, ${queue}, ${JSON.stringify(payload)}::jsonb, ${JSON.stringify(options)}::jsonb, ${cron},
            ${timeZone}, ${enabled}, ${nextRunAt}, ${userId})
    returning ${columns}`.execute(trx)
  return madeOf(rows)
}

/** A problem of the last time is history: what is stored now was checked. */
export async function updateSchedule(trx: Db, id: string, schedule: NewSchedule): Promise<ScheduleRow> {
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

export async function deleteScheduleRow(trx: Db, id: string): Promise<string | undefined> {
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
