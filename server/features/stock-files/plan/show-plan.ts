import { sql } from 'kysely'
import type { PlannedRow, StagingPlan, stagingDeskEndpoints } from '#contract/admin/staging.ts'
import { type ImportField, importFields } from '#contract/csv/import-fields.ts'
import type { Answer } from '#contract/endpoint.ts'
import {
  categoriesIn,
  changedFields,
  listCategoryNames,
  type RecordedChange,
} from '#server/features/market/history/changes.ts'
import { LISTING_TITLE, listingTitle } from '#server/features/market/listings/titles.ts'
import type { ListingRecord } from '#server/features/market/listings/write-queries.ts'
import { openLookupNames } from '#server/features/market/lookups/lookup-names.ts'
import {
  editsOfRow,
  findListedParts,
  type ListedPart,
  listingOfRow,
  type RowListing,
  type StagedText,
  textOfRow,
} from '#server/features/stock-files/identity/listed-part.ts'
import { type ListingEdits, listEdits, mergeRow } from '#server/features/stock-files/identity/merge.ts'
import { listWronglyFilled } from '#server/features/stock-files/identity/older-reading.ts'
import { comesBack } from '#server/features/stock-files/identity/pairing.ts'
import type { PlannedAction } from '#server/features/stock-files/identity/sources.ts'
import { findPromotionRow, type PromotionRow } from '#server/features/stock-files/promotion/promotions.ts'
import {
  canUndo,
  canWithdraw,
  findPromotionOfFile,
  type PromotionSummary,
} from '#server/features/stock-files/promotion/summaries.ts'
import { StagedRowReader } from '#server/features/stock-files/store/read-contents.ts'
import {
  type FileRequest,
  listSegments,
  requireTypedFile,
} from '#server/features/stock-files/store/staged-files.ts'
import { readNumberCursor } from '#server/platform/database/cursors.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { taskQueue } from '#server/platform/processes/concurrency.ts'
import { leftOutReason, listLeftOut } from './left-out.ts'

/* A plan for review: its counts, progress and results, and row by row what it changes. */

export type WhyKept = 'edited' | 'ended' | 'imported' | 'deleted' | 'lookup-deleted' | 'ordered'

/** For an action `a`: why an undo left its listing unchanged. If the listing still exists, its lookup was deleted. */
const whyKept = sql<WhyKept | null>`
  case when a.kept = 'deleted' and not exists (
    select from listing_change d
    where d.listing_id = a.listing_id and d.changes ? 'deleted_at'
      and d.change_set_id > (select change_set_id from promotion where id = a.promotion_id)
  ) then 'lookup-deleted' else a.kept end
`

type Changes = PlannedRow['changes']

/** All values of a new listing's row. */
function changesOfNew(text: StagedText): Changes {
  const values = Object.entries(text) as [ImportField, string][]
  return Object.fromEntries(
    values
      .filter(([field, value]) => value !== '' && field !== 'listingid')
      .map(([field, value]) => [field, [null, value]]),
  )
}

/** A row's changes to its listing by column, and manual edits that are kept although the row has other values. */
type PlannedChange = { readonly change: RecordedChange; readonly keptEdits: RecordedChange }

/** What the row would change in its current listing: the same as when it is applied. */
function plannedChange(
  { copies, sourceCopies, sourceEndedAt, sourceSaid }: PlannedRowState,
  { live, edits }: { live: ListedPart; edits: ListingEdits | undefined },
  row: RowListing,
): PlannedChange {
  const reopens = comesBack(live.listing, sourceEndedAt)
  const updated = { ...live, copiesBefore: sourceCopies ?? undefined, reopens }
  const { change, kept = {} } = mergeRow(updated, row, copies, { edits, said: sourceSaid })
  return { change: { ...change.columns, ...change.elsewhere }, keptEdits: kept as RecordedChange }
}

/** Changes by field; a new category has the name in the row. */
function changesByField(
  change: RecordedChange,
  { text, categoryName }: { text: StagedText; categoryName: (id: string) => string },
): Changes {
  const changes = changedFields(change, categoryName).map(({ field, before, after }) => {
    const isNewCategory = field === 'partcategory' && after === null && text.partcategory
    return [field, [before, isNewCategory ? text.partcategory : after]] as const
  })
  return Object.fromEntries(changes) as Changes
}

/** The row's title, or the listing's for an ending, which has no row. */
export function titleOfPart(text: StagedText | undefined, listing: ListingRecord | undefined): string {
  if (!text) return listing ? titleOfListing(listing) : ''
  const words = [text.partyear?.replace('-', '–'), text.partmanu, text.partmodel, text.partname]
  return words.filter((word) => word !== undefined && word !== '').join(' ')
}

const titleOfListing = (listing: ListingRecord): string =>
  listingTitle({
    yearFrom: listing.year_from,
    yearTo: listing.year_to,
    manufacturerName: listing.manufacturer_name,
    modelName: listing.model_name,
    name: listing.name,
  })

const keptReasons = {
  deleted: 'It was deleted after the import.',
  'lookup-deleted': 'Its previous category, make or model was deleted after the import.',
  ended: 'It was ended after the import.',
  imported: 'A later import changed it.',
  edited: 'It was edited after the import.',
  ordered: 'A buyer ordered it.',
} as const satisfies Record<WhyKept, string>

/** An action of a plan with its listing. */
type PlannedRowState = Pick<PlannedAction, 'rowNo' | 'action' | 'copies'> & {
  /** Null for a listing that is not created yet or no longer exists. */
  readonly listingId: string | null
  readonly kept: WhyKept | null
  /** Whether its row names the listing by id. */
  readonly isNamed: boolean
  /** The listing's previous source. */
  readonly sourceCopies: number | null
  readonly sourceEndedAt: Date | null
  readonly sourceVersion: number | null
  readonly sourceSaid: string | null
  /** Column → before and after, once applied; null if it was not applied or changed nothing. */
  readonly made: Record<string, [before: unknown, after: unknown]> | null
  /** Edits that were kept when it was applied. */
  readonly keptEdits: Record<string, [edited: unknown, file: unknown]> | null
}

type PlannedRowPage = {
  readonly action: PlannedAction['action'] | undefined
  readonly after: number
  readonly limit: number
}

/** The next actions of a promotion's plan in row order. */
async function listPlannedActions(
  db: Db,
  promotion: { id: string; sellerId: string; changeSetId: string | null },
  { action, after, limit }: PlannedRowPage,
): Promise<PlannedRowState[]> {
  const { rows } = await sql<PlannedRowState>`
    with page as (
      select * from promotion_action
      where promotion_id = ${promotion.id} and row_no > ${after}
        and (${action ?? null}::text is null or action = ${action ?? null})
      order by row_no limit ${limit}
    )
    select a.row_no as "rowNo", a.action, a.copies, ${whyKept} as kept, a.action = 'update' and a.content_hash is null as "isNamed", t.listing_id as "listingId",
           s.copies as "sourceCopies", s.ended_at as "sourceEndedAt", s.listing_version as "sourceVersion",
           s.said::text as "sourceSaid", c.changes as made, a.kept_edits as "keptEdits"
    from page a
    left join listing_source s
      on s.seller_id = ${promotion.sellerId} and s.source_key = coalesce(a.prior_key, a.source_key)
        and s.ordinal = coalesce(a.prior_ordinal, a.ordinal)
    left join listing_source mine
      on a.action = 'create' and mine.seller_id = ${promotion.sellerId} and mine.source_key = a.source_key
        and mine.ordinal = a.ordinal and mine.created_by_promotion = ${promotion.id}
    cross join lateral (select coalesce(a.listing_id, mine.listing_id) as listing_id) t
    left join lateral (
      select changes from listing_change
      where listing_id = t.listing_id and change_set_id = ${promotion.changeSetId} and a.action = 'update'
      order by version desc limit 1
    ) c on true
    order by a.row_no
  `.execute(db)
  return rows
}

export type LeftListing = { id: string; slug: string; title: string; reason: string }

/** The first `limit` listings that an undo left unchanged, in file order, with the reason. */
export async function listLeft(db: Db, promotionId: string, limit: number): Promise<LeftListing[]> {
  const { rows } = await sql<Omit<LeftListing, 'reason'> & { kept: WhyKept; orders: string[] }>`
    select l.id, l.slug, ${LISTING_TITLE} as title,
           ${whyKept} as kept, ${openOrders} as orders
    from promotion_action a join listing l on l.id = a.listing_id
    where a.promotion_id = ${promotionId} and a.kept is not null
    order by a.row_no limit ${limit}
  `.execute(db)
  return rows.map(({ kept, orders, ...listing }) => ({
    ...listing,
    reason:
      kept === 'ordered' && orders.length > 0
        ? `A buyer ordered it (${orders.join(', ')}).`
        : keptReasons[kept],
  }))
}

const openOrders = sql<string[]>`array(
  select o.number from order_line i join part_order o on o.id = i.order_id
  where a.kept = 'ordered' and i.listing_id = l.id
    and o.state in ('pending', 'authorized', 'capturing', 'confirmed', 'ready', 'shipped')
  order by o.id)`

export type PlannedRowsRequest = FileRequest & {
  readonly action: PlannedAction['action'] | undefined
  readonly cursor: string | undefined
  readonly limit: number
}

type Reply = Answer<typeof stagingDeskEndpoints.listPlannedRows>

// Each keeps all lookup names in memory.
const inTurn = taskQueue({ atOnce: 2, waiting: 20 })

/**
 * A plan row by row: before it is applied compared with the current listings, afterwards from the history.
 * @throws AppError VALIDATION_FAILED, NOT_FOUND, MALFORMED for an invalid cursor, BUSY
 */
export async function listPlannedRows(db: Db, files: FileStore, request: PlannedRowsRequest): Promise<Reply> {
  const { file } = await requireTypedFile(db, request)
  const after = readNumberCursor(request.cursor)
  const found = await findPromotionOfFile(db, file.id)
  const promotion = found && (await findPromotionRow(db, found.id))
  if (!promotion) return { items: [], nextCursor: null }
  return inTurn(async () => {
    const { action, limit } = request
    const actions = await listPlannedActions(db, promotion, { action, after, limit: limit + 1 })
    const shown = actions.slice(0, limit)
    const items = await presentRows({ db, files, promotion }, shown)
    const last = shown.at(-1)
    return { items, nextCursor: last && actions.length > limit ? String(last.rowNo) : null }
  })
}

type Deps = { db: Db; files: FileStore; promotion: PromotionRow }

async function presentRows(deps: Deps, states: readonly PlannedRowState[]): Promise<PlannedRow[]> {
  const texts = await readTexts(deps, states)
  const live = await findLive(deps, states)
  const changes = await findChanges(deps, { states, texts, live })
  const all = [...changes.values()].flatMap(({ change, keptEdits }) => [change, keptEdits])
  const categories = await listCategoryNames(deps.db, categoriesIn(all))
  const categoryName = (id: string) => categories.get(id) ?? 'a deleted category'
  return states.map((state) => {
    const text = texts.get(state.rowNo) ?? {}
    const listing = live.get(state.listingId ?? '')?.listing
    const planned = changes.get(state.rowNo)
    const inFields = (change: RecordedChange = {}) => changesByField(change, { text, categoryName })
    return {
      row: state.rowNo - 1,
      action: state.action,
      title: titleOfPart(texts.get(state.rowNo), listing),
      listing: listing ? { id: listing.id, partslug: listing.slug } : null,
      changes: state.action === 'create' ? changesOfNew(text) : inFields(planned?.change),
      keptEdits: Object.fromEntries(
        Object.entries(inFields(planned?.keptEdits)).filter(([, [edited, file]]) => edited !== file),
      ),
      kept: state.kept && keptReasons[state.kept],
    }
  })
}

/** Endings have no row in the file. */
async function readTexts(
  { db, files, promotion }: Deps,
  states: readonly PlannedRowState[],
): Promise<Map<number, StagedText>> {
  const rowNos = states.filter(({ action }) => action !== 'end').map(({ rowNo }) => rowNo)
  const segments = await listSegments(db, promotion.fileId, promotion.version)
  const rows = await new StagedRowReader(files, segments).read(rowNos)
  const named = new Set(states.filter(({ isNamed }) => isNamed).map(({ rowNo }) => rowNo))
  const ofVersion = importFields.filter((field) => promotion.columns.includes(field))
  const madeUp = await listWronglyFilled(db, promotion.importId)
  return new Map(
    rows.map((fields, index) => {
      const rowNo = rowNos[index] as number
      if (named.has(rowNo)) return [rowNo, textOfRow(fields, ofVersion)]
      return [rowNo, textOfRow(fields, promotion.fields ?? [], madeUp)]
    }),
  )
}

/** Current listings by id, without deleted ones. */
async function findLive(
  { db, promotion }: Deps,
  states: readonly PlannedRowState[],
): Promise<Map<string, ListedPart>> {
  const ids = states.flatMap(({ listingId }) => listingId ?? [])
  const parts = await findListedParts(db, promotion.sellerId, ids)
  return new Map([...parts].filter(([, { listing }]) => listing.deleted_at === null))
}

type PageRows = {
  states: readonly PlannedRowState[]
  texts: ReadonlyMap<number, StagedText>
  live: ReadonlyMap<string, ListedPart>
}

/** By row number: applied changes from the history, the others as they would be now. */
async function findChanges(
  { db, promotion }: Deps,
  { states, texts, live }: PageRows,
): Promise<Map<number, PlannedChange>> {
  const updates = states.filter(({ action }) => action === 'update')
  const isPending = ({ rowNo }: PlannedRowState) => rowNo > promotion.appliedThrough
  const names = updates.some(isPending) ? await openLookupNames(db) : undefined
  const edits = await listEdits(
    db,
    updates
      .filter((state) => isPending(state) && mayBeEdited(state, live))
      .map(({ listingId }) => listingId ?? ''),
  )
  return new Map(
    updates.flatMap((state): [number, PlannedChange][] => {
      const { made, keptEdits } = state
      if (!isPending(state))
        return made || keptEdits ? [[state.rowNo, { change: made ?? {}, keptEdits: keptEdits ?? {} }]] : []
      const [text, current] = [texts.get(state.rowNo), live.get(state.listingId ?? '')]
      if (!names || !text || !current) return []
      const edited = state.isNamed ? editsOfRow(text, current) : text
      const listing = { live: current, edits: edits.get(current.listing.id) }
      return [[state.rowNo, plannedChange(state, listing, listingOfRow(edited, state.copies, names))]]
    }),
  )
}

/** Whether its listing changed since its row was last imported; a row that names its listing is an edit itself. */
function mayBeEdited(
  { isNamed, listingId, sourceCopies, sourceVersion }: PlannedRowState,
  live: ReadonlyMap<string, ListedPart>,
): boolean {
  const listing = live.get(listingId ?? '')?.listing
  return !isNamed && sourceCopies !== null && listing !== undefined && listing.version > (sourceVersion ?? 1)
}

/**
 * The plan of a staged file with its progress and results, or null.
 * @throws AppError VALIDATION_FAILED, NOT_FOUND
 */
export async function readStagedPlan(
  db: Db,
  { now, ...request }: FileRequest & { now: Date },
): Promise<StagingPlan | null> {
  const { file } = await requireTypedFile(db, request)
  const promotion = await findPromotionOfFile(db, file.id)
  const row = promotion && (await findPromotionRow(db, promotion.id))
  if (!promotion || !row) return null
  const leftOut = await listLeftOut(db, promotion.id)
  const refusals = leftOut.map((each) => `Row ${each.rowNo}: ${leftOutReason(each, 'row')}`)
  const contradictions = await listContradictions(db, promotion.id)
  return presentPlan(promotion, { row, refusals, contradictions, now })
}

async function listContradictions(db: Db, promotionId: string): Promise<string[]> {
  const { rows } = await sql<{ sentence: string }>`
    select concat('Row ', e ->> 'rowNo', ': ', e ->> 'message') as sentence
    from promotion p cross join lateral jsonb_array_elements(p.contradictions) e where p.id = ${promotionId}
  `.execute(db)
  return rows.map(({ sentence }) => sentence)
}

const EMPTY_PLAN: NonNullable<PromotionSummary['plan']> = {
  create: 0,
  update: 0,
  unchanged: 0,
  end: 0,
  merged: 0,
  refused: 0,
  newNames: { category: [], manufacturer: [], model: [] },
}

type PlanSentences = Pick<StagingPlan, 'refusals' | 'contradictions'>

function presentPlan(
  promotion: PromotionSummary,
  { row, now, ...sentences }: PlanSentences & { row: PromotionRow; now: Date },
): StagingPlan {
  const { end: planEnded, ...plan } = promotion.plan ?? EMPTY_PLAN
  const { created, updated, ended, undone, leftAsIs } = promotion
  return {
    id: promotion.planId,
    version: promotion.version,
    state: promotion.state,
    ...plan,
    ...sentences,
    ended: planEnded,
    review: promotion.review,
    error: promotion.error,
    progress: promotion.progress,
    // The job that works on it, or last did.
    jobId: row.undoJobId ?? row.applyJobId ?? row.planJobId,
    receipt: {
      created,
      updated,
      ended,
      undone,
      leftAsIs,
      approvedBy: promotion.approvedByName,
      appliedAt: promotion.appliedAt?.toISOString() ?? null,
      undoneAt: promotion.undoneAt?.toISOString() ?? null,
    },
    canUndo: canUndo(promotion, now),
    // Undoing a file skips a failed plan for what an earlier one published.
    canWithdraw: promotion.state !== 'failed' && canWithdraw(promotion),
  }
}
