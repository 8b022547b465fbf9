import { applyPromotions } from '#server/features/stock-files/apply/apply-promotions.ts'
import { undoPromotion } from '#server/features/stock-files/apply/undo.ts'
import { resolveTaxonomy } from '#server/features/stock-files/match/resolve-taxonomy.ts'
import type { ImportPolicy } from '#server/features/stock-files/plan/decisions.ts'
import { planPromotion } from '#server/features/stock-files/plan/make-plan.ts'
import { failStalledPromotions } from '#server/features/stock-files/promotion/failures.ts'
import type { ImportLetterhead } from '#server/features/stock-files/promotion/import-mails.ts'
import { sweepImports } from '#server/features/stock-files/receive/sweep.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { findJobAuthor } from '#server/platform/jobs/enqueue-job.ts'
import { defineJob, GiveUp, type JobDefinition } from '#server/platform/jobs/job-definition.ts'
import {
  applyQueue,
  failStalledPromotionsQueue,
  planPromotionQueue,
  sweepImportsQueue,
  taxonomyQueue,
  undoPromotionQueue,
} from './stock-file-queues.ts'

type Deps = { db: Db; files: FileStore; now: () => Date }

export function importJobs({ db, files, now }: Deps): JobDefinition[] {
  return [defineJob(sweepImportsQueue, ({ signal }) => sweepImports({ db, files, now: now(), signal }))]
}

type JobsDeps = ImportPolicy & {
  db: Db
  /** For plans, whose statements may take minutes. */
  plans: Db
  files: FileStore
  now: () => Date
  letterhead: ImportLetterhead
}

export function promotionJobs(deps: JobsDeps): JobDefinition[] {
  return [
    defineJob(planPromotionQueue, (job) => planPromotion(deps, job)),
    defineJob(applyQueue, (job) => applyPromotions(deps, job)),
    defineJob(undoPromotionQueue, (job) => undoPromotion(deps, job)),
    defineJob(failStalledPromotionsQueue, ({ signal }) => failStalledPromotions(deps.db, signal)),
  ]
}

export function taxonomyJobs({ db, files }: { db: Db; files: FileStore }): JobDefinition[] {
  return [
    defineJob(taxonomyQueue, async (run) => {
      const { root, path, version } = run.payload
      const onRows = (done: number, total: number) => run.progress({ done, total, note: 'resolving names' })
      const deps = { db, files, inOneTransaction: run.withFence, signal: run.signal, onRows }
      const userId = await findJobAuthor(db, run.jobId)
      const by = { ...(userId && { userId }), jobId: run.jobId }
      return resolveTaxonomy(deps, { root, path, version, by }).catch(giveUpIfFileChanged)
    }),
  ]
}

/** Retrying cannot help if the file was deleted or saved since. */
function giveUpIfFileChanged(error: unknown): never {
  const isPermanent = error instanceof AppError && (error.code === 'STALE' || error.code === 'NOT_FOUND')
  throw isPermanent ? new GiveUp(error.message, { cause: error }) : error
}
