import type { Config } from '#server/config.ts'
import { loadTradeWords } from '#server/features/finding/vocabulary/load-words.ts'
import { makeDescriptionsPlain } from '#server/features/market/listings/plain-descriptions.ts'
import { remarkSides } from '#server/features/market/listings/search-row/search-rows.ts'
import { loadLookups } from '#server/features/market/lookups/load-lookups.ts'
import { JOB_QUEUES } from '#server/job-queues.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { migrate } from '#server/platform/database/migrations.ts'
import { prepareJobQueues } from '#server/platform/jobs/deliveries.ts'
import type { Log } from '#server/platform/log.ts'
import { requireDatabaseUrl } from './database-of.ts'

const HOUR_MS = 3_600_000

/**
 * Brings the configured database to this version: its schema, job queues, and the part types, vehicles and words that
 * ship with the program. Returns the names of the applied migrations.
 */
export async function migrateDatabase(config: Config, log: Log): Promise<readonly string[]> {
  const database = openDatabase(config.databaseDirectUrl ?? requireDatabaseUrl(config), {
    max: 1,
    applicationName: 'migrate',
    // Listings follow renamed models in one statement: minutes for a million.
    statementTimeoutMs: 2 * HOUR_MS,
    log,
  })
  try {
    const applied = await migrate(database.pool)
    await prepareJobQueues(database.pool, JOB_QUEUES)
    await loadLookups(database.db)
    await loadTradeWords(database.db)
    await makeDescriptionsPlain(database.db)
    await remarkSides(database.db)
    if (applied.length > 0) log.info({ applied }, 'database migrated')
    return applied
  } finally {
    await database.close()
  }
}

export async function migrateAndReport(config: Config, log: Log): Promise<void> {
  const applied = await migrateDatabase(config, log)
  console.log(applied.length === 0 ? 'The database is up to date.' : `Applied: ${applied.join(', ')}`)
}
