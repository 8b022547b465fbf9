import { importFields } from '#contract/import-fields.ts'
import { joinChangeSet } from '#server/features/history/join-change-set.ts'
import { draftListings } from '#server/features/listings/draft-listings.ts'
import { loadSearchNames } from '#server/features/listings/search-name-queries.ts'
import { newListingIds } from '#server/features/listings/write-queries.ts'
import {
  createProvisionalNames,
  type UnknownNames,
} from '#server/features/lookups/create-provisional-names.ts'
import type { LookupNames } from '#server/features/lookups/lookup-names.ts'
import { inTurns } from '#server/platform/in-turns.ts'
import { namesListing, type PlannedAction } from './action-decision.ts'
import type { Ingest, Page, PageRow } from './ingest.ts'
import { newsOfRow } from './listed-part.ts'
import { findListedParts } from './listed-part-queries.ts'
import { listingOfRow } from './listing-of-row.ts'
import { newListing } from './new-listing.ts'
import { listActions } from './page-queries.ts'
import { type StagedText, textOfRow } from './row-text.ts'

// About a millisecond of work at once: the page before is being written, a dozen statements one after the other, and each
// answer waits for the end of a turn.
const ROWS_A_TURN = 20

/**
 * Reads the next actions with their rows and makes columns of them, while the page before is being written. Names that
 * no lookup has are made on the way. Undefined where the plan ends.
 */
export async function preparePage(ingest: Ingest, after: number, limit: number): Promise<Page | undefined> {
  const { db, promotion, lookupVersion } = ingest
  const actions = await listActions(db, promotion.id, { after, limit })
  const through = actions.at(-1)?.rowNo
  if (through === undefined) return undefined
  const withRow = actions.filter(({ action }) => action !== 'end')
  const texts: StagedText[] = []
  for await (const some of inTurns(withRow, ROWS_A_TURN)) {
    texts.push(...(await readTexts(ingest, some)))
  }
  await makeNames(ingest, texts)
  const ids = texts.length > 0 ? await newListingIds(db, texts.length) : []
  const rows: PageRow[] = []
  for await (const some of inTurns(actions, ROWS_A_TURN)) {
    for (const action of some) {
      // Endings come after the last row, so the first actions are those with one.
      const text = texts[rows.length]
      const content = text && { text, listing: listingOfRow(text, action.copies, ingest.names) }
      rows.push({ action, newId: ids[rows.length] ?? '', content })
    }
  }
  const created = rows
    .filter(({ action }) => action.action === 'create')
    .map((row) => newListing(ingest, row))
  return { lookupVersion, after, through, rows, draft: await draftListings(db, created, ingest.searchNames) }
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

async function makeNames(ingest: Ingest, texts: readonly StagedText[]): Promise<void> {
  const unknown = unknownNames(texts, ingest.names)
  if (!unknown) return
  const found = await ingest.run.withFence(async (trx) => {
    await joinChangeSet(trx, ingest.changeSetId)
    return createProvisionalNames(trx, ingest.changeSetId, unknown)
  })
  ingest.names.learn(found)
  ingest.searchNames = await loadSearchNames(ingest.db)
}

function unknownNames(texts: readonly StagedText[], names: LookupNames): UnknownNames | undefined {
  const categories = new Set<string>()
  const manufacturers = new Set<string>()
  const models = new Map<string, UnknownNames['models'][number]>()
  for (const { partcategory, partmanu, partmodel } of texts) {
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
