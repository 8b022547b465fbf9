import { sql } from 'kysely'
import type { Db } from '#server/platform/database.ts'
import type { RateLimit } from './job-definition.ts'

/** Starts that a worker may make, and the window that they count in. */
export type Grant = { readonly starts: number; readonly windowAt: Date }

/**
 * Takes up to `wanted` starts of what the queue's rate allows all workers together, first come first served. A window
 * begins with the first start after the last one has passed.
 */
export async function takeStarts(
  db: Db,
  queue: string,
  { starts, perSeconds }: RateLimit,
  wanted: number,
): Promise<Grant> {
  const { rows } = await sql<Grant>`
    with made as (
      insert into job_queue (name) values (${queue}) on conflict (name) do nothing
    ), old as (
      select name, case when passed then 0 else window_starts end as taken,
             case when passed then now()::timestamptz(3) else window_at end as window_at
      from job_queue, lateral (select window_at <= now() - make_interval(secs => ${perSeconds}) as passed) as window_
      where name = ${queue}
      for update of job_queue
    ), granted as (
      select name, taken, window_at, greatest(least(${wanted}, ${starts} - taken), 0)::int as starts from old
    ), taken as (
      update job_queue set window_at = granted.window_at, window_starts = granted.taken + granted.starts
      from granted where job_queue.name = granted.name and granted.starts > 0
    )
    select starts, window_at as "windowAt" from granted`.execute(db)
  // The row was only just made.
  return rows[0] ?? takeStarts(db, queue, { starts, perSeconds }, wanted)
}

/** Gives back starts that found no job to start. */
export async function returnStarts(db: Db, queue: string, { starts, windowAt }: Grant): Promise<void> {
  await sql`
    update job_queue set window_starts = greatest(window_starts - ${starts}, 0)
    where name = ${queue} and window_at = ${windowAt}`.execute(db)
}
