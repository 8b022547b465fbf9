import { writeAudit } from '#server/platform/database/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { pauseQueue, resumeQueue } from '#server/platform/jobs/deliveries.ts'
import { listPauses } from './queue-queries.ts'
import type { By } from './start-job.ts'

/** Pauses a queue or lets it go on; what it is already is not written down again. */
export async function changeQueue(
  db: Db,
  { key, paused, by }: { key: string; paused: boolean; by: By },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const isPaused = (await listPauses(trx)).has(key)
    if (paused === isPaused) return
    if (paused) await pauseQueue(trx, key, by.actorUserId)
    else await resumeQueue(trx, key)
    await writeAudit(trx, { action: paused ? 'queue-paused' : 'queue-resumed', target: key, ...by })
  })
}
