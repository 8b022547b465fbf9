import { importFields } from '#contract/csv/import-fields.ts'
import { joinChangeSet } from '#server/features/history/change-sets.ts'
import { loadSearchNames, type SearchNames } from '#server/features/listings/find/search-rows.ts'
import { ListingDraft, type NewListingRow } from '#server/features/listings/listing-draft.ts'
import { generatedSlug } from '#server/features/listings/slugs.ts'
import { newListingIds } from '#server/features/listings/write-queries.ts'
import type { LookupNames } from '#server/features/lookups/lookup-names.ts'
import { createProvisionalNames, type UnknownNames } from '#server/features/lookups/new-names.ts'
import {
  findListedParts,
  listingOfRow,
  newsOfRow,
  type RowListing,
  type StagedText,
  textOfRow,
} from '#server/features/stock-files/identity/listed-part.ts'
import { listActions, namesListing, type PlannedAction } from '#server/features/stock-files/plan/actions.ts'
import type { PromotionRow } from '#server/features/stock-files/plan/promotions.ts'
import type { StagedRows } from '#server/features/stock-files/plan/staged-rows.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import type { JobRun } from '#server/platform/jobs/job-definition.ts'
import { inTurns } from '#server/platform/processes/concurrency.ts'

/** A promotion that is going live: what its pages share. */
export type Ingest = {
  readonly db: Db
  readonly files: FileStore
  readonly now: () => Date
  readonly run: JobRun<unknown>
  readonly promotion: PromotionRow
  /** Of the whole promotion, however many pages and runs it takes. */
  readonly changeSetId: string
  readonly rows: StagedRows
  /** Loaded again where a lookup was renamed, merged or deleted under them; of this version. */
  names: LookupNames
  lookupVersion: number
  searchNames: SearchNames
  /** Characters of the id that end an address. */
  slugTail: 6 | 12
}

export type PageRow = {
  readonly action: PlannedAction
  /** For the case that a listing is made. */
  readonly newId: string
  /** What the file says; undefined for an end, which has no row, and for a creation that stands in the draft. */
  readonly listing: RowListing | undefined
  readonly imageUrl: RowListing['imageUrl']
}

/** Some actions in the order of the plan, ready to be written in one transaction. */
export type Page = {
  /** Of the names that its rows were read with. */
  readonly lookupVersion: number
  /** The row number before the first. */
  readonly after: number
  readonly through: number
  readonly rows: readonly PageRow[]
  /** The listings of the planned creations, made before the page's transaction begins. */
  readonly draft: ListingDraft
}

/** A lookup was renamed or merged after a page was prepared. */
export class LookupsChanged extends Error {
  override name = 'LookupsChanged'
}

/** A listing that was to be made is there by now, and its row was not kept. */
export class CreatedMeanwhile extends Error {
  override name = 'CreatedMeanwhile'
}

/** What no row of a file says of a listing. */
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

/** The listing that a row of a file becomes where its seller has none of it. */
export function newListing(
  { promotion, slugTail }: Ingest,
  { action, newId }: Pick<PageRow, 'action' | 'newId'>,
  { columns }: RowListing,
): NewListingRow {
  const { year_from = 0, manufacturer_name = '', model_name = '', name = '' } = columns
  const words = [String(year_from), manufacturer_name, model_name, name]
  // What is copied first is copied as it lies in memory.
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

// About a millisecond of work at once: the page before is being written, a dozen statements one after the other, and each
// answer waits for the end of a turn.
const ROWS_A_TURN = 10

type Preparing = {
  readonly after: number
  readonly limit: number
  /** Planned creations are kept as columns too, not in the draft alone: where a page did not go as planned. */
  readonly keepsAll?: boolean
}

type ReadRow = { readonly action: PlannedAction; readonly text: StagedText | undefined }

/**
 * Reads the next actions with their rows and makes columns of them, while the page before is being written. Names that
 * no lookup has are made on the way. Undefined where the plan ends.
 */
export async function preparePage(ingest: Ingest, page: Preparing): Promise<Page | undefined> {
  const { db, promotion, lookupVersion } = ingest
  const { after, limit, keepsAll = false } = page
  const [actions, ids] = await Promise.all([
    listActions(db, promotion.id, { after, limit }),
    newListingIds(db, limit),
  ])
  const through = actions.at(-1)?.rowNo
  if (through === undefined) return undefined
  const rows: PageRow[] = []
  const draft = new ListingDraft(unsetColumns)
  // A row is done with within its turn: what lives longer is moved by the garbage collector, twice and more.
  for await (const some of namedRows(ingest, actions)) {
    const created: NewListingRow[] = []
    for (const { action, text } of some) {
      const newId = ids[rows.length] ?? ''
      const said = text && listingOfRow(text, action.copies, ingest.names)
      const isCreated = said !== undefined && action.action === 'create'
      if (isCreated) created.push(newListing(ingest, { action, newId }, said))
      rows.push({
        action,
        newId,
        listing: isCreated && !keepsAll ? undefined : said,
        imageUrl: said?.imageUrl,
      })
    }
    await draft.add(db, created, ingest.searchNames)
  }
  return { lookupVersion, after, through, rows, draft }
}

/** Where a row has a name that no lookup has, those of all rows that are left are made before it goes on. */
async function* namedRows(
  ingest: Ingest,
  actions: readonly PlannedAction[],
): AsyncGenerator<readonly ReadRow[]> {
  const turns = readRows(ingest, actions)
  for await (const some of turns) {
    if (!unknownNames(some, ingest.names)) {
      yield some
      continue
    }
    const left = [some]
    for await (const more of turns) left.push(more)
    await makeNames(ingest, left.flat())
    yield* left
  }
}

async function* readRows(
  ingest: Ingest,
  actions: readonly PlannedAction[],
): AsyncGenerator<readonly ReadRow[]> {
  for await (const some of inTurns(actions, ROWS_A_TURN)) {
    // Endings have no row, and come after the last one that has.
    const texts = await readTexts(
      ingest,
      some.filter(({ action }) => action !== 'end'),
    )
    yield some.map((action, at) => ({ action, text: texts[at] }))
  }
}

/** What the rows say; of those that name their listings, what is new of them. */
async function readTexts(
  { db, promotion, rows }: Ingest,
  actions: readonly PlannedAction[],
): Promise<StagedText[]> {
  const read = await rows.read(actions.map(({ rowNo }) => rowNo))
  const named = actions.filter(namesListing).flatMap(({ listingId }) => listingId ?? [])
  const parts = await findListedParts(db, promotion.sellerId, named)
  const ofFile = importFields.filter((field) => promotion.columns.includes(field))
  return read.map((fields, index) => {
    const action = actions[index]
    if (!action || !namesListing(action)) return textOfRow(fields, promotion.fields ?? [])
    const part = parts.get(action.listingId ?? '')
    return part ? newsOfRow(textOfRow(fields, ofFile), part) : {}
  })
}

async function makeNames(ingest: Ingest, rows: readonly ReadRow[]): Promise<void> {
  const unknown = unknownNames(rows, ingest.names)
  if (!unknown) return
  const found = await ingest.run.withFence(async (trx) => {
    await joinChangeSet(trx, ingest.changeSetId)
    return createProvisionalNames(trx, ingest.changeSetId, unknown)
  })
  ingest.names.learn(found)
  ingest.searchNames = await loadSearchNames(ingest.db)
}

function unknownNames(rows: readonly ReadRow[], names: LookupNames): UnknownNames | undefined {
  const categories = new Set<string>()
  const manufacturers = new Set<string>()
  const models = new Map<string, UnknownNames['models'][number]>()
  for (const { partcategory, partmanu, partmodel } of rows.flatMap(({ text }) => text ?? [])) {
    if (partcategory && isNewCategory(names, partcategory)) categories.add(partcategory)
    if (!partmanu) continue
    const manufacturerId = names.manufacturer(partmanu)?.id
    // What somebody has to decide first stays as text, with all its models.
    if (!manufacturerId && names.isUndecided('manufacturer', partmanu)) continue
    if (!manufacturerId) manufacturers.add(partmanu)
    if (!partmodel || !isNewModel(names, manufacturerId, partmodel)) continue
    models.set(`${partmanu}\n${partmodel}`, { manufacturer: partmanu, model: partmodel })
  }
  if (categories.size + manufacturers.size + models.size === 0) return undefined
  return {
    categories: [...categories],
    manufacturers: [...manufacturers],
    models: [...models.values()],
  }
}

const isNewCategory = (names: LookupNames, name: string) =>
  !names.category(name) && !names.isUndecided('category', name)

const isNewModel = (names: LookupNames, manufacturerId: string | undefined, name: string) =>
  manufacturerId === undefined ||
  !(names.model(manufacturerId, name) || names.isUndecided('car_model', name, manufacturerId))
