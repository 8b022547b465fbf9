import { joinChangeSet } from '#server/features/history/join-change-set.ts'
import {
  type BulkChange,
  changeListings,
  lockListings,
} from '#server/features/listings/bulk-change-queries.ts'
import { diffColumns } from '#server/features/listings/listing-diff.ts'
import type { LookupKind } from '#server/features/lookups/lookup-kind.ts'
import { holdLookups } from '#server/features/lookups/lookup-version-queries.ts'
import { setPictureSources } from '#server/features/pictures/picture-source-queries.ts'
import type { Db } from '#server/platform/database.ts'
import type { JobRun } from '#server/platform/jobs/job-definition.ts'
import type { PlannedAction, Source } from './action-decision.ts'
import { findStandingLookups } from './former-lookup-queries.ts'
import { formerLookup, withStandingLookups } from './former-lookups.ts'
import {
  countUndonePage,
  holdPage,
  type Kept,
  keepActions,
  listLastChanges,
  type UndoneSums,
} from './page-queries.ts'
import type { PromotionRow } from './promotion-queries.ts'
import { lockMovedSources, moveBack } from './source-move-queries.ts'
import { deleteSources, lockSources, placeOf, type SourceContent, updateSources } from './source-queries.ts'
import { decideUndo, type Undo } from './undo-decision.ts'

export type Undoing = {
  readonly now: () => Date
  readonly run: JobRun<unknown>
  readonly promotion: PromotionRow
  readonly changeSetId: string
  /** In the order of the plan backwards. */
  readonly actions: readonly PlannedAction[]
  /** The lowest row number taken back before, 0 for none, and the lowest one of this page. */
  readonly from: number
  readonly through: number
}

type Decided = { action: PlannedAction; source: Source | undefined; undo: Undo }

/** Takes some actions back, all or none, in one transaction of this run; undefined where another run did. */
export function undoPage(page: Undoing): Promise<UndoneSums | undefined> {
  const { promotion, run } = page
  return run.withFence(async (trx) => {
    // Lookups that listings get back are neither renamed nor deleted until they have them.
    await holdLookups(trx)
    if (!(await holdPage(trx, promotion.id, { state: 'undoing', through: page.from }))) return undefined
    await joinChangeSet(trx, page.changeSetId)
    const decided = await decidePage(trx, page)
    const changes = decided.flatMap(({ undo }) => changeOf(undo, page))
    await changeListings(trx, changes, page.changeSetId)
    await setPictureSources(
      trx,
      decided.flatMap(({ undo }) =>
        undo.kind === 'restore' && undo.imageUrl
          ? [{ listingId: undo.listing.id, url: undo.imageUrl[1] }]
          : [],
      ),
    )
    await restoreSources(trx, promotion, decided)
    const kept = decided.flatMap(({ action, undo }): Kept[] =>
      undo.kind === 'keep' ? [{ rowNo: action.rowNo, listingId: undo.listing.id, kept: undo.why }] : [],
    )
    await keepActions(trx, promotion.id, kept)
    const undone = decided.filter(({ undo }) => ['delete', 'restore', 'gone'].includes(undo.kind)).length
    const sums = { undone, left: kept.length }
    await countUndonePage(trx, promotion.id, page.through, sums)
    return sums
  })
}

async function decidePage(trx: Db, { promotion, actions }: Undoing): Promise<Decided[]> {
  const sources = await lockSources(trx, promotion.sellerId, actions)
  const gone = actions.filter((action) => action.action === 'create' && !sources.has(placeOf(action)))
  const moved = await lockMovedSources(trx, promotion, gone)
  const found = actions.map((action) => {
    const source = sources.get(placeOf(action)) ?? moved.get(placeOf(action))
    const isOurs = action.action === 'create' ? source?.createdBy === promotion.id : true
    const listingId = action.action === 'create' ? source?.listingId : action.listingId
    return { action, source: isOurs ? source : undefined, listingId: isOurs ? listingId : undefined }
  })
  const ids = [...new Set(found.flatMap(({ listingId }) => listingId ?? []))]
  const listings = await lockListings(trx, ids)
  const changes = await listLastChanges(trx, promotion, ids)
  const decided = found.map(({ action, source, listingId }) => {
    const listing = listings.get(listingId ?? '')
    const change = changes.get(listingId ?? '')
    return { action, source, undo: decideUndo({ action, source, listing, change }) }
  })
  return followLookups(trx, decided)
}

async function followLookups(trx: Db, decided: readonly Decided[]): Promise<Decided[]> {
  const find = (kind: LookupKind) => {
    const ids = decided.flatMap(({ undo }) => formerLookup(undo, kind) ?? [])
    return findStandingLookups(trx, kind, ids)
  }
  const standing = {
    category: await find('category'),
    manufacturer: await find('manufacturer'),
    car_model: await find('car_model'),
  }
  return decided.map((each) => ({ ...each, undo: withStandingLookups(each.undo, standing) }))
}

/** Also where a merge has made it what it was, so that nothing is left to change: its history says that it was taken back. */
function changeOf(undo: Undo, { now }: Undoing): BulkChange[] {
  if (undo.kind === 'delete') {
    return [{ before: undo.listing, columns: diffColumns(undo.listing, { deleted_at: now() }) }]
  }
  if (undo.kind !== 'restore') return []
  const { listing, columns, imageUrl } = undo
  return [{ before: listing, columns, elsewhere: imageUrl && { imageUrl } }]
}

/** What a listing came from is what it was before; a listing that goes leaves no source behind. */
async function restoreSources(trx: Db, promotion: PromotionRow, decided: readonly Decided[]): Promise<void> {
  const removed: Source[] = []
  const restored: SourceContent[] = []
  const returned: PlannedAction[] = []
  for (const { action, source, undo } of decided) {
    if (!source || undo.kind === 'keep' || action.action === 'end') continue
    if (action.action === 'create') removed.push(source)
    else if (source.hash !== action.hash || source.copies !== action.copies) continue
    else if (action.priorHash === null) removed.push(source)
    else {
      const { key, ordinal, priorHash: hash, priorPartHash: partHash, priorCopies: copies, rowNo } = action
      restored.push({ key, ordinal, hash, copies, rowNo, partKey: null, partHash })
      returned.push(action)
    }
  }
  await deleteSources(trx, promotion.sellerId, removed)
  await updateSources(trx, promotion, restored)
  await moveBack(trx, promotion.sellerId, returned)
}
