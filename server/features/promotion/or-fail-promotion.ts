import { AppError } from '#server/platform/app-error.ts'
import { isDatabaseDown } from '#server/platform/database.ts'
import { FenceLost, type JobRun } from '#server/platform/jobs/job-definition.ts'
import { failPromotion } from './promotion-queries.ts'
import { faultOf } from './stop-reason.ts'

/**
 * Does a job's work on a promotion. An error that no further attempt will mend ends the promotion too, with a sentence
 * for its seller, and it holds up no other. Only the run that has the job may say so.
 */
export async function orFailPromotion<T>(
  { run, promotionId }: { run: JobRun<unknown>; promotionId: string },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const isOurs = !(run.signal.aborted || error instanceof FenceLost || isDatabaseDown(error))
    if (isOurs && run.lastAttempt) {
      const sentence = error instanceof AppError ? error.message : faultOf(run.jobId)
      await run.withFence((trx) => failPromotion(trx, promotionId, sentence))
    }
    throw error
  }
}
