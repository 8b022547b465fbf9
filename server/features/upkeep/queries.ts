import { sql } from 'kysely'
import type { Db } from '#server/platform/database.ts'

/** Deletes some rows that are of no use any more and answers how many; nobody has to wait for a long transaction. */
export type DeleteSome = (db: Db, before: Date, limit: number) => Promise<number>

export const deleteEndedSessions: DeleteSome = async (db, before, limit) => {
  const { numAffectedRows } = await sql`
    delete from session where token_hash in (
      select token_hash from session where expires_at < ${before} limit ${limit} for update skip locked
    )`.execute(db)
  return Number(numAffectedRows)
}

export const deleteOldThrottles: DeleteSome = async (db, before, limit) => {
  const { numAffectedRows } = await sql`
    delete from sign_in_throttle where key in (
      select key from sign_in_throttle
      where last_failure_at < ${before} and blocked_until < ${before} limit ${limit} for update skip locked
    )`.execute(db)
  return Number(numAffectedRows)
}

export const deleteOldRateWindows: DeleteSome = async (db, before, limit) => {
  const { numAffectedRows } = await sql`
    delete from rate_window where (key, window_start) in (
      select key, window_start from rate_window where window_start < ${before} limit ${limit} for update skip locked
    )`.execute(db)
  return Number(numAffectedRows)
}

export const deleteOldReplies: DeleteSome = async (db, before, limit) => {
  const { numAffectedRows } = await sql`
    delete from idempotency_record where (owner, key) in (
      select owner, key from idempotency_record where created_at < ${before} limit ${limit} for update skip locked
    )`.execute(db)
  return Number(numAffectedRows)
}

/** What ended jobs have told; before the jobs themselves, since one alone may have told a million lines. */
export const deleteOldJobEvents: DeleteSome = async (db, before, limit) => {
  const { numAffectedRows } = await sql`
    delete from job_event using (
      select job_id, seq, at from job_event join job on job.id = job_id where job.ended_at < ${before} limit ${limit}
    ) old
    where job_event.job_id = old.job_id and job_event.seq = old.seq and job_event.at = old.at`.execute(db)
  return Number(numAffectedRows)
}

/** Ended jobs; the rows of their artifacts go with them. */
export const deleteOldJobs: DeleteSome = async (db, before, limit) => {
  const { numAffectedRows } = await sql`
    delete from job where id in (
      select id from job where ended_at < ${before} limit ${limit} for update skip locked
    )`.execute(db)
  return Number(numAffectedRows)
}

/** Mail that is sent, given up or kept; what is queued still has to go out. */
export const deleteOldMails: DeleteSome = async (db, before, limit) => {
  const { numAffectedRows } = await sql`
    delete from mail where id in (
      select id from mail where state <> 'queued' and created_at < ${before} limit ${limit} for update skip locked
    )`.execute(db)
  return Number(numAffectedRows)
}

/** Links to choose a new password, long after they opened anything. */
export const deleteOldResets: DeleteSome = async (db, before, limit) => {
  const { numAffectedRows } = await sql`
    delete from password_reset where token_hash in (
      select token_hash from password_reset where expires_at < ${before} limit ${limit} for update skip locked
    )`.execute(db)
  return Number(numAffectedRows)
}

/** What the payment provider told us and was dealt with. It came before that, which lets the index find it. */
export const deleteHandledEvents: DeleteSome = async (db, before, limit) => {
  const { numAffectedRows } = await sql`
    delete from stripe_event where id in (
      select id from stripe_event
      where received_at < ${before} and handled_at < ${before} limit ${limit} for update skip locked
    )`.execute(db)
  return Number(numAffectedRows)
}
