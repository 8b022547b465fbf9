import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { Refusal } from '#server/platform/errors.ts'

type Migration = {
  readonly name: string
  readonly sha256: string
  /** The oldest version of the program that works with it, by the number of that version's last migration. */
  readonly worksWith: string
  readonly sql: string
}

const MIGRATIONS_DIR = join(import.meta.dirname, '../../../db/migrations')
const DATA_DIR = join(import.meta.dirname, '../../../db/data')
const MIGRATION_NAME = /^\d{4}_[a-z0-9_]+\.sql$/

/**
 * Marks a migration that removes something older versions use, with the first migration whose code does not need it.
 */
const CONTRACT_MARK = /^-- contract since (\d{4})\b/m

/** First line of a migration that must not run in a transaction, such as a concurrent index build. */
const OUTSIDE_MARK = '-- outside a transaction'

// The schema uses uuidv7(), virtual columns and `returning old.*`, all new in 18.
const OLDEST_SERVER = 18

// An arbitrary number that must never change: it keeps two processes from migrating at once.
const MIGRATION_LOCK = 7_214_120_001

/**
 * Applies pending migrations, up to `last` if given, and returns their names. Each file runs in one transaction with
 * its row in `schema_migration`. A session lock covers them all, so a second process waits and then finds nothing to
 * do.
 * @throws Refusal if this code cannot use the database
 */
export async function migrate(pool: pg.Pool, dir: string = MIGRATIONS_DIR, last?: string): Promise<string[]> {
  const migrations = (await readMigrations(dir)).filter(({ name }) => last === undefined || name <= last)
  return withMigrator(pool, async (client) => {
    await takeLock(client)
    try {
      await client.query(`create table if not exists schema_migration (
        name text collate "C" primary key,
        sha256 text not null,
        applied_at timestamptz(3) not null default now()
      )`)
      await client.query('alter table schema_migration add column if not exists works_with text')
      const pending = pendingMigrations(migrations, await appliedMigrations(client))
      for (const migration of pending) await applyMigration(client, migration)
      return pending.map((migration) => migration.name)
    } finally {
      await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK])
    }
  })
}

const LOCK_POLL_MS = 250

/** Polls, because a statement that waits for the lock would block concurrent index builds. */
async function takeLock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      MIGRATION_LOCK,
    ])
    if (rows[0]?.taken) return
    await sleep(LOCK_POLL_MS)
  }
}

/**
 * Checks the schema before `api` and `worker` start. It may be newer if all newer migrations still work with this
 * version, so that a process can restart during a deployment (decision 55).
 * @throws Refusal if the schema is older, or too new
 */
export async function checkSchema(pool: pg.Pool, dir: string = MIGRATIONS_DIR): Promise<void> {
  const migrations = await readMigrations(dir)
  const applied = await withMigrator(pool, async (client) => {
    const { rows } = await client.query<{ exists: boolean }>(
      `select to_regclass('schema_migration') is not null as exists`,
    )
    return rows[0]?.exists ? appliedMigrations(client) : []
  })
  const last = migrations.at(-1)?.name ?? ''
  const isKnown = new Set(migrations.map(({ name }) => name))
  const runsBeside = ({ name, worksWith }: AppliedMigration) =>
    !isKnown.has(name) && worksWith !== null && last >= worksWith
  const pending = pendingMigrations(
    migrations,
    applied.filter((row) => !runsBeside(row)),
  )
  if (pending.length > 0) {
    throw new Refusal(
      `The database is ${pending.length} ${pending.length === 1 ? 'migration' : 'migrations'} behind this version of the program. ` +
        'Run "npm run partharbor -- migrate" first.',
    )
  }
}

async function readMigrations(dir: string): Promise<Migration[]> {
  const names = (await readdir(dir)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      if (!MIGRATION_NAME.test(name))
        throw new Error(`Migration ${name} must be named like 0001_what_it_does.sql`)
      // A checkout on Windows may convert line endings, which must not change the hash.
      const sql = (await readFile(join(dir, name), 'utf8')).replaceAll('\r\n', '\n')
      const worksWith = CONTRACT_MARK.exec(sql)?.[1] ?? '0001'
      return { name, sql, worksWith, sha256: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/**
 * Uses a separate connection outside the pool, because its lock and settings must end with it. It has no timeouts:
 * building an index on a large table may take longer than any request.
 */
async function withMigrator<T>(pool: pg.Pool, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    ...pool.options,
    statement_timeout: 0,
    query_timeout: 0,
    idle_in_transaction_session_timeout: 0,
  })
  // A lost connection also fails the running query; without a listener it would end the process first.
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
      `DATABASE_URL points to PostgreSQL ${server.name}. PartHarbor needs version ${OLDEST_SERVER} or newer.`,
    )
  }
}

/** Replaces each `:'name.csv'` by the text of that data file, like a psql variable. */
async function withData(text: string): Promise<string> {
  let filled = text
  for (const [placeholder, name = ''] of text.matchAll(/:'([a-z-]+\.csv)'/g)) {
    const data = await readFile(join(DATA_DIR, name), 'utf8')
    filled = filled.replace(placeholder, () => `'${data.replaceAll("'", "''")}'`)
  }
  return filled
}

type AppliedMigration = Pick<Migration, 'name' | 'sha256'> & {
  /** Null if it was applied by a version without this column. */
  readonly worksWith: string | null
}

async function appliedMigrations(client: pg.Client): Promise<AppliedMigration[]> {
  // The column is missing if an older version migrated last.
  const { rows } = await client.query<AppliedMigration>(
    `select name, sha256, to_jsonb(schema_migration) ->> 'works_with' as "worksWith" from schema_migration order by name`,
  )
  return rows
}

/** Returns the migrations still to apply, in order. Refuses a history that differs from this code's. */
function pendingMigrations(known: readonly Migration[], applied: readonly AppliedMigration[]): Migration[] {
  const byName = new Map(known.map((migration) => [migration.name, migration]))
  for (const row of applied) {
    const migration = byName.get(row.name)
    if (!migration) {
      throw new Refusal(
        `A newer version of the program has migrated this database: it has the migration ${row.name}, which this ` +
          'version does not have. Update the program, or use another database.',
      )
    }
    if (migration.sha256 !== row.sha256) {
      throw new Refusal(
        `The migration ${row.name} was changed after it was applied to this database. ` +
          'Restore the file and put the change in a new migration.',
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

// A schema change waits for running statements, and all later statements queue behind it. It gives up after this long
// and retries, so that requests do not time out.
const LOCK_TIMEOUT_MS = 1_500
const LOCK_PAUSE_MS = 1_000
const LOCK_TRIES = 60

const LOCK_NOT_AVAILABLE = '55P03'

async function applyMigration(client: pg.Client, migration: Migration): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      await (migration.sql.startsWith(OUTSIDE_MARK) ? applyOutside : applyInside)(client, migration)
      return
    } catch (error) {
      // If the connection failed, the server rolls back on its own.
      await client.query('rollback').catch(() => undefined)
      const isLocked = error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE
      if (isLocked && tried < LOCK_TRIES) {
        await sleep(LOCK_PAUSE_MS)
        continue
      }
      const reason = error instanceof Error ? error.message : String(error)
      throw new Refusal(`The migration ${migration.name} failed and was rolled back: ${reason}.`, {
        cause: error,
      })
    }
  }
}

async function applyInside(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('begin')
  await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
  await client.query(await withData(migration.sql))
  await recordMigration(client, migration)
  await client.query('commit')
}

/** Runs statement by statement. A run that failed halfway starts over, so each statement must be repeatable. */
async function applyOutside(client: pg.Client, migration: Migration): Promise<void> {
  for (const statement of migration.sql.split(/;\s*(?:\n|$)/)) {
    if (statement.replaceAll(/^--.*$/gm, '').trim() !== '') await client.query(statement)
  }
  await recordMigration(client, migration)
}

async function recordMigration(client: pg.Client, migration: Migration): Promise<void> {
  const { name, sha256, worksWith } = migration
  await client.query('insert into schema_migration (name, sha256, works_with) values ($1, $2, $3)', [
    name,
    sha256,
    worksWith,
  ])
}
