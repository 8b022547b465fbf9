import type { Db } from '#server/platform/database.ts'
import type { FileStore } from '#server/platform/file-store/file-store.ts'
import { defineJob, type JobDefinition } from '#server/platform/jobs/job-definition.ts'
import { failStalledPromotions } from './fail-stalled-promotions.ts'
import { ingestPromotions } from './ingest-promotions.ts'
import { planPromotion } from './plan-promotion.ts'
import {
  failStalledPromotionsQueue,
  ingestQueue,
  planPromotionQueue,
  undoPromotionQueue,
} from './promotion-queues.ts'
import { undoPromotion } from './undo-promotion.ts'

type Deps = {
  db: Db
  /** For plans, whose statements may take minutes. */
  plans: Db
  files: FileStore
  reviewsNothing: boolean
  now: () => Date
}

export function promotionJobs(deps: Deps): JobDefinition[] {
  return [
    defineJob(planPromotionQueue, (job) => planPromotion(deps, job)),
    defineJob(ingestQueue, (job) => ingestPromotions(deps, job)),
    defineJob(undoPromotionQueue, (job) => undoPromotion(deps, job)),
    defineJob(failStalledPromotionsQueue, ({ signal }) => failStalledPromotions(deps.db, signal)),
  ]
}
