/*
 * What the benchmarks of lists and admin pages request: the program's own app, as `api` runs it, or beside it bare routes on
 * the same Fastify. One process each.
 */
import fastify from 'fastify'
import pg from 'pg'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { openFileStore } from '#server/platform/files/open-file-store.ts'
import { limits } from '#server/platform/http/limits/rate-limits.ts'
import { openLog } from '#server/platform/log.ts'
import { replyTo } from './programs.ts'

/** Of the routes beside: the statement of each, its parameters for each run in turn, and the bytes of a bare reply. */
export type BarePage = { name: string; bytes: number; statement: string; values: string[][] }
/** With pages it serves the routes beside, otherwise the app. The reply is its port. */
export type ServerOrder = { databaseUrl: string; dataDir: string; pages?: BarePage[] }

// As many connections as `api` has.
const POOL_SIZE = 20

async function serveApp({ databaseUrl, dataDir }: ServerOrder): Promise<number> {
  // One client requests more in a second than a person in an hour.
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

async function serveBeside(databaseUrl: string, pages: BarePage[]): Promise<number> {
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

replyTo(async (order: ServerOrder) =>
  order.pages ? serveBeside(order.databaseUrl, order.pages) : serveApp(order),
)
