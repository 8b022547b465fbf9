import { writeAudit } from '#server/platform/database/audit.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { auditedSchedule, refuseTakenName } from './schedule.ts'
import { insertSchedule, type NewSchedule, type ScheduleRow } from './schedule-queries.ts'
import type { By } from './start-job.ts'

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
