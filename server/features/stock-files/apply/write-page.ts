import { splitAddresses } from '#contract/csv/picture-addresses.ts'
import { joinChangeSet } from '#server/features/market/history/change-sets.ts'
import {
  copyListings,
  draftListings,
  type ListingDraft,
} from '#server/features/market/listings/copy-listings.ts'
import { findOrdered } from '#server/features/market/listings/ordered-parts.ts'
import {
  type BulkChange,
  changeListings,
  diffColumns,
  lockListings,
} from '#server/features/market/listings/write-queries.ts'
import { holdLookups } from '#server/features/market/lookups/lookup-changes.ts'
import {
  insertFilePictures,
  readFileLists,
  setFilePictures,
} from '#server/features/market/pictures/picture-lists.ts'
import { findScriptProse } from '#server/features/market/writing/script-prose.ts'
import type { RowChange, RowListing } from '#server/features/stock-files/identity/listed-part.ts'
import { listEdits, type MergedRow, mergeRow } from '#server/features/stock-files/identity/merge.ts'
import {
  deleteSources,
  insertSources,
  lockSources,
  markSourcesEnded,
  moveToStockNumbers,
  placeOf,
  type SourceContent,
  updateSources,
} from '#server/features/stock-files/identity/sources.ts'
import { noteOrderedParts } from '#server/features/stock-files/plan/ordered-parts.ts'
import type { Db } from '#server/platform/database/database.ts'
import {
  type ActionDecision,
  type AppliedAction,
  correctActions,
  countPage,
  decideAction,
  deleteActions,
  keepEdits,
  lockPage,
  namesListing,
  type PageSums,
} from './actions.ts'
import {
  type ApplyRun,
  CreationBecameUpdate,
  LookupsChanged,
  newListing,
  type Page,
  type PageRow,
} from './prepare-page.ts'

/*
 * Writes a prepared page in one transaction: decides each action by the current state, creates, updates and ends listings,
 * and corrects the plan where the outcome differs.
 */

type DecidedRow = { row: PageRow; decided: ActionDecision }
type DecidedAs<K extends ActionDecision['kind']> = {
  row: PageRow
  decided: Extract<ActionDecision, { kind: K }>
}

/**
 * Writes a page in one transaction of this run. Returns what it did, or undefined if the promotion changed in the meantime.
 * @throws LookupsChanged if its rows were resolved with outdated names, CreationBecameUpdate
 */
export function writePage(applyRun: ApplyRun, page: Page, pages: number): Promise<PageSums | undefined> {
  const { promotion, run } = applyRun
  return run.withFence(async (trx) => {
    if ((await holdLookups(trx)) !== page.lookupVersion) throw new LookupsChanged()
    const isOurs = await lockPage(trx, promotion.id, { state: 'applying', through: page.after })
    if (!isOurs) return undefined
    const sums = await writeRows(trx, applyRun, page)
    await countPage(trx, promotion.id, page.through, sums)
    await run.saveCheckpoint({ pages }, trx)
    return sums
  })
}

/** Writes the rows of a page whose promotion is locked, and returns what they did. */
export async function writeRows(trx: Db, applyRun: ApplyRun, page: Page): Promise<PageSums> {
  await joinChangeSet(trx, applyRun.changeSetId)
  const rows = await decidePage(trx, applyRun, page)
  const updates = only(rows, 'update')
  const creations = only(rows, 'create')
  await replaceSources(trx, applyRun, [...updates, ...creations])
  await createPage(trx, applyRun, { creations, draft: page.draft })
  const updated = await updatePage(trx, applyRun, updates)
  const ended = await endPage(trx, applyRun, only(rows, 'end'))
  await correctPage(trx, applyRun, rows)
  return { actions: page.rows.length, created: creations.length, updated, ended }
}

async function decidePage(trx: Db, { promotion }: ApplyRun, { rows }: Page): Promise<DecidedRow[]> {
  const actions = rows.map(({ action }) => action)
  await moveToStockNumbers(trx, promotion.sellerId, actions)
  const sources = await lockSources(trx, promotion.sellerId, actions)
  const adopted = rows.flatMap(({ action }) =>
    action.action === 'update' && action.priorHash === null && action.listingId ? [action.listingId] : [],
  )
  const ids = [...sources.values()].map(({ listingId }) => listingId).concat(adopted)
  const listings = await lockListings(trx, [...new Set(ids)])
  const decided = rows.map((row) => ({
    row,
    decided: decideAction(row.action, sources.get(placeOf(row.action)), listings),
  }))
  return keepOrdered(trx, promotion.id, decided)
}

/** Ends no part that a buyer ordered since the plan was made. */
async function keepOrdered(trx: Db, promotionId: string, rows: readonly DecidedRow[]): Promise<DecidedRow[]> {
  const ends = only(rows, 'end').map(({ decided: { listing } }) => ({
    before: listing,
    columns: diffColumns(listing, { ended_at: new Date(0) }),
  }))
  const ordered = await findOrdered(trx, ends)
  const noted = [...ordered.keys()].map((listingId) => ({ listingId, why: 'missing' as const }))
  await noteOrderedParts(trx, promotionId, noted)
  return rows.map((each) =>
    each.decided.kind === 'end' && ordered.has(each.decided.listing.id)
      ? { row: each.row, decided: { kind: 'skip' } }
      : each,
  )
}

function only<K extends ActionDecision['kind']>(rows: readonly DecidedRow[], kind: K): DecidedAs<K>[] {
  return rows.filter((each): each is DecidedAs<K> => each.decided.kind === kind)
}

/** Removes the sources of deleted listings that are replaced. */
async function replaceSources(
  trx: Db,
  { promotion }: ApplyRun,
  rows: readonly (DecidedAs<'create'> | DecidedAs<'update'>)[],
): Promise<void> {
  const replaced = rows.flatMap(({ decided }) => decided.replaces ?? [])
  await deleteSources(trx, promotion.sellerId, replaced)
}

async function createPage(
  trx: Db,
  applyRun: ApplyRun,
  { creations, draft }: { creations: readonly DecidedAs<'create'>[]; draft: ListingDraft },
): Promise<void> {
  if (creations.length === 0) return
  const ids = creations.map(({ row }) => row.newId)
  await copyListings(trx, draft, ids)
  // Rows that were updates when the page was prepared, and whose listings were deleted since.
  const others = creations.flatMap(({ row }) =>
    draft.listings.has(row.newId) ? [] : [newListing(applyRun, row, listingOf(row))],
  )
  if (others.length > 0) await copyListings(trx, await draftListings(trx, others, applyRun.searchNames))
  const sources = creations.map(({ row }) => ({
    action: row.action,
    listingId: row.newId,
    isNew: true,
    version: 1,
  }))
  await insertSources(trx, applyRun.promotion, sources)
  await insertFilePictures(
    trx,
    creations.map(({ row }) => ({ listingId: row.newId, addresses: splitAddresses(row.imageUrl ?? '') })),
  )
}

/** Writes the pictures of changed listings, and adds to the changes what the history needs to restore them. */
export async function writePictures(trx: Db, changes: readonly BulkChange[]): Promise<BulkChange[]> {
  const lists = await setFilePictures(
    trx,
    changes.flatMap(({ before, elsewhere }) =>
      elsewhere?.imageUrl
        ? [{ listingId: before.id, addresses: splitAddresses(String(elsewhere.imageUrl[1] ?? '')) }]
        : [],
    ),
  )
  return changes.map((change) => {
    const list = lists.get(change.before.id)
    return list ? { ...change, elsewhere: { ...change.elsewhere, pictures: list.pictures } } : change
  })
}

type MergedUpdate = DecidedAs<'update'> & MergedRow & { readonly isChanged: boolean }

/** Returns how many listings changed: a row may equal its listing. */
async function updatePage(
  trx: Db,
  applyRun: ApplyRun,
  updates: readonly DecidedAs<'update'>[],
): Promise<number> {
  if (updates.length === 0) return 0
  const { promotion } = applyRun
  const merged = await keepOrderedPieces(trx, promotion.id, await mergePage(trx, applyRun, updates))
  const changes = merged
    .filter(({ isChanged }) => isChanged)
    .map(({ decided, change }): BulkChange & RowChange => ({ before: decided.listing, ...change }))
  await changeListings(trx, await writePictures(trx, changes), applyRun.changeSetId)
  await updateSources(trx, promotion, merged.flatMap(contentOf))
  const adopted = merged.filter(({ row, decided }) => !decided.source && !namesListing(row.action))
  await insertSources(
    trx,
    promotion,
    adopted.map((update) => ({
      action: update.row.action,
      listingId: update.decided.listing.id,
      isNew: false,
      version: versionOf(update),
    })),
  )
  await keepEdits(
    trx,
    promotion.id,
    merged.flatMap(({ row, kept }) => (kept ? [{ rowNo: row.action.rowNo, kept }] : [])),
  )
  return changes.length
}

/** Compares the rows with their listings, and with edits that people made since the rows were last imported. */
async function mergePage(
  trx: Db,
  { promotion }: ApplyRun,
  updates: readonly DecidedAs<'update'>[],
): Promise<MergedUpdate[]> {
  const ids = updates.map(({ decided }) => decided.listing.id)
  const pictures = promotion.fields?.includes('imageUrl') ? await readFileLists(trx, ids) : undefined
  const isEditedSince = ({ decided: { listing, source } }: DecidedAs<'update'>) =>
    source !== undefined && listing.version > (source.version ?? 1)
  const edits = await listEdits(
    trx,
    updates.filter(isEditedSince).map(({ decided }) => decided.listing.id),
  )
  const prose = await findScriptProse(
    trx,
    updates.map(({ decided }) => decided.listing.description),
  )
  return updates.map(({ row, decided }) => {
    const { listing, source, reopens } = decided
    const { imageUrl = null, others = 0 } = pictures?.get(listing.id) ?? {}
    const updated = { listing, imageUrl, others, copiesBefore: source?.copies, reopens, prose }
    const memory = { edits: source && edits.get(listing.id), said: source?.said ?? null }
    const merged = mergeRow(updated, listingOf(row), row.action.copies, memory)
    const { columns, elsewhere } = merged.change
    const isChanged = Object.keys(columns).length > 0 || elsewhere !== undefined
    return { row, decided, ...merged, isChanged }
  })
}

/** Keeps the quantity of parts of which buyers ordered more than the row has. */
async function keepOrderedPieces(
  trx: Db,
  promotionId: string,
  updates: readonly MergedUpdate[],
): Promise<MergedUpdate[]> {
  const changes = updates.map(({ decided, change }) => ({ before: decided.listing, columns: change.columns }))
  const ordered = await findOrdered(trx, changes)
  if (ordered.size === 0) return [...updates]
  const noted = [...ordered.keys()].map((listingId) => ({ listingId, why: 'fewer' as const }))
  await noteOrderedParts(trx, promotionId, noted)
  return updates.map((update) => {
    if (!ordered.has(update.decided.listing.id)) return update
    const { quantity: _, ...columns } = update.change.columns
    const { elsewhere } = update.change
    const isChanged = Object.keys(columns).length > 0 || elsewhere !== undefined
    return { ...update, change: { ...update.change, columns }, isChanged }
  })
}

const versionOf = ({ decided: { listing }, isChanged }: MergedUpdate) => listing.version + (isChanged ? 1 : 0)

/** The new content of a source; none for a listing that had no source. */
function contentOf(update: MergedUpdate): SourceContent[] {
  const { action } = update.row
  const { source } = update.decided
  if (!source) return []
  return [
    { ...action, digest: action.digest ?? source.digest, version: versionOf(update), said: update.said },
  ]
}

/** For any row except a planned creation. */
function listingOf({ listing }: PageRow): RowListing {
  if (!listing) throw new CreationBecameUpdate()
  return listing
}

async function endPage(trx: Db, applyRun: ApplyRun, ends: readonly DecidedAs<'end'>[]): Promise<number> {
  if (ends.length === 0) return 0
  const at = applyRun.now()
  const changes = ends.map(({ decided: { listing } }) => ({
    before: listing,
    columns: diffColumns(listing, { ended_at: at, ended_reason: 'sold-elsewhere' }),
  }))
  await changeListings(trx, changes, applyRun.changeSetId)
  const listingIds = changes.map(({ before }) => before.id)
  await markSourcesEnded(trx, applyRun.promotion.id, { listingIds, at })
  return changes.length
}

/** Corrects the plan where the outcome differs from it. */
async function correctPage(trx: Db, { promotion }: ApplyRun, rows: readonly DecidedRow[]): Promise<void> {
  const corrected: AppliedAction[] = []
  const skipped: number[] = []
  for (const { row, decided } of rows) {
    const { action } = row
    if (decided.kind === 'skip') skipped.push(action.rowNo)
    else {
      const applied = appliedAction(action.rowNo, decided)
      if (!isAsPlanned(applied, action)) corrected.push(applied)
    }
  }
  await correctActions(trx, promotion.id, corrected)
  await deleteActions(trx, promotion.id, skipped)
}

function appliedAction(rowNo: number, decided: Exclude<ActionDecision, { kind: 'skip' }>): AppliedAction {
  const prior = decided.kind === 'update' ? decided.source : undefined
  return {
    rowNo,
    action: decided.kind,
    listingId: decided.kind === 'create' ? null : decided.listing.id,
    priorHash: prior?.hash ?? null,
    priorPartHash: prior?.partHash ?? null,
    priorCopies: prior?.copies ?? null,
    priorDigest: prior?.digest ?? null,
    priorVersion: prior?.version ?? null,
    priorSaid: prior?.said ?? null,
  }
}

const isAsPlanned = (applied: AppliedAction, planned: AppliedAction): boolean =>
  (Object.keys(applied) as (keyof AppliedAction)[]).every((field) => applied[field] === planned[field])
