import { changedBy, type LastChange } from '#server/features/history/change-words.ts'
import { findLastChanges } from '#server/features/history/queries.ts'
import { withChangeSet } from '#server/features/history/with-change-set.ts'
import { changeListings, lockListings } from '#server/features/listings/bulk-change-queries.ts'
import { listingTitle } from '#server/features/listings/listing-title.ts'
import type { ListingRecord } from '#server/features/listings/write-queries.ts'
import type { Actor } from '#server/platform/actor.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import {
  insertUndo,
  type ListingChange,
  listChangesOfSet,
  listLaterChanges,
  lockBulkSave,
  lockCarModels,
} from './change-set-queries.ts'
import { decideSaveUndo, type SaveUndo } from './save-undo-decision.ts'

export type Undo = { changeSetId: string; actor: Actor; requestId: string; ip: string }
export type Undone = { undone: number; kept: { id: string; title: string; why: string }[] }

type Decided = { change: ListingChange; listing: ListingRecord | undefined; undo: SaveUndo }

/**
 * Takes a bulk save back in one transaction: listings as it left them are again what they were before, under a change set
 * of its own; those that somebody worked on since are named and left. Where that is all of them, nothing is undone.
 * @throws AppError NOT_FOUND, CONFLICT (undone already)
 */
export function undoBulkEdit(db: Db, undo: Undo): Promise<Undone> {
  return inTransaction(db, async (trx) => {
    const save = await lockBulkSave(trx, undo.changeSetId)
    if (!save) throw new AppError('NOT_FOUND', 'There is no such bulk save.')
    if (save.isUndone) throw new AppError('CONFLICT', 'This bulk save was undone already.')
    const decided = await decideAll(trx, undo.changeSetId)
    const restored = decided.flatMap(({ listing, undo: { kind, ...rest } }) =>
      listing && kind === 'restore' && 'columns' in rest ? { before: listing, columns: rest.columns } : [],
    )
    if (restored.length > 0) await restore(trx, undo, restored)
    return { undone: restored.length, kept: await tellKept(trx, decided) }
  })
}

async function decideAll(trx: Db, changeSetId: string): Promise<Decided[]> {
  const changes = await listChangesOfSet(trx, changeSetId)
  const listings = await lockListings(
    trx,
    changes.map(({ listingId }) => listingId),
  )
  const later = Map.groupBy(await listLaterChanges(trx, changes), ({ listingId }) => listingId)
  const models = await lockCarModels(trx, changes.flatMap(formerModel))
  return changes.map((change) => {
    const listing = listings.get(change.listingId)
    const facts = { listing, change, later: later.get(change.listingId) ?? [] }
    return { change, listing, undo: decideSaveUndo({ ...facts, isModel: (id) => models.has(id) }) }
  })
}

function formerModel({ changes }: ListingChange): string[] {
  const before = changes.car_model_id?.[0]
  return typeof before === 'string' ? [before] : []
}

type Restored = Parameters<typeof changeListings>[1]

async function restore(trx: Db, undo: Undo, restored: Restored): Promise<void> {
  const { actor, requestId, ip, changeSetId } = undo
  const source = {
    actorKind: 'user',
    actorUserId: actor.userId,
    requestId,
    reason: 'undo bulk edit',
  } as const
  await withChangeSet(trx, source, async (_trx, undoId) => {
    await changeListings(trx, restored, undoId)
    await insertUndo(trx, changeSetId, undoId)
    const detail = { undone: restored.length, undoChangeSetId: undoId }
    const entry = { actorUserId: actor.userId, target: changeSetId, requestId, ip, detail }
    await writeAudit(trx, { action: 'bulk-edit-undone', ...entry })
  })
}

async function tellKept(trx: Db, decided: readonly Decided[]): Promise<Undone['kept']> {
  const kept = decided.flatMap(({ change, listing, undo }) =>
    undo.kind === 'keep' ? { id: change.listingId, listing, because: undo.because } : [],
  )
  const last = await findLastChanges(
    trx,
    kept.map(({ id }) => id),
  )
  return kept.map(({ id, listing, because }) => ({
    id,
    title: listing ? titleOf(listing) : 'A listing that is gone',
    why: whyKept(because, last.get(id)),
  }))
}

const titleOf = (listing: ListingRecord) =>
  listingTitle({
    yearFrom: listing.year_from,
    yearTo: listing.year_to,
    manufacturerName: listing.manufacturer_name,
    modelName: listing.model_name,
    name: listing.name,
  })

type Because = Extract<SaveUndo, { kind: 'keep' }>['because']

function whyKept(because: Because, last: LastChange | undefined): string {
  if (because === 'gone') return 'It is gone'
  if (because === 'deleted') return 'It was deleted'
  if (because === 'model gone') return 'Its former model is no longer in the list of models'
  return changedBy(last)
}
