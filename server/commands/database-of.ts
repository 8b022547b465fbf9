import { join } from 'node:path'
import type { Config } from '#server/config.ts'
import {
  findRunningPostgres,
  startEmbeddedPostgres,
} from '#server/platform/embedded-postgres/embedded-postgres.ts'
import type { Log } from '#server/platform/log.ts'
import { reachDatabase } from '#server/platform/reach-database.ts'
import { Refusal } from '#server/platform/refusal.ts'

/** For processes that run on their own: the embedded database belongs to `start`. */
export function requireDatabaseUrl(config: Config): string {
  if (config.databaseUrl) return config.databaseUrl
  throw new Refusal(
    'DATABASE_URL must be set for this command. "npm start" runs everything with the embedded database.',
  )
}

/**
 * Does one piece of work on the database of the settings: that of DATABASE_URL, else the embedded one, which may be
 * running under `npm start` just now or is started for this.
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
