import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { PublicReads } from '#contract/pages/public-pages.ts'
import { isDeskPath } from '#contract/pages/site-paths.ts'
import { AppError } from '#server/platform/errors.ts'
import { logFailure, toAppError } from '#server/platform/http/error-boundary.ts'
import {
  etagOf,
  hasAlready,
  openKeptReplies,
  type PackedReply,
  packReply,
  SHARED_A_MINUTE,
  sendPacked,
} from '#server/platform/http/kept-documents.ts'
import { limits } from '#server/platform/http/limits/rate-limits.ts'
import { otherRoute } from '#server/platform/http/openapi.ts'
import type { WebApp } from '#server/platform/http/web-files.ts'
import type { PageBundle } from './page-bundle.ts'
import type { FormSender } from './page-forms.ts'

export type PageDeps = {
  /** Undefined where nothing is built. */
  bundle: PageBundle | undefined
  /** For a stranger; a form that is sent without scripts comes from `from`. */
  reads: (from?: FormSender) => PublicReads
  /** Changes with everything that a page may show. */
  version: () => Promise<string>
}

type Exchange = { request: FastifyRequest; reply: FastifyReply }

// The static handler wants whole addresses; pages depend on the path and the query alone.
const ORIGIN = 'http://localhost'

// A page has about 15 kB: enough for those that people ask for between two changes.
const KEPT = { most: 4_000, mostBytes: 32 * 1024 * 1024 }

/** The web app's pages: public ones are rendered here and kept, others are an empty page that the app fills. */
export function openPages(deps: PageDeps): WebApp | undefined {
  const { bundle } = deps
  if (!bundle) return undefined
  const pages = openKeptReplies(KEPT)
  const notFound = openNotFound(bundle, deps)
  const findPacked = async (address: string, { request, reply }: Exchange) => {
    const version = await deps.version()
    const etag = etagOf(bundle.hash, version, address)
    reply.headers({ etag, 'cache-control': SHARED_A_MINUTE })
    if (hasAlready(request, etag)) return undefined
    return pages.get(address, version, (before) =>
      renderPage(bundle, asked(address), { reads: noting(deps.reads(), request), before }),
    )
  }
  return {
    async sendPage(request, reply) {
      const page = bundle.findPage(new URL(request.url, ORIGIN))
      if (page?.kind === 'app') return sendShell(reply, bundle)
      if (!page) return sendRendered({ request, reply }, await notFound(request.url))
      try {
        return await sendRendered({ request, reply }, await findPacked(page.address, { request, reply }))
      } catch (error) {
        reply.removeHeader('etag').header('cache-control', 'no-store')
        const reads = failing(deps.reads(), noteFailure(error, request))
        return sendRendered({ request, reply }, await renderPage(bundle, asked(page.address), { reads }))
      }
    },
  }
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

// A message has at most 5,000 characters, of four bytes in UTF-8 and three characters a byte in a form.
const FORM_BYTES = 64 * 1024

/**
 * Forms of pages that were sent without scripts, to the page's own address. Nobody is signed in without scripts, so another
 * site could send one only as its own visitor; browsers say where a form was, and such are refused nevertheless.
 */
function serveForms(app: FastifyInstance, deps: PageDeps): void {
  const { bundle } = deps
  if (!bundle) return
  app.register((scope, _options, done) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_BYTES },
      async (_request: FastifyRequest, text: string | Buffer) => text,
    )
    const config = { rateLimit: { max: limits.mail.most, timeWindow: limits.mail.seconds * 1000 } }
    for (const name of ['sendPartForm', 'sendSupportForm', 'sendSearchForm'] as const) {
      scope.route({
        ...otherRoute(name),
        config,
        handler: (request, reply) => answerForm({ request, reply }, { ...deps, bundle }),
      })
    }
    done()
  })
}

/** The page after a form: with its problems, with what was sent, or elsewhere. */
async function answerForm(
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
    body: String(request.body ?? ''),
  })
  const from = { ip: request.ip, requestId: request.id }
  const made = await renderPage(bundle, form, { reads: noting(reads(from), request) })
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

const asked = (address: string) => new Request(new URL(address, ORIGIN))

type Making = { reads: PublicReads; before?: PackedReply | undefined }

/** The page, or the one `before` if it was made from the same data: reading them takes a fraction of rendering them. */
async function renderPage(
  bundle: PageBundle,
  request: Request,
  { reads, before }: Making,
): Promise<PackedReply> {
  const loaded = await bundle.load(request, reads)
  if ('location' in loaded)
    return { status: loaded.status, packed: Buffer.alloc(0), location: loaded.location }
  // The footer names the year.
  const source = etagOf(String(new Date().getUTCFullYear()), loaded.data)
  if (before?.source === source) return before
  return packReply(bundle.fill(loaded.render()), { status: loaded.status, source })
}

/**
 * The page for every address that is none, for any state of the data. There are two of them, since the header of dashboards
 * has no search box.
 */
function openNotFound(bundle: PageBundle, { reads }: PageDeps): (url: string) => Promise<PackedReply> {
  const pages = new Map<string, Promise<PackedReply>>()
  return (url) => {
    const path = isDeskPath(url) ? '/dashboard/not-found' : '/not-found'
    const page = pages.get(path) ?? renderPage(bundle, asked(path), { reads: reads() })
    pages.set(path, page)
    return page
  }
}

function sendShell(reply: FastifyReply, { shell }: PageBundle): FastifyReply {
  return reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(shell)
}

/** `undefined` for a reader that has the page already. */
function sendRendered(
  { request, reply }: Exchange,
  page: PackedReply | undefined,
  caching?: string,
): FastifyReply {
  reply.header('vary', [reply.getHeader('vary') ?? [], 'accept-encoding'].flat().join(', '))
  if (!page) return reply.code(304).send()
  const { status, location } = page
  // Not kept by others: what is missing may come, what moved may move again, and what failed may work in a moment.
  if (status !== 200 || caching) {
    reply.removeHeader('etag').header('cache-control', caching ?? (status < 500 ? 'no-cache' : 'no-store'))
  }
  if (status === 503) reply.header('retry-after', '1')
  if (location !== undefined) return reply.redirect(location, status)
  return sendPacked(request, reply.type('text/html; charset=utf-8'), page)
}

type Read = (...given: never[]) => Promise<unknown>

/** The same reads, each through `around`. */
const throughout = (reads: PublicReads, around: (read: Read) => Read): PublicReads =>
  Object.fromEntries(
    Object.entries(reads).map(([name, read]) => [name, name === 'site' ? read : around(read as Read)]),
  ) as PublicReads

/** Failures as the Response that pages expect of a read. */
const noting = (reads: PublicReads, request: FastifyRequest): PublicReads =>
  throughout(reads, (read) => async (...given) => {
    try {
      return await read(...given)
    } catch (error) {
      throw error instanceof Response ? error : asResponse(noteFailure(error, request))
    }
  })

/** A page that cannot be read at all, such as without the database, says so in the site's own frame. */
const failing = (reads: PublicReads, failure: AppError): PublicReads =>
  throughout(reads, () => async () => {
    throw asResponse(failure)
  })

const asResponse = ({ status, message: error, code }: AppError): Response =>
  Response.json({ error, code }, { status })

/** Logged here: the request does not fail, it is answered by a page. */
function noteFailure(error: unknown, request: FastifyRequest): AppError {
  const failure = error instanceof Error ? error : new Error(String(error))
  const appError = toAppError(failure as Parameters<typeof toAppError>[0])
  logFailure(request, failure as Parameters<typeof toAppError>[0], appError)
  return appError
}
