import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

/** Deletes some rows that are of no use any more and answers how many; nobody has to wait for a long transaction. */
export type DeleteSome = (db: Db, before: Date, limit: number) => Promise<number>

type Rows = {
  table: string
  key: readonly string[]
  isOld: (before: Date) => RawBuilder<unknown>
}

/** Rows that somebody works on at the moment wait for the next time. */
function deleteOld({ table, key, isOld }: Rows): DeleteSome {
  const columns = sql.join(key.map((column) => sql.ref(column)))
  return async (db, before, limit) => {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where (${columns}) in (
        select ${columns} from ${sql.table(table)} where ${isOld(before)} limit ${limit} for update skip locked
      )`.execute(db)
    return Number(numAffectedRows)
  }
}

export const deleteEndedSessions = deleteOld({
  table: 'session',
  key: ['token_hash'],
  isOld: (before) => sql`expires_at < ${before}`,
})

export const deleteOldThrottles = deleteOld({
  table: 'sign_in_throttle',
  key: ['key'],
  isOld: (before) => sql`last_failure_at < ${before} and blocked_until < ${before}`,
})

export const deleteOldRateWindows = deleteOld({
  table: 'rate_window',
  key: ['key', 'window_start'],
  isOld: (before) => sql`window_start < ${before}`,
})

export const deleteOldReplies = deleteOld({
  table: 'idempotency_record',
  key: ['owner', 'key'],
  isOld: (before) => sql`created_at < ${before}`,
})

/** What ended jobs have told; before the jobs themselves, since one alone may have told a million lines. */
export const deleteOldJobEvents: DeleteSome = async (db, before, limit) => {
  const { numAffectedRows } = await sql`
    delete from job_event using (
      select job_id, seq, at from job_event join job on job.id = job_id where job.ended_at < ${before} limit ${limit}
    ) old
    where job_event.job_id = old.job_id and job_event.seq = old.seq and job_event.at = old.at`.execute(db)
  return Number(numAffectedRows)
}

/** Of these files, those that belong to an artifact. */
export async function listArtifactKeys(db: Db, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ key: string }>`
    select file_key as key from job_artifact where file_key = any(${keys}::text[])`.execute(db)
  return new Set(rows.map(({ key }) => key))
}

/** Ended jobs; the rows of their artifacts, questions and inputs go with them, the files of artifacts are swept. */
export const deleteOldJobs = deleteOld({
  table: 'job',
  key: ['id'],
  isOld: (before) => sql`ended_at < ${before}`,
})

/** Mail that is sent, given up or kept; what is queued still has to go out. */
export const deleteOldMails = deleteOld({
  table: 'mail',
  key: ['id'],
  isOld: (before) => sql`state <> 'queued' and created_at < ${before}`,
})

/** Links to choose a new password, long after they opened anything. */
export const deleteOldResets = deleteOld({
  table: 'password_reset',
  key: ['token_hash'],
  isOld: (before) => sql`expires_at < ${before}`,
})

/** What the payment provider told us and was dealt with. It came before that, which lets the index find it. */
export const deleteHandledEvents = deleteOld({
  table: 'stripe_event',
  key: ['id'],
  isOld: (before) => sql`received_at < ${before} and handled_at < ${before}`,
})
