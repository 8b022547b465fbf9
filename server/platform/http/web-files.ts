import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const YEAR_SECONDS = 31_536_000
// Paths of other routes and file names: if unknown, these get a plain 404 and not a page.
const NO_PAGE = /\/\.|^\/(api|assets|dev|metrics|healthz|readyz)(\/|$)|\.\w{1,5}$/

export type WebApp = {
  /** Sends the page at the request's address, or the "not found" page. */
  sendPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
}

/** Whether a path can be a page. */
export const isPagePath = (path: string): boolean => !NO_PAGE.test(path)

/** Serves the files of the built web app; names that begin with a dot are the server's own. */
export async function serveWebFiles(app: FastifyInstance, webDir: string): Promise<void> {
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
}
