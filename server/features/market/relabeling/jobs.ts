import { relabelListingsQueue } from '#server/features/market/lookups/lookup-changes.ts'
import type { Db } from '#server/platform/database/database.ts'
import { defineJob, type JobDefinition } from '#server/platform/jobs/job-definition.ts'
import { finishMerges, finishMergesQueue, relabelListings } from './relabel-listings.ts'

export function relabelingJobs(db: Db): JobDefinition[] {
  return [
    defineJob(relabelListingsQueue, (run) => relabelListings(db, run)),
    defineJob(finishMergesQueue, () => finishMerges(db)),
  ]
}
