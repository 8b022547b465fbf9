import { sql } from 'kysely'
import type { Db } from '#server/platform/database.ts'

/** The name under which the demo data stands in `loaded_data` once all of it is in. */
export const DEMO_DATA = 'demo'

export async function isDemoLoaded(db: Db): Promise<boolean> {
  const { rows } = await sql`select from loaded_data where name = ${DEMO_DATA}`.execute(db)
  return rows.length > 0
}

/** A readiness check: a demo without its data would look broken to whoever opens it. */
export async function requireDemoData(db: Db): Promise<void> {
  if (!(await isDemoLoaded(db))) throw new Error('the demo data is not in yet')
}
