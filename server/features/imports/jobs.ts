import type { Db } from '#server/platform/database.ts'
import type { FileStore } from '#server/platform/file-store/file-store.ts'
import { defineJob, type JobDefinition } from '#server/platform/jobs/job-definition.ts'
import { sweepImportsQueue } from './import-queues.ts'
import { sweepImports } from './sweep-imports.ts'

type Deps = { db: Db; files: FileStore; now: () => Date }

export function importJobs({ db, files, now }: Deps): JobDefinition[] {
  return [defineJob(sweepImportsQueue, ({ signal }) => sweepImports({ db, files, now: now(), signal }))]
}
