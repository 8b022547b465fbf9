import { AppError } from '#server/platform/app-error.ts'
import { type Db, isDatabaseDown } from '#server/platform/database.ts'
import { FenceLost, type JobRun } from '#server/platform/jobs/job-definition.ts'
import { failPromotion } from './promotion-queries.ts'

/**
 * Does a job's work on a promotion. An error that no further attempt will mend ends the promotion too, with a sentence
 * for its seller, and it holds up no other. What broke inside is for the job's record and the log alone: it may name files
 * and tables.
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
      await failPromotion(db, promotionId, error instanceof AppError ? error.message : faultOf(run.jobId))
    }
    throw error
  }
}

const faultOf = (jobId: string) =>
  `A fault on our side stopped it. Technical support finds what happened under the number ${jobId}.`
