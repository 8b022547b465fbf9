import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  type LandingKind,
  type LandingPage,
  type landingEndpoints,
  landingFolders,
  landingKinds,
  landingPath,
} from '#contract/landing.ts'
import {
  emptyLandingOf,
  type LandingText,
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
import { openLiveFacts, type PageFacts, type Subject, type TopName, writableFacts } from './page-facts.ts'
import { findPage, findSlugs, listPages, type ShownPage } from './pages.ts'

export function landingRoutes(): Handlers<typeof landingEndpoints> {
  const readFacts = openLiveFacts()
  return {
    async readLandingPage({ db, params: { kind, slug } }) {
      const page = await findPage(db, kind, slug)
      if (!page) throw new AppError('NOT_FOUND', 'There is no such page. Search all parts instead.')
      return presentPage(db, { kind, page, facts: await readFacts(db, kind, page.lookupId) })
    },
    listLandingPages: ({ db, params: { kind } }) => listPages(db, kind),
    async readRelated({ db, params: { slug } }) {
      const listing = await findLinkedListing(db, slug)
      if (!listing) throw new AppError('NOT_FOUND', 'There is no such part. Search all parts instead.')
      return listLinks(db, { kind: 'listing', id: listing.id })
    },
  }
}

// Every slug consists of these characters; anything else is not worth a query.
const SLUG = /^[a-z0-9-]{1,200}$/

/**
 * Serves the pages' HTML. Former addresses redirect to the current one, for search engines and links from outside. For a
 * missing page the app shows an error.
 */
export function serveLandingPages(app: FastifyInstance, { db, web }: { db: Db; web: WebApp }): void {
  const config = { rateLimit: { max: limits.read.most, timeWindow: limits.read.seconds * 1000 } }
  for (const kind of landingKinds) {
    app.route<{ Params: { slug: string } }>({
      ...otherRoute(`${kind}Page`),
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

/** `moved` is the current address if the slug is a former one; undefined if there is no such page. */
async function findPath(
  db: Db,
  kind: LandingKind,
  { params: { slug }, url }: FastifyRequest<{ Params: { slug: string } }>,
): Promise<{ moved?: string } | undefined> {
  if (!SLUG.test(slug)) return undefined
  try {
    const page = await findPage(db, kind, slug)
    if (!page || page.slug === slug) return page && {}
    const query = url.indexOf('?')
    return { moved: landingPath(kind, page.slug) + (query < 0 ? '' : url.slice(query)) }
  } catch (error) {
    // The app can be shown without the database and reports the outage itself.
    if (isDatabaseDown(error) || isPoolBusy(error)) return {}
    throw error
  }
}

type PageNow = { readonly kind: LandingKind; readonly page: ShownPage; readonly facts: PageFacts }

async function presentPage(db: Db, { kind, page, facts }: PageNow): Promise<LandingPage> {
  const { lookupId, slug, name, manufacturerId, manufacturer } = page
  const [topCategories, topManufacturers, topModels, makes, related] = await Promise.all([
    withSlugs(db, 'category', facts.topCategories),
    withSlugs(db, 'manufacturer', facts.topManufacturers),
    withSlugs(db, 'model', facts.topModels),
    findSlugs(db, 'manufacturer', manufacturerId === null ? [] : [manufacturerId]),
    listLinks(db, { kind, id: lookupId }),
  ])
  return {
    kind,
    slug,
    name,
    lookupId,
    manufacturer:
      manufacturerId !== null && manufacturer !== null
        ? { id: manufacturerId, name: manufacturer, slug: makes.get(manufacturerId) ?? null }
        : null,
    ...textOf({ kind, id: lookupId, name, manufacturer, group: null }, page, facts),
    parts: facts.parts,
    priceFrom: dollars(facts.priceFromCents),
    priceTo: dollars(facts.priceToCents),
    topCategories,
    topManufacturers,
    topModels,
    related: withoutTwins(
      related,
      [...facts.topCategories, ...facts.topManufacturers, ...facts.topModels].map((top) => top.name),
    ),
    updatedAt: page.updatedAt.toISOString(),
  }
}

/** With the counts and prices of this moment. Only a language model's words are kept; the template writes them again. */
function textOf(subject: Subject, { text, writer }: ShownPage, facts: PageFacts): LandingText {
  if (facts.parts === 0) return emptyLandingOf(writableFacts(subject, facts))
  return withOffer(writer === builtInWriter.name ? landingOf(writableFacts(subject, facts)) : text, facts)
}

async function withSlugs(db: Db, kind: LandingKind, names: readonly TopName[]) {
  const slugs = await findSlugs(
    db,
    kind,
    names.map(({ id }) => id),
  )
  return names.map(({ id, name, count }) => ({ name, count, slug: slugs.get(id) ?? null }))
}

const dollars = (cents: number | null) => (cents === null ? null : cents / 100)
