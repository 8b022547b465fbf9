/*
 * What the benchmark of lists asks: the program's own app, as `api` runs it, or beside it bare routes on the same Fastify.
 * One process each; the parent says which by its first message.
 */
import fastify from 'fastify'
import pg from 'pg'
import { z } from 'zod'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { openFileStore } from '#server/platform/files/open-file-store.ts'
import { limits } from '#server/platform/http/rate-limits.ts'
import { openLog } from '#server/platform/log.ts'

const order = z.object({
  kind: z.enum(['app', 'beside']),
  databaseUrl: z.string(),
  dataDir: z.string(),
  /** For the routes beside: what each answers, and the statement of each. */
  pages: z.array(
    z.object({
      name: z.string(),
      bytes: z.number(),
      statement: z.string(),
      /** Parameters for each run in turn. */
      values: z.array(z.array(z.string())),
    }),
  ),
})
export type ServerOrder = z.infer<typeof order>

// As many connections as `api` has.
const POOL_SIZE = 20

async function serveApp({ databaseUrl, dataDir }: ServerOrder): Promise<number> {
  // One client asks more in a second than a person in an hour.
  limits.read.most = 1_000_000_000
  limits.write.most = 1_000_000
  const config = readConfig({
    APP_MODE: 'demo',
    DEMO_DATA: 'off',
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
  })
  const log = openLog({ role: 'api', level: 'warn' })
  const database = openDatabase(databaseUrl, { max: POOL_SIZE, applicationName: 'api', log })
  const files = await openFileStore(config.storage)
  const app = await buildApp({ config, database, files, log, now: () => new Date() })
  return portOf(await app.listen({ port: 0, host: '127.0.0.1' }))
}

async function serveBeside({ databaseUrl, pages }: ServerOrder): Promise<number> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: POOL_SIZE })
  const app = fastify()
  for (const { name, bytes, statement, values } of pages) {
    const fixed = JSON.stringify('x'.repeat(Math.max(0, bytes - 2)))
    app.get(`/bare/${name}`, (_request, reply) => reply.type('application/json; charset=utf-8').send(fixed))
    let turn = 0
    app.get(`/statement/${name}`, async (_request, reply) => {
      const { rows } = await pool.query({
        name,
        text: statement,
        values: values[turn++ % values.length] ?? [],
      })
      return reply.type('application/json; charset=utf-8').send(JSON.stringify(rows))
    })
  }
  return portOf(await app.listen({ port: 0, host: '127.0.0.1' }))
}

const portOf = (address: string) => Number(new URL(address).port)

process.once('message', (message) => {
  const asked = order.parse(message)
  const serving = asked.kind === 'app' ? serveApp(asked) : serveBeside(asked)
  void serving.then((port) => process.send?.({ port }))
})
process.once('disconnect', () => process.exit())
