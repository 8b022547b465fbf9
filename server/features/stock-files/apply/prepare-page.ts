import { type ImportField, importFields } from '#contract/csv/import-fields.ts'
import { joinChangeSet } from '#server/features/market/history/change-sets.ts'
import { ListingDraft, type NewListingRow } from '#server/features/market/listings/copy-listings.ts'
import { loadSearchNames, type SearchNames } from '#server/features/market/listings/search-row/search-rows.ts'
import { generatedSlug } from '#server/features/market/listings/slugs.ts'
import { newListingIds } from '#server/features/market/listings/write-queries.ts'
import type { LookupNames } from '#server/features/market/lookups/lookup-names.ts'
import { createProvisionalNames, type UnknownNames } from '#server/features/market/lookups/new-names.ts'
import {
  editsOfRow,
  findListedParts,
  listingOfRow,
  newNamesOf,
  type RowListing,
  type StagedText,
  textOfRow,
} from '#server/features/stock-files/identity/listed-part.ts'
import type { PlannedAction } from '#server/features/stock-files/identity/sources.ts'
import { openSureNames, type SureNames } from '#server/features/stock-files/plan/row-rules.ts'
import type { PromotionRow } from '#server/features/stock-files/promotion/promotions.ts'
import type { StagedRowReader } from '#server/features/stock-files/store/read-contents.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import type { JobRun } from '#server/platform/jobs/job-definition.ts'
import { inSlices } from '#server/platform/processes/concurrency.ts'
import { listActions, namesListing } from './actions.ts'

/* Reads the next page of a plan's actions and turns their rows into listings, while the previous page is written. */

/** State shared by the pages of a promotion while it is applied. */
export type ApplyRun = {
  readonly db: Db
  readonly files: FileStore
  readonly now: () => Date
  readonly run: Pick<JobRun<unknown>, 'withFence' | 'saveCheckpoint'>
  readonly promotion: PromotionRow
  /** For the whole promotion, across all pages and runs. */
  readonly changeSetId: string
  /** The last action to apply now; null for all of them. */
  readonly liveThrough: number | null
  readonly rows: StagedRowReader
  /** See `textOfRow`. */
  readonly madeUp: readonly ImportField[]
  /** Reloaded, with `lookupVersion`, if a lookup was renamed, merged or deleted. */
  names: LookupNames
  lookupVersion: number
  searchNames: SearchNames
  /** Created when the first rows of a promotion with public names are prepared. */
  withSureNames?: SureNames | undefined
  /** How many characters of the id end the slug. */
  slugTail: 6 | 12
}

export type PageRow = {
  readonly action: PlannedAction
  /** The listing's id if one is created. */
  readonly newId: string
  /** The row's values; undefined for an end, which has no row, and for a creation that is in the draft. */
  readonly listing: RowListing | undefined
  readonly imageUrl: RowListing['imageUrl']
}

/** Some actions in plan order, ready to be written in one transaction. */
export type Page = {
  /** The version of the names that its rows were resolved with. */
  readonly lookupVersion: number
  /** The last row number before the page. */
  readonly after: number
  readonly through: number
  readonly rows: readonly PageRow[]
  /** The listings of planned creations, built before the page's transaction begins. */
  readonly draft: ListingDraft
}

/** A lookup was renamed or merged since the page was prepared. */
export class LookupsChanged extends Error {
  override name = 'LookupsChanged'
}

/** A planned creation turned into an update, and its row was not kept. */
export class CreationBecameUpdate extends Error {
  override name = 'CreationBecameUpdate'
}

/** Columns that no row of a file sets. */
const unsetColumns = [
  'status',
  'currency',
  'version',
  'created_at',
  'updated_at',
  'ended_at',
  'ended_reason',
  'deleted_at',
] as const

/** The new listing of a row. */
export function newListing(
  { promotion, slugTail }: ApplyRun,
  { action, newId }: Pick<PageRow, 'action' | 'newId'>,
  { columns }: RowListing,
): NewListingRow {
  const { year_from = null, manufacturer_name = '', model_name = '', name = '' } = columns
  const words = [String(year_from ?? ''), manufacturer_name, model_name, name]
  // Spread first: a spread at the start copies the object as it is in memory.
  return {
    ...columns,
    id: newId,
    kind: 'ecommerce',
    seller_id: promotion.sellerId,
    slug: generatedSlug(words, newId, slugTail),
    year_from,
    year_to: columns.year_to ?? year_from,
    manufacturer_name,
    model_name,
    name,
    quantity: columns.quantity ?? action.copies,
    price_cents: columns.price_cents ?? 0,
  }
}

// About a millisecond of work: every statement of the page being written waits for the current batch to finish.
const ROWS_PER_BATCH = 10

type PageRequest = {
  readonly after: number
  readonly limit: number
  /** Keeps the columns of planned creations too, for a page that did not go as planned. */
  readonly keepsAll?: boolean
}

type ReadRow = { readonly action: PlannedAction; readonly text: StagedText | undefined }

/**
 * Reads the next actions with their rows and converts them to columns while the previous page is written. New lookup names
 * are created along the way. Undefined at the end of the plan.
 */
export async function preparePage(applyRun: ApplyRun, page: PageRequest): Promise<Page | undefined> {
  const actions = await listActions(applyRun.db, applyRun.promotion.id, {
    ...page,
    through: applyRun.liveThrough,
  })
  return prepareActions(applyRun, actions, page)
}

/** The same for these actions, in row order. */
export async function prepareActions(
  applyRun: ApplyRun,
  actions: readonly PlannedAction[],
  { after, keepsAll = false }: Omit<PageRequest, 'limit'>,
): Promise<Page | undefined> {
  const { db, lookupVersion } = applyRun
  const through = actions.at(-1)?.rowNo
  if (through === undefined) return undefined
  const ids = await newListingIds(db, actions.length)
  const rows: PageRow[] = []
  const draft = new ListingDraft(unsetColumns)
  // Finishes rows batch by batch, since the garbage collector moves objects that live longer, several times.
  for await (const batch of namedRows(applyRun, actions)) {
    const created: NewListingRow[] = []
    for (const { action, text } of batch) {
      const newId = ids[rows.length] ?? ''
      const row = text && listingOfRow(text, action.copies, applyRun.names)
      const isCreated = row !== undefined && action.action === 'create'
      if (isCreated) created.push(newListing(applyRun, { action, newId }, row))
      rows.push({
        action,
        newId,
        listing: isCreated && !keepsAll ? undefined : row,
        imageUrl: row?.imageUrl,
      })
    }
    await draft.add(db, created, applyRun.searchNames)
  }
  return { lookupVersion, after, through, rows, draft }
}

/** At the first row with an unknown name, creates the names of all remaining rows before going on. */
async function* namedRows(
  applyRun: ApplyRun,
  actions: readonly PlannedAction[],
): AsyncGenerator<readonly ReadRow[]> {
  const batches = readRows(applyRun, actions)
  for await (const batch of batches) {
    if (!unknownNames(batch, applyRun.names)) {
      yield batch
      continue
    }
    const rest = [batch]
    for await (const next of batches) rest.push(next)
    await createNames(applyRun, rest.flat())
    yield* rest
  }
}

async function* readRows(
  applyRun: ApplyRun,
  actions: readonly PlannedAction[],
): AsyncGenerator<readonly ReadRow[]> {
  for await (const batch of inSlices(actions, ROWS_PER_BATCH)) {
    // Endings have no row, and follow the last action that has one.
    const texts = await readTexts(
      applyRun,
      batch.filter(({ action }) => action !== 'end'),
    )
    yield batch.map((action, at) => ({ action, text: texts[at] }))
  }
}

/** The text of the rows; for rows that name their listings, only what differs from them. */
async function readTexts(applyRun: ApplyRun, actions: readonly PlannedAction[]): Promise<StagedText[]> {
  const { db, promotion, rows, madeUp } = applyRun
  const read = await rows.read(actions.map(({ rowNo }) => rowNo))
  const named = actions.filter(namesListing).flatMap(({ listingId }) => listingId ?? [])
  const parts = await findListedParts(db, promotion.sellerId, named)
  const ofFile = importFields.filter((field) => promotion.columns.includes(field))
  const texts = read.map((fields, index) => {
    const action = actions[index]
    if (!action || !namesListing(action)) return textOfRow(fields, promotion.fields ?? [], madeUp)
    const part = parts.get(action.listingId ?? '')
    return part ? editsOfRow(textOfRow(fields, ofFile), part) : {}
  })
  if (ofYard(promotion)) return texts
  applyRun.withSureNames ??= await openSureNames(db)
  const { names, withSureNames } = applyRun
  return texts.map((text) => withSureNames(text, names))
}

/** The yard whose private names a promotion creates. Names that an administrator approved are public. */
const ofYard = ({ importId, approvedByAdmin, sellerId }: PromotionRow): { sellerId: string } | undefined =>
  importId === null || approvedByAdmin ? undefined : { sellerId }

async function createNames(applyRun: ApplyRun, rows: readonly ReadRow[]): Promise<void> {
  const unknown = unknownNames(rows, applyRun.names)
  if (!unknown) return
  const found = await applyRun.run.withFence(async (trx) => {
    await joinChangeSet(trx, applyRun.changeSetId)
    const by = ofYard(applyRun.promotion) ?? 'administrator'
    return createProvisionalNames(trx, applyRun.changeSetId, unknown, by)
  })
  applyRun.names.learn(found)
  applyRun.searchNames = await loadSearchNames(applyRun.db)
}

function unknownNames(rows: readonly ReadRow[], names: LookupNames): UnknownNames | undefined {
  const categories = new Set<string>()
  const manufacturers = new Set<string>()
  const models = new Map<string, UnknownNames['models'][number]>()
  for (const { text } of rows) {
    const { category, manufacturer, model } = newNamesOf(text ?? {}, names)
    if (category !== undefined) categories.add(category)
    if (manufacturer !== undefined) manufacturers.add(manufacturer)
    if (model) models.set(`${model.manufacturer}\n${model.model}`, model)
  }
  if (categories.size + manufacturers.size + models.size === 0) return undefined
  return {
    categories: [...categories],
    manufacturers: [...manufacturers],
    models: [...models.values()],
  }
}
