import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Config } from '#server/config.ts'
import { findMissingPictures } from '#server/features/market/pictures/sweep-pictures.ts'
import { recordBackup, writeBackup } from '#server/features/running/backups/backups.ts'
import { listBackups } from '#server/features/running/backups/kept-backups.ts'
import {
  type ArchiveToRead,
  recordRestore,
  restoreBackup,
  verifyBackup,
} from '#server/features/running/backups/restore.ts'
import { Passphrase } from '#server/platform/backup/sealed.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/errors.ts'
import { isMissingFile } from '#server/platform/files/file-store.ts'
import { openFileStore } from '#server/platform/files/open-file-store.ts'
import type { Log } from '#server/platform/log.ts'
import { requireCurrentSchema, requireDatabaseUrl, withDatabase } from './database-of.ts'
import { migrateDatabase } from './migrate.ts'
import { makeTestPayments } from './simulator.ts'
import { readArguments } from './usage.ts'

const inWords = (count: number) => count.toLocaleString('en-US')
/** Such as “Nov 29, 2026, 01:39 UTC”. */
const minuteInWords = (at: string) =>
  `${new Date(at).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23', timeZone: 'UTC' })} UTC`

const directUrlOf = (config: Config) => config.databaseDirectUrl ?? requireDatabaseUrl(config)

/** Writes a backup into BACKUP_DIR or `--to`, while the system is running. */
export async function backup(config: Config, log: Log, args: readonly string[]): Promise<void> {
  const { to } = readArguments('backup', args)
  const place = {
    ...config.backup,
    dir: to ? resolve(to) : config.backup.dir,
    passphrase: requirePassphrase(config),
  }
  await withDatabase(config, log, async (served) => {
    await requireCurrentSchema(served)
    const made = await writeBackup(
      {
        directUrl: directUrlOf(served),
        files: await openFileStore(served.storage),
        filesAreInBucket: served.storage.kind === 's3',
        now: () => new Date(),
        signal: new AbortController().signal,
        report: (line) => console.log(line),
      },
      place,
    )
    const database = openDatabase(requireDatabaseUrl(served), { max: 1, applicationName: 'backup', log })
    await recordBackup(database.db, made).finally(database.close)
    console.log(
      `${made.archive}\n${made.tables} tables, ${inWords(made.rows)} rows, ${inWords(made.bytes)} bytes; ` +
        `${inWords(made.files)} files, ${inWords(made.copied)} of them new; ${made.seconds} s. ` +
        `Expired backups removed: ${made.removed}.`,
    )
    if (served.storage.kind === 's3') {
      console.log('The files are in their bucket: this backup only lists them. Turn on versioning there.')
    }
  })
}

/** Verifies a backup to its last byte, without a database. */
export async function backupVerify(config: Config, _log: Log, args: readonly string[]): Promise<void> {
  const { from } = readArguments('backup verify', args)
  const chosen = await chooseArchive(config, from)
  const { about, tables, rows, files } = await verifyBackup(chosen)
  console.log(
    `The backup of ${minuteInWords(about.madeAt)} is complete: ${tables.length} tables, ${inWords(rows)} rows, ${inWords(files)} files.`,
  )
}

/** Restores a backup into an empty installation and signs everyone out. */
export async function restore(config: Config, log: Log, args: readonly string[]): Promise<void> {
  const options = readArguments('restore', args)
  const chosen = await chooseArchive(config, options.from)
  await withDatabase(config, log, async (served) => {
    const files = await openFileStore(served.storage)
    const directUrl = directUrlOf(served)
    const database = openDatabase(directUrl, { max: 1, applicationName: 'restore', log })
    try {
      const restored = await restoreBackup(
        {
          directUrl,
          pool: database.pool,
          files,
          endTokens: options['end-tokens'],
          makeTestPayments: () => makeTestPayments(database.pool),
          report: (line) => console.log(line),
        },
        chosen,
      )
      await migrateDatabase(served, log)
      await recordRestore(database.db, restored)
      for (const key of restored.missing) console.log(`${key} is missing from the bucket`)
      let pictures = 0
      for await (const { key } of findMissingPictures(database.db, files)) {
        pictures += 1
        console.log(`${key}  is missing`)
      }
      console.log(
        `Restored to ${minuteInWords(restored.about.madeAt)}. All ${restored.tables.length} tables match the backup ` +
          `(${inWords(restored.rows)} rows, ${inWords(restored.files)} files). Everyone is signed out. API tokens that work: ${restored.tokens}.`,
      )
      if (restored.missing.length + pictures > 0) {
        throw new Refusal(`Missing files: ${restored.missing.length + pictures}.`)
      }
    } finally {
      await database.close()
    }
  })
}

function requirePassphrase({ backup: { passphrase } }: Config): string {
  if (passphrase) return passphrase
  throw new Refusal(
    'BACKUP_PASSPHRASE must be set: a backup is encrypted. Keep a copy of it elsewhere: without it, no backup can be opened.',
  )
}

/** The file, or the newest backup of the folder. */
async function chooseArchive(config: Config, from: string | undefined): Promise<ArchiveToRead> {
  const passphrase = new Passphrase(requirePassphrase(config))
  const path = from ? resolve(from) : config.backup.dir
  const found = await stat(path).catch((error: unknown) => {
    if (isMissingFile(error)) return undefined
    throw error
  })
  if (found?.isFile()) return { archive: path, passphrase }
  const [newest] = await listBackups(path)
  if (newest) return { archive: newest.path, passphrase }
  throw new Refusal(`There is no backup in ${path}. Name its file or its folder with --from.`)
}
