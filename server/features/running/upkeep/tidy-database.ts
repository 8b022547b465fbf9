import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { deletePagesOfGone } from '#server/features/finding/landing/pages.ts'
import { mergePendingRows } from '#server/features/finding/search/matches/match-queries.ts'
import { settleGoneSellers } from '#server/features/market/for-sale/gone-sellers.ts'
import { foldStock } from '#server/features/market/for-sale/stock-counts.ts'
import { foldTally } from '#server/features/market/for-sale/tally.ts'
import { countHeldStatements } from '#server/features/market/listings/search-row/held-statements.ts'
import { markEstablishedSellers } from '#server/features/people/sellers/established.ts'
import { LINK_KEPT_MS } from '#server/features/talk/leads/message-links.ts'
import { isBackupRunning } from '#server/platform/backup/backup-lock.ts'
import type { Db } from '#server/platform/database/database.ts'
import { type FileStore, removeUnused } from '#server/platform/files/file-store.ts'
import type { JobQueue } from '#server/platform/jobs/job-definition.ts'
import { ARTIFACTS } from '#server/platform/jobs/job-events.ts'
import { repeatUntilDone } from '#server/platform/processes/concurrency.ts'

/** Maintains the database: creates the next months' partitions and deletes expired rows. */
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

/** Deletes artifact files that have no row. */
export const sweepArtifactsQueue: JobQueue<Record<string, never>> = {
  ...tidyDatabaseQueue,
  name: 'sweep-artifacts',
  title: 'Sweep artifacts',
  maxAttempts: 1,
}

// Creating or dropping a partition locks its table briefly. Waiting longer for the lock would block every query that
// queues up behind it; the next round tries again.
const LOCK_WAIT = '3s'

async function ensureMonthPartitions(db: Db): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await limitLockWait(trx)
    await sql`select ensure_month_partitions()`.execute(trx)
  })
}

/** Lists partitions whose newest possible row is past its table's retention. */
async function listExpiredPartitions(db: Db): Promise<string[]> {
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
 * Tables partitioned by month, with the partition column, whose default partition allows deleting single rows. The audit
 * log is not among them: a trigger prevents that.
 */
const PARTITIONED_TABLES = [
  { table: 'job_event', time: 'at' },
  { table: 'listing_change', time: 'at' },
  { table: 'listing_view', time: 'day' },
] as const

/**
 * Deletes expired rows that were written while their month had no partition. They are in the default partition, which is
 * never dropped.
 */
async function deleteStrays(
  db: Db,
  { table, time }: (typeof PARTITIONED_TABLES)[number],
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

/** Truncates the audit log's default partition once every entry in it has expired. */
async function truncateExpiredAudit(db: Db): Promise<boolean> {
  // Checked without the lock first, because it is nearly always empty.
  if (!(await isAuditRestExpired(db))) return false
  return db.transaction().execute(async (trx) => {
    await limitLockWait(trx)
    await sql`lock table audit_entry_rest in access exclusive mode`.execute(trx)
    if (!(await isAuditRestExpired(trx))) return false
    await sql`truncate audit_entry_rest`.execute(trx)
    return true
  })
}

async function isAuditRestExpired(db: Db): Promise<boolean> {
  const { rows } = await sql<{ past: boolean }>`
    select coalesce(max(at) < now() - (select keep from retention_rule where table_name = 'audit_entry'), false) as past
    from audit_entry_rest`.execute(db)
  return rows[0]?.past ?? false
}

/** Deletes up to `limit` expired rows, to keep transactions short, and returns how many. */
type DeleteBatch = (db: Db, before: Date, limit: number) => Promise<number>

/** Skips locked rows; the next round deletes them. */
const deleteOld =
  (table: string, isOld: (before: Date) => RawBuilder<unknown>): DeleteBatch =>
  async (db, before, limit) => {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where ${isOld(before)} limit ${limit} for update skip locked
      ))`.execute(db)
    return Number(numAffectedRows)
  }

const isEarlierDay = (now: Date) => sql`day < (${now}::timestamptz at time zone 'utc')::date`

/** Deletes the events of ended jobs before the jobs themselves, since a single job may have a million lines. */
const deleteOldJobEvents: DeleteBatch = async (db, before, limit) => {
  const { numAffectedRows } = await sql`
    delete from job_event using (
      select job_id, seq, at from job_event join job on job.id = job_id where job.ended_at < ${before} limit ${limit}
    ) old
    where job_event.job_id = old.job_id and job_event.seq = old.seq and job_event.at = old.at`.execute(db)
  return Number(numAffectedRows)
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

// Long enough to investigate last month's failures and to show a seller what was mailed.
const RECORDS_MS = 90 * DAY_MS

const BATCH = 5_000
// Deleting a job checks whether other jobs refer to it and cascades to its artifacts.
const JOB_BATCH = 100

type Retention = { deleteBatch: DeleteBatch; keptMs: number; batch?: number }

/** What to delete, in this order, and how long to keep it. */
const EXPIRING = {
  sessions: { deleteBatch: deleteOld('session', (before) => sql`expires_at < ${before}`), keptMs: 0 },
  // A failed sign-in counts for a day.
  throttles: {
    deleteBatch: deleteOld(
      'sign_in_throttle',
      (before) => sql`last_failure_at < ${before} and blocked_until < ${before}`,
    ),
    keptMs: 48 * HOUR_MS,
  },
  // The longest window is an hour.
  rateWindows: {
    deleteBatch: deleteOld('rate_window', (before) => sql`window_start < ${before}`),
    keptMs: 24 * HOUR_MS,
  },
  // No client retries a request after two days.
  replies: {
    deleteBatch: deleteOld('idempotency_record', (before) => sql`created_at < ${before}`),
    keptMs: 48 * HOUR_MS,
  },
  // The limits on mailed links look back one hour.
  resets: {
    deleteBatch: deleteOld('password_reset', (before) => sql`expires_at < ${before}`),
    keptMs: 24 * HOUR_MS,
  },
  // View marks of earlier days: they only prevent double counting within a day.
  viewSalts: { deleteBatch: deleteOld('view_salt', isEarlierDay), keptMs: 0 },
  viewMarks: { deleteBatch: deleteOld('view_mark', isEarlierDay), keptMs: 0 },
  signInLinks: {
    deleteBatch: deleteOld('sign_in_link', (before) => sql`expires_at < ${before}`),
    keptMs: 24 * HOUR_MS,
  },
  devices: { deleteBatch: deleteOld('known_device', (before) => sql`expires_at < ${before}`), keptMs: 0 },
  tickets: { deleteBatch: deleteOld('factor_ticket', (before) => sql`expires_at < ${before}`), keptMs: 0 },
  // Kept a day longer than they are valid.
  addressLinks: {
    deleteBatch: deleteOld('address_link', (before) => sql`expires_at < ${before}`),
    keptMs: 24 * HOUR_MS,
  },
  // Links of conversations that ended.
  messageLinks: {
    deleteBatch: deleteOld(
      'lead_link',
      (before) => sql`created_at < ${before} and not exists (
        select from lead_message a where a.lead_id = lead_link.lead_id and a.created_at > ${before})`,
    ),
    keptMs: LINK_KEPT_MS,
  },
  // A link can confirm a search for three days. A search that was turned off can be turned on again for a while.
  unconfirmedSearches: {
    deleteBatch: deleteOld('saved_search', (before) => sql`confirmed_at is null and changed_at < ${before}`),
    keptMs: 3 * DAY_MS,
  },
  stoppedSearches: {
    deleteBatch: deleteOld('saved_search', (before) => sql`frequency = 'off' and changed_at < ${before}`),
    keptMs: RECORDS_MS,
  },
  searchOwners: {
    deleteBatch: deleteOld(
      'saved_search_owner',
      (before) =>
        sql`created_at < ${before} and not exists (select from saved_search s where s.owner_id = saved_search_owner.id)`,
    ),
    keptMs: 3 * DAY_MS,
  },
  // Nobody waits longer for a held part, nor for one that was sold.
  holdWatches: {
    deleteBatch: deleteOld(
      'hold_watch',
      (before) => sql`created_at < ${before} or exists (
        select from listing l where l.id = hold_watch.listing_id and l.ended_at < ${before})`,
    ),
    keptMs: 60 * DAY_MS,
  },
  // Kept for a year, so that a changed part is not mailed again.
  foundParts: {
    deleteBatch: deleteOld(
      'saved_search_hit',
      (before) =>
        sql`found_at < ${before} or not exists (select from saved_search s where s.id = saved_search_hit.search_id)`,
    ),
    keptMs: 365 * DAY_MS,
  },
  jobEvents: { deleteBatch: deleteOldJobEvents, keptMs: RECORDS_MS },
  // Rows of their artifacts, questions and inputs cascade; `sweepArtifacts` deletes the artifact files.
  jobs: {
    deleteBatch: deleteOld('job', (before) => sql`ended_at < ${before}`),
    keptMs: RECORDS_MS,
    batch: JOB_BATCH,
  },
  // Queued mail still has to go out.
  mails: {
    deleteBatch: deleteOld('mail', (before) => sql`state <> 'queued' and created_at < ${before}`),
    keptMs: RECORDS_MS,
  },
  // Far longer than the provider repeats a delivery, so that repeated events are recognized as handled. `received_at` is
  // always earlier than `handled_at` and has the index.
  providerEvents: {
    deleteBatch: deleteOld(
      'stripe_event',
      (before) => sql`received_at < ${before} and handled_at < ${before}`,
    ),
    keptMs: RECORDS_MS,
  },
} satisfies Record<string, Retention>

type Deleted = Record<keyof typeof EXPIRING, number>

export type TidyResult = Deleted & {
  /** Dropped or truncated partitions. */
  partitions: string[]
  /** Deleted rows of default partitions. */
  strays: number
}

/** One round of maintenance; safe to repeat and to interrupt anywhere. */
export async function tidyDatabase(
  db: Db,
  { now, signal }: { now: Date; signal: AbortSignal },
): Promise<TidyResult> {
  await db.transaction().execute((trx) => settleGoneSellers(trx))
  await markEstablishedSellers(db, now)
  await countHeldStatements(db)
  await foldTally(db)
  while ((await foldStock(db)) > 0);
  await mergePendingRows(db)
  await deletePagesOfGone(db)
  await ensureMonthPartitions(db)
  const partitions = await dropExpiredPartitions(db)
  let strays = 0
  for (const partitioned of PARTITIONED_TABLES) {
    strays += await repeatUntilDone(signal, BATCH, (limit) => deleteStrays(db, partitioned, limit))
  }
  const deleted: [string, number][] = []
  for (const [what, { deleteBatch, keptMs, batch = BATCH }] of Object.entries<Retention>(EXPIRING)) {
    const before = new Date(now.getTime() - keptMs)
    deleted.push([what, await repeatUntilDone(signal, batch, (limit) => deleteBatch(db, before, limit))])
  }
  return { partitions, strays, ...(Object.fromEntries(deleted) as Deleted) }
}

async function dropExpiredPartitions(db: Db): Promise<string[]> {
  const partitions = await listExpiredPartitions(db)
  for (const partition of partitions) await dropPartition(db, partition)
  return (await truncateExpiredAudit(db)) ? [...partitions, 'audit_entry_rest'] : partitions
}

/** Returns those of these file keys that belong to an artifact. */
async function listArtifactKeys(db: Db, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ key: string }>`
    select file_key as key from job_artifact where file_key = any(${keys}::text[])`.execute(db)
  return new Set(rows.map(({ key }) => key))
}

// An artifact's row is written seconds after its file; a day also allows for wrong clocks.
const MIN_AGE_MS = DAY_MS

/** Deletes artifact files without a row: their job was deleted, or its worker died between writing file and row. */
export function sweepArtifacts(
  { db, files, now }: { db: Db; files: FileStore; now: Date },
  signal: AbortSignal,
): Promise<{ files: number; bytes: number }> {
  return removeUnused(files, {
    folder: ARTIFACTS,
    before: new Date(now.getTime() - MIN_AGE_MS),
    nameIn: (key) => key,
    listUsed: (keys) => listArtifactKeys(db, keys),
    isHeld: () => isBackupRunning(db),
    signal,
  })
}
