import type { Config } from '#server/config.ts'
import { findMissingPictures } from '#server/features/market/pictures/sweep-pictures.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/errors.ts'
import { openFileStore } from '#server/platform/files/open-file-store.ts'
import type { Log } from '#server/platform/log.ts'
import { requireCurrentSchema, requireDatabaseUrl, withDatabase } from './database-of.ts'

/**
 * Lists every picture file that is missing from the file store, for example after restoring a backup or a disk
 * failure. Changes nothing.
 * @throws Refusal with the number of missing files, so that the program exits with status 1
 */
export async function picturesCheck(config: Config, log: Log): Promise<void> {
  await withDatabase(config, log, async (served) => {
    await requireCurrentSchema(served)
    const database = openDatabase(requireDatabaseUrl(served), {
      max: 1,
      applicationName: 'pictures-check',
      log,
    })
    try {
      let missing = 0
      for await (const { key, listingIds } of findMissingPictures(
        database.db,
        await openFileStore(served.storage),
      )) {
        missing += 1
        console.log(`${key}  missing in ${listingIds.map((id) => `listing ${id}`).join(', ')}`)
      }
      if (missing > 0) throw new Refusal(`Missing picture files: ${missing}.`)
      console.log('No picture files are missing.')
    } finally {
      await database.close()
    }
  })
}
