import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Db } from '#server/platform/database/database.ts'
import { type KeptDocument, keepDocument, sendDocument } from '#server/platform/http/kept-documents.ts'
import { limits } from '#server/platform/http/limits/rate-limits.ts'
import { takeTurn } from '#server/platform/http/limits/turns.ts'
import { otherRoute } from '#server/platform/http/openapi.ts'
import { sendStreamed, streamSlots, xmlText } from '#server/platform/http/streamed-documents.ts'
import { findSitemapFile, listSitemapFiles } from './sitemap-files.ts'

type Deps = { db: Db; publicUrl: string; now: () => Date }

const XML = 'application/xml; charset=utf-8'
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'

// Search engines read the sitemap a few times a day; listing the files of a million parts takes about two seconds.
const KEPT_MS = 10 * 60_000
const CACHE_CONTROL = `public, max-age=${KEPT_MS / 1_000}`

// A search engine reads few files at a time.
const PLACES = { all: 40, perAddress: 8 }

/**
 * What search engines may read. Pictures are under /api. Of addresses with a query, only the pages of a list are
 * allowed: the others are filters, in endless combinations.
 */
const robotsOf = (publicUrl: string) => `User-agent: *
Allow: /api/auto-part/image/
Allow: /*?page=
Disallow: /*?page=*&
Disallow: /*?
Disallow: /api/
Disallow: /admin/
Disallow: /dashboard
Disallow: /dev/
Disallow: /login
Disallow: /onboarding
Disallow: /register
Disallow: /stripe/

Sitemap: ${publicUrl}/sitemap.xml
`

/** Serves `/robots.txt`, `/sitemap.xml` and the files that it names. */
export function serveSitemap(app: FastifyInstance, { db, publicUrl, now }: Deps): void {
  const config = { rateLimit: { max: limits.read.most, timeWindow: limits.read.seconds * 1000 } }
  const robots = keepDocument(robotsOf(publicUrl), 'text/plain; charset=utf-8')
  app.route({
    ...otherRoute('robotsTxt'),
    config,
    handler: async (request, reply) => sendDocument(request, reply, await robots),
  })
  const readIndex = keepIndex({ db, publicUrl, now })
  app.route({
    ...otherRoute('sitemap'),
    config,
    handler: async (request, reply) => sendDocument(request, reply, await readIndex()),
  })
  const places = streamSlots(PLACES)
  app.route<{ Params: { name: string } }>({
    ...otherRoute('sitemapFile'),
    config,
    handler: async (request, reply) => {
      const [name, extension] = request.params.name.split('.xml')
      const found = extension === '' && name !== undefined ? await findSitemapFile(db, name) : undefined
      if (!found) return reply.callNotFound()
      const version = createHash('sha256').update(`${publicUrl} ${found.file.version}`).digest('base64url')
      const document = {
        type: XML,
        version: version.slice(0, 22),
        cacheControl: CACHE_CONTROL,
        pieces: () => fileText(found.addresses(), publicUrl),
      }
      return sendStreamed(request, reply, document, places)
    },
  })
}

/** The index, created at most once every ten minutes. */
function keepIndex({ db, publicUrl, now }: Deps): () => Promise<KeptDocument> {
  let kept: { until: number; document: Promise<KeptDocument> } | undefined
  return () => {
    if (kept && kept.until > now().getTime()) return kept.document
    const making = { until: now().getTime() + KEPT_MS, document: makeIndex(db, publicUrl) }
    kept = making
    making.document.catch(() => {
      if (kept === making) kept = undefined
    })
    return making.document
  }
}

async function makeIndex(db: Db, publicUrl: string): Promise<KeptDocument> {
  const files = await listSitemapFiles(db)
  const entries = files.map(({ name, changedAt }) =>
    entry('sitemap', `${publicUrl}/sitemaps/${name}.xml`, changedAt),
  )
  return keepDocument(`${HEAD}<sitemapindex ${NAMESPACE}>\n${entries.join('')}</sitemapindex>\n`, XML)
}

async function* fileText(
  addresses: AsyncIterable<readonly { path: string; at: Date | null }[]>,
  publicUrl: string,
): AsyncGenerator<string> {
  yield `${HEAD}<urlset ${NAMESPACE}>\n`
  for await (const some of addresses) {
    await takeTurn()
    if (some.length > 0) yield some.map(({ path, at }) => entry('url', publicUrl + path, at)).join('')
  }
  yield '</urlset>\n'
}

function entry(element: 'sitemap' | 'url', address: string, at: Date | null): string {
  const changed = at === null ? '' : `<lastmod>${at.toISOString()}</lastmod>`
  return `<${element}><loc>${xmlText(address)}</loc>${changed}</${element}>\n`
}
