import type { FastifyInstance } from 'fastify'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { otherRoute } from '#server/platform/http/openapi.ts'
import { listOutbox } from './mail.ts'
import { isOurName, renderOutbox } from './outbox-page.ts'

const NEWEST = 100

type Deps = { db: Db; publicUrl: string }

/** `/dev/outbox`: every mail, for people as a page and for programs (`Accept: application/json`). Demo mode only. */
export function serveOutbox(app: FastifyInstance, { db, publicUrl }: Deps): void {
  app.route({
    ...otherRoute('outbox'),
    handler: async (request, reply) => {
      // The header itself: what a proxy forwards in its place may be a page's own word.
      if (!isOurName(request.headers.host, publicUrl)) {
        throw new AppError(
          'NOT_ALLOWED',
          'The outbox opens at localhost or at the address in PUBLIC_URL only.',
        )
      }
      const mails = await listOutbox(db, NEWEST)
      reply.header('cache-control', 'no-store')
      if (request.headers.accept?.includes('application/json')) return reply.send({ items: mails })
      return reply.type('text/html; charset=utf-8').send(renderOutbox(mails))
    },
  })
}
