import { writeAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database.ts'
import { inTransaction } from '#server/platform/in-transaction.ts'
import { violatesUnique } from '#server/platform/unique-violation.ts'
import { nameTaken } from './schedule.ts'
import { insertSchedule, type NewSchedule, type ScheduleRow } from './schedule-queries.ts'
import type { By } from './start-job.ts'

/** @throws AppError CONFLICT where the name is taken */
export function createSchedule(db: Db, schedule: NewSchedule, by: By): Promise<ScheduleRow> {
  return inTransaction(db, async (trx) => {
    const made = await insertSchedule(trx, schedule, by.actorUserId).catch((error: unknown) => {
      throw violatesUnique(error, 'job_schedule_name') ? nameTaken(schedule.name) : error
    })
    const { name, queue, cron, timeZone, enabled } = made
    const detail = { name, queue, cron, timeZone, enabled }
    await writeAudit(trx, { action: 'schedule-created', target: made.id, detail, ...by })
    return made
  })
}
