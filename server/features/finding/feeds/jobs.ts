import { defineJob, type JobDefinition } from '#server/platform/jobs/job-definition.ts'
import { type IndexNow, type IndexNowDeps, indexNowQueue, sendChanges } from './index-now.ts'

type Deps = Omit<IndexNowDeps, 'indexNow'> & { indexNow: IndexNow | undefined }

export function feedJobs({ indexNow, ...deps }: Deps): JobDefinition[] {
  return indexNow ? [defineJob(indexNowQueue, (run) => sendChanges({ ...deps, indexNow }, run))] : []
}
