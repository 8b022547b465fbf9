import type { FastifyInstance, FastifySchema } from 'fastify'
import type { Db } from '#server/platform/database.ts'
import { renderOutbox } from './outbox-page.ts'
import { listOutbox } from './queries.ts'

const NEWEST = 100

/** `/dev/outbox`: every mail, for people as a page and for programs (`Accept: application/json`). Demo mode only. */
export function serveOutbox(app: FastifyInstance, db: Db): void {
  const schema = { hide: true } as FastifySchema
  app.get('/dev/outbox', { schema }, async (request, reply) => {
    const mails = await listOutbox(db, NEWEST)
    reply.header('cache-control', 'no-store')
    if (request.headers.accept?.includes('application/json')) return reply.send({ items: mails })
    return reply.type('text/html; charset=utf-8').send(renderOutbox(mails))
  })
}
