import type { Config } from '#server/config.ts'
import { findMissingPictures } from '#server/features/pictures/sweep-pictures.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/errors.ts'
import { openFileStore } from '#server/platform/files/open-file-store.ts'
import type { Log } from '#server/platform/log.ts'
import { requireCurrentSchema, requireDatabaseUrl, withDatabase } from './database-of.ts'

/**
 * Names every file that a listing's picture should have in the file store and has not (B13): what a restored backup or a
 * damaged disk may lack. Changes nothing.
 * @throws Refusal with their number, so that the program ends with status 1
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
      if (missing > 0) throw new Refusal(`Missing files of pictures: ${missing}.`)
      console.log('Every picture has its files.')
    } finally {
      await database.close()
    }
  })
}
