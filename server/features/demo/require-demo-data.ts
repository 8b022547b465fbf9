import type { Db } from '#server/platform/database/database.ts'
import { isDemoLoaded } from './queries.ts'

/** A readiness check: a demo without its data would look broken to whoever opens it. */
export async function requireDemoData(db: Db): Promise<void> {
  if (!(await isDemoLoaded(db))) throw new Error('the demo data is not in yet')
}
