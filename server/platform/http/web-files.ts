import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { otherRoute } from './openapi.ts'

const YEAR_SECONDS = 31_536_000
// Served by others, or files: an unknown one of these is missing and not a page.
const NO_PAGE = /\/\.|^\/(api|assets|dev|metrics|healthz|readyz)(\/|$)|\.\w{1,5}$/

export type WebApp = {
  /** Whether the app's one page is the answer at this path, since the app routes itself. */
  isPage(path: string): boolean
  sendPage(reply: FastifyReply): Promise<FastifyReply>
}

/** Serves the files of the built web app; its page is sent by whoever finds no other answer (see `catchErrors`). */
export async function serveWebApp(
  app: FastifyInstance,
  options: { webDir: string; productName: string },
): Promise<WebApp> {
  const { webDir, productName } = options
  const pageFile = join(webDir, 'index.html')
  await app.register(fastifyStatic, {
    root: webDir,
    index: false,
    dotfiles: 'ignore',
    cacheControl: false,
    setHeaders: (reply, path) => {
      // Vite puts the content's hash into the names below assets; everything else may change with a release.
      const isHashed = path.startsWith(join(webDir, 'assets'))
      reply.header('cache-control', isHashed ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache')
    },
  })
  const sendPage = async (reply: FastifyReply) => {
    // Read anew each time: small, and a rebuilt app is there without a restart.
    const page = await readFile(pageFile, 'utf8')
    reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8')
    return reply.send(withProductName(page, productName))
  }
  const isPage = (path: string) => !NO_PAGE.test(path) && existsSync(pageFile)
  // The files' own route would take the root for a folder and refuse it.
  app.route({
    ...otherRoute('homePage'),
    handler: (_request, reply) => (isPage('/') ? sendPage(reply) : reply.callNotFound()),
  })
  return { isPage, sendPage }
}

/** Puts the product's name where the page has ours, so that a tab and a search engine see the right one at once. */
function withProductName(page: string, name: string): string {
  const safe = name.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
  return page
    .replace(/<title>[^<]*<\/title>/, () => `<title>${safe}</title>`)
    .replace(/(<meta name="application-name" content=")[^"]*/, (_all, start: string) => start + safe)
}
