import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { loadTradeWords } from '#server/features/finding/vocabulary/load-words.ts'
import { loadLookups } from '#server/features/market/lookups/load-lookups.ts'
import { JOB_QUEUES } from '#server/job-queues.ts'
import { type Database, openDatabase } from '#server/platform/database/database.ts'
import { migrate } from '#server/platform/database/migrations.ts'
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '#server/platform/embedded-postgres/embedded-postgres.ts'
import { prepareJobQueues } from '#server/platform/jobs/deliveries.ts'
import { findPrograms, pooler } from './fleet-programs.ts'

/** Where a test file finds its server; connection strings without a database name. */
interface TestServer {
  superuserUrl: string
  ownerUrl: string
  /** Through PgBouncer, where the run is to show that nothing needs a connection of its own (`npm run chaos -- pooled`). */
  pooledUrl: string | undefined
}

declare module 'vitest' {
  interface ProvidedContext {
    testServer: TestServer
  }
}

export const TEMPLATE = 'template_of_tests'

/**
 * One PostgreSQL for the whole run, with one database, migrated and with the lookups, that every test file gets a copy
 * of. A copy that is still there at the end was leaked by a test, and fails the run.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'partharbor-tests-'))
  const removeFolder = () => rm(folder, { recursive: true, force: true })
  const postgres = await startWithTemplate(join(folder, 'postgres')).catch(async (error: unknown) => {
    await removeFolder()
    throw error
  })
  const bouncer = process.env.CHAOS === 'pooled' ? await startPooler(folder, postgres) : undefined
  project.provide('testServer', {
    superuserUrl: postgres.url('superuser', ''),
    ownerUrl: postgres.url('owner', ''),
    pooledUrl: bouncer?.url,
  })
  return async () => {
    await bouncer?.close()
    const leaked = await databasesLeft(postgres).finally(() => postgres.stop().finally(removeFolder))
    if (leaked.length > 0) throw new Error(`Test files left their databases behind: ${leaked.join(', ')}`)
  }
}

/** The same database over TCP, where a password is asked for. */
export function overTcp(url: string): URL {
  const tcp = new URL(url)
  tcp.hostname = '127.0.0.1'
  return tcp
}

async function startPooler(dir: string, postgres: EmbeddedPostgres) {
  const programs = findPrograms()
  if (!programs) throw new Error('PgBouncer is missing: apt-get install haproxy pgbouncer.')
  // It runs as nobody, and writes its log.
  await chmod(dir, 0o777)
  const url = overTcp(postgres.url('owner', ''))
  const bouncer = await pooler(programs.pgbouncer, { dir, url })
  await bouncer.start()
  url.port = String(bouncer.port)
  return { url: url.href, close: () => bouncer.kill('SIGKILL') }
}

async function startWithTemplate(dir: string): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dir, fast: true, socket: true })
  try {
    await asSuperuser(postgres, (client) => client.query(`create database ${TEMPLATE} owner partharbor`))
    const database = openDatabase(postgres.url('owner', TEMPLATE), { max: 2, applicationName: 'template' })
    await fill(database).finally(database.close)
    return postgres
  } catch (error) {
    await postgres.stop()
    throw error
  }
}

async function fill({ pool, db }: Database): Promise<void> {
  await migrate(pool)
  await prepareJobQueues(pool, JOB_QUEUES)
  await loadLookups(db)
  await loadTradeWords(db)
}

async function databasesLeft(postgres: EmbeddedPostgres): Promise<string[]> {
  const { rows } = await asSuperuser(postgres, (client) =>
    client.query<{ datname: string }>(`select datname from pg_database where datname like 'test\\_%'`),
  )
  return rows.map(({ datname }) => datname)
}

async function asSuperuser<T>(
  postgres: EmbeddedPostgres,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: postgres.url('superuser', 'postgres') })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
