import { relabelListingsQueue } from '#server/features/lookups/lookup-queues.ts'
import type { Db } from '#server/platform/database/database.ts'
import { defineJob, type JobDefinition } from '#server/platform/jobs/job-definition.ts'
import { finishMerges } from './finish-merges.ts'
import { relabelListings } from './relabel-listings.ts'
import { finishMergesQueue } from './relabelling-queues.ts'

export function relabellingJobs(db: Db): JobDefinition[] {
  return [
    defineJob(relabelListingsQueue, (run) => relabelListings(db, run)),
    defineJob(finishMergesQueue, () => finishMerges(db)),
  ]
}
