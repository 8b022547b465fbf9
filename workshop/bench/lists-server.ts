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
import { bareRender } from './bare-render.ts'
import { replyTo } from './programs.ts'

export type Statement = { name?: string; text: string; values: unknown[] }
/**
 * Of the routes beside: the statements of each of its pages in turn, the bytes of a bare reply, and a page with cards to render.
 */
export type BarePage = { name: string; bytes: number; runs: Statement[][]; html?: string }
/** With pages it serves the routes beside, otherwise the app. The reply is its port. */
export type ServerOrder = { databaseUrl: string; dataDir: string; pages?: BarePage[] }
/** Asks the app that runs for these pages and returns the statements that it ran for each. */
type RecordOrder = { port: number; record: string[] }
/** Asks for the processor time of the process so far, in milliseconds. */
type TimeOrder = { spent: true }
/** Asks for the bytes of the heap in use, without garbage (with --expose-gc). */
type HeapOrder = { heap: true }

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
  for (const { name, bytes, runs, html } of pages) {
    let turn = 0
    const runNext = async () => {
      const found = []
      for (const statement of runs[turn++ % runs.length] ?? []) {
        const { rows } = await pool.query(statement)
        found.push(rows)
      }
      return found
    }
    if (html !== undefined) {
      const render = await bareRender(html)
      app.get(`/render/${name}`, (_request, reply) => reply.type('text/html; charset=utf-8').send(render()))
      app.get(`/both/${name}`, async (_request, reply) => {
        await runNext()
        return reply.type('text/html; charset=utf-8').send(render())
      })
    }
    const fixed = JSON.stringify('x'.repeat(Math.max(0, bytes - 2)))
    app.get(`/bare/${name}`, (_request, reply) => reply.type('application/json; charset=utf-8').send(fixed))
    app.get(`/statement/${name}`, async (_request, reply) =>
      reply.type('application/json; charset=utf-8').send(JSON.stringify(await runNext())),
    )
  }
  return portOf(await app.listen({ port: 0, host: '127.0.0.1' }))
}

const portOf = (address: string) => Number(new URL(address).port)

/** The statements that run while `recording`, of all connections of this process. */
let recording: Statement[] | undefined
const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
pg.Client.prototype.query = function recorded(this: pg.Client, ...args: unknown[]) {
  const [statement, values] = args as [string | Statement, unknown[] | undefined]
  if (typeof statement === 'string') recording?.push({ text: statement, values: values ?? [] })
  else if (recording && typeof statement.text === 'string') {
    const { name, text, values: its } = statement
    recording.push({ ...(name && { name }), text, values: its ?? [] })
  }
  return query.apply(this, args)
} as typeof pg.Client.prototype.query

async function recordStatements({ port, record }: RecordOrder): Promise<Statement[][]> {
  const runs: Statement[][] = []
  for (const path of record) {
    recording = []
    await (
      await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'accept-encoding': 'identity' } })
    ).arrayBuffer()
    runs.push(recording)
  }
  recording = undefined
  return runs
}

async function processorTime(): Promise<number> {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

async function heapInUse(): Promise<number> {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

replyTo((order: ServerOrder | RecordOrder | TimeOrder | HeapOrder): Promise<unknown> => {
  if ('spent' in order) return processorTime()
  if ('heap' in order) return heapInUse()
  if ('record' in order) return recordStatements(order)
  return order.pages ? serveBeside(order.databaseUrl, order.pages) : serveApp(order)
})
