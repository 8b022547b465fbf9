import type {
  FoundParts,
  HomePage,
  PartCard,
  PartPage,
  PublicReads,
  SiteFacts,
} from '#contract/pages/public-pages.ts'
import { type PartsQuery, searchEndpoints } from '#contract/search/parts-search.ts'
import { listLinks } from '#server/features/landing/link-book.ts'
import type { LandingReader } from '#server/features/landing/read-page.ts'
import type { TopNamesReader } from '#server/features/landing/top-names.ts'
import { findListingBySlug, type ReadListing, wasListed } from '#server/features/listings/listing-queries.ts'
import { listingNotFound } from '#server/features/listings/policy.ts'
import { presentListing } from '#server/features/listings/present-listing.ts'
import { listManufacturers } from '#server/features/lookups/lookup-queries.ts'
import type { PartsSearch } from '#server/features/search/find-parts.ts'
import { getPublicSeller } from '#server/features/sellers/public-seller.ts'
import { countSite } from '#server/features/site/site-queries.ts'
import type { Reads } from '#server/platform/database/reads.ts'
import { type FormDeps, type FormSender, sendForm } from './page-forms.ts'

export type PageReadDeps = FormDeps & {
  /** May be a replica. */
  reads: Reads
  search: PartsSearch
  readLanding: LandingReader
  readTop: TopNamesReader
  site: SiteFacts
}

// Contract, second edition: a sold part is shown for 90 days.
const SOLD_SHOWN_MS = 90 * 86_400_000
const SIMILAR = 4

/**
 * What public pages read with on the server: the use-cases themselves. Every reader is a stranger, so that a page can be kept
 * for everyone. `from` is who sends a form.
 */
export function openPageReads(deps: PageReadDeps): (from?: FormSender) => PublicReads {
  const { reads, site } = deps
  const find = (query: PartsQuery) => findParts(deps, query)
  return (from) => ({
    site: async () => site,
    home: () => readHome(deps),
    searchParts: (asked) => find({ ...readQuery(asked), facets: true }),
    readPart: (slug) => readPart(deps, slug),
    async readLanding(kind, slug, asked) {
      const page = await reads((db) => deps.readLanding(db, kind, slug))
      const { lookupId, manufacturer, category } = page
      const of = { category: 'categoryId', manufacturer: 'manuId', model: 'modelId' } as const
      const query = {
        ...readQuery(asked),
        [of[kind]]: lookupId,
        ...(manufacturer && { manuId: manufacturer.id }),
        ...(category && { categoryId: category.id }),
      }
      return { page, found: await find(query) }
    },
    async readSeller(slug, asked) {
      const [seller, found] = await Promise.all([
        reads((db) => getPublicSeller(db, slug)),
        find({ ...readQuery(asked), seller: slug }),
      ])
      return { seller, found }
    },
    send: (form, fields) => sendForm(deps, { form, fields, from }),
  })
}

const { query: partsQuery } = searchEndpoints.searchPublic

/** The query of a page's address. A value that the API would refuse filters nothing: a page is not an error for it. */
function readQuery(asked: URLSearchParams): PartsQuery {
  const given = Object.fromEntries(asked)
  const refused = partsQuery.safeParse(given).error?.issues.map(({ path }) => String(path[0])) ?? []
  return partsQuery.parse(
    Object.fromEntries(Object.entries(given).filter(([name]) => !refused.includes(name))),
  )
}

const findParts = ({ search }: PageReadDeps, query: Partial<PartsQuery>): Promise<FoundParts> =>
  search.find({ page: 1, perPage: SIMILAR, ...query }, { isAdmin: false })

const NEWEST = 8

async function readHome(deps: PageReadDeps): Promise<HomePage> {
  const { reads, readTop } = deps
  const [counts, top, manufacturers, newest] = await Promise.all([
    reads(countSite),
    reads(readTop),
    reads(listManufacturers),
    findParts(deps, { perPage: NEWEST }),
  ])
  return {
    counts,
    top,
    manufacturers: manufacturers.map(({ id, manuname }) => ({ id, name: manuname })),
    newest: newest.items,
  }
}

async function readPart(deps: PageReadDeps, slug: string): Promise<PartPage> {
  const { reads, now } = deps
  const row = await reads((db) => findListingBySlug(db, slug))
  if (row?.status !== 'ACTIVE') {
    if (!row && (await reads((db) => wasListed(db, slug)))) throw gone()
    throw listingNotFound()
  }
  if (row.endedAt && now().getTime() - row.endedAt.getTime() > SOLD_SHOWN_MS) throw gone()
  const [related, similar, sameCar] = await Promise.all([
    reads((db) => listLinks(db, { kind: 'listing', id: row.id })),
    row.endedAt ? findSimilar(deps, row) : [],
    row.endedAt ? [] : findSameCar(deps, row),
  ])
  return { listing: presentListing(row, undefined), related, similar, sameCar }
}

/** Other parts for the same model. */
async function findSameCar(deps: PageReadDeps, { id, carModelId }: ReadListing): Promise<PartCard[]> {
  if (!carModelId) return []
  const { items } = await findParts(deps, { modelId: carModelId, perPage: SIMILAR + 1 })
  return items.filter((other) => other.id !== id).slice(0, SIMILAR)
}

/** Parts for sale of the same category and model, and if there are too few, of the category alone. */
async function findSimilar(deps: PageReadDeps, row: ReadListing): Promise<PartCard[]> {
  const categoryId = row.categoryId ?? undefined
  const modelId = row.carModelId ?? undefined
  const { items } = await findParts(deps, { categoryId, modelId })
  if (items.length === SIMILAR || !categoryId || !modelId) return items
  const more = await findParts(deps, { categoryId, perPage: 2 * SIMILAR })
  const known = new Set(items.map(({ id }) => id))
  return [...items, ...more.items.filter(({ id }) => !known.has(id))].slice(0, SIMILAR)
}

/** 410, which no call of the API has for a listing. */
const gone = () =>
  Response.json({ error: 'This part is no longer for sale. Search for one like it.' }, { status: 410 })
