import type { Db } from '#server/platform/database/database.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { defineJob, type JobDefinition } from '#server/platform/jobs/job-definition.ts'
import { sweepArtifacts, sweepArtifactsQueue, tidyDatabase, tidyDatabaseQueue } from './tidy-database.ts'

export function upkeepJobs({
  db,
  files,
  now,
}: {
  db: Db
  files: FileStore
  now: () => Date
}): JobDefinition[] {
  return [
    defineJob(tidyDatabaseQueue, ({ signal }) => tidyDatabase(db, { now: now(), signal })),
    defineJob(sweepArtifactsQueue, ({ signal }) => sweepArtifacts({ db, files, now: now() }, signal)),
  ]
}
