import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/platform/database.ts'

/*
 * A delivery is a row of the queue library (`pgboss.job`): "this job waits for a worker". It carries the id of our job,
 * and has that same id, so that a job never has two. The statement that starts a job takes its delivery away, so a
 * running job has none and nothing lies between the two; that is why retries, heartbeats and expiry of the library stay
 * unused. Rows are written by SQL, which the library supports, since that needs no second connection pool in the api
 * processes and joins the caller's transaction. How a row looks stands here; it is also asked for where both tables meet
 * in one statement (`job-claims.ts`, `reconcile-jobs.ts`), and whether there is a queue in `enqueue-job.ts` and
 * `queues-ready.ts`.
 */

// Only of one that is in work, which ours never are.
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
