import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { ArchiveWriter, type EntryOf } from '#server/platform/backup/archive.ts'
import { takeBackupLock } from '#server/platform/backup/backup-lock.ts'
import { Passphrase } from '#server/platform/backup/sealed.ts'
import { dumpTables, type LeftOut } from '#server/platform/backup/tables.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { diskFailure } from '#server/platform/disk-failure.ts'
import { Refusal } from '#server/platform/errors.ts'
import { type FileStore, inPages } from '#server/platform/files/file-store.ts'
import { allSettledOrThrow } from '#server/platform/processes/concurrency.ts'
import { FileCopies } from './file-copies.ts'
import { archiveName, type KeepRule, removeExpired } from './kept-backups.ts'

/** Tables whose rows are in no backup. Every other table is, whichever migration adds it. */
export const LEFT_OUT: LeftOut = {
  'pgboss.*': 'deliveries of jobs: the worker sends every waiting job again',
  schema_migration: 'written by the migrations that a restore runs first',
  session: 'a restore signs everyone out',
  factor_ticket: 'half a sign-in, good for minutes',
  sign_in_link: 'a mailed link, good for minutes',
  password_reset: 'a mailed link, good for an hour',
  rate_window: "the last hour's calls of each address",
  view_salt: "today's secret that tells visitors apart; it must not outlive the day",
  view_mark: 'who looked at what today, unreadable without that secret',
}

export type BackupLocation = { readonly dir: string; readonly passphrase: string; readonly keep: KeepRule }

export type BackupDeps = {
  /** Bypasses a pooler: a transaction, its snapshot and a lock last as long as the backup. */
  readonly directUrl: string
  readonly files: FileStore
  /** Files in a bucket are listed, not copied. */
  readonly filesAreInBucket: boolean
  readonly now: () => Date
  readonly signal: AbortSignal
  readonly report: (line: string) => Promise<void> | void
}

type BackupMade = {
  readonly archive: string
  readonly bytes: number
  readonly tables: number
  readonly rows: number
  readonly files: number
  /** Files that no earlier backup contains. */
  readonly copied: number
  readonly seconds: number
  readonly removed: number
}

const UNFINISHED = '.unfinished'

/**
 * Writes a backup while the system works: the rows of all tables as of one moment, then the files, then what is too old is
 * deleted. After a break the next backup copies only the files that are still missing.
 * @throws Refusal if another one is being written
 */
export async function writeBackup(
  deps: BackupDeps,
  { dir, passphrase, keep }: BackupLocation,
): Promise<BackupMade> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const client = new pg.Client({
    connectionString: deps.directUrl,
    application_name: 'backup',
    keepAlive: true,
  })
  // The running query fails too; without a listener the process would end first.
  client.on('error', () => undefined)
  await client.connect()
  try {
    if (!(await takeBackupLock(client))) throw new Refusal('A backup is already running.')
    const began = deps.now()
    const copies = deps.filesAreInBucket ? undefined : await FileCopies.forWriting(dir, passphrase)
    const target = join(dir, archiveName(began))
    for (const name of await readdir(dir)) {
      if (name.startsWith('partharbor-') && name.endsWith(UNFINISHED)) await rm(join(dir, name))
    }
    const writer = await ArchiveWriter.create(
      target + UNFINISHED,
      copies?.passphrase ?? new Passphrase(passphrase),
    )
    const written = await fill(writer, { ...deps, client, copies, began }).catch(async (error: unknown) => {
      await writer.abort()
      await rm(target + UNFINISHED, { force: true })
      if (diskFailure(error) !== 'full') throw error
      throw new Refusal(`The disk of ${dir} is full. Make room, or set another BACKUP_DIR.`, { cause: error })
    })
    await rename(target + UNFINISHED, target)
    const removed = await removeExpired(dir, keep)
    return {
      archive: target,
      bytes: (await stat(target)).size,
      ...written,
      seconds: Math.round((deps.now().getTime() - began.getTime()) / 1_000),
      removed: removed.archives,
    }
  } finally {
    await client.end()
  }
}

type Filling = BackupDeps & {
  readonly client: pg.Client
  readonly copies: FileCopies | undefined
  readonly began: Date
}

async function fill(writer: ArchiveWriter, filling: Filling) {
  const { client, copies, began, signal, report } = filling
  await writer.write(await aboutBackup(client, { began, filesIn: copies?.folder ?? null }))
  const made = { tables: 0, rows: 0, files: 0 }
  for await (const item of dumpTables(client, LEFT_OUT)) {
    signal.throwIfAborted()
    await writer.write(item)
    if (Buffer.isBuffer(item) || item.kind !== 'rows') continue
    made.tables += 1
    made.rows += item.rows
  }
  await report(
    `${made.rows.toLocaleString('en-US')} rows of ${made.tables} tables are in the archive. Now the files.`,
  )
  let copied = 0
  // Listed after the rows were read: whatever they refer to is stored before, and not deleted meanwhile.
  for await (const { file, isNew } of copyFiles(filling)) {
    await writer.write({ kind: 'file', key: file.key, bytes: file.bytes })
    made.files += 1
    copied += Number(isNew)
  }
  await writer.write({ kind: 'end', ...made })
  await writer.close()
  return { ...made, copied }
}

async function aboutBackup(
  client: pg.Client,
  { began, filesIn }: { began: Date; filesIn: string | null },
): Promise<EntryOf<'backup'>> {
  const { rows: migrations } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from schema_migration order by name',
  )
  const { rows } = await client.query<{ server: string }>(
    `select current_setting('server_version') as server`,
  )
  const server = rows[0]?.server ?? ''
  return {
    kind: 'backup',
    format: 1,
    madeAt: began.toISOString(),
    server,
    migrations,
    leftOut: LEFT_OUT,
    filesIn,
  }
}

// A copy waits for the disk several times.
const COPIES_AT_ONCE = 8

/** The test file of `/readyz`, which changes. */
const PASSING = /^health\//

async function* copyFiles({ files, copies, began, signal, client }: Filling) {
  for await (const page of inPages(files.listAll(), COPIES_AT_ONCE)) {
    signal.throwIfAborted()
    // If this connection is lost, so is the lock, without which files are deleted before they are copied.
    await client.query('select')
    const stored = page.filter(({ key }) => !PASSING.test(key))
    const kept = await allSettledOrThrow(
      stored.map(async (file) => ({ file, how: await copies?.keep(files, file, began) })),
    )
    for (const { file, how } of kept) if (how !== 'gone') yield { file, isNew: how === 'copied' }
  }
}

const NOTED = 'backup-made'

/** In the audit log, which every machine can read, unlike the folder. */
export async function recordBackup(db: Db, { archive, ...made }: BackupMade): Promise<void> {
  await writeAudit(db, { action: NOTED, target: basename(archive), detail: made })
}

type NotedBackup = {
  readonly name: string
  readonly at: Date
  readonly bytes: number
  readonly rows: number
  readonly files: number
  readonly seconds: number
}

/** The last backup that was finished, by the schedule or by the command. */
export async function findLastBackup(db: Db): Promise<NotedBackup | undefined> {
  const { rows } = await sql<NotedBackup>`
    select target as name, at, (detail->>'bytes')::bigint as bytes, (detail->>'rows')::bigint as rows,
           (detail->>'files')::int as files, (detail->>'seconds')::int as seconds
    from audit_entry where action = ${NOTED} order by at desc limit 1`.execute(db)
  return rows[0]
}
