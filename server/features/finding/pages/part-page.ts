import { sql } from 'kysely'
import { detailsOf, type FitmentRow, readFitment } from '#contract/listing/fitment.ts'
import { readInterchange } from '#contract/listing/interchange.ts'
import type { AroundPart, PartFit, partPageEndpoints } from '#contract/pages/part-page.ts'
import type { PartPage } from '#contract/pages/public-pages.ts'
import { fitInWords } from '#contract/pages/track-record.ts'
import type { Card, PartsQuery } from '#contract/search/parts-search.ts'
import { foldText } from '#contract/trade-language/names.ts'
import { eachYear } from '#contract/trade-language/years.ts'
import { listLinks } from '#server/features/finding/landing/link-book.ts'
import { findPartTrail } from '#server/features/finding/landing/part-trail.ts'
import { cardShape, presentCard } from '#server/features/finding/search/page/cards.ts'
import type { PartsSearch } from '#server/features/finding/search/page/find-parts.ts'
import { isPublic, isRowForSale, sellerClosed } from '#server/features/market/for-sale/for-sale.ts'
import { OF_NAMES, OF_NUMBERS } from '#server/features/market/for-sale/part-type-versions.ts'
import { listFitEvidence } from '#server/features/market/interchange/fit-evidence.ts'
import { listNumbers } from '#server/features/market/interchange/number-claims.ts'
import {
  findListingBySlug,
  type ReadListing,
  wasListed,
} from '#server/features/market/listings/listing-queries.ts'
import { isPublicListing, isShownAfterEnd, listingNotFound } from '#server/features/market/listings/policy.ts'
import { presentListing } from '#server/features/market/listings/present-listing.ts'
import { yearMark } from '#server/features/market/listings/search-row/fact-marks.ts'
import { findVehicles } from '#server/features/market/listings/search-row/fitment-marks.ts'
import { findZip, milesFrom } from '#server/features/market/listings/search-row/places.ts'
import { ownMark, wordKey } from '#server/features/market/listings/search-row/search-terms.ts'
import { readInShape, type Shape } from '#server/features/market/listings/shown/shapes.ts'
import { getPublicSeller } from '#server/features/people/sellers/public-seller.ts'
import type { DataScope } from '#server/platform/data-scope.ts'
import type { Db } from '#server/platform/database/database.ts'
import { quotedLexeme } from '#server/platform/database/quoted-text.ts'
import type { Reads } from '#server/platform/database/reads.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import { etagOf } from '#server/platform/http/kept-documents.ts'

/* A part's public page: the part and everything shown with it. */

export type PartPageDeps = { reads: Reads; search: PartsSearch; now: () => Date }

/** A row of the grid. */
const SHOWN = 4

export function partPageRoutes(deps: PartPageDeps): Handlers<typeof partPageEndpoints> {
  const { reads } = deps
  const get = (slug: string): Promise<ReadListing> =>
    reads(async (db) => {
      const row = await findListingBySlug(db, slug)
      if (row?.sellerGone === 'closed') throw sellerClosed()
      if (!row || stateOf(deps, row) !== 'shown') throw listingNotFound()
      return row
    })
  return {
    readAroundPart: async ({ params: { slug }, scope }) =>
      readAround(deps, await scope.see(() => get(slug)), scope),

    readFits: ({ query: { ids, modelIds } }) =>
      reads(async (db) => {
        const rows = await readInShape(db, fittedShape, [...new Set(ids)])
        const fits = await listFits(
          db,
          rows.filter(({ isShown }) => isShown),
        )
        const ofModels = (all: readonly PartFit[]) =>
          all.filter(({ modelId }) => modelId !== undefined && modelIds.includes(modelId))
        return { items: Array.from(fits, ([id, all]) => ({ id, fits: ofModels(all) })) }
      }),

    async readDistance({ params: { slug }, query: { zip } }) {
      const { id } = await get(slug)
      await reads((db) => findZip(db, zip))
      return { miles: (await reads((db) => milesFrom(db, zip, [id]))).get(id) ?? null }
    },
  }
}

/**
 * `scope` takes what the page shows besides the part itself, which `readPartState` compares.
 * @throws Response 410 for a part that was sold long ago or deleted, or whose seller closed the account
 */
export async function readPart(deps: PartPageDeps, slug: string, scope: DataScope): Promise<PartPage> {
  const { reads } = deps
  const row = await reads(async (db) => {
    const found = await findListingBySlug(db, slug)
    const isGone = found ? stateOf(deps, found) === 'gone' : await wasListed(db, slug)
    if (isGone) throw gone()
    if (!found || stateOf(deps, found) === 'hidden') throw listingNotFound()
    return found
  })
  return { listing: presentListing(row, undefined), around: await readAround(deps, row, scope) }
}

/** Changes with everything that the page shows of the part itself: its row, pictures, prices, and whether it is gone. */
export async function readPartState(
  deps: Pick<PartPageDeps, 'reads' | 'now'>,
  slug: string,
): Promise<string> {
  const row = await deps.reads((db) => findListingBySlug(db, slug))
  return row ? etagOf(stateOf(deps, row), JSON.stringify(row)) : 'none'
}

function stateOf({ now }: Pick<PartPageDeps, 'now'>, listing: ReadListing): 'shown' | 'hidden' | 'gone' {
  const { sellerGone, endedAt } = listing
  if (sellerGone === 'closed') return 'gone'
  if (!isPublicListing(listing)) return 'hidden'
  return endedAt && !isShownAfterEnd(endedAt, now()) ? 'gone' : 'shown'
}

/** 410, a status that no API call has for a listing. */
const gone = () =>
  Response.json({ error: 'This part is no longer for sale. Search for one like it.' }, { status: 410 })

/** A listing without what only its own page shows. */
type PlacedListing = Omit<ReadListing, 'description' | 'images'>

async function readAround(deps: PartPageDeps, row: ReadListing, scope: DataScope): Promise<AroundPart> {
  const { reads } = deps
  // Without what only the part itself shows: it is kept with the page.
  const { description, images, ...place } = row
  const { id, sellerId } = place
  const partNumber = row.partNumber ?? ''
  const stated = readInterchange(row.interchange ?? '')
  const [seller, fits, evidence, numbers, trail, related, vehicle, similar] = await Promise.all([
    scope.see(() => reads((db) => getPublicSeller(db, { id: sellerId }))),
    scope.see(() => reads(async (db) => (await listFits(db, [place])).get(id) ?? []), OF_NAMES),
    scope.see(() => reads((db) => listFitEvidence(db, partNumber)), OF_NUMBERS),
    scope.see(() => reads((db) => listNumbers(db, { sellerId, partNumber, stated })), OF_NUMBERS),
    scope.see(() => reads((db) => findPartTrail(db, place)), OF_NAMES),
    scope.see(() => reads((db) => listLinks(db, { kind: 'listing', id })), OF_NAMES),
    scope.see(() => reads((db) => findOfVehicle(db, place))),
    scope.see(() => findSimilar(deps, place), place.categoryId ? [place.categoryId] : OF_NAMES),
  ])
  const isOfOthers = ({ id, sellerSlug }: Card) =>
    id !== row.id && (row.endedAt !== null || sellerSlug !== seller.slug)
  const parts = similar.filter(isOfOthers).slice(0, SHOWN)
  return {
    seller,
    fits,
    evidence: evidence.map(fitInWords),
    numbers,
    trail,
    related,
    vehicle,
    similar: parts,
  }
}

type FittedListing = Pick<
  ReadListing,
  | 'id'
  | 'yearFrom'
  | 'yearTo'
  | 'manufacturerId'
  | 'manufacturerName'
  | 'carModelId'
  | 'modelName'
  | 'trimName'
  | 'bodyStyle'
  | 'fitment'
>

const fittedShape: Shape<FittedListing & { isShown: boolean }> = {
  columns: sql`
    l.id, l.year_from as "yearFrom", l.year_to as "yearTo", l.manufacturer_id as "manufacturerId",
    l.manufacturer_name as "manufacturerName", l.car_model_id as "carModelId", l.model_name as "modelName",
    l.trim_name as "trimName", l.body_style as "bodyStyle", l.fitment, ${isPublic} as "isShown"`,
  joins: sql``,
}

/** By listing, the car it came from and the vehicles that its seller lists, each with its lookups. */
async function listFits(db: Db, rows: readonly FittedListing[]): Promise<Map<string, AroundPart['fits']>> {
  const listed = rows.map((row) => {
    const read = readFitment(row.fitment ?? '')
    return { row, fits: 'rows' in read ? read.rows : [] }
  })
  const vehicles = await findVehicles(
    db,
    listed.flatMap(({ fits }) => fits.map(({ vehicle }) => vehicle)),
  )
  const others = (fits: readonly FitmentRow[]): PartFit[] =>
    fits.map((fit) => {
      const { makeId, modelId } = vehicles.get(fit.vehicle) ?? {}
      const { from, to, vehicle } = fit
      return { source: 'seller', from, to, vehicle, details: detailsOf(fit), ...known({ makeId, modelId }) }
    })
  return new Map(listed.map(({ row, fits }) => [row.id, [...donorsOf(row), ...others(fits)]]))
}

/** None for a part without a vehicle or its year. */
function donorsOf(row: FittedListing): PartFit[] {
  const { yearFrom: from, yearTo: to } = row
  const vehicle = [row.manufacturerName, row.modelName].filter(Boolean).join(' ')
  if (from === null || to === null || vehicle === '') return []
  const details = [row.trimName, row.bodyStyle].filter(Boolean).join(', ')
  const lookups = known({ makeId: row.manufacturerId, modelId: row.carModelId })
  return [{ source: 'donor', from, to, vehicle, details, ...lookups }]
}

const known = ({ makeId, modelId }: Record<'makeId' | 'modelId', string | null | undefined>) => ({
  ...(makeId && { makeId }),
  ...(modelId && { modelId }),
})

/**
 * Live parts of the same seller and model that came from the same car, which share its VIN or, since many yards number
 * cars, its stock number; if there are none, those of the same years. The model must match too, since some yards have
 * the stock number "none" for all cars.
 */
async function findOfVehicle(db: Db, row: PlacedListing): Promise<AroundPart['vehicle']> {
  const { vin, stockNumber, yearFrom, yearTo } = row
  const numbers = [vin, stockNumber].map((number) => wordKey(foldText(number ?? ''))).filter(Boolean)
  const years = eachYear({ from: yearFrom, to: yearTo }).map(yearMark)
  const same = await listOfYard(db, row, numbers.map(ownMark))
  const ids = same.length > 0 ? same : await listOfYard(db, row, years)
  const rows = await readInShape(db, cardShape, ids)
  return { isSame: same.length > 0, parts: rows.map((found) => presentCard(found)) }
}

/**
 * The newest parts of the same seller and model that have one of these marks, except this one. Uses the search index: a
 * yard may have 15,000 parts of a model, which take 150 ms to read.
 */
async function listOfYard(
  db: Db,
  { id, sellerId, carModelId }: PlacedListing,
  marks: readonly string[],
): Promise<string[]> {
  if (!carModelId || marks.length === 0) return []
  const anyMark = marks.map(quotedLexeme).join(' | ')
  const { rows } = await sql<{ id: string }>`
    select t.listing_id as id from listing_search t
    where t.seller_id = ${sellerId} and t.car_model_id = ${carModelId} and t.document @@ ${anyMark}::tsquery
      and ${isRowForSale} and t.listing_id <> ${id}
    order by t.listing_id desc limit ${SHOWN}
  `.execute(db)
  return rows.map((found) => found.id)
}

// A yard may have several of the same part, and those of other yards are wanted.
const CANDIDATES = 24

/** Parts for sale of the same category and model. For a sold part, if they are too few, also others of the category. */
async function findSimilar(
  { search }: PartPageDeps,
  { categoryId, carModelId, endedAt }: PlacedListing,
): Promise<Card[]> {
  if (!categoryId) return []
  const find = async (query: Partial<PartsQuery>) =>
    (await search.find({ page: 1, perPage: CANDIDATES, categoryId, ...query }, { isAdmin: false })).items
  const ofModel = carModelId ? await find({ modelId: carModelId }) : []
  if (endedAt === null || ofModel.length >= SHOWN) return ofModel
  const known = new Set(ofModel.map(({ id }) => id))
  return [...ofModel, ...(await find({})).filter(({ id }) => !known.has(id))]
}
