import { type Actor, isAdmin } from '#server/platform/actor.ts'
import { AppError } from '#server/platform/app-error.ts'
import { writeAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database.ts'
import { deleteTemplateRow } from './template-queries.ts'

/** @throws AppError NOT_FOUND for a template that is not the caller's to delete */
export function deleteTemplate(
  db: Db,
  by: { id: string; actor: Actor; ip: string; requestId: string },
): Promise<void> {
  const { id, actor, ip, requestId } = by
  return db.transaction().execute(async (trx) => {
    const deleted = await deleteTemplateRow(trx, { id, sellerId: actor.sellerId, globalToo: isAdmin(actor) })
    if (!deleted) throw new AppError('NOT_FOUND', 'There is no such mapping template.')
    await writeAudit(trx, {
      action: 'mapping-template-deleted',
      actorUserId: actor.userId,
      target: id,
      ip,
      requestId,
      detail: deleted,
    })
  })
}
