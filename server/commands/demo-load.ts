import type { Config } from '#server/config.ts'
import { loadDemo } from '#server/features/demo/load-demo.ts'
import { openDatabase } from '#server/platform/database.ts'
import { openFileStore } from '#server/platform/file-store/open-file-store.ts'
import type { Log } from '#server/platform/log.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { requireCurrentSchema } from './current-schema.ts'
import { requireDatabaseUrl, withDatabase } from './database-of.ts'

/** Fills a migrated database, lookups included, with the demo data; what is loaded already is left alone. */
export async function demoLoad(config: Config, log: Log): Promise<void> {
  // Its passwords are known to everyone.
  if (config.mode === 'production') throw new Refusal('Demo data is refused while APP_MODE is production.')
  await withDatabase(config, log, async (served) => {
    await requireCurrentSchema(served)
    const database = openDatabase(requireDatabaseUrl(served), { max: 2, applicationName: 'demo-load', log })
    try {
      const loaded = await loadDemo(database.db, await openFileStore(served.storage), new Date())
      console.log(loaded ? 'The demo data is in.' : 'The demo data was in already.')
    } finally {
      await database.close()
    }
  })
}
