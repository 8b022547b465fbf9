import type { Config } from '#server/config.ts'
import { loadDemo } from '#server/features/demo/load-demo.ts'
import { loadLookups } from '#server/features/lookups/load-lookups.ts'
import { openDatabase } from '#server/platform/database.ts'
import { openFileStore } from '#server/platform/file-store/open-file-store.ts'
import type { Log } from '#server/platform/log.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { requireCurrentSchema } from './current-schema.ts'
import { requireDatabaseUrl, withDatabase } from './database-of.ts'

/** Fills the database with the lookups and the demo data; what is loaded already is left alone. */
export async function loadDemoData(config: Config, log: Log): Promise<boolean> {
  const database = openDatabase(requireDatabaseUrl(config), { max: 2, applicationName: 'demo-load', log })
  try {
    await loadLookups(database.db)
    return await loadDemo(database.db, await openFileStore(config.storage), new Date())
  } finally {
    await database.close()
  }
}

export async function demoLoad(config: Config, log: Log): Promise<void> {
  // Its passwords are known to everyone.
  if (config.mode === 'production') throw new Refusal('Demo data is refused while APP_MODE is production.')
  await withDatabase(config, log, async (served) => {
    await requireCurrentSchema(served)
    const loaded = await loadDemoData(served, log)
    console.log(loaded ? 'The demo data is in.' : 'The demo data was in already.')
  })
}
