import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { LandingPage, landingEndpoints } from '#contract/landing.ts'
import { type LandingKind, landingFolders, landingPath } from '#contract/public-paths.ts'
import type { otherRoutes } from '#contract/routes.ts'
import {
  emptyLandingOf,
  type LandingText,
  landingHeading,
  landingOf,
  withOffer,
} from '#server/features/writing/landing-text.ts'
import { builtInWriter } from '#server/features/writing/writer.ts'
import { type Db, isDatabaseDown, isPoolBusy } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import { limits } from '#server/platform/http/limits/rate-limits.ts'
import { otherRoute } from '#server/platform/http/openapi.ts'
import type { WebApp } from '#server/platform/http/web-files.ts'
import { findLinkedListing, listLinks, withoutTwins } from './link-book.ts'
import { findModelParts, readModelPartsFacts } from './model-parts.ts'
import {
  type LiveFacts,
  openLiveFacts,
  type PageFacts,
  type Subject,
  type TopName,
  writableFacts,
} from './page-facts.ts'
import { findPage, findSlugs, listPages, type ShownPage } from './pages.ts'

export function landingRoutes(): Handlers<typeof landingEndpoints> {
  const readFacts = openLiveFacts()
  return {
    async readLandingPage({ db, params: { kind, slug } }) {
      const found = await findAddressed(db, kind, slug)
      if (!found) throw new AppError('NOT_FOUND', 'There is no such page. Search all parts instead.')
      return presentPage(db, found, readFacts)
    },
    listLandingPages: ({ db, params: { kind } }) => listPages(db, kind),
    async readRelated({ db, params: { slug } }) {
      const listing = await findLinkedListing(db, slug)
      if (!listing) throw new AppError('NOT_FOUND', 'There is no such part. Search all parts instead.')
      return listLinks(db, { kind: 'listing', id: listing.id })
    },
  }
}

/** A page, or of a model's page only the parts of a category. */
type Addressed = {
  readonly kind: LandingKind
  /** The current one. */
  readonly slug: string
  readonly page: ShownPage
  readonly category: ShownPage | null
}

/** The page at a current or former slug; "toyota/camry/alternator" is a model's with a category. */
async function findAddressed(db: Db, kind: LandingKind, slug: string): Promise<Addressed | undefined> {
  const [make, model, category, ...more] = kind === 'model' ? slug.split('/') : []
  if (more.length > 0) return undefined
  if (category !== undefined) {
    const found = await findModelParts(db, { model: `${make}/${model}`, category })
    if (!found) return undefined
    return {
      kind,
      slug: withCategory(found.model.slug, found.category),
      page: found.model,
      category: found.category,
    }
  }
  const page = await findPage(db, kind, slug)
  return page && { kind, slug: page.slug, page, category: null }
}

const withCategory = (modelSlug: string, category: { slug: string }): string =>
  `${modelSlug}/${category.slug}`

// Every slug consists of these characters; anything else is not worth a query.
const SLUG = /^[a-z0-9-]{1,200}(\/[a-z0-9-]{1,200}){0,2}$/

const servedPages: readonly { route: keyof typeof otherRoutes; kind: LandingKind }[] = [
  { route: 'categoryPage', kind: 'category' },
  { route: 'manufacturerPage', kind: 'manufacturer' },
  { route: 'modelPage', kind: 'model' },
  { route: 'modelPartsPage', kind: 'model' },
  { route: 'formerModelPage', kind: 'model' },
]

/**
 * Serves the pages' HTML. Former addresses redirect to the current one, for search engines and links from outside. For a
 * missing page the app shows an error.
 */
export function serveLandingPages(app: FastifyInstance, { db, web }: { db: Db; web: WebApp }): void {
  const config = { rateLimit: { max: limits.read.most, timeWindow: limits.read.seconds * 1000 } }
  for (const { route, kind } of servedPages) {
    app.route<{ Params: Record<string, string> }>({
      ...otherRoute(route),
      config,
      handler: async (request, reply) => {
        const path = await findPath(db, kind, request)
        // Not cached: the address may belong to another page one day.
        if (path?.moved) return reply.header('cache-control', 'no-cache').redirect(path.moved, 301)
        if (!web.isPage(landingFolders[kind])) return reply.callNotFound()
        return web.sendPage(path ? reply : reply.code(404))
      },
    })
  }
}

/** `moved` is the current address if this is a former one; undefined if there is no such page. */
async function findPath(
  db: Db,
  kind: LandingKind,
  { params, url }: FastifyRequest<{ Params: Record<string, string> }>,
): Promise<{ moved?: string } | undefined> {
  const slug = Object.values(params).join('/')
  if (!SLUG.test(slug)) return undefined
  try {
    const found = await findAddressed(db, kind, slug)
    if (!found || found.slug === slug) return found && {}
    const query = url.indexOf('?')
    return { moved: landingPath(kind, found.slug) + (query < 0 ? '' : url.slice(query)) }
  } catch (error) {
    // The app can be shown without the database and reports the outage itself.
    if (isDatabaseDown(error) || isPoolBusy(error)) return {}
    throw error
  }
}

async function presentPage(db: Db, addressed: Addressed, readFacts: LiveFacts): Promise<LandingPage> {
  const { kind, slug, page, category } = addressed
  const { lookupId, name, manufacturerId, manufacturer } = page
  const facts = category
    ? await readModelPartsFacts(db, { model: page, category })
    : await readFacts(db, kind, lookupId)
  // Where the page has a model or a category, what it names is narrowed to the other one.
  const part = category ?? (kind === 'category' ? page : null)
  const [topCategories, topManufacturers, topModels, makes, related] = await Promise.all([
    withSlugs(db, 'category', facts.topCategories, (own) => (kind === 'model' ? `${page.slug}/${own}` : own)),
    withSlugs(db, 'manufacturer', facts.topManufacturers),
    withSlugs(db, 'model', facts.topModels, (own) => (part ? withCategory(own, part) : own)),
    findSlugs(db, 'manufacturer', manufacturerId === null ? [] : [manufacturerId]),
    category ? [] : listLinks(db, { kind, id: lookupId }),
  ])
  const make =
    manufacturerId !== null && manufacturer !== null
      ? { id: manufacturerId, name: manufacturer, slug: makes.get(manufacturerId) ?? null }
      : null
  const subject = {
    kind,
    id: lookupId,
    name,
    manufacturer,
    group: null,
    ...(category && { category: category.name }),
  }
  const breadcrumbs = breadcrumbsOf(addressed, make)
  return {
    kind,
    slug,
    name,
    heading: landingHeading(writableFacts(subject, facts)),
    breadcrumbs,
    lookupId,
    category: category && { id: category.lookupId, name: category.name },
    manufacturer: make,
    ...textOf(subject, category ? undefined : page, facts),
    parts: facts.parts,
    priceFrom: dollars(facts.priceFromCents),
    priceTo: dollars(facts.priceToCents),
    topCategories,
    topManufacturers,
    topModels,
    related: withoutTwins(
      related,
      [...breadcrumbs, ...facts.topCategories, ...facts.topManufacturers, ...facts.topModels].map(
        ({ name }) => name,
      ),
    ),
    updatedAt: page.updatedAt.toISOString(),
  }
}

function breadcrumbsOf(
  { kind, page, category }: Addressed,
  make: { name: string; slug: string | null } | null,
): LandingPage['breadcrumbs'] {
  const all = { name: 'All parts', path: '/parts' }
  const ofMake = make?.slug
    ? [{ name: `${make.name} parts`, path: landingPath('manufacturer', make.slug) }]
    : []
  const ofModel = category
    ? [{ name: `${make ? `${make.name} ` : ''}${page.name} parts`, path: landingPath(kind, page.slug) }]
    : []
  return [all, ...ofMake, ...ofModel]
}

/**
 * With the counts and prices of this moment. Only a language model's words are kept; the template writes them again, and
 * those of a page without a row.
 */
function textOf(subject: Subject, page: ShownPage | undefined, facts: PageFacts): LandingText {
  const writable = writableFacts(subject, facts)
  if (facts.parts === 0) return emptyLandingOf(writable)
  const isTemplate = page === undefined || page.writer === builtInWriter.name
  return withOffer(isTemplate ? landingOf(writable) : page.text, facts)
}

async function withSlugs(
  db: Db,
  kind: LandingKind,
  names: readonly TopName[],
  narrowed: (slug: string) => string = (slug) => slug,
) {
  const slugs = await findSlugs(
    db,
    kind,
    names.map(({ id }) => id),
  )
  return names.map(({ id, name, count }) => {
    const slug = slugs.get(id)
    return { name, count, slug: slug === undefined ? null : narrowed(slug) }
  })
}

const dollars = (cents: number | null) => (cents === null ? null : cents / 100)
