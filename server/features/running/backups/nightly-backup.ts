import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '#server/platform/database/database.ts'
import type { JobQueue } from '#server/platform/jobs/job-definition.ts'
import type { PeriodicJob } from '#server/platform/jobs/schedules.ts'

export const backUpQueue: JobQueue<Record<string, never>> = {
  name: 'back-up',
  title: 'Back up',
  payload: z.object({}).strict(),
  maxAttempts: 3,
  retryDelaySeconds: 300,
  // From the start of the backup, not counting files already copied.
  resumable: true,
  // The first copy of a million pictures takes hours.
  timeoutSeconds: 12 * 3_600,
  concurrency: 1,
}

/** One backup a day after a time of day in UTC ("02:30"), also if no worker ran at that time. */
export const nightlyBackup = (at: string): PeriodicJob => ({
  queue: backUpQueue,
  everySeconds: 60,
  isNeeded: (trx) => isDue(trx, at),
})

async function isDue(trx: Db, at: string): Promise<boolean> {
  const { rows } = await sql`
    select from job
    where queue = ${backUpQueue.name}
      and created_at >= (
        select max(day + ${at}::time) at time zone 'UTC'
        from (values ((now() at time zone 'UTC')::date), ((now() at time zone 'UTC')::date - 1)) days(day)
        where day + ${at}::time <= now() at time zone 'UTC')
    limit 1`.execute(trx)
  return rows.length === 0
}
