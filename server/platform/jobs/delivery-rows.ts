import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/platform/database.ts'

/*
 * A delivery is a row of the queue library (`pgboss.job`): "look whether this job can run". It carries the id of our job,
 * and has that same id, so that a job never has two. Whether the job really runs is decided by our table alone, and when
 * it ends the delivery goes; that is why retries, heartbeats and expiry of the library stay unused. Rows are written by
 * SQL, which the library supports, since that needs no second connection pool in the api processes and joins the caller's
 * transaction. How a row looks stands here; whether there is one is also asked where both tables meet in one statement
 * (`reconcile-jobs.ts`), and whether there is a queue in `enqueue-job.ts` and `queues-ready.ts`.
 */

// Our reconciler sees to lost workers. A delivery in work for longer than this only loses its mark of being in work.
const EXPIRE_SECONDS = 86_400

/** The insert of deliveries for jobs: what follows `from`, with `id`, `queue` and `run_after`, says for which. */
export function insertDeliveries(jobs: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    insert into pgboss.job (id, name, data, start_after, retry_limit, expire_seconds, keep_until)
    select id, queue, jsonb_build_object('jobId', id), run_after, 0, ${EXPIRE_SECONDS}::int, 'infinity' from ${jobs}`
}

/** The same where a delivery may be there already: it starts afresh. */
export function renewDeliveries(jobs: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    ${insertDeliveries(jobs)}
    on conflict (name, id) do update
      set state = 'created', start_after = excluded.start_after, started_on = null, completed_on = null,
          created_on = now()`
}

/** The delete of deliveries of jobs, a relation with `id` and `queue`. */
export function deleteDeliveries(jobs: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    delete from pgboss.job delivery using ${jobs} as gone where delivery.name = gone.queue and delivery.id = gone.id`
}

/** Makes the job deliverable, at the time it is due. */
export async function sendDelivery(trx: Db, jobId: string): Promise<void> {
  await renewDeliveries(sql`job where id = ${jobId}`).execute(trx)
}

/** Looks again later whether the job can run: the concurrency key may be free by then. */
export async function postponeDelivery(db: Db, jobId: string, seconds: number): Promise<void> {
  await sql`
    update pgboss.job set state = 'created', started_on = null, start_after = now() + make_interval(secs => ${seconds})
    where name = (select queue from job where id = ${jobId}) and id = ${jobId}`.execute(db)
}

export async function removeDelivery(trx: Db, jobId: string, queue: string): Promise<void> {
  await sql`delete from pgboss.job where name = ${queue} and id = ${jobId}`.execute(trx)
}
