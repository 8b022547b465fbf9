import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

const YEAR_SECONDS = 31_536_000
// Served by others, or files: an unknown one of these is missing and not a page.
const NO_PAGE = /^\/(api|assets|dev|metrics|healthz|readyz)(\/|$)|\.\w{1,5}$/

/**
 * Serves the files of the built web app. The result tells for which addresses its one page is the answer, since the
 * app routes itself; without a built app there are none.
 */
export async function serveWebApp(app: FastifyInstance, webDir: string): Promise<(path: string) => boolean> {
  if (!existsSync(join(webDir, 'index.html'))) return () => false
  await app.register(fastifyStatic, {
    root: webDir,
    wildcard: false,
    index: false,
    cacheControl: false,
    setHeaders: (reply, path) => {
      // Vite puts the content's hash into the names below assets; everything else may change with a release.
      const isHashed = path.startsWith(join(webDir, 'assets'))
      reply.header('cache-control', isHashed ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache')
    },
  })
  return (path) => !NO_PAGE.test(path)
}
