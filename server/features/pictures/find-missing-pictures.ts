import type { Db } from '#server/platform/database/database.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { pictureKey } from './picture-files.ts'
import { listUsedPictures, type UsedPicture } from './queries.ts'

export type MissingPicture = { key: string; listingIds: string[] }

const PAGE = 500

/** Every file that a listing's picture should have in the store and has not: what a restored backup may lack. */
export async function* findMissingPictures(db: Db, files: FileStore): AsyncGenerator<MissingPicture> {
  let after = ''
  for (;;) {
    const pictures = await listUsedPictures(db, after, PAGE)
    for (const picture of pictures) yield* missingFiles(files, picture)
    after = pictures.at(-1)?.sha256 ?? after
    if (pictures.length < PAGE) return
  }
}

async function* missingFiles(files: FileStore, { sha256, widths, listingIds }: UsedPicture) {
  for (const width of [undefined, ...widths]) {
    const key = pictureKey(sha256, width)
    if (!(await files.exists(key))) yield { key, listingIds }
  }
}
