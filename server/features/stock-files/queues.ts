import { z } from 'zod'
import { type StagingRoot, stagingRoots } from '#contract/staging.ts'
import type { JobQueue } from '#server/platform/jobs/job-definition.ts'

/** Removes what imports left that nobody needs any more. */
export const sweepImportsQueue: JobQueue<Record<string, never>> = {
  name: 'sweep-imports',
  title: 'Sweep imports',
  payload: z.object({}).strict(),
  maxAttempts: 1,
  retryDelaySeconds: 60,
  resumable: true,
  // A hundred thousand segments on a slow bucket.
  timeoutSeconds: 3_600,
  concurrency: 1,
}

const HOUR = 3_600

/** Makes the plan of a promotion: what its file's version will do to the seller's listings. */
export const planPromotionQueue: JobQueue<{ promotionId: string }> = {
  name: 'plan-promotion',
  title: 'Plan imports',
  payload: z.object({ promotionId: z.uuid() }).strict(),
  // Nothing in a file makes a plan fail; what does is a file store or a database in trouble, which passes.
  maxAttempts: 5,
  retryDelaySeconds: 5,
  resumable: true,
  // A million rows take a minute; a busy machine several.
  timeoutSeconds: HOUR,
  concurrency: 1,
}

export type IngestPayload = {
  dataset: string
  perPage?: number | undefined
  maxPages?: number | undefined
  promotionId?: string | undefined
  datasetTag?: string | undefined
}

/**
 * Makes approved promotions of a dataset live, page by page: the one that is named, else the oldest first. Without
 * `maxPages` to the end.
 */
export const ingestQueue: JobQueue<IngestPayload> = {
  name: 'ingest-autoparts',
  title: 'Ingest auto parts',
  payload: z.object({
    dataset: z.string().min(1).max(100),
    perPage: z.number().int().min(1).max(5_000).optional(),
    maxPages: z.number().int().min(1).max(1_000_000).optional(),
    promotionId: z.uuid().optional(),
    datasetTag: z.string().max(100).optional(),
  }),
  maxAttempts: 5,
  retryDelaySeconds: 5,
  resumable: true,
  timeoutSeconds: 12 * HOUR,
  // Jobs of one dataset wait for one another by their key; this many datasets go on side by side in a process.
  concurrency: 3,
  keyOf: ({ dataset }) => `ingest:${dataset}`,
}

/** Takes a promotion back, listing by listing. */
export const undoPromotionQueue: JobQueue<{ promotionId: string }> = {
  name: 'undo-promotion',
  title: 'Take imports back',
  payload: z.object({ promotionId: z.uuid() }).strict(),
  maxAttempts: 5,
  retryDelaySeconds: 5,
  resumable: true,
  timeoutSeconds: 12 * HOUR,
  concurrency: 2,
}

/** Ends promotions whose job ended without them, so that nobody waits for them for good. */
export const failStalledPromotionsQueue: JobQueue<Record<string, never>> = {
  name: 'fail-stalled-promotions',
  title: 'End stalled imports',
  payload: z.object({}).strict(),
  maxAttempts: 1,
  retryDelaySeconds: 5,
  resumable: true,
  timeoutSeconds: 60,
  concurrency: 1,
}

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
