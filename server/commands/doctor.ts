import { mkdir, stat, statfs } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Config } from '#server/config.ts'
import { findLastBackup } from '#server/features/backups/backups.ts'
import { openStripeClient } from '#server/features/billing/stripe-client.ts'
import { checkSmtp } from '#server/features/mail/smtp-client.ts'
import { isBackupLate, listFailedMails, listQueueStates } from '#server/features/operations/operations.ts'
import { type Database, openDatabase } from '#server/platform/database/database.ts'
import { checkSchema } from '#server/platform/database/migrations.ts'
import { Refusal, waitInWords } from '#server/platform/errors.ts'
import { openFileStore } from '#server/platform/files/open-file-store.ts'
import { isWorkerAlive } from '#server/platform/jobs/direct-connection.ts'
import type { Log } from '#server/platform/log.ts'
import { requireDatabaseUrl, withDatabase } from './database-of.ts'
import { openTestPayments } from './simulator.ts'
import { readArguments } from './usage.ts'

/** `advice` is what to do; without it, all is well. */
type Finding = {
  readonly state: 'ok' | 'warning' | 'failure'
  readonly found: string
  readonly advice?: string
}

const ok = (found: string): Finding => ({ state: 'ok', found })
const warning = (found: string, advice: string): Finding => ({ state: 'warning', found, advice })
const failure = (found: string, advice: string): Finding => ({ state: 'failure', found, advice })

type Patient = { readonly config: Config; readonly database: Database; readonly log: Log }
type Check = { readonly run: (patient: Patient) => Promise<Finding>; readonly advice: string }

/** Each with the advice for when it throws. */
const CHECKS: Readonly<Record<string, Check>> = {
  database: { run: checkDatabase, advice: 'Look at the log of PostgreSQL.' },
  migrations: { run: checkMigrations, advice: 'Run "npm run partharbor -- migrate".' },
  disk: { run: checkDisk, advice: 'Check that DATA_DIR and BACKUP_DIR exist and are mounted.' },
  worker: { run: checkWorker, advice: 'Start a worker: "npm start", or "npm run partharbor -- worker".' },
  queues: { run: checkQueues, advice: 'Open Mission Control as an administrator.' },
  clock: { run: checkClock, advice: 'Set the clocks of all machines by NTP.' },
  mail: { run: checkMail, advice: 'Check SMTP_URL: host, port, user, and password.' },
  storage: { run: checkStorage, advice: 'Check STORAGE and the S3 settings, or who may write to DATA_DIR.' },
  payments: { run: checkPayments, advice: 'Check STRIPE_SECRET_KEY, and that this machine reaches Stripe.' },
  backup: { run: checkBackup, advice: 'See docs/backup.md.' },
}

/**
 * Checks everything that the system depends on and prints what to do. With `--json` it prints one JSON line per check.
 * @throws Refusal if something fails, so that the program exits with status 1; warnings do not
 */
export async function doctor(config: Config, log: Log, args: readonly string[]): Promise<void> {
  const { json: asJson } = readArguments('doctor', args)
  await withDatabase(config, log, async (served) => {
    const database = openDatabase(requireDatabaseUrl(served), { max: 1, applicationName: 'doctor', log })
    let failures = 0
    try {
      for (const [name, check] of Object.entries(CHECKS)) {
        const finding = await runCheck(check, { config: served, database, log })
        failures += Number(finding.state === 'failure')
        console.log(asJson ? JSON.stringify({ name, ...finding }) : inWords(name, finding))
      }
    } finally {
      await database.close()
    }
    if (failures > 0) throw new Refusal(`Checks that failed: ${failures}.`)
  })
}

async function runCheck({ run, advice }: Check, patient: Patient): Promise<Finding> {
  try {
    return await run(patient)
  } catch (error) {
    return failure(error instanceof Error ? error.message : String(error), advice)
  }
}

function inWords(name: string, { state, found, advice }: Finding): string {
  const mark = { ok: 'ok  ', warning: 'WARN', failure: 'FAIL' }[state]
  const line = `${mark}  ${name.padEnd(11)} ${found}`
  return advice === undefined ? line : `${line}\n${' '.repeat(18)}→ ${advice}`
}

async function checkDatabase({ database: { db } }: Patient): Promise<Finding> {
  const began = performance.now()
  const { rows } = await sql<{ version: string; used: number; most: number; bytes: number }>`
    select current_setting('server_version') as version, current_setting('max_connections')::int as most,
           (select count(*)::int from pg_stat_activity) as used, pg_database_size(current_database()) as bytes`.execute(
    db,
  )
  const [{ version, used, most, bytes } = { version: '', used: 0, most: 0, bytes: 0 }] = rows
  const ms = Math.round(performance.now() - began)
  const found = `PostgreSQL ${version}, ${sizeInWords(bytes)}, ${used} of ${most} connections, ${ms} ms`
  if (used > 0.9 * most) return warning(found, 'Raise max_connections, or put a pooler before the database.')
  return ok(found)
}

async function checkMigrations({ database: { pool } }: Patient): Promise<Finding> {
  await checkSchema(pool)
  return ok('the schema is that of this version')
}

const GIGABYTE = 1_000_000_000
const sizeInWords = (bytes: number) =>
  bytes < GIGABYTE ? `${Math.round(bytes / 1_000_000)} MB` : `${(bytes / GIGABYTE).toFixed(1)} GB`

async function checkDisk({ config: { dataDir } }: Patient): Promise<Finding> {
  await mkdir(dataDir, { recursive: true })
  const { bavail, blocks, bsize } = await statfs(dataDir)
  const free = bavail * bsize
  const found = `${sizeInWords(free)} free at ${dataDir}`
  const advice = 'Make room or move DATA_DIR to a larger disk. Uploads stop when it is full.'
  if (free < GIGABYTE / 4) return failure(found, advice)
  if (free < 2 * GIGABYTE || bavail < 0.05 * blocks) return warning(found, advice)
  return ok(found)
}

async function checkWorker({ database: { db } }: Patient): Promise<Finding> {
  if (await isWorkerAlive(db)) return ok('a worker is connected')
  return failure('no worker is connected: no job runs and no mail is sent', CHECKS.worker?.advice ?? '')
}

const SLOW_SECONDS = 600
const STUCK_SECONDS = 3_600

async function checkQueues({ database: { db } }: Patient): Promise<Finding> {
  const queues = await listQueueStates(db)
  const failed = queues.reduce((sum, queue) => sum + queue.failed, 0)
  const [oldest] = queues.filter(({ waitingSince }) => waitingSince)
  if (!oldest?.waitingSince) return ok(`no job waits; failed in the last day: ${failed}`)
  const seconds = Math.max(1, Math.round((Date.now() - oldest.waitingSince.getTime()) / 1_000))
  const found = `the oldest job waits for ${waitInWords(seconds)} (${oldest.queue}); failed in the last day: ${failed}`
  if (seconds < SLOW_SECONDS) return ok(found)
  const advice = oldest.isPaused
    ? 'The queue is paused: resume it in Mission Control.'
    : 'Start more workers, or look in Mission Control at what runs.'
  return seconds < STUCK_SECONDS || oldest.isPaused ? warning(found, advice) : failure(found, advice)
}

const CLOCK_WARNING_MS = 2_000
const CLOCK_FAILURE_MS = 30_000

async function checkClock({ database: { db } }: Patient): Promise<Finding> {
  const before = Date.now()
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db)
  const here = (before + Date.now()) / 2
  const apart = Math.abs((rows[0]?.at.getTime() ?? 0) - here)
  const found = `this clock and that of the database differ by ${Math.round(apart)} ms`
  const advice = 'Set the clocks of all machines by NTP: sessions, codes, and signatures depend on them.'
  if (apart > CLOCK_FAILURE_MS) return failure(found, advice)
  return apart > CLOCK_WARNING_MS ? warning(found, advice) : ok(found)
}

async function checkMail({ config: { smtpUrl, mode }, database: { db } }: Patient): Promise<Finding> {
  if (!smtpUrl) {
    const found = 'SMTP_URL is not set: mail stays in the outbox'
    return mode === 'demo' ? ok(found) : warning(found, 'Set SMTP_URL, or nobody gets mail.')
  }
  await checkSmtp(smtpUrl)
  const { total } = await listFailedMails(db)
  const found = `the mail server takes our sign-in; failed in the last week: ${total}`
  return total === 0
    ? ok(found)
    : warning(found, 'Open Operations as an administrator to see which, and why.')
}

async function checkStorage({ config: { storage } }: Patient): Promise<Finding> {
  await (await openFileStore(storage)).check()
  return ok(storage.kind === 's3' ? `the bucket ${storage.bucket} takes files` : `${storage.dir} takes files`)
}

// As long as a person at a terminal waits.
const PATIENCE_MS = 15_000

async function checkPayments({ config, log }: Patient): Promise<Finding> {
  const { payments } = config
  if (payments.kind === 'off') return ok('payments are off')
  const databaseUrl = requireDatabaseUrl(config)
  const test =
    payments.kind === 'simulator'
      ? await openTestPayments({ ...config, databaseUrl }, payments, log)
      : undefined
  try {
    // Whether it exists does not matter: a wrong key or an unreachable provider throws.
    await openStripeClient(test?.payments ?? payments)
      .within(PATIENCE_MS)
      .findCheckout('cs_test_doctor')
    return ok(test ? 'the simulator takes payments; no money moves' : 'Stripe takes our key')
  } finally {
    await test?.close()
  }
}

async function checkBackup({
  config: { backup, dataDir, mode },
  database: { db },
}: Patient): Promise<Finding> {
  const last = await findLastBackup(db)
  if (!last) {
    const advice = 'Set BACKUP_PASSPHRASE and BACKUP_AT, see docs/backup.md.'
    return mode === 'demo' ? ok('no backup yet; this is a demo') : failure('there is no backup', advice)
  }
  const hours = Math.round((Date.now() - last.at.getTime()) / 3_600_000)
  const found = `the last one is ${hours} hours old: ${last.name}, ${sizeInWords(last.bytes)}`
  if (isBackupLate(last, backup.at, new Date())) {
    return failure(found, 'Look at the job "Back up" in Mission Control, or at what calls the command.')
  }
  const device = async (dir: string) => (await stat(dir).catch(() => undefined))?.dev
  const [own, data] = await Promise.all([device(backup.dir), device(dataDir)])
  if (own !== undefined && own === data) {
    return warning(found, 'BACKUP_DIR is on the disk of DATA_DIR. Copy it to another machine every day.')
  }
  return ok(found)
}
