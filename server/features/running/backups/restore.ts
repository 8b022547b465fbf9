import { dirname } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { type EntryOf, readArchive } from '#server/platform/backup/archive.ts'
import type { Passphrase } from '#server/platform/backup/sealed.ts'
import { loadTables } from '#server/platform/backup/tables.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { migrate } from '#server/platform/database/migrations.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { allSettledOrThrow } from '#server/platform/processes/concurrency.ts'
import { LEFT_OUT } from './backups.ts'
import { FileCopies } from './file-copies.ts'

export type ArchiveToRead = { readonly archive: string; readonly passphrase: Passphrase }

/** What an archive contains; every byte of it and, unless only listed, of its files was checked. */
export type CheckedBackup = {
  readonly about: EntryOf<'backup'>
  readonly tables: readonly EntryOf<'rows'>[]
  readonly rows: number
  readonly files: number
}

type ArchivedFile = EntryOf<'file'>
/** Undefined content: the file was not copied, but stayed in its bucket. */
type WithFile = (file: ArchivedFile, read: (() => Promise<Buffer>) | undefined) => Promise<void>

// Files are small: each waits for the disk or the bucket.
const FILES_AT_ONCE = 8

/**
 * Reads a backup to its end, checks it and passes on its files.
 * @throws Refusal if anything is missing or was changed, or the passphrase is another
 */
async function readBackup(
  { archive, passphrase }: ArchiveToRead,
  withFile: WithFile,
): Promise<CheckedBackup> {
  const about = await readAbout({ archive, passphrase })
  const copies =
    about.filesIn === null ? undefined : FileCopies.forReading(dirname(archive), about.filesIn, passphrase)
  const tables: EntryOf<'rows'>[] = []
  let files = 0
  let running: Promise<void>[] = []
  for await (const item of readArchive(archive, passphrase)) {
    if (Buffer.isBuffer(item)) continue
    if (item.kind === 'rows') tables.push(item)
    if (item.kind !== 'file') continue
    files += 1
    const passed = withFile(item, copies && (() => copies.read(item.key)))
    // Thrown below, once the concurrent ones have ended.
    passed.catch(() => undefined)
    running.push(passed)
    if (running.length < FILES_AT_ONCE) continue
    await allSettledOrThrow(running)
    running = []
  }
  await allSettledOrThrow(running)
  return { about, tables, rows: tables.reduce((sum, { rows }) => sum + rows, 0), files }
}

/** Reads every byte of a backup and its files. @throws Refusal where one was changed or is missing */
export function verifyBackup(from: ArchiveToRead): Promise<CheckedBackup> {
  return readBackup(from, async ({ key, bytes }, read) => {
    const content = await read?.()
    if (content && content.length !== bytes) throw new Refusal(`The copy of ${key} has a different length.`)
  })
}

export type RestoreDeps = {
  readonly directUrl: string
  readonly pool: pg.Pool
  readonly files: FileStore
  readonly endTokens: boolean
  /** Makes the tables of test payments, which no migration makes. */
  readonly makeTestPayments: () => Promise<void>
  readonly report: (line: string) => void
}

export type Restored = CheckedBackup & {
  /** Files of a backup without copies that the bucket lacks. */
  readonly missing: readonly string[]
  readonly tokens: number
}

/**
 * Puts a backup into an empty installation: first its files, of which those already there are skipped, then all rows in one
 * transaction. After a break it can be run again.
 * @throws Refusal if the installation is not empty or in use, or the backup is damaged or of another version
 */
export async function restoreBackup(deps: RestoreDeps, from: ArchiveToRead): Promise<Restored> {
  const client = new pg.Client({
    connectionString: deps.directUrl,
    application_name: 'restore',
    keepAlive: true,
  })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await requireEmpty(client)
    await takeVersionOf(client, deps.pool, from)
    const missing: string[] = []
    const checked = await readBackup(from, async (file, read) => {
      if ((await deps.files.find(file.key))?.bytes === file.bytes) return
      if (read) await deps.files.put(file.key, await read())
      else missing.push(file.key)
    })
    deps.report(
      `The backup is complete. Files in place: ${checked.files.toLocaleString('en-US')}. Now the ${checked.rows.toLocaleString('en-US')} rows.`,
    )
    await fitTestPayments(client, checked, deps)
    const tokens = await load(client, { ...deps, from, checked })
    return { ...checked, missing, tokens }
  } finally {
    await client.end()
  }
}

/** The simulator makes its tables when it starts: here they are made or dropped, as the archive has them. */
async function fitTestPayments(
  client: pg.Client,
  { tables }: CheckedBackup,
  { makeTestPayments }: RestoreDeps,
): Promise<void> {
  await client.query('drop schema if exists stripe_simulator cascade')
  if (tables.some(({ table }) => table.name.startsWith('stripe_simulator.'))) await makeTestPayments()
}

async function load(
  client: pg.Client,
  { from, checked, endTokens }: { from: ArchiveToRead; checked: CheckedBackup; endTokens: boolean },
): Promise<number> {
  // A failure rolls it back by ending the connection, since a COPY in the middle takes no other statement.
  await client.query('begin')
  await requireEmpty(client)
  const items = readArchive(from.archive, from.passphrase)
  await loadTables(client, items, { archived: checked.tables, leftOut: LEFT_OUT })
  if (endTokens) await client.query('delete from api_token')
  const { rows } = await client.query<{ tokens: number }>('select count(*)::int as tokens from api_token')
  await client.query('commit')
  // Without statistics the first searches would read whole tables.
  await client.query('vacuum (analyze)')
  return rows[0]?.tokens ?? 0
}

/** Nobody has an account, and no other process is at work here. */
async function requireEmpty(client: pg.Client): Promise<void> {
  const { rows: others } = await client.query<{ name: string }>(`
    select distinct coalesce(nullif(application_name, ''), 'another program') as name from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
      and application_name <> 'restore'`)
  if (others.length > 0) {
    const names = others.map(({ name }) => name).join(', ')
    throw new Refusal(`Stop PartHarbor before a restore. Connected to the database: ${names}.`)
  }
  const { rows } = await client.query<{ isNew: boolean }>(`select to_regclass('app_user') is null as "isNew"`)
  if (rows[0]?.isNew) return
  const { rows: found } = await client.query<{ users: number; listings: number }>(`
    select (select count(*) from app_user)::int as users, (select count(*) from listing)::int as listings`)
  const { users = 0, listings = 0 } = found[0] ?? {}
  if (users + listings > 0) {
    throw new Refusal(
      `This installation is not empty: it has ${users} accounts and ${listings} listings, which a restore would replace. ` +
        'Set another DATA_DIR, or a DATABASE_URL of an empty database.',
    )
  }
}

/** Migrates the empty database to the version of the backup. */
async function takeVersionOf(client: pg.Client, pool: pg.Pool, from: ArchiveToRead): Promise<void> {
  const { migrations } = await readAbout(from)
  await migrate(pool, undefined, migrations.at(-1)?.name ?? '')
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from schema_migration order by name',
  )
  const differing = migrations.find(
    ({ name, sha256 }, at) => rows[at]?.name !== name || rows[at].sha256 !== sha256,
  )
  if (!differing) return
  throw new Refusal(
    `The backup was made by another version of the program, with the migration ${differing.name}. Restore it with that ` +
      'version or a newer one.',
  )
}

async function readAbout({ archive, passphrase }: ArchiveToRead): Promise<EntryOf<'backup'>> {
  for await (const item of readArchive(archive, passphrase)) {
    if (!Buffer.isBuffer(item) && item.kind === 'backup') return item
  }
  throw new Refusal('The archive does not describe its contents.')
}

/** In the audit log of the restored installation. */
export async function recordRestore(db: Db, { about, rows, files }: CheckedBackup): Promise<void> {
  // The backup has the partitions of its own months.
  await sql`select ensure_month_partitions()`.execute(db)
  await writeAudit(db, { action: 'backup-restored', detail: { madeAt: about.madeAt, rows, files } })
}
