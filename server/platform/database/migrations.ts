import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { Refusal } from '#server/platform/errors.ts'

type Migration = { readonly name: string; readonly sha256: string; readonly sql: string }

const MIGRATIONS_DIR = join(import.meta.dirname, '../../../db/migrations')
const MIGRATION_NAME = /^\d{4}_[a-z0-9_]+\.sql$/

// uuidv7(), virtual columns and `returning old.*` are used by the schema and came with 18.
const OLDEST_SERVER = 18

// Any number will do, but it must never change: it is what keeps two processes from migrating at once (D22).
const MIGRATION_LOCK = 7_214_120_001

/**
 * Brings the database to this code's schema and answers the names of the files that were applied now. Every file runs
 * in one transaction with its row in `schema_migration`; the whole under a session lock, so a second process waits and
 * then finds nothing to do. Throws a Refusal where the database is not one that this code can own.
 */
export async function migrate(pool: pg.Pool, dir: string = MIGRATIONS_DIR): Promise<string[]> {
  const migrations = await readMigrations(dir)
  return withMigrator(pool, async (client) => {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    try {
      await client.query(`create table if not exists schema_migration (
        name text collate "C" primary key,
        sha256 text not null,
        applied_at timestamptz(3) not null default now()
      )`)
      const pending = pendingMigrations(migrations, await appliedMigrations(client))
      for (const migration of pending) await applyMigration(client, migration)
      return pending.map((migration) => migration.name)
    } finally {
      await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK])
    }
  })
}

/** Throws a Refusal unless the database has exactly this code's schema: what `api` and `worker` ask before serving. */
export async function checkSchema(pool: pg.Pool, dir: string = MIGRATIONS_DIR): Promise<void> {
  const migrations = await readMigrations(dir)
  const applied = await withMigrator(pool, async (client) => {
    const found = await client.query<{ there: boolean }>(
      `select to_regclass('schema_migration') is not null as there`,
    )
    return found.rows[0]?.there ? appliedMigrations(client) : []
  })
  const pending = pendingMigrations(migrations, applied)
  if (pending.length > 0) {
    throw new Refusal(
      `The database is ${pending.length} migration(s) behind this version of the program. ` +
        'Run "npm run partharbor migrate" first.',
    )
  }
}

async function readMigrations(dir: string): Promise<Migration[]> {
  const names = (await readdir(dir)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      if (!MIGRATION_NAME.test(name))
        throw new Error(`Migration ${name} must be named like 0001_what_it_does.sql`)
      // A checkout on Windows may turn line ends; that is not another migration.
      const sql = (await readFile(join(dir, name), 'utf8')).replaceAll('\r\n', '\n')
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/**
 * A connection of its own, outside the pool: its lock and settings must end with it, and building an index on a grown
 * table may take longer than any request may, so it has no timeouts.
 */
async function withMigrator<T>(pool: pg.Pool, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    ...pool.options,
    statement_timeout: 0,
    query_timeout: 0,
    idle_in_transaction_session_timeout: 0,
  })
  // A lost connection also fails the query that runs; without a listener it would end the process before that.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await requireServerVersion(client)
    return await work(client)
  } finally {
    await client.end()
  }
}

async function requireServerVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: number; name: string }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as name`,
  )
  const server = rows[0]
  if (server && server.number < OLDEST_SERVER * 10_000) {
    throw new Refusal(
      `PartHarbor needs PostgreSQL ${OLDEST_SERVER} or newer; the server of DATABASE_URL is ${server.name}.`,
    )
  }
}

type Applied = { readonly name: string; readonly sha256: string }

async function appliedMigrations(client: pg.Client): Promise<Applied[]> {
  return (await client.query<Applied>('select name, sha256 from schema_migration order by name')).rows
}

/** What is still to be applied, in order; refuses a history that is not a beginning of this code's own. */
function pendingMigrations(known: readonly Migration[], applied: readonly Applied[]): Migration[] {
  const byName = new Map(known.map((migration) => [migration.name, migration]))
  for (const row of applied) {
    const migration = byName.get(row.name)
    if (!migration) {
      throw new Refusal(
        `This database was made by a newer version of the program: it has the migration ${row.name}, which this ` +
          'version does not know. Update the program, or use another database.',
      )
    }
    if (migration.sha256 !== row.sha256) {
      throw new Refusal(
        `The migration ${row.name} was changed after it had been applied to this database. ` +
          'Restore the file and write the change as a new migration.',
      )
    }
  }
  const done = new Set(applied.map((row) => row.name))
  const last = applied.at(-1)?.name ?? ''
  const pending = known.filter((migration) => !done.has(migration.name))
  const late = pending.find((migration) => migration.name < last)
  if (late) {
    throw new Refusal(
      `The migration ${late.name} comes before ${last}, which this database already has. Give it a higher number.`,
    )
  }
  return pending
}

async function applyMigration(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(migration.sql)
    await client.query('insert into schema_migration (name, sha256) values ($1, $2)', [
      migration.name,
      migration.sha256,
    ])
    await client.query('commit')
  } catch (error) {
    // The connection may be what failed; the server rolls back by itself then.
    await client.query('rollback').catch(() => undefined)
    const reason = error instanceof Error ? error.message : String(error)
    throw new Refusal(`The migration ${migration.name} failed and was rolled back: ${reason}.`, {
      cause: error,
    })
  }
}
