import { writeAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database.ts'
import { inTransaction } from '#server/platform/in-transaction.ts'
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
