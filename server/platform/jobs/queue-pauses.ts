import { sql } from 'kysely'
import type { Db } from '#server/platform/database.ts'

/** Nothing of the queue is started from now on; what runs goes on. Pausing twice changes nothing. */
export async function pauseQueue(db: Db, queue: string, userId: string): Promise<void> {
  await sql`
    insert into job_queue (name, paused_at, paused_by) values (${queue}, now(), ${userId})
    on conflict (name) do update set paused_at = excluded.paused_at, paused_by = excluded.paused_by
      where job_queue.paused_at is null`.execute(db)
}

export async function resumeQueue(db: Db, queue: string): Promise<void> {
  await sql`update job_queue set paused_at = null, paused_by = null where name = ${queue}`.execute(db)
}
