import { mkdir } from 'node:fs/promises'
import { writeBackup } from '#server/features/running/backups/backups.ts'
import { restoreBackup, verifyBackup } from '#server/features/running/backups/restore.ts'
import { Passphrase } from '#server/platform/backup/sealed.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { openFileStore } from '#server/platform/files/open-file-store.ts'
import { createTables } from '#server/simulator/store.ts'
import { printTook } from './programs.ts'

/* One step of a backup in a process of its own: `write`, `verify` or `restore`, with a database, its files and a path. */

const PASSPHRASE = 'four unrelated words here'
const [step, directUrl = '', filesDir = '', path = ''] = process.argv.slice(2)
await mkdir(filesDir, { recursive: true })
const files = await openFileStore({ kind: 'fs', dir: filesDir })
const now = () => new Date()
const from = { archive: path, passphrase: new Passphrase(PASSPHRASE) }

await printTook(async () => {
  if (step === 'verify') {
    const { rows } = await verifyBackup(from)
    return { rows }
  }
  if (step === 'write') {
    const { signal } = new AbortController()
    const deps = { directUrl, files, filesAreInBucket: false, now, signal, report: () => undefined }
    return writeBackup(deps, { dir: path, passphrase: PASSPHRASE, keep: { daily: 7, weekly: 4 } })
  }
  const database = openDatabase(directUrl, { max: 1, applicationName: 'restore' })
  const { pool } = database
  const makeTestPayments = () => createTables(pool)
  const deps = { directUrl, pool, files, endTokens: false, makeTestPayments, report: () => undefined }
  const { rows } = await restoreBackup(deps, from).finally(database.close)
  return { rows }
})
