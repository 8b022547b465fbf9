import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { deletePagesOfGone } from '#server/features/landing/pages.ts'
import { foldTally } from '#server/features/listings/find/list-queries.ts'
import { mergePendingRows } from '#server/features/listings/find/search-queries.ts'
import type { Db } from '#server/platform/database/database.ts'
import { type FileStore, removeUnused } from '#server/platform/files/file-store.ts'
import type { JobQueue } from '#server/platform/jobs/job-definition.ts'
import { ARTIFACTS } from '#server/platform/jobs/job-events.ts'
import { untilNone } from '#server/platform/processes/concurrency.ts'

/** Keeps the database in shape: partitions for the months to come, and away with what nobody needs any more. */
export const tidyDatabaseQueue: JobQueue<Record<string, never>> = {
  name: 'tidy-database',
  title: 'Tidy database',
  payload: z.object({}).strict(),
  maxAttempts: 3,
  retryDelaySeconds: 60,
  resumable: true,
  timeoutSeconds: 1_800,
  concurrency: 1,
}

/** Removes the files of artifacts whose jobs are gone. */
export const sweepArtifactsQueue: JobQueue<Record<string, never>> = {
  ...tidyDatabaseQueue,
  name: 'sweep-artifacts',
  title: 'Sweep artifacts',
  maxAttempts: 1,
}

// A new or dropped partition locks its table for a moment. Whoever would have to wait longer than this for the lock
// makes everybody behind him wait, too; the next round tries again.
const LOCK_WAIT = '3s'

async function ensureMonthPartitions(db: Db): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await limitLockWait(trx)
    await sql`select ensure_month_partitions()`.execute(trx)
  })
}

/** Partitions whose newest possible row is older than their table's rule keeps. */
async function listPastPartitions(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select child.relname as name
    from retention_rule rule
    join pg_inherits on inhparent = to_regclass(rule.table_name)
    join pg_class child on child.oid = inhrelid
    where child.relname ~ '_\\d{6}$'
      and to_date(right(child.relname, 6), 'YYYYMM') + interval '1 month' <= now() - rule.keep
    order by name`.execute(db)
  return rows.map(({ name }) => name)
}

async function dropPartition(db: Db, name: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await limitLockWait(trx)
    await sql`drop table if exists ${sql.table(name)}`.execute(trx)
  })
}

async function limitLockWait(trx: Db): Promise<void> {
  await sql`select set_config('lock_timeout', ${LOCK_WAIT}, true)`.execute(trx)
}

/**
 * Tables split by month whose default partition may be thinned out, and the column that splits them. The audit is not
 * among them: a trigger keeps its rows from being deleted one by one.
 */
const SPLIT_TABLES = [
  { table: 'job_event', time: 'at' },
  { table: 'listing_change', time: 'at' },
  { table: 'listing_view', time: 'day' },
] as const

/**
 * Deletes some rows that came while their month had no partition, and that are older than their table's rule keeps. They
 * lie in the default partition, which is never dropped.
 */
async function deleteStrays(
  db: Db,
  { table, time }: (typeof SPLIT_TABLES)[number],
  limit: number,
): Promise<number> {
  const rest = sql.table(`${table}_rest`)
  const { numAffectedRows } = await sql`
    delete from ${rest} where ctid = any(array(
      select ctid from ${rest}
      where ${sql.ref(time)} < now() - (select keep from retention_rule where table_name = ${table})
      limit ${limit}
    ))`.execute(db)
  return Number(numAffectedRows)
}

/** Empties the audit's default partition, as a whole like a month, once every entry in it is older than is kept. */
async function emptyPastAudit(db: Db): Promise<boolean> {
  // Asked without the lock first: nearly always there is nothing in it.
  if (!(await isAuditRestPast(db))) return false
  return db.transaction().execute(async (trx) => {
    await limitLockWait(trx)
    await sql`lock table audit_entry_rest in access exclusive mode`.execute(trx)
    if (!(await isAuditRestPast(trx))) return false
    await sql`truncate audit_entry_rest`.execute(trx)
    return true
  })
}

async function isAuditRestPast(db: Db): Promise<boolean> {
  const { rows } = await sql<{ past: boolean }>`
    select coalesce(max(at) < now() - (select keep from retention_rule where table_name = 'audit_entry'), false) as past
    from audit_entry_rest`.execute(db)
  return rows[0]?.past ?? false
}

/** Deletes some rows that are of no use any more and answers how many; nobody has to wait for a long transaction. */
type DeleteSome = (db: Db, before: Date, limit: number) => Promise<number>

type Rows = {
  table: string
  key: readonly string[]
  isOld: (before: Date) => RawBuilder<unknown>
}

/** Rows that somebody works on at the moment wait for the next time. */
function deleteOld({ table, key, isOld }: Rows): DeleteSome {
  const columns = sql.join(key.map((column) => sql.ref(column)))
  return async (db, before, limit) => {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where (${columns}) in (
        select ${columns} from ${sql.table(table)} where ${isOld(before)} limit ${limit} for update skip locked
      )`.execute(db)
    return Number(numAffectedRows)
  }
}

const deleteEndedSessions = deleteOld({
  table: 'session',
  key: ['token_hash'],
  isOld: (before) => sql`expires_at < ${before}`,
})

const deleteOldThrottles = deleteOld({
  table: 'sign_in_throttle',
  key: ['key'],
  isOld: (before) => sql`last_failure_at < ${before} and blocked_until < ${before}`,
})

const deleteOldRateWindows = deleteOld({
  table: 'rate_window',
  key: ['key', 'window_start'],
  isOld: (before) => sql`window_start < ${before}`,
})

const deleteOldReplies = deleteOld({
  table: 'idempotency_record',
  key: ['owner', 'key'],
  isOld: (before) => sql`created_at < ${before}`,
})

/** What ended jobs have told; before the jobs themselves, since one alone may have told a million lines. */
const deleteOldJobEvents: DeleteSome = async (db, before, limit) => {
  const { numAffectedRows } = await sql`
    delete from job_event using (
      select job_id, seq, at from job_event join job on job.id = job_id where job.ended_at < ${before} limit ${limit}
    ) old
    where job_event.job_id = old.job_id and job_event.seq = old.seq and job_event.at = old.at`.execute(db)
  return Number(numAffectedRows)
}

/** Of these files, those that belong to an artifact. */
async function listArtifactKeys(db: Db, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ key: string }>`
    select file_key as key from job_artifact where file_key = any(${keys}::text[])`.execute(db)
  return new Set(rows.map(({ key }) => key))
}

/** Ended jobs; the rows of their artifacts, questions and inputs go with them, the files of artifacts are swept. */
const deleteOldJobs = deleteOld({
  table: 'job',
  key: ['id'],
  isOld: (before) => sql`ended_at < ${before}`,
})

/** Mail that is sent, given up or kept; what is queued still has to go out. */
const deleteOldMails = deleteOld({
  table: 'mail',
  key: ['id'],
  isOld: (before) => sql`state <> 'queued' and created_at < ${before}`,
})

/** Links to choose a new password, long after they opened anything. */
const deleteOldResets = deleteOld({
  table: 'password_reset',
  key: ['token_hash'],
  isOld: (before) => sql`expires_at < ${before}`,
})

/** What the payment provider told us and was dealt with. It came before that, which lets the index find it. */
const deleteHandledEvents = deleteOld({
  table: 'stripe_event',
  key: ['id'],
  isOld: (before) => sql`received_at < ${before} and handled_at < ${before}`,
})

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

// Time enough to look into what went wrong last month, and to show a seller what was mailed.
const RECORDS_MS = 90 * DAY_MS

const AT_ONCE = 5_000
// Every deleted job is looked for in the others (as the one they repeat), and takes its artifacts along.
const JOBS_AT_ONCE = 100

/** What goes, in this order, and how long after it came to its end. */
const PAST: readonly { what: keyof Deleted; deleteSome: DeleteSome; keptMs: number; atOnce?: number }[] = [
  { what: 'sessions', deleteSome: deleteEndedSessions, keptMs: 0 },
  // A forgotten failure counts for a day.
  { what: 'throttles', deleteSome: deleteOldThrottles, keptMs: 48 * HOUR_MS },
  // The longest window is an hour.
  { what: 'rateWindows', deleteSome: deleteOldRateWindows, keptMs: 24 * HOUR_MS },
  // A client that has not heard for two days what became of its request has given up.
  { what: 'replies', deleteSome: deleteOldReplies, keptMs: 48 * HOUR_MS },
  // How many were mailed is asked for an hour back.
  { what: 'resets', deleteSome: deleteOldResets, keptMs: 24 * HOUR_MS },
  { what: 'jobEvents', deleteSome: deleteOldJobEvents, keptMs: RECORDS_MS },
  { what: 'jobs', deleteSome: deleteOldJobs, keptMs: RECORDS_MS, atOnce: JOBS_AT_ONCE },
  { what: 'mails', deleteSome: deleteOldMails, keptMs: RECORDS_MS },
  // Far longer than the provider repeats a delivery: one that comes again is known to be handled.
  { what: 'providerEvents', deleteSome: deleteHandledEvents, keptMs: RECORDS_MS },
]

const NOTHING = {
  sessions: 0,
  throttles: 0,
  rateWindows: 0,
  replies: 0,
  resets: 0,
  jobEvents: 0,
  jobs: 0,
  mails: 0,
  providerEvents: 0,
}
type Deleted = typeof NOTHING

export type Tidied = Deleted & {
  /** Dropped, or emptied. */
  partitions: string[]
  /** Rows of months that had no partition. */
  strays: number
}

/** One round of housekeeping; safe to repeat and to break off anywhere. */
export async function tidyDatabase(
  db: Db,
  { now, signal }: { now: Date; signal: AbortSignal },
): Promise<Tidied> {
  await foldTally(db)
  await mergePendingRows(db)
  await deletePagesOfGone(db)
  await ensureMonthPartitions(db)
  const partitions = await dropPastPartitions(db)
  let strays = 0
  for (const split of SPLIT_TABLES) {
    strays += await untilNone(signal, AT_ONCE, (limit) => deleteStrays(db, split, limit))
  }
  const deleted: Deleted = { ...NOTHING }
  for (const { what, deleteSome, keptMs, atOnce = AT_ONCE } of PAST) {
    const before = new Date(now.getTime() - keptMs)
    deleted[what] = await untilNone(signal, atOnce, (limit) => deleteSome(db, before, limit))
  }
  return { partitions, strays, ...deleted }
}

async function dropPastPartitions(db: Db): Promise<string[]> {
  const partitions = await listPastPartitions(db)
  for (const partition of partitions) await dropPartition(db, partition)
  return (await emptyPastAudit(db)) ? [...partitions, 'audit_entry_rest'] : partitions
}

// Between an artifact's file and its row lie seconds; a day also covers a clock that is wrong.
const YOUNG_MS = 86_400_000

/** Removes the files of artifacts that have no row: their job is gone, or was killed between file and row. */
export function sweepArtifacts(
  { db, files, now }: { db: Db; files: FileStore; now: Date },
  signal: AbortSignal,
): Promise<{ files: number; bytes: number }> {
  return removeUnused(files, {
    folder: ARTIFACTS,
    before: new Date(now.getTime() - YOUNG_MS),
    nameIn: (key) => key,
    listUsed: (keys) => listArtifactKeys(db, keys),
    signal,
  })
}
