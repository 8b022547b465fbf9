import { withChangeSet } from '#server/features/history/with-change-set.ts'
import { enqueuePictures } from '#server/features/pictures/enqueue-pictures.ts'
import type { Db } from '#server/platform/database.ts'
import type { JobRun } from '#server/platform/jobs/job-definition.ts'
import { isWriteConflict } from '#server/platform/write-conflict.ts'
import { listAppliedActions, type UndoneSums } from './page-queries.ts'
import { findPromotionRow, lockPromotion, type PromotionRow } from './promotion-queries.ts'
import { type Undoing, undoPage } from './undo-page.ts'
import { endUndoing, setUndoChangeSet } from './undo-queries.ts'

const ACTIONS_A_PAGE = 1_000

/**
 * Takes a promotion back, page by page from its last applied action to its first. Stopped anywhere, the next run goes on
 * from the page that was not taken back yet.
 */
export async function undoPromotion(
  { db, now }: { db: Db; now: () => Date },
  run: JobRun<{ promotionId: string }>,
): Promise<UndoneSums> {
  const sums = { undone: 0, left: 0 }
  const promotion = await findPromotionRow(db, run.payload.promotionId)
  if (promotion?.state !== 'undoing') return sums
  const changeSetId = await run.withFence((trx) => openUndo(trx, run.jobId, promotion))
  let through = promotion.undoneThrough
  for (;;) {
    run.signal.throwIfAborted()
    const before = through || promotion.appliedThrough + 1
    const actions = await listAppliedActions(db, promotion.id, { before, limit: ACTIONS_A_PAGE })
    const lowest = actions.at(-1)?.rowNo
    if (lowest === undefined) break
    const page = { now, run, promotion, changeSetId, actions, from: through, through: lowest }
    const taken = await undoUntilItFits(page)
    if (!taken) return sums
    sums.undone += taken.undone
    sums.left += taken.left
    through = lowest
    const done = promotion.undone + promotion.leftAsIs + sums.undone + sums.left
    run.progress({ done, total: promotion.applied, note: 'taking back' })
  }
  await run.withFence(async (trx) => {
    await endUndoing(trx, promotion.id)
    // Updated listings have their former addresses again, and the pictures of those are to be fetched anew.
    if (promotion.fields?.includes('imageUrl')) await enqueuePictures(trx, promotion.sellerId)
  })
  return sums
}

// As often as a page is made live.
const MOST_TRIES = 5

/** Somebody wrote the same at the same moment, or two waited for one another: what stands then is looked at anew. */
async function undoUntilItFits(page: Undoing): Promise<UndoneSums | undefined> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await undoPage(page)
    } catch (error) {
      if (attempt === MOST_TRIES || !isWriteConflict(error)) throw error
    }
  }
}

async function openUndo(trx: Db, jobId: string, { id }: PromotionRow): Promise<string> {
  const promotion = await lockPromotion(trx, id)
  if (promotion?.undoChangeSetId) return promotion.undoChangeSetId
  const source = {
    actorKind: 'job' as const,
    jobId,
    reason: 'undo import',
    ...(promotion && { onBehalfOf: promotion.sellerId }),
    ...(promotion?.importId && { importId: promotion.importId }),
  }
  return withChangeSet(trx, source, async (same, changeSetId) => {
    await setUndoChangeSet(same, id, changeSetId)
    return changeSetId
  })
}
