import { writeAudit } from '#server/platform/database/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { auditedSchedule, refuseTakenName } from './schedule.ts'
import { lockSchedule, type NewSchedule, type ScheduleRow, updateSchedule } from './schedule-queries.ts'
import type { By } from './start-job.ts'

/** `judge` makes the schedule as it shall be from the one that is there. */
type Change = { id: string; judge: (before: ScheduleRow) => NewSchedule; by: By }

/** @throws AppError NOT_FOUND, CONFLICT where the name is taken, and what judging throws */
export async function changeSchedule(db: Db, { id, judge, by }: Change): Promise<ScheduleRow> {
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
