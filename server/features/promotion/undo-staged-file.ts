import type { AskedFile } from '#server/features/staging/find-typed-file.ts'
import { requireTypedFile } from '#server/features/staging/require-typed-file.ts'
import { writeAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database.ts'
import { inTransaction } from '#server/platform/in-transaction.ts'
import { findPromotionOfFile } from './summary-queries.ts'
import { takeBack } from './take-back.ts'

/**
 * Begins to take back what a staged file made live, whichever of its versions did, or withdraws its plan. Answers the job;
 * null where it is over at once. Asking again while it runs answers the same.
 * @throws AppError VALIDATION_FAILED, NOT_FOUND, CONFLICT where there is nothing (more) that can be taken back
 */
export async function undoStagedFile(
  db: Db,
  { now, ...asked }: AskedFile & { now: Date },
): Promise<string | null> {
  const { file } = await requireTypedFile(db, asked)
  const { userId } = asked.actor
  return inTransaction(db, async (trx) => {
    const found = await findPromotionOfFile(trx, file.id, { withoutFailed: true })
    const { did, jobId, promotion } = await takeBack(trx, {
      promotionId: found?.id,
      userId,
      now,
      what: 'file',
    })
    if (did === 'again') return jobId
    await writeAudit(trx, {
      action: `staging-${did}`,
      actorUserId: userId,
      target: `${file.root}:${file.path}`,
      ip: asked.ip,
      requestId: asked.requestId,
      detail: { promotionId: promotion.id, state: promotion.state, version: promotion.version, jobId },
    })
    return jobId
  })
}
