import { join } from 'node:path'
import type { Config } from '#server/config.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { checkSchema } from '#server/platform/database/migrations.ts'
import { reachDatabase } from '#server/platform/database/reach-database.ts'
import {
  findRunningPostgres,
  startEmbeddedPostgres,
} from '#server/platform/embedded-postgres/embedded-postgres.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { Log } from '#server/platform/log.ts'

/** For standalone processes, since only `start` runs the embedded database. */
export function requireDatabaseUrl(config: Config): string {
  if (config.databaseUrl) return config.databaseUrl
  throw new Refusal(
    'DATABASE_URL must be set for this command. "npm start" runs everything with the embedded database.',
  )
}

/**
 * Runs `work` against DATABASE_URL, or else the embedded database: the one running under `npm start`, or one started
 * only for this.
 */
export async function withDatabase(
  config: Config,
  log: Log,
  work: (config: Config) => Promise<void>,
): Promise<void> {
  if (config.databaseUrl) {
    await reachDatabase(config.databaseUrl)
    return work(config)
  }
  const dir = join(config.dataDir, 'postgres')
  const running = await findRunningPostgres(dir)
  if (running) return work({ ...config, databaseUrl: running })
  const server = await startEmbeddedPostgres({ dir, log })
  try {
    await work({ ...config, databaseUrl: server.url('owner') })
  } finally {
    await server.stop()
  }
}

/** Refuses a database that cannot be reached or whose schema is older or newer than this code. */
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
