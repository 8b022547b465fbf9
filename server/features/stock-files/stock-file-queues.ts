import { z } from 'zod'
import { type StagingRoot, stagingRoots } from '#contract/admin/staging.ts'
import type { JobQueue } from '#server/platform/jobs/job-definition.ts'

const HOUR = 3_600

// These jobs fail only on file store and database problems, which pass.
const RETRIED = { maxAttempts: 5, retryDelaySeconds: 5, resumable: true } as const

const onePromotion = z.object({ promotionId: z.uuid() }).strict()

/** Removes what imports no longer need. */
export const sweepImportsQueue: JobQueue<Record<string, never>> = {
  name: 'sweep-imports',
  title: 'Sweep imports',
  payload: z.object({}).strict(),
  maxAttempts: 1,
  retryDelaySeconds: 60,
  resumable: true,
  // Enough for a hundred thousand segments on a slow bucket.
  timeoutSeconds: HOUR,
  concurrency: 1,
}

/** Plans a promotion: what its file's version will change in the seller's listings. */
export const planPromotionQueue: JobQueue<{ promotionId: string }> = {
  name: 'plan-promotion',
  title: 'Plan imports',
  payload: onePromotion,
  ...RETRIED,
  // A million rows take a minute; a busy machine several.
  timeoutSeconds: HOUR,
  concurrency: 1,
}

const applyPayload = z.object({
  dataset: z.string().min(1).max(100),
  perPage: z.number().int().min(1).max(5_000).optional(),
  maxPages: z.number().int().min(1).max(1_000_000).optional(),
  promotionId: z.uuid().optional(),
  datasetTag: z.string().max(100).optional(),
})
export type ApplyPayload = z.infer<typeof applyPayload>

/** Applies approved promotions of a dataset page by page: the given one, or the oldest first; up to `maxPages`, if given. */
export const applyQueue: JobQueue<ApplyPayload> = {
  // The name under which schedules, API calls and stored jobs know it.
  name: 'ingest-autoparts',
  title: 'Ingest auto parts',
  payload: applyPayload,
  ...RETRIED,
  timeoutSeconds: 12 * HOUR,
  // Jobs of one dataset run one at a time, by their key; this many datasets run in parallel.
  concurrency: 3,
  keyOf: ({ dataset }) => `ingest:${dataset}`,
}

/** Undoes a promotion. */
export const undoPromotionQueue: JobQueue<{ promotionId: string }> = {
  name: 'undo-promotion',
  title: 'Undo imports',
  payload: onePromotion,
  ...RETRIED,
  timeoutSeconds: 12 * HOUR,
  concurrency: 2,
}

/** Fails promotions whose job ended without finishing them, so that they do not wait forever. */
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

const taxonomyPayload = z
  .object({
    root: z.enum(stagingRoots),
    path: z.string().min(1).max(500),
    version: z.number().int().optional(),
  })
  .strict()
export type TaxonomyPayload = z.infer<typeof taxonomyPayload>

/** Resolves the names of a large staged file on behalf of the user who enqueued it. */
export const taxonomyQueue: JobQueue<TaxonomyPayload> = {
  name: 'taxonomy',
  title: 'Resolve taxonomy',
  payload: taxonomyPayload,
  maxAttempts: 3,
  retryDelaySeconds: 5,
  // Nothing is written before its end, so a second run is safe.
  resumable: true,
  // A million rows take half a minute.
  timeoutSeconds: HOUR,
  concurrency: 1,
}

/** One job per file at a time. */
export const taxonomyKey = (root: StagingRoot, path: string): string => `taxonomy:${root}:${path}`
