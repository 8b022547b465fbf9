import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

/** The server's version, and how many jobs have not ended. */
export async function readDatabaseState(db: Db): Promise<{ version: string; jobs: number }> {
  const { rows } = await sql<{ version: string; jobs: number }>`
    select current_setting('server_version') as version, count(*) as jobs
    from job where status in ('queued', 'retrying', 'running', 'waiting-manual')`.execute(db)
  const [state] = rows
  if (!state) throw new Error('the database answered nothing')
  return state
}
