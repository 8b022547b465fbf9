import { sql } from 'kysely'
import type { Db } from '#server/platform/database.ts'

/** Throws where jobs cannot be enqueued: what `/readyz` asks. */
export async function requireQueues(db: Db): Promise<void> {
  const { rows } = await sql`select from pgboss.queue limit 1`.execute(db)
  if (rows.length === 0) throw new Error('no job queues: the migration has not run to its end')
}
