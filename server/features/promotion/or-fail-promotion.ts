import { type Db, isDatabaseDown } from '#server/platform/database.ts'
import { FenceLost, type JobRun } from '#server/platform/jobs/job-definition.ts'
import { failPromotion } from './promotion-queries.ts'

/**
 * Does a job's work on a promotion. An error that no further attempt will mend ends the promotion too, with its sentence:
 * whoever waits for it learns why, and it holds up no other.
 */
export async function orFailPromotion<T>(
  db: Db,
  { run, promotionId }: { run: JobRun<unknown>; promotionId: string },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const isOurs = !(run.signal.aborted || error instanceof FenceLost || isDatabaseDown(error))
    if (isOurs && run.lastAttempt) {
      await failPromotion(db, promotionId, error instanceof Error ? error.message : String(error))
    }
    throw error
  }
}
