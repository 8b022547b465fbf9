import { sql } from 'kysely'
import type { Db } from '#server/platform/database.ts'

/** What a worker's connection for notices is called. It holds one for as long as it lives, and nobody else has one. */
export const WORKER_CONNECTION = 'worker-notices'

export async function isWorkerAlive(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and application_name = ${WORKER_CONNECTION} limit 1`.execute(db)
  return rows.length > 0
}
