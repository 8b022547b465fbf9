import { sql } from 'kysely'
import type { JobEventKind } from '#contract/job-events.ts'
import type { JsonValue } from '#db/schema.gen.ts'
import type { Db } from '#server/platform/database/database.ts'

/* Events of jobs as their streams read them: by number, in pages. */

export type StreamedJob = { id: string; lastSeq: number; status: string; ended: boolean; createdAt: Date }

export async function findStreamedJob(db: Db, id: string): Promise<StreamedJob | undefined> {
  const { rows } = await sql<StreamedJob>`
    select id, last_seq as "lastSeq", status, ended_at is not null as ended, created_at as "createdAt"
    from job where id = ${id}`.execute(db)
  return rows[0]
}

/** The numbers of the last events, by job. */
export async function findLastNumbers(db: Db, ids: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; lastSeq: number }>`
    select id, last_seq as "lastSeq" from job where id = any(${ids}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, lastSeq }) => [id, lastSeq]))
}

export type EventRow = {
  seq: number
  at: Date
  kind: JobEventKind
  stream: string | null
  message: string
  data: JsonValue | null
}

const PAGE_EVENTS = 1_000
// A line may have 64 kB: a thousand of these would be too much to hold for every reader.
const PAGE_BYTES = 256 * 1024

export type EventPage = {
  events: EventRow[]
  /** There may be more already. */
  more: boolean
}

/**
 * The events after that number, oldest first, as many as make a page; at least one where there are any. The job's birth
 * lets the months before it be left out, and the rest is read by the primary key.
 */
export async function readEventsAfter(
  db: Db,
  job: { id: string; createdAt: Date },
  after: number,
): Promise<EventPage> {
  const { rows } = await sql<EventRow & { bytes: number }>`/* prepared */
    select seq, at, kind, stream, message, data, bytes
    from (
      select page.*, sum(octet_length(message)) over (order by seq rows unbounded preceding) as bytes
      from (
        select seq, at, kind, stream, message, data from job_event
        where job_id = ${job.id} and seq > ${after} and at >= ${job.createdAt}::timestamptz - interval '1 hour'
        order by seq limit ${PAGE_EVENTS}
      ) page
    ) measured
    where bytes - octet_length(message) < ${PAGE_BYTES}
    order by seq`.execute(db)
  return { events: rows, more: rows.length === PAGE_EVENTS || (rows.at(-1)?.bytes ?? 0) >= PAGE_BYTES }
}
