import { writeAudit } from '#server/platform/database/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { deleteScheduleRow } from './schedule-queries.ts'
import type { By } from './start-job.ts'

/** Jobs that it has enqueued stay. @throws AppError NOT_FOUND */
export async function deleteSchedule(db: Db, id: string, by: By): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const name = await deleteScheduleRow(trx, id)
    if (name === undefined) throw new AppError('NOT_FOUND', 'There is no such schedule.')
    await writeAudit(trx, { action: 'schedule-deleted', target: id, detail: { name }, ...by })
  })
}
