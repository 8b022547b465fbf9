import type { Answer } from '#contract/endpoint.ts'
import { importFields } from '#contract/import-fields.ts'
import type { PlannedRow, stagingDeskEndpoints } from '#contract/staging-desk.ts'
import { categoriesIn, type RecordedChange } from '#server/features/history/change-fields.ts'
import { listCategoryNames } from '#server/features/history/queries.ts'
import { lookupNames } from '#server/features/lookups/lookup-names.ts'
import { loadLookupNames } from '#server/features/lookups/name-queries.ts'
import { listPictureSources } from '#server/features/pictures/picture-source-queries.ts'
import type { AskedFile } from '#server/features/staging/find-typed-file.ts'
import { listSegments } from '#server/features/staging/queries.ts'
import { requireTypedFile } from '#server/features/staging/require-typed-file.ts'
import { AppError } from '#server/platform/app-error.ts'
import type { Db } from '#server/platform/database.ts'
import type { FileStore } from '#server/platform/file-store/file-store.ts'
import { waitingLine } from '#server/platform/waiting-line.ts'
import type { PlannedAction } from './action-decision.ts'
import { newsOfRow } from './listed-part.ts'
import { findListedParts } from './listed-part-queries.ts'
import { listingOfRow } from './listing-of-row.ts'
import {
  changesInWords,
  changesOfNew,
  type Live,
  plannedChange,
  reasonKept,
  titleOfPart,
} from './planned-row.ts'
import { findLivingListings, listPlannedActions, type PlannedRowState } from './planned-row-queries.ts'
import { findPromotionRow, type PromotionRow } from './promotion-queries.ts'
import { type StagedText, textOfRow } from './row-text.ts'
import { StagedRows } from './staged-rows.ts'
import { findPromotionOfFile } from './summary-queries.ts'

export type AskedPlannedRows = AskedFile & {
  readonly action: PlannedAction['action'] | undefined
  readonly cursor: string | undefined
  readonly limit: number
}

type Reply = Answer<typeof stagingDeskEndpoints.listPlannedRows>

// All names of the lookups are in memory meanwhile.
const inTurn = waitingLine({ atOnce: 2, waiting: 20 })

/**
 * What a plan does, row by row: before it is applied compared with the listings as they stand now, then as the history
 * has it.
 * @throws AppError VALIDATION_FAILED, NOT_FOUND, MALFORMED for a cursor that is not ours, BUSY
 */
export async function listPlannedRows(db: Db, files: FileStore, asked: AskedPlannedRows): Promise<Reply> {
  const { file } = await requireTypedFile(db, asked)
  const after = placeOf(asked.cursor)
  const found = await findPromotionOfFile(db, file.id)
  const promotion = found && (await findPromotionRow(db, found.id))
  if (!promotion) return { items: [], nextCursor: null }
  return inTurn(async () => {
    const { action, limit } = asked
    const actions = await listPlannedActions(db, promotion, { action, after, limit: limit + 1 })
    const shown = actions.slice(0, limit)
    const items = await presentRows({ db, files, promotion }, shown)
    const last = shown.at(-1)
    return { items, nextCursor: last && actions.length > limit ? String(last.rowNo) : null }
  })
}

function placeOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0
  if (/^\d{1,9}$/.test(cursor)) return Number(cursor)
  throw new AppError('MALFORMED', 'The cursor is not one of ours. Take the nextCursor of the page before.')
}

type Deps = { db: Db; files: FileStore; promotion: PromotionRow }

async function presentRows(deps: Deps, states: readonly PlannedRowState[]): Promise<PlannedRow[]> {
  const texts = await readTexts(deps, states)
  const live = await findLive(deps.db, states)
  const changes = await findChanges(deps, { states, texts, live })
  const categories = await listCategoryNames(deps.db, categoriesIn([...changes.values()]))
  const categoryName = (id: string) => categories.get(id) ?? 'a category that is gone'
  return states.map((state) => {
    const text = texts.get(state.rowNo) ?? {}
    const listing = live.get(state.listingId ?? '')?.listing
    const change = changes.get(state.rowNo)
    const changed = change ? changesInWords(change, { text, categoryName }) : {}
    return {
      row: state.rowNo - 1,
      action: state.action,
      title: titleOfPart(texts.get(state.rowNo), listing),
      listing: listing ? { id: listing.id, partslug: listing.slug } : null,
      changes: state.action === 'create' ? changesOfNew(text) : changed,
      kept: state.kept && reasonKept(state.kept),
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
  const rows = await new StagedRows(files, segments).read(rowNos)
  const named = new Set(states.filter(({ isNamed }) => isNamed).map(({ rowNo }) => rowNo))
  const ofVersion = importFields.filter((field) => promotion.columns.includes(field))
  return new Map(
    rows.map((fields, index) => {
      const rowNo = rowNos[index] as number
      return [rowNo, textOfRow(fields, named.has(rowNo) ? ofVersion : (promotion.fields ?? []))]
    }),
  )
}

async function findLive(db: Db, states: readonly PlannedRowState[]): Promise<Map<string, Live>> {
  const ids = states.flatMap(({ listingId }) => listingId ?? [])
  const [listings, pictures] = [await findLivingListings(db, ids), await listPictureSources(db, ids)]
  return new Map([...listings].map(([id, listing]) => [id, { listing, imageUrl: pictures.get(id) ?? null }]))
}

type Found = {
  states: readonly PlannedRowState[]
  texts: ReadonlyMap<number, StagedText>
  live: ReadonlyMap<string, Live>
}

/** By row numbers: made ones as they were made, the others as they would be now. */
async function findChanges(
  { db, promotion }: Deps,
  { states, texts, live }: Found,
): Promise<Map<number, RecordedChange>> {
  const updates = states.filter(({ action }) => action === 'update')
  const isAhead = ({ rowNo }: PlannedRowState) => rowNo > promotion.appliedThrough
  const names = updates.some(isAhead) ? lookupNames(await loadLookupNames(db)) : undefined
  const named = updates.filter(({ isNamed }) => isNamed).flatMap(({ listingId }) => listingId ?? [])
  const parts = await findListedParts(db, promotion.sellerId, named)
  return new Map(
    updates.flatMap((state): [number, RecordedChange][] => {
      if (!isAhead(state)) return state.made ? [[state.rowNo, state.made]] : []
      const [text, current] = [texts.get(state.rowNo), live.get(state.listingId ?? '')]
      if (!names || !text || !current) return []
      const part = state.isNamed ? parts.get(state.listingId ?? '') : undefined
      const said = part ? newsOfRow(text, part) : text
      return [[state.rowNo, plannedChange(state, current, listingOfRow(said, state.copies, names))]]
    }),
  )
}
