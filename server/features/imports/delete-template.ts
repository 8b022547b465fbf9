import { isShippedTemplate } from '#contract/column-mapping/shipped-templates.ts'
import { type Actor, isAdmin } from '#server/platform/actor.ts'
import { AppError } from '#server/platform/app-error.ts'
import { writeAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database.ts'
import { deleteTemplateRow } from './template-queries.ts'

/** @throws AppError NOT_FOUND for a template that is not the caller's to delete, CONFLICT for one that is nobody's */
export async function deleteTemplate(
  db: Db,
  by: { id: string; actor: Actor; ip: string; requestId: string },
): Promise<void> {
  const { id, actor, ip, requestId } = by
  if (isShippedTemplate(id)) {
    throw new AppError('CONFLICT', 'This mapping template comes with the product and cannot be deleted.')
  }
  await db.transaction().execute(async (trx) => {
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
