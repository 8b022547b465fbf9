import { sql } from 'kysely'
import type { Db } from '#server/platform/database.ts'

/* How a promotion is taken back. */

/** Ends all promotions of a file of which nothing went live, whichever version they are of. */
export async function withdrawPromotions(trx: Db, fileId: string, at: Date): Promise<void> {
  await sql`
    update promotion set state = 'undone', undone_at = ${at}
    where file_id = ${fileId} and state in ('planning', 'planned', 'review')
  `.execute(trx)
}

export async function setUndoing(trx: Db, id: string): Promise<void> {
  await sql`update promotion set state = 'undoing', error = null where id = ${id}`.execute(trx)
}

export async function setUndoJob(trx: Db, id: string, jobId: string): Promise<void> {
  await sql`update promotion set undo_job_id = ${jobId} where id = ${id}`.execute(trx)
}

export async function setUndoChangeSet(trx: Db, id: string, changeSetId: string): Promise<void> {
  await sql`update promotion set undo_change_set_id = ${changeSetId} where id = ${id}`.execute(trx)
}

/** All that could be taken back is. */
export async function endUndoing(trx: Db, id: string): Promise<void> {
  await sql`
    update promotion set state = 'undone', undone_at = now(), touched_at = clock_timestamp()
    where id = ${id} and state = 'undoing'
  `.execute(trx)
}
