import type { Db } from '#server/platform/database.ts'
import { inTransaction } from '#server/platform/in-transaction.ts'
import { failPromotion, lockPromotion } from './promotion-queries.ts'
import { findStall, listStalled } from './stall-queries.ts'
import { stopReason } from './stop-reason.ts'

/**
 * Ends promotions whose job ended without them: its worker was lost too often, it took too long, somebody cancelled it.
 * Nobody works on them any more, and whoever looks at one would wait for good.
 */
export async function failStalledPromotions(db: Db, signal: AbortSignal): Promise<{ failed: number }> {
  let failed = 0
  for (const id of await listStalled(db)) {
    signal.throwIfAborted()
    if (await failIfStalled(db, id)) failed += 1
  }
  return { failed }
}

/** Looked at again under the lock: whoever gave it a new job held that lock, and a statement of its own sees the job. */
function failIfStalled(db: Db, id: string): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const promotion = await lockPromotion(trx, id)
    const stall = promotion && (await findStall(trx, id))
    if (!stall) return false
    await failPromotion(trx, id, stopReason({ ...promotion, ...stall }))
    return true
  })
}
