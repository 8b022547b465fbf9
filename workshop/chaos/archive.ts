/*
 * Writes the archive that tests/api/upgrade.test.ts restores and migrates: what an earlier version of the program stored
 * while visitors used it and a yard imported its file.
 */
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { writeBackup } from '#server/features/running/backups/backups.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres/embedded-postgres.ts'
import { openFileStore } from '#server/platform/files/open-file-store.ts'
import { freePort } from '#server/platform/net/port.ts'
import { openProSeller, sendImport } from '#tests/support/import-client.ts'
import { InstalledProcess, type Role } from '#tests/support/installation.ts'
import { PREVIOUS_RELEASE } from '#tests/support/previous-release.ts'
import { yardRows, yardText } from '#tests/support/yard-file.ts'
import { checkOut, previousRelease, runToEnd } from './rolling.ts'
import { inspectWork, narrator, startVisitors } from './visitors.ts'

// Enough for every kind of row, and small in the repository.
const USERS = 3
const LISTINGS = 30
const IMPORTED = 60
const LONGEST_MS = 120_000

export async function chaosArchive(args: string[]): Promise<boolean> {
  const { values } = parseArgs({ args, options: { from: { type: 'string' } } })
  const from = values.from ?? previousRelease()
  const say = narrator()
  const dir = await mkdtemp(join(tmpdir(), 'partharbor-archive-'))
  const postgres = await startEmbeddedPostgres({ dir: join(dir, 'postgres') })
  const database = openDatabase(postgres.url('owner'), { max: 1, applicationName: 'archive' })
  const processes: InstalledProcess[] = []
  try {
    const old = await checkOut(from, join(dir, 'old'))
    const settings = {
      APP_MODE: 'demo',
      DATABASE_URL: postgres.url('owner'),
      DATA_DIR: join(dir, 'data'),
      DEMO_DATA: 'off',
      PAYMENTS: 'off',
      EMAIL_CONFIRM: 'off',
      TRUSTED_PROXIES: '127.0.0.1',
      LOG_LEVEL: 'warn',
    }
    runToEnd(process.execPath, ['server/main.ts', 'migrate'], { cwd: old, env: settings })
    const program = { path: join(old, 'server/main.ts'), args: [] }
    for (const role of ['api', 'worker'] as const satisfies Role[]) {
      const port = await freePort('127.0.0.1')
      processes.push(new InstalledProcess(role, port, { settings, nodeOptions: '', program }))
    }
    await Promise.all(processes.map((process) => process.start()))
    say(`${from} serves`)
    const address = processes[0]?.address ?? ''
    const { tally, stop } = startVisitors(address, { clients: USERS, pauseMs: 20 })
    const seller = await openProSeller(address, database.db)
    const file = new Blob([yardText(yardRows(IMPORTED, 'previous release'))])
    await sendImport(address, seller, { key: 'previous release', mode: 'add', file })
    await within(async () => tally.created.size >= LISTINGS)
    await stop()
    await within(async () => (await countOf(database, seller.sellerId)) === IMPORTED)
    const { words, isWell } = await inspectWork(postgres.url('owner'), tally)
    say(words)
    await Promise.all(processes.map((process) => process.stop()))
    const made = await writeBackup(
      {
        directUrl: postgres.url('owner'),
        files: await openFileStore({ kind: 'fs', dir: join(dir, 'data/files') }),
        // Its rows are what is migrated.
        filesAreInBucket: true,
        now: () => new Date(),
        signal: new AbortController().signal,
        report: () => undefined,
      },
      { dir: join(dir, 'backups'), passphrase: PREVIOUS_RELEASE.passphrase, keep: { daily: 1, weekly: 1 } },
    )
    await copyFile(made.archive, PREVIOUS_RELEASE.archive)
    say(`${made.rows} rows, ${made.bytes} bytes: ${PREVIOUS_RELEASE.archive}`)
    return isWell
  } finally {
    await Promise.all(processes.map((process) => process.kill()))
    await database.close()
    await postgres.stop()
    await rm(dir, { recursive: true, force: true })
  }
}

async function within(isSo: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + LONGEST_MS; !(await isSo()); await sleep(200))
    if (Date.now() > deadline) throw new Error('the previous release did not do its work in time')
}

async function countOf({ db }: ReturnType<typeof openDatabase>, sellerId: string): Promise<number> {
  const { count } = await db
    .selectFrom('listing')
    .where('seller_id', '=', sellerId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
