import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { otherRoute } from './openapi.ts'

const YEAR_SECONDS = 31_536_000
// Other routes, and names with an extension: an unknown one of these is a 404 and not a page.
const NO_PAGE = /\/\.|^\/(api|assets|dev|metrics|healthz|readyz)(\/|$)|\.\w{1,5}$/

export type WebApp = {
  /** Whether the single-page app handles this path. */
  isPage(path: string): boolean
  sendPage(reply: FastifyReply): Promise<FastifyReply>
}

/** Serves the files of the built web app. The not-found handler in `catchErrors` sends its page. */
export async function serveWebApp(
  app: FastifyInstance,
  options: { webDir: string; productName: string },
): Promise<WebApp> {
  const { webDir, productName } = options
  const pageFile = join(webDir, 'index.html')
  await app.register(fastifyStatic, {
    root: webDir,
    index: false,
    preCompressed: true,
    dotfiles: 'ignore',
    cacheControl: false,
    setHeaders: (reply, path) => {
      // Vite hashes the names in assets; all other files may change with a release.
      const isHashed = path.startsWith(join(webDir, 'assets'))
      reply.header('cache-control', isHashed ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache')
    },
  })
  const sendPage = async (reply: FastifyReply) => {
    // Not cached: it is small, and a rebuilt app needs no restart.
    const page = await readFile(pageFile, 'utf8')
    reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8')
    return reply.send(withProductName(page, productName))
  }
  const isPage = (path: string) => !NO_PAGE.test(path) && existsSync(pageFile)
  // fastifyStatic would reject the root as a folder.
  app.route({
    ...otherRoute('homePage'),
    handler: (_request, reply) => (isPage('/') ? sendPage(reply) : reply.callNotFound()),
  })
  return { isPage, sendPage }
}

/** Puts the product's name into the page, so that tabs and search engines see it without scripts. */
function withProductName(page: string, name: string): string {
  const safe = name.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
  return page
    .replace(/<title>[^<]*<\/title>/, () => `<title>${safe}</title>`)
    .replace(/(<meta name="application-name" content=")[^"]*/, (_all, start: string) => start + safe)
}
