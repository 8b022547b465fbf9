import type { FoundParts, HomePage, PublicReads, SiteFacts } from '#contract/pages/public-pages.ts'
import type { PartsQuery } from '#contract/search/parts-search.ts'
import { withSaidFilters } from '#contract/trade-language/query/filter-phrases.ts'
import type { LandingReader } from '#server/features/finding/landing/read-page.ts'
import type { TopNamesReader } from '#server/features/finding/landing/top-names.ts'
import { readConditions } from '#server/features/finding/saved-searches/conditions.ts'
import type { PartsSearch } from '#server/features/finding/search/page/find-parts.ts'
import { readAddress } from '#server/features/finding/search/query/reading.ts'
import { countSite } from '#server/features/finding/site/site-queries.ts'
import { listManufacturers } from '#server/features/market/lookups/lookup-queries.ts'
import { getPublicYard } from '#server/features/people/sellers/public-seller.ts'
import { DataScope } from '#server/platform/data-scope.ts'
import type { Reads } from '#server/platform/database/reads.ts'
import { AppError } from '#server/platform/errors.ts'
import { type FormDeps, type FormSender, sendForm } from './page-forms.ts'
import { readPart } from './part-page.ts'

export type PageReadDeps = FormDeps & {
  /** May be a replica. */
  reads: Reads
  search: PartsSearch
  readLanding: LandingReader
  readTop: TopNamesReader
  site: Omit<SiteFacts, 'proPrice'>
  /** What Pro costs a month, such as "$149". */
  readPrice: () => Promise<string>
}

/** `from`: who sends a form without scripts; `scope` takes what a page was read from. */
export type OpenReads = (by?: { from?: FormSender; scope?: DataScope }) => PublicReads

type Read = (...given: never[]) => Promise<unknown>

/** The same reads, each wrapped by `around`. */
export const mapReads = <Some extends Partial<PublicReads>>(
  reads: Some,
  around: (read: Read) => Read,
): Some =>
  Object.fromEntries(Object.entries(reads).map(([name, read]) => [name, around(read as Read)])) as Some

/**
 * How public pages read their data on the server: directly from the use-cases. Nobody is signed in, so that a page can
 * be cached for everyone. Searches, parts and part types say what they were read from; all else is of everything.
 */
export function openPageReads(deps: PageReadDeps): OpenReads {
  return ({ from, scope = new DataScope() } = {}) => ({
    ...mapReads(readsOfEverything(deps, from), (read) => (...given) => {
      scope.addEverything()
      return read(...given)
    }),
    site: async () => ({ ...deps.site, proPrice: await deps.readPrice() }),
    readPart: (slug) => readPart(deps, slug, scope),
    readLanding: (...page) => readLanding(deps, page, scope),
    searchParts: (asked) => findParts(deps, asked, { facets: true }, scope),
  })
}

function readsOfEverything(
  deps: PageReadDeps,
  from: FormSender | undefined,
): Omit<PublicReads, 'site' | 'searchParts' | 'readPart' | 'readLanding'> {
  const { reads } = deps
  return {
    home: () => readHome(deps),
    async readSeller(slug, asked) {
      const [seller, found] = await Promise.all([
        reads((db) => getPublicYard(db, slug)),
        findParts(deps, asked, { seller: slug, facets: true }),
      ])
      return { seller, found }
    },
    async describeSearch(asked) {
      const { title, problem = null } = await reads((db) => readConditions(db, deps.ask, String(asked)))
      return { title, problem }
    },
    send: (form, fields) => sendForm(deps, { form, fields, from }),
  }
}

/** A page of a part type shows parts of no other, nor counts them. */
async function readLanding(
  deps: PageReadDeps,
  [kind, slug, asked]: Parameters<PublicReads['readLanding']>,
  scope: DataScope,
): Promise<Awaited<ReturnType<PublicReads['readLanding']>>> {
  const page = await deps.reads((db) => deps.readLanding(db, kind, slug))
  const { lookupId, manufacturer, category } = page
  const idOf = { category: 'categoryId', manufacturer: 'manuId', model: 'modelId' } as const
  const chosen: Partial<PartsQuery> = {
    [idOf[kind]]: lookupId,
    ...(manufacturer && { manuId: manufacturer.id }),
    ...(category && { categoryId: category.id }),
  }
  if (chosen.categoryId) scope.add([chosen.categoryId])
  else scope.addEverything()
  return { page, found: await findParts(deps, asked, chosen, scope) }
}

/** The list of an address; values that cannot be used are left out and reported. */
async function findParts(
  { search }: PageReadDeps,
  asked: URLSearchParams,
  more: Partial<PartsQuery>,
  scope = new DataScope(),
): Promise<FoundParts> {
  const { query, refused } = readAddress(asked)
  const find = (without: Partial<PartsQuery> = {}) =>
    search.find({ ...query, ...without, ...more }, { isAdmin: false, scope })
  try {
    return { ...(await find()), refused }
  } catch (error) {
    if (!(error instanceof AppError && error.fields?.zip)) throw error
    // Also one that the words say.
    const { q } = withSaidFilters(query).query
    return { ...(await find({ zip: undefined, q })), refused: { ...refused, ...error.fields } }
  }
}

const NEWEST = 8

async function readHome(deps: PageReadDeps): Promise<HomePage> {
  const { reads, readTop } = deps
  const [counts, top, manufacturers, newest] = await Promise.all([
    reads(countSite),
    reads(readTop),
    reads(listManufacturers),
    deps.search.find({ page: 1, perPage: NEWEST }, { isAdmin: false }),
  ])
  return {
    counts,
    top,
    manufacturers: manufacturers.map(({ id, manuname }) => ({ id, name: manuname })),
    newest: newest.items,
  }
}
