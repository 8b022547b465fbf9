import type { Db } from '#server/platform/database/database.ts'
import { defineJob, type JobDefinition } from '#server/platform/jobs/job-definition.ts'
import { mailNameReviews, type NameLetterhead, nameReviewsQueue, publishDueNames } from './name-reviews.ts'

export function yardNameJobs({ db, letterhead }: { db: Db; letterhead: NameLetterhead }): JobDefinition[] {
  return [
    defineJob(nameReviewsQueue, async () => {
      await mailNameReviews(db, letterhead)
      await publishDueNames(db)
    }),
  ]
}
