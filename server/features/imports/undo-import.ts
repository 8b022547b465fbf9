import { requestUndo, type UndoRequest } from '#server/features/promotion/request-undo.ts'
import { writeAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database.ts'
import { inTransaction } from '#server/platform/in-transaction.ts'
import { withdrawReceiving } from './ledger-queries.ts'

/**
 * Takes an import back, however far it is: of one that is still arriving the chunks go, at once; with one that is complete
 * it is its promotion that is withdrawn or undone.
 * @throws AppError CONFLICT where there is nothing (more) that can be taken back
 */
export function undoImport(db: Db, undo: UndoRequest): Promise<void> {
  return inTransaction(db, async (trx) => {
    if (!(await withdrawReceiving(trx, undo.importId, undo.now))) return requestUndo(trx, undo)
    await writeAudit(trx, {
      action: 'import-withdrawn',
      actorUserId: undo.actor.userId,
      target: undo.importId,
      ip: undo.ip,
      requestId: undo.requestId,
      detail: { state: 'receiving' },
    })
  })
}
