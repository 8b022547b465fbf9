import { sql } from 'kysely'
import type { operationsEndpoints } from '#contract/admin/operations.ts'
import type { Reply } from '#contract/endpoint.ts'
import { listEmptySearches } from '#server/features/finding/vocabulary/empty-searches.ts'
import { findLastBackup } from '#server/features/running/backups/backups.ts'
import type { Db } from '#server/platform/database/database.ts'
import { isWorkerAlive } from '#server/platform/jobs/direct-connection.ts'

/* What an operator looks at in the morning: the admins' page and the `doctor` command. */

const LINES = 10
const MAIL_DAYS = 7
const DAY_MS = 86_400_000

type QueueState = {
  queue: string
  waiting: number
  waitingSince: Date | null
  running: number
  runningSince: Date | null
  asking: number
  failed: number
  isPaused: boolean
}

/** Queues with unfinished jobs or failures of the last day, the one that waits longest first. */
export async function listQueueStates(db: Db): Promise<QueueState[]> {
  const { rows } = await sql<QueueState>`
    with states as (
      select queue, count(*) filter (where status in ('queued', 'retrying') and run_after <= now())::int as waiting,
             min(run_after) filter (where status in ('queued', 'retrying') and run_after <= now()) as waiting_since,
             count(*) filter (where status = 'running')::int as running,
             min(started_at) filter (where status = 'running') as running_since,
             count(*) filter (where status = 'waiting-manual')::int as asking, 0 as failed
      from job where status in ('queued', 'retrying', 'running', 'waiting-manual') group by queue
      union all
      select queue, 0, null, 0, null, 0, count(*)::int
      from job where status = 'failed' and ended_at > now() - interval '1 day' group by queue
    )
    select queue, sum(waiting)::int as waiting, min(waiting_since) as "waitingSince", sum(running)::int as running,
           min(running_since) as "runningSince", sum(asking)::int as asking, sum(failed)::int as failed,
           exists (select from job_queue q where q.name = queue and q.paused_at is not null) as "isPaused"
    from states group by queue
    having sum(waiting) + sum(running) + sum(asking) + sum(failed) > 0
    order by min(waiting_since) nulls last, queue`.execute(db)
  return rows
}

type FailedMail = { id: string; to: string; subject: string; error: string; at: Date }

/** Mails that were refused, or given up after every attempt. */
export async function listFailedMails(db: Db): Promise<{ items: FailedMail[]; total: number }> {
  const { rows } = await sql<FailedMail & { total: number }>`
    select id, recipient as "to", subject, coalesce(error, '') as error, created_at as at, count(*) over ()::int as total
    from mail where state = 'failed' and created_at > now() - make_interval(days => ${MAIL_DAYS})
    order by id desc limit ${LINES}`.execute(db)
  return { items: rows, total: rows[0]?.total ?? 0 }
}

type ReportedImport = { id: string; fileName: string; seller: string; reported: number; lastAt: Date }

/** Imports with open reports about their parts, the most reported first. */
async function listReportedImports(db: Db): Promise<{ items: ReportedImport[]; total: number }> {
  const { rows } = await sql<ReportedImport & { total: number }>`
    select i.id, i.file_name as "fileName", s.name as seller, count(distinct r.listing_id)::int as reported,
           max(r.created_at) as "lastAt", count(*) over ()::int as total
    from listing_report r join import i on i.id = r.import_id join seller s on s.id = i.seller_id
    where r.closed_at is null
    group by i.id, s.id order by reported desc, "lastAt" desc limit ${LINES}`.execute(db)
  return { items: rows, total: rows[0]?.total ?? 0 }
}

// A night and its backup's own time.
const LATE_AFTER_MS = 1.25 * DAY_MS

/** Whether the schedule, or anyone who ever made a backup, would expect a newer one. */
export function isBackupLate(last: { at: Date } | undefined, at: string | undefined, now: Date): boolean {
  if (!last) return at !== undefined
  return now.getTime() - last.at.getTime() > LATE_AFTER_MS
}

type Titles = readonly { readonly name: string; readonly title: string }[]

type ReadOperations = typeof operationsEndpoints.readOperations

export async function readOperations(
  db: Db,
  { backupAt, queues: known, now }: { backupAt: string | undefined; queues: Titles; now: Date },
): Promise<Reply<ReadOperations>> {
  const [isAlive, queues, mails, imports, searches, last] = await Promise.all([
    isWorkerAlive(db),
    listQueueStates(db),
    listFailedMails(db),
    listReportedImports(db),
    listEmptySearches(db, { page: 1, perPage: LINES }),
    findLastBackup(db),
  ])
  return {
    isWorkerAlive: isAlive,
    queues: queues.map((queue) => ({
      ...queue,
      title: known.find(({ name }) => name === queue.queue)?.title ?? queue.queue,
      waitingSince: queue.waitingSince?.toISOString() ?? null,
      runningSince: queue.runningSince?.toISOString() ?? null,
    })),
    failedMails: { ...mails, items: mails.items.map((mail) => ({ ...mail, at: mail.at.toISOString() })) },
    reportedImports: {
      ...imports,
      items: imports.items.map((item) => ({ ...item, lastAt: item.lastAt.toISOString() })),
    },
    emptySearches: {
      ...searches,
      items: searches.items.map((search) => ({ ...search, lastAt: search.lastAt.toISOString() })),
    },
    backup: {
      last: last ? { ...last, at: last.at.toISOString() } : null,
      at: backupAt ?? null,
      isLate: isBackupLate(last, backupAt, now),
    },
  }
}
