import { withChangeSet } from '#server/features/history/with-change-set.ts'
import type { Actor } from '#server/platform/actor.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { ListingColumns } from './listing-columns.ts'
import { findListing, type ReadListing } from './listing-queries.ts'
import { listingNotFound } from './policy.ts'
import { changeListing, type ListingRecord, lockListing } from './write-queries.ts'

export type ListingCommand = { id: string; actor: Actor; requestId: string }

export type Decision = {
  reason: string
  /** The columns to set, seen the row as it stands under its lock. */
  decide: (before: ListingRecord, trx: Db) => Partial<ListingColumns> | Promise<Partial<ListingColumns>>
}

/** Changes one listing of a seller in a transaction of its own, with its history; answers it as it then stands. */
export async function changeOwnListing(
  db: Db,
  command: ListingCommand,
  decision: Decision,
): Promise<ReadListing> {
  const source = {
    actorKind: 'user' as const,
    actorUserId: command.actor.userId,
    onBehalfOf: command.actor.sellerId,
    requestId: command.requestId,
    reason: decision.reason,
  }
  return withChangeSet(db, source, async (trx, changeSetId) => {
    const before = await lockListing(trx, command.id)
    if (!before) throw listingNotFound()
    await changeListing(trx, before, { changeSetId, columns: await decision.decide(before, trx) })
    const after = await findListing(trx, command.id)
    if (!after) throw listingNotFound()
    return after
  })
}
