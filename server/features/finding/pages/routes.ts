import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { PublicReads } from '#contract/pages/public-pages.ts'
import { isDeskPath } from '#contract/pages/site-paths.ts'
import type { DataVersion } from '#server/platform/data-scope.ts'
import { AppError } from '#server/platform/errors.ts'
import { logFailure, toAppError } from '#server/platform/http/error-boundary.ts'
import {
  clientHasCopy,
  etagOf,
  freshnessFor,
  type KeptReplies,
  type PackedReply,
  packReply,
  SHARED_FOR_A_MINUTE,
  sendPacked,
} from '#server/platform/http/kept-documents.ts'
import { limits } from '#server/platform/http/limits/rate-limits.ts'
import { takeTurn } from '#server/platform/http/limits/turns.ts'
import { otherRoute } from '#server/platform/http/openapi.ts'
import type { WebApp } from '#server/platform/http/web-files.ts'
import type { PageBundle } from './page-bundle.ts'
import { mapReads, type OpenReads } from './page-reads.ts'

export type PageDeps = {
  /** Undefined if nothing is built. */
  bundle: PageBundle | undefined
  /** For visitors who are not signed in. */
  reads: OpenReads
  /** Changes with everything that a page may show. */
  version: () => Promise<DataVersion>
  /**
   * Changes with what a part's page shows of the part, or a seller's of the seller; lists on the same page may be
   * older.
   */
  ownState: Readonly<Record<'parts' | 'sellers', (slug: string) => Promise<string>>>
  kept: KeptReplies
}

type Exchange = { request: FastifyRequest; reply: FastifyReply }

// The static handler requires full URLs; pages depend only on the path and the query.
const ORIGIN = 'http://localhost'

/** The web app's pages: public ones are rendered here and cached, others are an empty page that the app fills. */
export function openPages(deps: PageDeps): WebApp | undefined {
  const { bundle, version, kept } = deps
  if (!bundle) return undefined
  const notFound = openNotFound(bundle, deps)
  const findPacked = async (address: string, { request, reply }: Exchange) => {
    const own = findOwn(address, deps)
    const page = await kept.get(address, {
      freshness: freshnessFor(request),
      version,
      ...(own && { own }),
      make: (before, scope) =>
        renderPage(bundle, requestFor(address), {
          reads: loggingReads(deps.reads({ scope }), request),
          before,
        }),
    })
    reply.headers({ etag: page.etag, 'cache-control': SHARED_FOR_A_MINUTE })
    return clientHasCopy(request, page.etag) ? undefined : page
  }
  return {
    async sendPage(request, reply) {
      const lower = inLowerCase(request.url)
      if (lower !== undefined) return reply.redirect(lower, 301)
      const page = bundle.findPage(new URL(request.url, ORIGIN))
      if (page?.kind === 'app') return sendShell(reply, bundle)
      if (!page) return sendRendered({ request, reply }, await notFound(request.url))
      try {
        return await sendRendered({ request, reply }, await findPacked(page.address, { request, reply }))
      } catch (error) {
        reply.removeHeader('etag').header('cache-control', 'no-store')
        const reads = failingReads(deps.reads(), noteFailure(error, request))
        return sendRendered({ request, reply }, await renderPage(bundle, requestFor(page.address), { reads }))
      }
    },
  }
}

/** The subject of a part's or seller's page, such as that it is gone. It is never stale. */
function findOwn(address: string, { ownState }: PageDeps): (() => Promise<string>) | undefined {
  const [, kind, slug = ''] = /^\/(parts|sellers)\/([^/?]+)(?:\?|$)/.exec(address) ?? []
  return kind === undefined
    ? undefined
    : () => ownState[kind as 'parts' | 'sellers'](decodeURIComponent(slug))
}

/** Parts, makes and sellers have addresses in lower case; undefined if this is in it. */
function inLowerCase(url: string): string | undefined {
  const [path = '', ...search] = url.split('?')
  const lower = path.replaceAll(/%..|[A-Z]+/g, (some) => (some.startsWith('%') ? some : some.toLowerCase()))
  return lower !== path && /^\/(?:parts|sellers)\//.test(lower) ? [lower, ...search].join('?') : undefined
}

const namedPages = [
  'homePage',
  'partsPage',
  'partPage',
  'categoryPage',
  'manufacturerPage',
  'modelPage',
  'modelPartsPage',
  'formerModelPage',
  'sellerPage',
] as const

/** Registers the pages with an address of their own; the not-found handler sends the others. */
export function servePages(app: FastifyInstance, web: WebApp | undefined, deps: PageDeps): void {
  const config = { rateLimit: { max: limits.read.most, timeWindow: limits.read.seconds * 1000 } }
  for (const name of namedPages) {
    app.route({
      ...otherRoute(name),
      config,
      handler: (request, reply) => (web ? web.sendPage(request, reply) : reply.callNotFound()),
    })
  }
  serveForms(app, deps)
}

// A message has at most 5,000 characters of up to four bytes, and a byte takes three characters in a form.
const FORM_BYTES = 64 * 1024

/**
 * Forms of pages that were sent without scripts, to the page's own address. Nobody is signed in without scripts, so
 * another site could send one only as an anonymous visitor; if the browser reports another site, the form is refused
 * anyway.
 */
function serveForms(app: FastifyInstance, deps: PageDeps): void {
  const { bundle } = deps
  if (!bundle) return
  app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_BYTES },
      async (_request: FastifyRequest, text: string | Buffer) => text,
    )
    const config = {
      rateLimit: { max: limits.mail.most, timeWindow: limits.mail.seconds * 1000 },
      changesData: true,
    }
    for (const name of ['sendPartForm', 'sendSupportForm', 'sendSearchForm'] as const) {
      scope.route({
        ...otherRoute(name),
        config,
        handler: (request, reply) => replyToForm({ request, reply }, { ...deps, bundle }),
      })
    }
    done()
  })
}

/** Sends the page after a form, with its problems or its success, or a redirect. */
async function replyToForm(
  { request, reply }: Exchange,
  { bundle, reads }: PageDeps & { bundle: PageBundle },
): Promise<FastifyReply> {
  refuseOtherSites(request)
  const page = bundle.findPage(new URL(request.url, ORIGIN))
  if (page?.kind !== 'public') {
    reply.callNotFound()
    return reply
  }
  const form = new Request(new URL(page.address, ORIGIN), {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: typeof request.body === 'string' ? request.body : '',
  })
  const from = { ip: request.ip, requestId: request.id, cookie: request.headers.cookie }
  const made = await renderPage(bundle, form, { reads: loggingReads(reads({ from }), request) })
  const sent = made.location === undefined ? made : { ...made, status: 303 }
  return sendRendered({ request, reply }, sent, 'no-store')
}

function refuseOtherSites({ headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site']
  if (site === undefined || site === 'same-origin' || site === 'none') return
  throw new AppError(
    'MALFORMED',
    'This form was sent from another site. Open the page and send it from there.',
  )
}

const requestFor = (address: string) => new Request(new URL(address, ORIGIN))

type RenderOptions = { reads: PublicReads; before?: PackedReply | undefined }

/**
 * The page, or the one `before` if it was made from the same data: reading data takes a fraction of the time of
 * rendering it.
 */
async function renderPage(
  bundle: PageBundle,
  request: Request,
  { reads, before }: RenderOptions,
): Promise<PackedReply> {
  const loaded = await bundle.load(request, reads)
  const { pathname, search } = new URL(request.url)
  // The footer names the year.
  const shows = [bundle.hash, pathname + search, String(new Date().getUTCFullYear())]
  if ('location' in loaded) {
    const etag = etagOf(...shows, loaded.location)
    return { status: loaded.status, packed: Buffer.alloc(0), etag, location: loaded.location }
  }
  const etag = etagOf(...shows, loaded.data)
  if (before?.etag === etag) return before
  await takeTurn()
  return packReply(bundle.fill(loaded.render()), { status: loaded.status, etag })
}

/**
 * The page for addresses that do not exist, which depends on no data. There are two, since the header of dashboards has
 * no search box.
 */
function openNotFound(bundle: PageBundle, { reads }: PageDeps): (url: string) => Promise<PackedReply> {
  const pages = new Map<string, Promise<PackedReply>>()
  return (url) => {
    const path = isDeskPath(url) ? '/dashboard/not-found' : '/not-found'
    const page = pages.get(path) ?? renderPage(bundle, requestFor(path), { reads: reads() })
    pages.set(path, page)
    return page
  }
}

function sendShell(reply: FastifyReply, { shell }: PageBundle): FastifyReply {
  return reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(shell)
}

/** `page` is undefined for a client that has it already. */
function sendRendered(
  { request, reply }: Exchange,
  page: PackedReply | undefined,
  caching?: string,
): FastifyReply {
  reply.header('vary', [reply.getHeader('vary') ?? [], 'accept-encoding'].flat().join(', '))
  if (!page) return reply.code(304).send()
  const { status, location } = page
  // Not cached elsewhere: a missing page may be added, a redirect may change, and an error may be over in a moment.
  if (status !== 200 || caching) {
    reply.removeHeader('etag').header('cache-control', caching ?? (status < 500 ? 'no-cache' : 'no-store'))
  }
  if (status === 503) reply.header('retry-after', '1')
  if (location !== undefined) return reply.redirect(location, status)
  return sendPacked(request, reply.type('text/html; charset=utf-8'), page)
}

/** Logs failures and throws them as the Response that pages expect from a read. */
const loggingReads = ({ site, ...reads }: PublicReads, request: FastifyRequest): PublicReads => ({
  site,
  ...mapReads(reads, (read) => async (...given) => {
    try {
      return await read(...given)
    } catch (error) {
      throw error instanceof Response ? error : asResponse(noteFailure(error, request))
    }
  }),
})

/**
 * Reads that all fail, so that a page without its data, such as without the database, shows the error in the site's
 * layout.
 */
const failingReads = ({ site, ...reads }: PublicReads, failure: AppError): PublicReads => ({
  site,
  ...mapReads(reads, () => async () => {
    throw asResponse(failure)
  }),
})

const asResponse = ({ status, message: error, code }: AppError): Response =>
  Response.json({ error, code }, { status })

/** Logged here, since the request itself does not fail: it gets a page. */
function noteFailure(error: unknown, request: FastifyRequest): AppError {
  const failure = error instanceof Error ? error : new Error(String(error))
  const appError = toAppError(failure as Parameters<typeof toAppError>[0])
  logFailure(request, failure as Parameters<typeof toAppError>[0], appError)
  return appError
}
