import type { FastifyInstance } from 'fastify'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { otherRoute } from '#server/platform/http/openapi.ts'
import { listOutbox } from './mail.ts'
import { isOurName, renderOutbox } from './outbox-page.ts'

const NEWEST = 100

type Deps = { db: Db; publicUrl: string }

/** `/dev/outbox`: recent mail as a page, or as JSON with `Accept: application/json`. Demo mode only. */
export function serveOutbox(app: FastifyInstance, { db, publicUrl }: Deps): void {
  app.route({
    ...otherRoute('outbox'),
    handler: async (request, reply) => {
      // The header itself, because a forwarded host could be set by a page.
      if (!isOurName(request.headers.host, publicUrl)) {
        throw new AppError('NOT_ALLOWED', 'Open the outbox at localhost or at the address in PUBLIC_URL.')
      }
      const mails = await listOutbox(db, NEWEST)
      reply.header('cache-control', 'no-store')
      if (request.headers.accept?.includes('application/json')) return reply.send({ items: mails })
      return reply.type('text/html; charset=utf-8').send(renderOutbox(mails, publicUrl))
    },
  })
}
