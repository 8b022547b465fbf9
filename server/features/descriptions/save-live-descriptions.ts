import { joinChangeSet, withChangeSet } from '#server/features/history/change-sets.ts'
import { changeListings, diffColumns, lockListings } from '#server/features/listings/write-queries.ts'
import type { Db } from '#server/platform/database/database.ts'
import { findJobAuthor } from '#server/platform/jobs/enqueue-job.ts'
import type { LiveCheckpoint } from './live-checkpoint.ts'

/** A text for a listing as it was read. */
export type LiveText = { readonly id: string; readonly version: number; readonly text: string }

// A bulk save is undone in one transaction, by a person who waits for it.
const MOST_LISTINGS_A_SAVE = 2_000

/**
 * Writes descriptions into live listings as a bulk save of the job: a page of the one before, or a new one where that is
 * full. Listings that were changed since they were read are left. Answers the bulk save, and how many changed.
 */
export async function saveLiveDescriptions(
  trx: Db,
  texts: readonly LiveText[],
  { jobId, save }: { jobId: string; save: LiveCheckpoint['save'] },
): Promise<{ save: LiveCheckpoint['save']; changed: number }> {
  const locked = await lockListings(
    trx,
    texts.map(({ id }) => id),
  )
  const changes = texts.flatMap(({ id, version, text: description }) => {
    const before = locked.get(id)
    if (!before || before.version !== version || before.deleted_at) return []
    return { before, columns: diffColumns(before, { description }) }
  })
  if (changes.length === 0) return { save, changed: 0 }
  const isFull = save !== null && save.listings + changes.length > MOST_LISTINGS_A_SAVE
  const open = save !== null && !isFull ? save : { changeSetId: await openSave(trx, jobId), listings: 0 }
  await joinChangeSet(trx, open.changeSetId)
  await changeListings(trx, changes, open.changeSetId)
  return { save: { ...open, listings: open.listings + changes.length }, changed: changes.length }
}

async function openSave(trx: Db, jobId: string): Promise<string> {
  const actorUserId = await findJobAuthor(trx, jobId)
  const source = {
    actorKind: 'job' as const,
    jobId,
    ...(actorUserId && { actorUserId }),
    // By this word it is listed among the bulk saves, where it can be undone.
    reason: 'bulk edit',
  }
  return withChangeSet(trx, source, async (_trx, changeSetId) => changeSetId)
}
