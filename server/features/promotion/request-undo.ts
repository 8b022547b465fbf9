import type { Caller } from '#server/features/staging/write-refused-path.ts'
import { writeAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database.ts'
import { inTransaction } from '#server/platform/in-transaction.ts'
import { findPromotionOfImport } from './summary-queries.ts'
import { takeBack } from './take-back.ts'

export type UndoRequest = Caller & { readonly importId: string; readonly now: Date }

/**
 * Begins to take an import back: its promotion that counts. Asking again while it runs changes nothing.
 * @throws AppError CONFLICT where there is nothing (more) that can be taken back
 */
export function requestUndo(db: Db, undo: UndoRequest): Promise<void> {
  return inTransaction(db, async (trx) => {
    const found = await findPromotionOfImport(trx, undo.importId)
    const { did, promotion } = await takeBack(trx, {
      promotionId: found?.id,
      userId: undo.actor.userId,
      now: undo.now,
      what: 'import',
    })
    if (did === 'again') return
    await writeAudit(trx, {
      action: `import-${did}`,
      actorUserId: undo.actor.userId,
      target: undo.importId,
      ip: undo.ip,
      requestId: undo.requestId,
      detail: { promotionId: promotion.id, state: promotion.state },
    })
  })
}
