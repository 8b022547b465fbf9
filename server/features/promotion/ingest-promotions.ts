import { datasetOf, stagingRoots } from '#contract/staging.ts'
import type { JobRun } from '#server/platform/jobs/job-definition.ts'
import { type ApplyDeps, applyPromotion } from './apply-promotion.ts'
import { makePlan, type PlanDeps } from './make-plan.ts'
import { orFailPromotion } from './or-fail-promotion.ts'
import { findNextToApply, findPromotionRow, type PromotionRow } from './promotion-queries.ts'
import type { IngestPayload } from './promotion-queues.ts'

// A transaction of about 150 ms: short enough for whoever waits for a row of it, long enough to be worth its commit.
const ROWS_A_PAGE = 1_000

type Sums = Record<'promotions' | 'pages' | 'created' | 'updated' | 'ended', number>

/**
 * Makes promotions live that were let through: the one that is named, else those of the dataset, oldest first, as far as
 * the pages go. What has no plan yet, or one that another import has overtaken, is planned first.
 */
export async function ingestPromotions(
  deps: ApplyDeps & PlanDeps,
  run: JobRun<IngestPayload>,
): Promise<Sums> {
  const { perPage = ROWS_A_PAGE, maxPages = Number.POSITIVE_INFINITY, promotionId } = run.payload
  const written = pagesWritten(run.checkpoint)
  const sums: Sums = { promotions: 0, pages: 0, created: 0, updated: 0, ended: 0 }
  while (written + sums.pages < maxPages) {
    run.signal.throwIfAborted()
    const promotion = await findPlanned(deps, run)
    if (!promotion) break
    const pages = { perPage, written: written + sums.pages, most: maxPages }
    const applied = await orFailPromotion({ run, promotionId: promotion.id }, () =>
      applyPromotion(deps, run, { promotion, pages }),
    )
    sums.promotions += 1
    for (const sum of ['pages', 'created', 'updated', 'ended'] as const) sums[sum] += applied[sum]
    if (promotionId) break
  }
  const didNothing = sums.promotions === 0 && written === 0
  if (didNothing && !promotionId) await run.log(nothingWaits(run.payload.dataset))
  return sums
}

const datasets = stagingRoots.map(datasetOf)

/** A dataset may be mistyped, and its job ends well all the same. */
function nothingWaits(dataset: string): string {
  const sentence = `Nothing waits in the dataset ${dataset}.`
  return datasets.includes(dataset) ? sentence : `${sentence} There are ${datasets.join(', ')}.`
}

function pagesWritten(checkpoint: JobRun<unknown>['checkpoint']): number {
  const isObject = checkpoint !== null && typeof checkpoint === 'object' && 'pages' in checkpoint
  return isObject && typeof checkpoint.pages === 'number' ? checkpoint.pages : 0
}

/** The next promotion with a plan that holds; those whose new plan asks a question are left to it. */
async function findPlanned(
  deps: ApplyDeps & PlanDeps,
  run: JobRun<IngestPayload>,
): Promise<PromotionRow | undefined> {
  for (;;) {
    const promotion = await findNext(deps, run.payload)
    if (!promotion || !needsPlan(promotion)) return promotion
    await orFailPromotion({ run, promotionId: promotion.id }, () => makePlan(deps, run, promotion))
  }
}

async function findNext(
  { db }: ApplyDeps,
  { dataset, promotionId, datasetTag }: IngestPayload,
): Promise<PromotionRow | undefined> {
  if (!promotionId) return findNextToApply(db, dataset, datasetTag)
  const promotion = await findPromotionRow(db, promotionId)
  const waits = promotion?.approvedAt && ['planning', 'planned', 'applying'].includes(promotion.state)
  return waits ? promotion : undefined
}

const needsPlan = ({ state, stale }: PromotionRow) => state === 'planning' || (state === 'planned' && stale)
