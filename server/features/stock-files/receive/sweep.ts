import { sql } from 'kysely'
import { UNDO_DAYS } from '#server/features/stock-files/promotion/summaries.ts'
import { SEGMENT_FOLDER, segmentInKey } from '#server/features/stock-files/store/segments.ts'
import { isBackupRunning } from '#server/platform/backup/backup-lock.ts'
import type { Db } from '#server/platform/database/database.ts'
import { type FileStore, removeUnused } from '#server/platform/files/file-store.ts'
import { repeatUntilDone } from '#server/platform/processes/concurrency.ts'

/** Abandons unfinished imports without recent chunks and deletes their chunks; skips one that a chunk is arriving for. */
async function abandonImports(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with silent as (
      select id from import i
      where state = 'receiving' and not dry_run and created_at < ${before}
        and not exists (select from import_chunk c where c.import_id = i.id and c.claimed_at >= ${before})
      limit ${limit} for update skip locked
    ), abandoned as (
      update import set state = 'abandoned' from silent where import.id = silent.id
    ), emptied as (
      delete from import_chunk using silent where import_id = silent.id
    )
    select count(*) from silent
  `.execute(db)
  return rows[0]?.count ?? 0
}

/** Deletes old dry runs. Repeated calls need them, but come soon or never; unfinished ones contain packed rows. */
async function deleteDryRuns(
  db: Db,
  before: { finished: Date; unfinished: Date },
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from import where id in (
      select id from import
      where dry_run and created_at < case state when 'receiving' then ${before.unfinished}::timestamptz
                                                else ${before.finished}::timestamptz end
      limit ${limit} for update skip locked
    )
  `.execute(db)
  return Number(numAffectedRows)
}

/** Deletes the actions of promotions that can no longer be undone, or that will be planned again anyway. */
async function deletePastActions(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from promotion_action a using (
      select promotion_id, row_no from promotion_action
      where promotion_id in (
        select id from promotion
        where (state in ('applied', 'undone', 'failed') and coalesce(touched_at, applied_at, created_at) < ${before})
           or (state in ('planned', 'review') and planned_at < ${before})
      )
      limit ${limit}
    ) past
    where a.promotion_id = past.promotion_id and a.row_no = past.row_no
  `.execute(db)
  return Number(numAffectedRows)
}

/**
 * Deletes the refused rows of finished full stocks except for one each, marked as unreadable, so that promoting the file
 * again asks before it ends anything.
 */
async function deletePastKeptRows(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    with past as (
      select import_id from promotion
      where import_id in (select import_id from promotion_kept_row)
      group by import_id
      having bool_and(state in ('applied', 'undone', 'failed')
        and coalesce(touched_at, applied_at, undone_at, created_at) < ${before})
    ), first as (
      select distinct on (k.import_id) k.import_id, k.chunk_index, k.row_no
      from promotion_kept_row k join past using (import_id)
      order by k.import_id, k.chunk_index, k.row_no
    ), unread as (
      update promotion_kept_row k set source_key = null, part_key = null from first f
      where k.import_id = f.import_id and k.chunk_index = f.chunk_index and k.row_no = f.row_no
        and k.source_key is not null
    )
    delete from promotion_kept_row k using (
      select k.import_id, k.chunk_index, k.row_no
      from promotion_kept_row k join first f using (import_id)
      where (k.chunk_index, k.row_no) <> (f.chunk_index, f.row_no)
      limit ${limit}
    ) surplus
    where k.import_id = surplus.import_id and k.chunk_index = surplus.chunk_index and k.row_no = surplus.row_no
  `.execute(db)
  return Number(numAffectedRows)
}

/**
 * The segments that are used by a file, an import or an unfinished script. A script's new segments are named only in its
 * checkpoint until it ends, and may be older than any minimum age.
 */
async function listUsedSegments(db: Db, shas: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ sha256: string }>`
    select sha256 from staging_segment where sha256 = any(${[...shas]}::text[])
    union
    select sha256 from import_segment where sha256 = any(${[...shas]}::text[])
    union
    select sha256 from (
      select jsonb_path_query(checkpoint, '$.replaced[*][1]') #>> '{}' as sha256 from job
      where status in ('queued', 'running', 'waiting-manual', 'retrying')
    ) rewritten
    where sha256 = any(${[...shas]}::text[])
  `.execute(db)
  return new Set(rows.map(({ sha256 }) => sha256))
}

const DAY_MS = 86_400_000
// A user who has not come back within a week has a newer file.
const UNFINISHED_MS = 7 * DAY_MS
// A day longer than an import can be undone or a plan waits, for what starts at the last moment.
const PAST_UNDO_MS = (UNDO_DAYS + 1) * DAY_MS
// A segment's file precedes the rows that name it by minutes; a day also covers a wrong clock.
const YOUNG_MS = DAY_MS

const ROWS_AT_ONCE = 5_000
const IMPORTS_AT_ONCE = 20

type SweepOptions = { db: Db; files: FileStore; now: Date; signal: AbortSignal }

export type SweptImports = {
  abandoned: number
  dryRuns: number
  actions: number
  keptRows: number
  segments: number
  bytes: number
}

/** Removes what imports no longer need; safe to repeat and to interrupt. */
export async function sweepImports({ db, files, now, signal }: SweepOptions): Promise<SweptImports> {
  const ago = (ms: number) => new Date(now.getTime() - ms)
  const unfinished = ago(UNFINISHED_MS)
  const rows = {
    abandoned: await repeatUntilDone(signal, IMPORTS_AT_ONCE, (most) => abandonImports(db, unfinished, most)),
    dryRuns: await repeatUntilDone(signal, IMPORTS_AT_ONCE, (most) =>
      deleteDryRuns(db, { finished: unfinished, unfinished: ago(DAY_MS) }, most),
    ),
    actions: await repeatUntilDone(signal, ROWS_AT_ONCE, (most) =>
      deletePastActions(db, ago(PAST_UNDO_MS), most),
    ),
    keptRows: await repeatUntilDone(signal, ROWS_AT_ONCE, (most) =>
      deletePastKeptRows(db, ago(PAST_UNDO_MS), most),
    ),
  }
  // Last, so that segments that were just released are deleted at once.
  const segments = await removeUnused(files, {
    folder: SEGMENT_FOLDER,
    before: ago(YOUNG_MS),
    nameIn: segmentInKey,
    listUsed: (shas) => listUsedSegments(db, shas),
    isHeld: () => isBackupRunning(db),
    signal,
  })
  return { ...rows, segments: segments.files, bytes: segments.bytes }
}
