import { isBackupRunning } from '#server/platform/backup/backup-lock.ts'
import type { Db } from '#server/platform/database/database.ts'
import { type FileStore, removeUnused } from '#server/platform/files/file-store.ts'
import { PICTURE_FOLDER, pictureKey, SWEPT_AFTER_MS, sha256InKey } from './picture-files.ts'
import { forgetRemovedPictures, listUsedPictures, listUsedShas, type UsedPicture } from './picture-queries.ts'

export type SweepResult = { files: number; bytes: number; parts: number }

// Longer than the 30 days in which undoing an import can restore its removed pictures.
const KEPT_DAYS = 35

/**
 * Removes the files of pictures that no listing has or may get back (replaced pictures, or leftovers of a process
 * killed between file and row), and of interrupted writes. Keeps files with other names.
 */
export async function sweepPictures(
  db: Db,
  files: FileStore,
  { now, signal }: { now: Date; signal: AbortSignal },
): Promise<SweepResult> {
  const parts = await files.sweep()
  await forgetRemovedPictures(db, new Date(now.getTime() - KEPT_DAYS * 86_400_000))
  const removed = await removeUnused(files, {
    folder: PICTURE_FOLDER,
    before: new Date(now.getTime() - SWEPT_AFTER_MS),
    nameIn: sha256InKey,
    listUsed: (shas) => listUsedShas(db, shas),
    isHeld: () => isBackupRunning(db),
    signal,
  })
  return { ...removed, parts }
}

export type MissingPicture = { key: string; listingIds: string[] }

const PAGE = 500

/** Yields picture files missing from the store, such as after restoring a backup. */
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
