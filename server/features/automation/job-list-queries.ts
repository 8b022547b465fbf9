import { type RawBuilder, sql } from 'kysely'
import { jobStatuses } from '#contract/automation.ts'
import type { Db } from '#server/platform/database/database.ts'
import { BULK_QUEUE } from './bulk-queues.ts'
import type { IdRange, JobFilter } from './job-filter.ts'

/* Which jobs a filter finds. */

/** A filter without its words; whether only some ids are meant, and only those that a bulk action applies to. */
export type Choice = Pick<JobFilter, 'queues' | 'statuses'> & {
  among?: { first: string; last: string }
  toRepeat?: boolean
  exceptBulk?: boolean
}

export type Walk = { range: IdRange; oldestFirst: boolean; limit: number }

/**
 * The ids of jobs in their order. Each queue and status has its own way along an index, of which no more is read than is
 * shown. Asked for several queues and statuses at once the planner would read all that match and sort them, or walk through
 * all jobs (of 1,000,000 for half a second and more, instead of a few milliseconds).
 */
export async function listJobIds(db: Db, choice: Choice, walk: Walk): Promise<string[]> {
  const order = walk.oldestFirst ? sql`asc` : sql`desc`
  const { rows } = await sql<{ id: string }>`
    select id from (${waysOf(choice, walk)}) job order by id ${order} limit ${walk.limit}`.execute(db)
  return rows.map(({ id }) => id)
}

function waysOf(
  { queues, statuses, ...further }: Choice,
  { range, oldestFirst, limit }: Walk,
): RawBuilder<unknown> {
  const order = oldestFirst ? sql`asc` : sql`desc`
  const within = sql`id > ${range.above} and id < ${range.below} ${conditionsOf(further)} order by id ${order} limit ${limit}`
  if (queues.length > 0) {
    const known = statuses.length > 0 ? statuses : jobStatuses
    return sql`
      select found.id from unnest(${queues}::text[]) as q(queue) cross join unnest(${known}::text[]) as s(status)
      cross join lateral (
        select id from job where queue = q.queue and status = s.status and ${within}
      ) found`
  }
  if (statuses.length > 0) {
    return sql`
      select found.id from unnest(${statuses}::text[]) as s(status)
      cross join lateral (select id from job where status = s.status and ${within}) found`
  }
  return sql`select id from job where ${within}`
}

/** A bulk action never means itself or another one: it would wait for its own end. */
function conditionsOf({
  among,
  toRepeat,
  exceptBulk,
}: Omit<Choice, 'queues' | 'statuses'>): RawBuilder<unknown> {
  const named = among ? sql`and id >= ${among.first} and id <= ${among.last}` : sql``
  const notBulk = exceptBulk ? sql`and queue <> ${BULK_QUEUE}` : sql``
  const unrepeated = toRepeat ? sql`and not exists (select from job r where r.retry_of = job.id)` : sql``
  return sql`${named} ${notBulk} ${unrepeated}`
}

export async function countJobs(db: Db, choice: Choice, range: IdRange): Promise<number> {
  const { queues, statuses, ...further } = choice
  const inQueues = queues.length > 0 ? sql`and queue = any(${queues}::text[])` : sql``
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from job
    where status = any(${statuses}::text[]) ${inQueues} and id > ${range.above} and id < ${range.below}
      ${conditionsOf(further)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** A job that is looked through: whether its record has the words, and how many events its log may have. */
export type SearchedJob = { id: string; createdAt: Date; isHit: boolean; events: number }

/** Looks for words in the records of these jobs, in the order of the ids; logs are looked through apart. */
export async function searchRecords(db: Db, ids: readonly string[], words: string): Promise<SearchedJob[]> {
  const part = `%${escaped(words)}%`
  const { rows } = await sql<SearchedJob>`
    select id, created_at as "createdAt", last_seq as events,
           id::text like ${`${escaped(words.toLowerCase())}%`} or queue ilike ${part} or script_id ilike ${part}
             or payload::text ilike ${part} or coalesce(error, '') ilike ${part} as "isHit"
    from unnest(${ids}::uuid[]) with ordinality as wanted(id, place) join job using (id) order by place`.execute(
    db,
  )
  return rows
}

/** Of these jobs those with the words in a line of their log. */
export async function searchLines(db: Db, ids: readonly string[], words: string): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from job
    where id = any(${ids}::uuid[]) and exists (
      select from job_event e
      where e.job_id = job.id and e.at >= job.created_at - interval '1 hour' and e.kind in ('log', 'error')
        and e.message ilike ${`%${escaped(words)}%`}
    )`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Signs that mean something to LIKE mean themselves. */
const escaped = (words: string) => words.replaceAll(/[\\%_]/g, '\\$&')
