import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type LandingKind, type landingEndpoints, landingKinds } from '#contract/landing.ts'
import { landingPath } from '#contract/landing-addresses.ts'
import { type Db, isDatabaseDown, isPoolBusy } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import { limits } from '#server/platform/http/limits/rate-limits.ts'
import { otherRoute } from '#server/platform/http/openapi.ts'
import type { WebApp } from '#server/platform/http/web-files.ts'
import { findLinkedListing, listLinks } from './link-book.ts'
import { findPage, listPages } from './pages.ts'
import type { LandingReader } from './read-page.ts'
import type { TopNamesReader } from './top-names.ts'

export function landingRoutes(
  readPage: LandingReader,
  readTop: TopNamesReader,
): Handlers<typeof landingEndpoints> {
  return {
    listTopNames: ({ db }) => readTop(db),
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
const SLUG = /^[a-z0-9-]{1,200}$/

/**
 * Serves the pages' HTML. Former addresses redirect to the current one, for search engines and links from outside. For a
 * missing page the app shows an error.
 */
export function serveLandingPages(
  app: FastifyInstance,
  { db, web }: { db: Db; web: WebApp | undefined },
): void {
  const config = { rateLimit: { max: limits.read.most, timeWindow: limits.read.seconds * 1000 } }
  for (const kind of landingKinds) {
    app.route<{ Params: { slug: string } }>({
      ...otherRoute(`${kind}Page`),
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
