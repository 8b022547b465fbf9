import { findStagingName } from '#server/features/staging/queries.ts'
import { NamesChanging } from '#server/features/taxonomy/names-changing.ts'
import { resolveTaxonomy } from '#server/features/taxonomy/resolve-taxonomy.ts'
import { AppError } from '#server/platform/app-error.ts'
import type { Db } from '#server/platform/database.ts'
import type { JobRun } from '#server/platform/jobs/job-definition.ts'
import type { PlanDeps } from './make-plan.ts'
import { findPromotionRow, moveToVersion, type PromotionRow } from './promotion-queries.ts'

/**
 * Resolves the names of a file that goes live without an administrator: the promotion goes on with the version that this
 * makes, together with it or not at all. What somebody saved or resolved meanwhile is left as it is. Where lookups change
 * all the while the job tries again; its last attempt goes on with the names as they were sent, and says so.
 */
export async function resolveNames(
  { db, files, reviewsNothing }: PlanDeps & { db: Db },
  run: JobRun<unknown>,
  promotion: PromotionRow,
): Promise<PromotionRow | undefined> {
  const { id, fileId, version } = promotion
  if (!(promotion.trusted || reviewsNothing) || version !== 1) return promotion
  const name = await findStagingName(db, fileId)
  if (!name) return promotion
  const onRows = (done: number, total: number) => run.progress({ done, total, note: 'resolving names' })
  const deps = { db, files, inOneTransaction: run.withFence, signal: run.signal, onRows }
  const alongside = (trx: Db, to: number) => moveToVersion(trx, id, { from: version, version: to })
  const by = { jobId: run.jobId }
  try {
    const asked = { ...name, version, by, leavesNewNames: true, alongside }
    const { message, files: made } = await resolveTaxonomy(deps, asked)
    if (made.some((file) => file.version !== version)) await run.log(message)
  } catch (error) {
    if (error instanceof NamesChanging && run.lastAttempt)
      await run.log(`The names stay as they were sent. ${error.message}`)
    else if (!(error instanceof AppError && error.code === 'STALE')) throw error
  }
  return findPromotionRow(db, id)
}
