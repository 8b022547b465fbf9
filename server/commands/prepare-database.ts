import { type Config, settingsOf } from '#server/config.ts'
import { isDemoLoaded } from '#server/features/running/demo/load-demo.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { Log } from '#server/platform/log.ts'
import { runToEnd } from '#server/platform/processes/supervised-child.ts'
import { SUPERVISED } from '#server/platform/processes/supervisor-link.ts'
import { requireDatabaseUrl } from './database-of.ts'
import { migrateDatabase } from './migrate.ts'

/** Migrates a reachable database, then loads the demo data if configured and missing. */
export async function prepareDatabase(config: Config, log: Log, program: string): Promise<void> {
  await migrateDatabase(config, log)
  if (!config.demoData || (await hasDemoData(config))) return
  console.log('Loading the demo data …')
  if ((await runToEnd(program, ['demo', 'load', SUPERVISED], settingsOf(config))) !== 0) {
    throw new Refusal('The demo data could not be loaded. See the error above.')
  }
}

async function hasDemoData(config: Config): Promise<boolean> {
  const database = openDatabase(requireDatabaseUrl(config), { max: 1, applicationName: 'start' })
  try {
    return await isDemoLoaded(database.db)
  } finally {
    await database.close()
  }
}
