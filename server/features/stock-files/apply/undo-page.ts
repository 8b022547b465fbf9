import { sql } from 'kysely'
import { splitAddresses } from '#contract/csv/picture-addresses.ts'
import { joinChangeSet } from '#server/features/market/history/change-sets.ts'
import type { ListingColumns } from '#server/features/market/listings/listing-columns.ts'
import { findOrdered } from '#server/features/market/listings/ordered-parts.ts'
import {
  type BulkChange,
  type ColumnChanges,
  changeListings,
  diffColumns,
  type ListingRecord,
  lockListings,
} from '#server/features/market/listings/write-queries.ts'
import { holdLookups } from '#server/features/market/lookups/lookup-changes.ts'
import { type LookupKind, pageKindOf } from '#server/features/market/lookups/lookup-kind.ts'
import {
  type FileAddresses,
  type FormerList,
  restorePictureLists,
  setFilePictures,
} from '#server/features/market/pictures/picture-lists.ts'
import { renamedHeading } from '#server/features/market/writing/renamed-heading.ts'
import {
  deleteSources,
  lockMovedSources,
  lockSources,
  moveBack,
  type PlannedAction,
  placeOf,
  type Source,
  type SourceContent,
  updateSources,
} from '#server/features/stock-files/identity/sources.ts'
import type { PromotionRow } from '#server/features/stock-files/promotion/promotions.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { JobRun } from '#server/platform/jobs/job-definition.ts'
import {
  countUndonePage,
  type Kept,
  keepActions,
  type LastChange,
  listLastChanges,
  lockPage,
  type UndoneSums,
} from './actions.ts'

/*
 * Undoes one page of a promotion's actions: decides for each listing whether it can be restored, and restores it. Listings
 * that someone changed since are kept.
 */

export type Undo =
  /** The import created it and no one changed it: delete it. */
  | { readonly kind: 'delete'; readonly listing: ListingRecord }
  /** It is unchanged since the import: restore its previous values. */
  | {
      readonly kind: 'restore'
      readonly listing: ListingRecord
      readonly columns: ColumnChanges
      /** The reverse of what the import did to its pictures (`ListChange`); undefined if nothing. */
      readonly pictures: ColumnChanges | undefined
    }
  /** Someone changed it since: keep it and report it. */
  | { readonly kind: 'keep'; readonly listing: ListingRecord; readonly why: Kept['kept'] }
  /** It is already deleted. */
  | { readonly kind: 'gone' }
  /** The import changed nothing in it, or another import owns it now. */
  | { readonly kind: 'nothing' }

type Facts = {
  readonly action: PlannedAction
  /** Undefined if another import has its place. */
  readonly source: Source | undefined
  readonly listing: ListingRecord | undefined
  readonly change: LastChange | undefined
}

function decideUndo(facts: Facts): Undo {
  return facts.action.action === 'create' ? undoCreation(facts) : undoChange(facts)
}

function undoCreation({ source, listing, change }: Facts): Undo {
  if (!source || !listing) return { kind: 'nothing' }
  if (listing.deleted_at !== null) return { kind: 'gone' }
  const followed = change?.relabeled ?? 0
  if (isUntouched(listing, 1 + followed, change)) return { kind: 'delete', listing }
  return { kind: 'keep', listing, why: whyKept(listing, change) }
}

/** Whether it is as the import left it; later imports and their undos cancel out. */
function isUntouched(listing: ListingRecord, left: number | null, change: LastChange | undefined): boolean {
  return left !== null && listing.version === left + (change?.canceled ?? 0)
}

function undoChange({ listing, change }: Facts): Undo {
  if (!listing || !change?.changes) return { kind: 'nothing' }
  if (!isUntouched(listing, leftAt(change), change)) {
    return { kind: 'keep', listing, why: whyKept(listing, change) }
  }
  const reversed = mapColumns(change.changes, ([before, after]) => [after, before] as [unknown, unknown])
  const { imageUrl, pictures, ...columns } = reversed
  return {
    kind: 'restore',
    listing,
    columns,
    pictures: imageUrl && { imageUrl, ...(pictures && { pictures }) },
  }
}

const mapColumns = <T, U>(columns: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(columns).map(([column, value]) => [column, map(value)]))

const LOOKUP_COLUMNS = ['category_id', 'manufacturer_id', 'manufacturer_name', 'car_model_id', 'model_name']

/** Relabeling by a renamed or merged lookup does not count as a change, unless the undo would restore the old name. */
function leftAt({ version, changes, relabeled }: LastChange): number | null {
  const namesReturn = LOOKUP_COLUMNS.some((column) => changes && column in changes)
  return version === null || namesReturn ? version : version + relabeled
}

function whyKept(listing: ListingRecord, change: LastChange | undefined): Kept['kept'] {
  if (listing.deleted_at !== null) return 'deleted'
  if (change?.laterImport) return 'imported'
  return listing.ended_at === null ? 'edited' : 'ended'
}

type Lookup = { readonly id: string; readonly name: string }

/** Current lookups by the ids that listings had before: the same, or what it was merged into; deleted ones are absent. */
type CurrentLookups = Readonly<Record<LookupKind, ReadonlyMap<string, Lookup>>>

const idOf = { category: 'category_id', manufacturer: 'manufacturer_id', car_model: 'car_model_id' } as const
const nameOf = { category: undefined, manufacturer: 'manufacturer_name', car_model: 'model_name' } as const
const kinds = Object.keys(idOf) as LookupKind[]

/** The listing as it was before the import. */
function recordBefore({ listing, columns }: Extract<Undo, { kind: 'restore' }>): ListingRecord {
  return { ...listing, ...mapColumns(columns, ([, value]) => value) }
}

/** The id of the lookup that a listing gets back, or null. */
export function formerLookup(undo: Undo, kind: LookupKind): string | null {
  if (undo.kind !== 'restore') return null
  const returns = [idOf[kind], nameOf[kind]].some((column) => column && column in undo.columns)
  return returns ? recordBefore(undo)[idOf[kind]] : null
}

/**
 * Replaces restored lookups with the current ones, since they may have been renamed, merged or deleted since the
 * import: an old name must not be stored beside another lookup's id. If one of them was deleted, the whole listing
 * stays as the import left it.
 */
export function withCurrentLookups(undo: Undo, current: CurrentLookups): Undo {
  if (undo.kind !== 'restore') return undo
  const { listing } = undo
  const names: Partial<ListingColumns> = {}
  for (const kind of kinds) {
    const id = formerLookup(undo, kind)
    if (id === null) continue
    const lookup = current[kind].get(id)
    if (!lookup) return { kind: 'keep', listing, why: 'deleted' }
    names[idOf[kind]] = lookup.id
    if (nameOf[kind]) names[nameOf[kind]] = lookup.name
  }
  Object.assign(names, renamedHeading(recordBefore(undo), names))
  const others = Object.entries(undo.columns).filter(([column]) => !(column in names))
  return { ...undo, columns: { ...Object.fromEntries(others), ...diffColumns(listing, names) } }
}

/** What lookups with these ids are now: themselves, or what they were merged into; deleted ones are left out. */
async function findCurrentLookups(
  db: Db,
  kind: LookupKind,
  ids: readonly string[],
): Promise<CurrentLookups[LookupKind]> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ asked: string; id: string; name: string }>`
    select asked.id as asked, l.id, l.name
    from unnest(${[...new Set(ids)]}::uuid[]) as asked(id)
    left join landing_heir h on h.kind = ${pageKindOf(kind)} and h.lookup_id = asked.id
    join ${sql.table(kind)} l on l.id = coalesce(h.heir_id, asked.id)
  `.execute(db)
  return new Map(rows.map(({ asked, id, name }) => [asked, { id, name }]))
}

export type PageToUndo = {
  readonly now: () => Date
  readonly run: JobRun<unknown>
  readonly promotion: PromotionRow
  readonly changeSetId: string
  /** In reverse plan order. */
  readonly actions: readonly PlannedAction[]
  /** The lowest row number undone before (0 for none), and the lowest of this page. */
  readonly from: number
  readonly through: number
}

type DecidedAction = { action: PlannedAction; source: Source | undefined; undo: Undo }

/** Undoes a page of actions in one transaction of this run; undefined if another run did. */
export function undoPage(page: PageToUndo): Promise<UndoneSums | undefined> {
  const { promotion, run } = page
  return run.withFence(async (trx) => {
    // Prevents renaming or deleting lookups while listings get them back.
    await holdLookups(trx)
    if (!(await lockPage(trx, promotion.id, { state: 'undoing', through: page.from }))) return undefined
    await joinChangeSet(trx, page.changeSetId)
    const decided = await keepOrdered(trx, page, await decidePage(trx, page))
    const changes = decided.flatMap(({ undo }) => changeOf(undo, page))
    await restorePictures(trx, decided)
    await changeListings(trx, changes, page.changeSetId)
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

async function decidePage(trx: Db, { promotion, actions }: PageToUndo): Promise<DecidedAction[]> {
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

async function followLookups(trx: Db, decided: readonly DecidedAction[]): Promise<DecidedAction[]> {
  const find = (kind: LookupKind) => {
    const ids = decided.flatMap(({ undo }) => formerLookup(undo, kind) ?? [])
    return findCurrentLookups(trx, kind, ids)
  }
  const current = {
    category: await find('category'),
    manufacturer: await find('manufacturer'),
    car_model: await find('car_model'),
  }
  return decided.map((each) => ({ ...each, undo: withCurrentLookups(each.undo, current) }))
}

/** Leaves parts that buyers ordered as they are. */
async function keepOrdered(
  trx: Db,
  page: PageToUndo,
  decided: readonly DecidedAction[],
): Promise<DecidedAction[]> {
  const ordered = await findOrdered(
    trx,
    decided.flatMap(({ undo }) => changeOf(undo, page)),
  )
  return decided.map((each) => {
    const { undo } = each
    if ((undo.kind !== 'delete' && undo.kind !== 'restore') || !ordered.has(undo.listing.id)) return each
    return { ...each, undo: { kind: 'keep', listing: undo.listing, why: 'ordered' } }
  })
}

/** An empty change is written too, so that the history shows the undo even if a merge already restored the values. */
function changeOf(undo: Undo, { now }: PageToUndo): BulkChange[] {
  if (undo.kind === 'delete') {
    return [{ before: undo.listing, columns: diffColumns(undo.listing, { deleted_at: now() }) }]
  }
  if (undo.kind !== 'restore') return []
  const { listing, columns, pictures } = undo
  return [{ before: listing, columns, elsewhere: pictures }]
}

/** Imports from before a listing could have several pictures recorded no list; for those, restores the addresses. */
async function restorePictures(trx: Db, decided: readonly DecidedAction[]): Promise<void> {
  const lists: FormerList[] = []
  const addresses: FileAddresses[] = []
  for (const { undo } of decided) {
    if (undo.kind !== 'restore' || !undo.pictures) continue
    const listingId = undo.listing.id
    const { imageUrl, pictures } = undo.pictures
    if (pictures) lists.push({ listingId, ids: pictures[1] as string[] })
    else addresses.push({ listingId, addresses: splitAddresses(String(imageUrl?.[1] ?? '')) })
  }
  await restorePictureLists(trx, lists)
  await setFilePictures(trx, addresses)
}

/** Restores the previous sources; a deleted listing keeps none. */
async function restoreSources(
  trx: Db,
  promotion: PromotionRow,
  decided: readonly DecidedAction[],
): Promise<void> {
  const removed: Source[] = []
  const restored: SourceContent[] = []
  const returned: PlannedAction[] = []
  for (const { action, source, undo } of decided) {
    if (!source || undo.kind === 'keep' || action.action === 'end') continue
    if (action.action === 'create') removed.push(source)
    else if (source.hash !== action.hash || source.copies !== action.copies) continue
    else if (action.priorHash === null) removed.push(source)
    else {
      restored.push(priorContent(action))
      returned.push(action)
    }
  }
  await deleteSources(trx, promotion.sellerId, removed)
  await updateSources(trx, promotion, restored)
  await moveBack(trx, promotion.sellerId, returned)
}

const priorContent = (action: PlannedAction): SourceContent => ({
  key: action.key,
  ordinal: action.ordinal,
  hash: action.priorHash,
  copies: action.priorCopies,
  rowNo: action.rowNo,
  partKey: null,
  partHash: action.priorPartHash,
  digest: action.priorDigest,
  version: action.priorVersion,
  said: action.priorSaid,
})
