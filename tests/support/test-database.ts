import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { inject } from 'vitest'
import { TEMPLATE } from './template-database.ts'

export interface TestDatabase {
  /** The owner's connection string, as the program itself gets it. */
  url: string
  /** The same through PgBouncer, if the run has one. */
  pooledUrl: string | undefined
  /** Fails when somebody still holds a connection: what leaks in a test leaks in production. */
  drop(): Promise<void>
}

// A closed connection's process needs a moment to leave the server.
const LEAK_AFTER_MS = 2_000

/** A database of one's own with the whole schema and the lookups in it, in about 25 ms. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = inject('testServer')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  // Copying files beats writing a log of every page for a small template, and fsync is off anyway.
  await onServer(`create database ${name} owner partharbor template ${TEMPLATE} strategy file_copy`)
  return {
    url: `${server.ownerUrl}${name}`,
    pooledUrl: server.pooledUrl && `${server.pooledUrl}${name}`,
    drop: async () => {
      // PgBouncer keeps connections for the next ones who ask.
      if (server.pooledUrl) return void (await onServer(`drop database ${name} with (force)`))
      const held = await connectionsHeld(name)
      if (held.length > 0) throw new Error(`Connections were left open:\n${held.join('\n')}`)
      await onServer(`drop database ${name}`)
    },
  }
}

async function connectionsHeld(database: string): Promise<string[]> {
  const deadline = Date.now() + LEAK_AFTER_MS
  for (;;) {
    const rows = await onServer<{ held: string }>(
      `select format('%s: %s', application_name, left(query, 200)) as held
       from pg_stat_activity where datname = '${database}'`,
    )
    if (rows.length === 0 || Date.now() > deadline) return rows.map(({ held }) => held)
    await sleep(20)
  }
}

let administrator: pg.Pool | undefined

async function onServer<Row extends pg.QueryResultRow>(statement: string): Promise<Row[]> {
  administrator ??= openAdministrator()
  return (await administrator.query<Row>(statement)).rows
}

/** One connection for all files of a worker. It ends with the server or with the worker, whichever is first. */
function openAdministrator(): pg.Pool {
  const connectionString = `${inject('testServer').superuserUrl}postgres`
  const pool = new pg.Pool({
    connectionString,
    max: 1,
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
    // The system copies the template, without a detour of its bytes through the server.
    options: '-c file_copy_method=clone',
  })
  pool.on('error', () => undefined)
  return pool
}
