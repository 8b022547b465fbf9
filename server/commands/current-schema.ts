import type { Config } from '#server/config.ts'
import { openDatabase } from '#server/platform/database.ts'
import { checkSchema } from '#server/platform/migrations.ts'
import { reachDatabase } from '#server/platform/reach-database.ts'
import { requireDatabaseUrl } from './database-of.ts'

/** Refuses to serve a database that cannot be reached, or whose schema is older or newer than this code (D22). */
export async function requireCurrentSchema(config: Config): Promise<void> {
  const url = requireDatabaseUrl(config)
  await reachDatabase(url)
  const database = openDatabase(url, { max: 1, applicationName: 'schema-check' })
  try {
    await checkSchema(database.pool)
  } finally {
    await database.close()
  }
}
