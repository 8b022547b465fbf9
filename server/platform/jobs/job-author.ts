import { sql } from 'kysely'
import type { Db } from '#server/platform/database.ts'

/** Who enqueued a job; undefined where a schedule did, or where they are gone. */
export async function findJobAuthor(db: Db, jobId: string): Promise<string | undefined> {
  const { rows } = await sql<{ createdBy: string | null }>`
    select created_by as "createdBy" from job where id = ${jobId}`.execute(db)
  return rows[0]?.createdBy ?? undefined
}
