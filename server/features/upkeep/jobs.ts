import type { Db } from '#server/platform/database.ts'
import { defineJob, type JobDefinition } from '#server/platform/jobs/job-definition.ts'
import { tidyDatabase } from './tidy-database.ts'
import { tidyDatabaseQueue } from './upkeep-queues.ts'

export function upkeepJobs({ db, now }: { db: Db; now: () => Date }): JobDefinition[] {
  return [defineJob(tidyDatabaseQueue, ({ signal }) => tidyDatabase(db, { now: now(), signal }))]
}
