import { z } from 'zod'
import { type StagingRoot, stagingRoots } from '#contract/staging.ts'
import type { JobQueue } from '#server/platform/jobs/job-definition.ts'

export type TaxonomyPayload = {
  root: StagingRoot
  path: string
  version?: number | undefined
}

/** Resolves the names of a large staged file, in the name of whoever enqueued it. */
export const taxonomyQueue: JobQueue<TaxonomyPayload> = {
  name: 'taxonomy',
  title: 'Resolve taxonomy',
  payload: z
    .object({
      root: z.enum(stagingRoots),
      path: z.string().min(1).max(500),
      version: z.number().int().optional(),
    })
    .strict(),
  maxAttempts: 3,
  retryDelaySeconds: 5,
  // Nothing is written before its end, and a second run changes nothing.
  resumable: true,
  // A million rows take half a minute.
  timeoutSeconds: 3_600,
  concurrency: 1,
}

/** One file is resolved by one job at a time. */
export const taxonomyKey = (root: StagingRoot, path: string): string => `taxonomy:${root}:${path}`
