import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { LandingKind, landingEndpoints } from '#contract/landing.ts'
import { landingPath } from '#contract/landing-addresses.ts'
import type { otherRoutes } from '#contract/routes.ts'
import { type Db, isDatabaseDown, isPoolBusy } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import { limits } from '#server/platform/http/limits/rate-limits.ts'
import { otherRoute } from '#server/platform/http/openapi.ts'
import type { WebApp } from '#server/platform/http/web-files.ts'
import { findLinkedListing, listLinks } from './link-book.ts'
import { listPages } from './pages.ts'
import { findAddressed, type LandingReader } from './read-page.ts'

export function landingRoutes(readPage: LandingReader): Handlers<typeof landingEndpoints> {
  return {
    readLandingPage: ({ db, params: { kind, slug } }) => readPage(db, kind, slug),
    listLandingPages: ({ db, params: { kind } }) => listPages(db, kind),
    async readRelated({ db, params: { slug } }) {
      const listing = await findLinkedListing(db, slug)
      if (!listing) throw new AppError('NOT_FOUND', 'There is no such part. Search all parts instead.')
      return listLinks(db, { kind: 'listing', id: listing.id })
    },
  }
}

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
export function serveLandingPages(
  app: FastifyInstance,
  { db, web }: { db: Db; web: WebApp | undefined },
): void {
  const config = { rateLimit: { max: limits.read.most, timeWindow: limits.read.seconds * 1000 } }
  for (const { route, kind } of servedPages) {
    app.route<{ Params: Record<string, string> }>({
      ...otherRoute(route),
      config,
      handler: async (request, reply) => {
        const path = await findPath(db, kind, request)
        // Not cached: the address may belong to another page one day.
        if (path?.moved) return reply.header('cache-control', 'no-cache').redirect(path.moved, 301)
        return web ? web.sendPage(request, path ? reply : reply.code(404)) : reply.callNotFound()
      },
    })
  }
}

/** `moved` is the current address if the slug is a former one; undefined if there is no such page. */
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
