import type { Db } from '#server/platform/database/database.ts'
import { defineJob, type JobDefinition } from '#server/platform/jobs/job-definition.ts'
import { missingPagesQueue, writeMissingPages } from './missing-pages.ts'

export function landingJobs(db: Db): JobDefinition[] {
  return [defineJob(missingPagesQueue, (run) => writeMissingPages(db, run))]
}
