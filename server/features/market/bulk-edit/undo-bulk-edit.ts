import { sql } from 'kysely'
import type { adminListingEndpoints } from '#contract/admin/listings.ts'
import type { Reply } from '#contract/endpoint.ts'
import { userSource, withChangeSet } from '#server/features/market/history/change-sets.ts'
import { changedBy, findLastChanges, type LastChange } from '#server/features/market/history/changes.ts'
import {
  findOrdered,
  inOrderSentence,
  type PartInOrder,
} from '#server/features/market/listings/ordered-parts.ts'
import { listingTitle } from '#server/features/market/listings/titles.ts'
import {
  type BulkChange,
  type ColumnChanges,
  changeListings,
  type ListingRecord,
  lockListings,
} from '#server/features/market/listings/write-queries.ts'
import { RELABEL_REASONS } from '#server/features/market/lookups/lookup-kind.ts'
import type { Actor } from '#server/platform/actor.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import { type Db, HIGHEST_ID, inTransaction } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'

// Must match the condition of the index `change_set_bulk`.
const isBulk = sql`s.reason in ('bulk edit', 'undo bulk edit')`

type BulkSave = Omit<
  Reply<typeof adminListingEndpoints.listChangeSets>['items'][number],
  'at' | 'undoneAt'
> & {
  at: Date
  undoneAt: Date | null
}

/** Lists bulk saves and their undos before `before`, newest first. */
export async function listBulkSaves(
  db: Db,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<BulkSave[]> {
  const { rows } = await sql<BulkSave>`
    select s.id, s.at, u.name as by, s.reason as how, undo.at as "undoneAt",
           (select count(*) from listing_change c where c.change_set_id = s.id) as listings
    from change_set s
    left join app_user u on u.id = s.actor_user_id
    left join change_set_undo taken on taken.change_set_id = s.id
    left join change_set undo on undo.id = taken.undo_change_set_id
    where ${isBulk} and s.id < ${before ?? HIGHEST_ID}
    order by s.id desc limit ${limit}
  `.execute(db)
  return rows
}

/** Locks a bulk save, so that concurrent undos wait for each other; undefined if the id is not one. */
async function lockBulkSave(
  trx: Db,
  { changeSetId: id, sellerId }: Undo,
): Promise<{ isUndone: boolean } | undefined> {
  const isOwn = sellerId === undefined ? sql`true` : sql`s.on_behalf_of = ${sellerId}`
  const locked = await sql`
    select from change_set s
    where s.id = ${id} and ${isBulk} and ${isOwn} for update
  `.execute(trx)
  if (locked.rows.length === 0) return undefined
  const undone = await sql`select from change_set_undo where change_set_id = ${id}`.execute(trx)
  return { isUndone: undone.rows.length > 0 }
}

type ListingChange = { listingId: string; version: number; changes: ColumnChanges }

async function listChangesOfSet(db: Db, changeSetId: string): Promise<ListingChange[]> {
  const { rows } = await sql<ListingChange>`
    select listing_id as "listingId", version, changes from listing_change
    where change_set_id = ${changeSetId} order by listing_id
  `.execute(db)
  return rows
}

/** Lists changes of listings after these versions, oldest first. */
async function listLaterChanges(
  db: Db,
  changes: readonly ListingChange[],
): Promise<(ListingChange & { relabelled: boolean })[]> {
  if (changes.length === 0) return []
  const { rows } = await sql<ListingChange & { relabelled: boolean }>`
    select c.listing_id as "listingId", c.version, c.changes, s.reason = any(${RELABEL_REASONS}) as relabelled
    from unnest(${changes.map(({ listingId }) => listingId)}::uuid[], ${changes.map(({ version }) => version)}::int[])
      as asked(id, version)
    join listing_change c on c.listing_id = asked.id and c.version > asked.version
    join change_set s on s.id = c.change_set_id
    order by c.listing_id, c.version
  `.execute(db)
  return rows
}

/** Locks the models that still exist until the transaction ends. */
async function lockCarModels(trx: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select id from car_model where id = any(${[...ids]}::uuid[]) order by id for key share
  `.execute(trx)
  return new Set(rows.map(({ id }) => id))
}

async function insertUndo(trx: Db, changeSetId: string, undoChangeSetId: string): Promise<void> {
  await sql`
    insert into change_set_undo (change_set_id, undo_change_set_id) values (${changeSetId}, ${undoChangeSetId})
  `.execute(trx)
}

type SaveUndo =
  | { kind: 'restore'; columns: ColumnChanges }
  | { kind: 'keep'; because: 'gone' | 'deleted' | 'changed' | 'model gone' | PartInOrder }

type LaterChange = {
  changes: ColumnChanges
  /** The listing followed a renamed or merged lookup; no person edited it. */
  relabelled?: boolean
}

type UndoFacts = {
  /** Undefined if the row was deleted. */
  listing: ListingRecord | undefined
  /** What the bulk save changed. */
  change: { version: number; changes: ColumnChanges }
  /** All later changes, oldest first. */
  later: readonly LaterChange[]
  /** Whether a car model still exists. */
  isModel: (id: string) => boolean
}

/** Restores a listing unless someone has edited it since. */
export function decideSaveUndo({ listing, change, later, isModel }: UndoFacts): SaveUndo {
  if (!listing) return { kind: 'keep', because: 'gone' }
  if (listing.deleted_at) return { kind: 'keep', because: 'deleted' }
  const isKnown = listing.version === change.version + later.length
  const edits = later.filter(({ relabelled, changes }) => !relabelled || overlap(changes, change.changes))
  if (!isKnown || !cancelOut(edits)) return { kind: 'keep', because: 'changed' }
  const columns = reversed(change.changes)
  const model = columns.car_model_id?.[1]
  if (typeof model === 'string' && !isModel(model)) return { kind: 'keep', because: 'model gone' }
  return { kind: 'restore', columns }
}

const overlap = (some: ColumnChanges, others: ColumnChanges): boolean =>
  Object.keys(some).some((column) => column in others)

/** Whether later changes cancel out: someone changed a field and changed it back. */
function cancelOut(later: readonly LaterChange[]): boolean {
  const net = new Map<string, [before: unknown, after: unknown]>()
  for (const { changes } of later) {
    for (const [column, [before, after]] of Object.entries(changes)) {
      net.set(column, [net.has(column) ? net.get(column)?.[0] : before, after])
    }
  }
  return [...net.values()].every(([before, after]) => JSON.stringify(before) === JSON.stringify(after))
}

const reversed = (changes: ColumnChanges): ColumnChanges =>
  Object.fromEntries(Object.entries(changes).map(([column, [before, after]]) => [column, [after, before]]))

export type Undo = {
  changeSetId: string
  actor: Actor
  requestId: string
  ip: string
  /** Restricts the undo to saves by this seller; undefined for admins, who may undo any. */
  sellerId?: string
}
export type UndoReceipt = { undone: number; kept: { id: string; title: string; why: string }[] }

type Decided = { change: ListingChange; listing: ListingRecord | undefined; undo: SaveUndo }

/**
 * Undoes a bulk save in one transaction, under its own change set. Skips and returns listings that someone has edited
 * since; if that is all of them, nothing is undone.
 * @throws AppError NOT_FOUND, CONFLICT (already undone)
 */
export function undoBulkEdit(db: Db, undo: Undo): Promise<UndoReceipt> {
  return inTransaction(db, async (trx) => {
    const save = await lockBulkSave(trx, undo)
    if (!save) throw new AppError('NOT_FOUND', 'There is no such bulk save.')
    if (save.isUndone) throw new AppError('CONFLICT', 'This bulk save was already undone.')
    const decided = await keepOrdered(trx, await decideAll(trx, undo.changeSetId))
    const restored = restoredBy(decided)
    if (restored.length > 0) await restore(trx, undo, restored)
    return { undone: restored.length, kept: await reportKept(trx, decided) }
  })
}

const restoredBy = (decided: readonly Decided[]): BulkChange[] =>
  decided.flatMap(({ listing, undo }) =>
    listing && undo.kind === 'restore' ? { before: listing, columns: undo.columns } : [],
  )

/** Keeps what would end or restock a part that a buyer ordered. */
async function keepOrdered(trx: Db, decided: readonly Decided[]): Promise<Decided[]> {
  const ordered = await findOrdered(trx, restoredBy(decided))
  return decided.map((one) => {
    const because = one.undo.kind === 'restore' && ordered.get(one.change.listingId)
    return because ? { ...one, undo: { kind: 'keep', because } } : one
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

async function restore(trx: Db, undo: Undo, restored: readonly BulkChange[]): Promise<void> {
  const { actor, requestId, ip, changeSetId } = undo
  await withChangeSet(trx, userSource(undo, 'undo bulk edit', undo.sellerId), async (_trx, undoId) => {
    await changeListings(trx, restored, undoId)
    await insertUndo(trx, changeSetId, undoId)
    const detail = { undone: restored.length, undoChangeSetId: undoId }
    const entry = { actorUserId: actor.userId, target: changeSetId, requestId, ip, detail }
    await writeAudit(trx, { action: 'bulk-edit-undone', ...entry })
  })
}

async function reportKept(trx: Db, decided: readonly Decided[]): Promise<UndoReceipt['kept']> {
  const kept = decided.flatMap(({ change, listing, undo }) =>
    undo.kind === 'keep' ? { id: change.listingId, listing, because: undo.because } : [],
  )
  const last = await findLastChanges(
    trx,
    kept.map(({ id }) => id),
  )
  return kept.map(({ id, listing, because }) => ({
    id,
    title: listing ? titleOf(listing) : 'A deleted listing',
    why: whyKept(because, last.get(id)),
  }))
}

export const titleOf = (listing: ListingRecord) =>
  listingTitle({
    yearFrom: listing.year_from,
    yearTo: listing.year_to,
    manufacturerName: listing.manufacturer_name,
    modelName: listing.model_name,
    name: listing.name,
  })

type KeepReason = Extract<SaveUndo, { kind: 'keep' }>['because']

function whyKept(because: KeepReason, last: LastChange | undefined): string {
  if (typeof because === 'object') return inOrderSentence(because)
  if (because === 'gone') return 'It no longer exists'
  if (because === 'deleted') return 'It was deleted'
  if (because === 'model gone') return 'Its former model is no longer in the list of models'
  return changedBy(last)
}
