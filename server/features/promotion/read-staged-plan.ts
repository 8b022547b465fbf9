import type { StagingPlan } from '#contract/staging-desk.ts'
import type { AskedFile } from '#server/features/staging/find-typed-file.ts'
import { requireTypedFile } from '#server/features/staging/require-typed-file.ts'
import type { Db } from '#server/platform/database.ts'
import { leftOutReason } from './left-out-row.ts'
import { findPromotionRow, type PromotionRow } from './promotion-queries.ts'
import { canUndo, canWithdraw, type PromotionSummary } from './promotion-state.ts'
import { findPromotionOfFile, listLeftOut } from './summary-queries.ts'

/**
 * The plan of a staged file, how far it is and what it did; null where it has none.
 * @throws AppError VALIDATION_FAILED, NOT_FOUND
 */
export async function readStagedPlan(
  db: Db,
  { now, ...asked }: AskedFile & { now: Date },
): Promise<StagingPlan | null> {
  const { file } = await requireTypedFile(db, asked)
  const promotion = await findPromotionOfFile(db, file.id)
  const row = promotion && (await findPromotionRow(db, promotion.id))
  if (!promotion || !row) return null
  const leftOut = await listLeftOut(db, promotion.id)
  const refusals = leftOut.map((each) => `Row ${each.rowNo}: ${leftOutReason(each, 'row')}`)
  return present(promotion, { row, refusals, now })
}

const NOTHING_PLANNED: NonNullable<PromotionSummary['plan']> = {
  create: 0,
  update: 0,
  unchanged: 0,
  end: 0,
  merged: 0,
  refused: 0,
  newNames: { category: [], manufacturer: [], model: [] },
}

type Beside = { row: PromotionRow; refusals: string[]; now: Date }

function present(promotion: PromotionSummary, { row, refusals, now }: Beside): StagingPlan {
  const { end: planEnded, ...plan } = promotion.plan ?? NOTHING_PLANNED
  const { created, updated, ended, undone, leftAsIs } = promotion
  return {
    id: promotion.planId,
    version: promotion.version,
    state: promotion.state,
    ...plan,
    refusals,
    ended: planEnded,
    review: promotion.review,
    error: promotion.error,
    progress: promotion.progress,
    jobId: jobOf(row),
    receipt: {
      created,
      updated,
      ended,
      undone,
      leftAsIs,
      approvedBy: promotion.approvedByName,
      appliedAt: promotion.appliedAt?.toISOString() ?? null,
      undoneAt: promotion.undoneAt?.toISOString() ?? null,
    },
    canUndo: canUndo(promotion, now),
    canWithdraw: canWithdraw(promotion),
  }
}

/** The job that works on it, or did last. */
const jobOf = ({ planJobId, ingestJobId, undoJobId }: PromotionRow) => undoJobId ?? ingestJobId ?? planJobId
