import { mkdir, stat, statfs } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Config } from '#server/config.ts'
import { openStripeClient } from '#server/features/money/billing/stripe/stripe-client.ts'
import { findLastBackup } from '#server/features/running/backups/backups.ts'
import {
  isBackupLate,
  listFailedMails,
  listQueueStates,
} from '#server/features/running/operations/operations.ts'
import { checkSmtp } from '#server/features/talk/mail/smtp-client.ts'
import { type Database, openDatabase } from '#server/platform/database/database.ts'
import { checkSchema } from '#server/platform/database/migrations.ts'
import { AppError, Refusal, reasonInWords, waitInWords } from '#server/platform/errors.ts'
import { openFileStore } from '#server/platform/files/open-file-store.ts'
import { isWorkerAlive } from '#server/platform/jobs/direct-connection.ts'
import type { Log } from '#server/platform/log.ts'
import { requireDatabaseUrl, withDatabase } from './database-of.ts'
import { openTestPayments } from './simulator.ts'
import { readArguments } from './usage.ts'

/** `advice` is what to do; without it, all is well or nothing can be done here. */
type Finding = {
  readonly state: 'ok' | 'warning' | 'failure' | 'skipped'
  readonly found: string
  readonly advice?: string
}

const ok = (found: string): Finding => ({ state: 'ok', found })
const warning = (found: string, advice: string): Finding => ({ state: 'warning', found, advice })
const failure = (found: string, advice: string): Finding => ({ state: 'failure', found, advice })

const skipped = (found: string): Finding => ({ state: 'skipped', found })

/** Without a database if it cannot be used. */
type Context = { readonly config: Config; readonly log: Log; readonly database?: Database | undefined }
type ContextWithDatabase = Context & { readonly database: Database }

/** `advice` is for when it throws. */
type Check = { readonly advice: string } & (
  | { readonly run: (context: Context) => Promise<Finding> }
  /** `schema`: the tables of this version. */
  | {
      readonly needs: 'database' | 'schema'
      readonly run: (context: ContextWithDatabase) => Promise<Finding>
    }
)

const START_WORKER = 'Start a worker: "npm start", or "npm run partharbor -- worker".'

const CHECKS: Readonly<Record<string, Check>> = {
  database: { needs: 'database', run: checkDatabase, advice: 'Look at the log of PostgreSQL.' },
  migrations: {
    needs: 'database',
    run: checkMigrations,
    advice: 'Look at the log of PostgreSQL.',
  },
  disk: { run: checkDisk, advice: 'Check that DATA_DIR and BACKUP_DIR exist and are mounted.' },
  worker: { needs: 'schema', run: checkWorker, advice: START_WORKER },
  queues: { needs: 'schema', run: checkQueues, advice: 'Open Mission Control as an administrator.' },
  clock: { needs: 'database', run: checkClock, advice: 'Synchronize the clocks of all machines with NTP.' },
  mail: { run: checkMail, advice: 'Check SMTP_URL: host, port, user, and password.' },
  storage: {
    run: checkStorage,
    advice: 'Check STORAGE and the S3 settings, or the permissions of DATA_DIR.',
  },
  payments: { run: checkPayments, advice: 'Check STRIPE_SECRET_KEY, and that this machine reaches Stripe.' },
  backup: { needs: 'schema', run: checkBackup, advice: 'See docs/backup.md.' },
}

/**
 * Checks everything that the system depends on and prints what to do; without the database, all that can do without it.
 * With `--json` it prints one JSON line per check.
 * @throws Refusal if something fails, so that the program exits with status 1; warnings do not
 */
export async function doctor(config: Config, log: Log, args: readonly string[]): Promise<void> {
  const { json } = readArguments('doctor', args)
  let failures = 0
  const report = (name: string, finding: Finding) => {
    failures += Number(finding.state === 'failure')
    console.log(json ? JSON.stringify({ name, ...finding }) : inWords(name, finding))
  }
  let isReached = false
  try {
    await withDatabase(config, log, async (served) => {
      isReached = true
      const database = openDatabase(requireDatabaseUrl(served), { max: 1, applicationName: 'doctor', log })
      await runChecks({ config: served, log, database }, report).finally(database.close)
    })
  } catch (error) {
    if (isReached || !(error instanceof Refusal)) throw error
    report('database', inTwoSentences(error.message, 'Start PostgreSQL, or correct DATABASE_URL.'))
    await runChecks({ config, log }, report)
  }
  if (failures > 0) throw new Refusal(`Checks that failed: ${failures}.`)
}

/** A refusal whose second sentence explains what to do. */
function inTwoSentences(message: string, advice: string): Finding {
  const [found = '', ...rest] = message.split('. ')
  return failure(found.replace(/\.$/, ''), rest.join('. ') || advice)
}

async function runChecks(context: Context, report: (name: string, finding: Finding) => void): Promise<void> {
  let isCurrent = true
  for (const [name, check] of Object.entries(CHECKS)) {
    if ('needs' in check && !context.database) {
      if (name !== 'database') report(name, skipped('not checked without the database'))
      continue
    }
    if ('needs' in check && check.needs === 'schema' && !isCurrent) {
      report(name, skipped('not checked before the migrations are right'))
      continue
    }
    const finding = await runCheck(check, context)
    report(name, finding)
    if (name === 'migrations') isCurrent = finding.state === 'ok'
  }
}

async function runCheck(check: Check, context: Context): Promise<Finding> {
  try {
    return await check.run(context as ContextWithDatabase)
  } catch (error) {
    return failure(reasonInWords(error), check.advice)
  }
}

function inWords(name: string, { state, found, advice }: Finding): string {
  const mark = { ok: 'ok  ', warning: 'WARN', failure: 'FAIL', skipped: '-   ' }[state]
  const line = `${mark}  ${name.padEnd(11)} ${found}`
  return advice === undefined ? line : `${line}\n${' '.repeat(18)}→ ${advice}`
}

async function checkDatabase({ database: { db } }: ContextWithDatabase): Promise<Finding> {
  const began = performance.now()
  const { rows } = await sql<{ version: string; used: number; most: number; bytes: number }>`
    select current_setting('server_version') as version, current_setting('max_connections')::int as most,
           (select count(*)::int from pg_stat_activity) as used, pg_database_size(current_database()) as bytes`.execute(
    db,
  )
  const [{ version, used, most, bytes } = { version: '', used: 0, most: 0, bytes: 0 }] = rows
  const ms = Math.round(performance.now() - began)
  const found = `PostgreSQL ${version}, ${sizeInWords(bytes)}, ${used} of ${most} connections, ${ms} ms`
  if (used > 0.9 * most)
    return warning(found, 'Raise max_connections, or put a pooler in front of the database.')
  return ok(found)
}

async function checkMigrations({ database: { pool } }: ContextWithDatabase): Promise<Finding> {
  try {
    await checkSchema(pool)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return inTwoSentences(error.message, 'See docs/upgrading.md.')
  }
  return ok('the schema is that of this version')
}

const GIGABYTE = 1_000_000_000
const sizeInWords = (bytes: number) =>
  bytes < GIGABYTE ? `${Math.round(bytes / 1_000_000)} MB` : `${(bytes / GIGABYTE).toFixed(1)} GB`

async function checkDisk({ config: { dataDir } }: Context): Promise<Finding> {
  await mkdir(dataDir, { recursive: true })
  const { bavail, blocks, bsize } = await statfs(dataDir)
  const free = bavail * bsize
  const found = `${sizeInWords(free)} free at ${dataDir}`
  const advice = 'Make room or move DATA_DIR to a larger disk. Uploads stop when it is full.'
  if (free < GIGABYTE / 4) return failure(found, advice)
  if (free < 2 * GIGABYTE || bavail < 0.05 * blocks) return warning(found, advice)
  return ok(found)
}

async function checkWorker({ database: { db } }: ContextWithDatabase): Promise<Finding> {
  if (await isWorkerAlive(db)) return ok('a worker is connected')
  return failure('no worker is connected: no job runs and no mail is sent', START_WORKER)
}

const SLOW_SECONDS = 600
const STUCK_SECONDS = 3_600

async function checkQueues({ database: { db } }: ContextWithDatabase): Promise<Finding> {
  const queues = await listQueueStates(db)
  const failed = queues.reduce((sum, queue) => sum + queue.failed, 0)
  const [oldest] = queues.filter(({ waitingSince }) => waitingSince)
  if (!oldest?.waitingSince) return ok(`no job waits; failed in the last day: ${failed}`)
  const seconds = Math.max(1, Math.round((Date.now() - oldest.waitingSince.getTime()) / 1_000))
  const found = `the oldest job waits for ${waitInWords(seconds)} (${oldest.queue}); failed in the last day: ${failed}`
  if (seconds < SLOW_SECONDS) return ok(found)
  const advice = oldest.isPaused
    ? 'The queue is paused: resume it in Mission Control.'
    : 'Start more workers, or check in Mission Control what is running.'
  return seconds < STUCK_SECONDS || oldest.isPaused ? warning(found, advice) : failure(found, advice)
}

const CLOCK_WARNING_MS = 2_000
const CLOCK_FAILURE_MS = 30_000

async function checkClock({ database: { db } }: ContextWithDatabase): Promise<Finding> {
  const before = Date.now()
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db)
  const here = (before + Date.now()) / 2
  const apart = Math.abs((rows[0]?.at.getTime() ?? 0) - here)
  const found = `this clock and that of the database differ by ${apart < CLOCK_WARNING_MS ? `${Math.round(apart)} ms` : waitInWords(Math.round(apart / 1_000))}`
  const advice =
    'Synchronize the clocks of all machines with NTP: sessions, codes, and signatures depend on them.'
  if (apart > CLOCK_FAILURE_MS) return failure(found, advice)
  return apart > CLOCK_WARNING_MS ? warning(found, advice) : ok(found)
}

async function checkMail({ config: { smtpUrl, mode }, database }: Context): Promise<Finding> {
  if (!smtpUrl) {
    const found = 'SMTP_URL is not set: mail stays in the outbox'
    return mode === 'demo' ? ok(found) : warning(found, 'Set SMTP_URL; without it, no mail is sent.')
  }
  const { hostname, port } = new URL(smtpUrl)
  await checkSmtp(smtpUrl).catch((error: unknown) => {
    throw new Error(`${hostname}${port && `:${port}`}: ${reasonInWords(error)}`, { cause: error })
  })
  if (!database) return ok('the mail server takes our sign-in')
  const { total } = await listFailedMails(database.db)
  const found = `the mail server takes our sign-in; failed in the last week: ${total}`
  return total === 0
    ? ok(found)
    : warning(found, 'Open Operations as an administrator to see which, and why.')
}

async function checkStorage({ config: { storage } }: Context): Promise<Finding> {
  const place = storage.kind === 's3' ? `the bucket ${storage.bucket}` : storage.dir
  try {
    await (await openFileStore(storage)).check()
  } catch (error) {
    // People get a sentence without the reason, which is for operators.
    const reason = error instanceof AppError ? (error.cause ?? error) : error
    throw new Error(`${place}: ${reasonInWords(reason)}`, { cause: error })
  }
  return ok(`${place} takes files`)
}

// How long a person waits at a terminal.
const PATIENCE_MS = 15_000

async function checkPayments({ config, log, database }: Context): Promise<Finding> {
  const { payments } = config
  if (payments.kind === 'off') return ok('payments are off')
  if (payments.kind === 'simulator' && !database) return skipped('not checked without the database')
  const test =
    payments.kind === 'simulator'
      ? await openTestPayments({ ...config, databaseUrl: requireDatabaseUrl(config) }, payments, log)
      : undefined
  try {
    // Whether it exists does not matter: a wrong key or an unreachable provider throws.
    await openStripeClient(test?.payments ?? payments)
      .within(PATIENCE_MS)
      .findCheckout('cs_test_doctor')
    return ok(test ? 'the simulator takes payments; no money moves' : 'Stripe accepts our key')
  } finally {
    await test?.close()
  }
}

async function checkBackup({
  config: { backup, dataDir, mode },
  database: { db },
}: ContextWithDatabase): Promise<Finding> {
  const last = await findLastBackup(db)
  if (!last) {
    const advice = 'Set BACKUP_PASSPHRASE and BACKUP_AT, see docs/backup.md.'
    return mode === 'demo' ? ok('no backup yet; this is a demo') : failure('there is no backup', advice)
  }
  const hours = Math.round((Date.now() - last.at.getTime()) / 3_600_000)
  const found = `the last one is ${hours} hours old: ${last.name}, ${sizeInWords(last.bytes)}`
  if (isBackupLate(last, backup.at, new Date())) {
    return failure(found, 'Look at the job "Back up" in Mission Control, or check what runs the command.')
  }
  const device = async (dir: string) => (await stat(dir).catch(() => undefined))?.dev
  const [own, data] = await Promise.all([device(backup.dir), device(dataDir)])
  if (own !== undefined && own === data) {
    return warning(found, 'BACKUP_DIR is on the disk of DATA_DIR. Copy it to another machine every day.')
  }
  return ok(found)
}
