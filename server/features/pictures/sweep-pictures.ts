import type { Db } from '#server/platform/database/database.ts'
import { type FileStore, removeUnused } from '#server/platform/files/file-store.ts'
import { PICTURE_FOLDER, SWEPT_AFTER_MS, sha256InKey } from './picture-files.ts'
import { listUsedShas } from './queries.ts'

export type Swept = { files: number; bytes: number; parts: number }

/**
 * Removes the files of pictures that no listing has (a picture replaced, or a process killed between file and row),
 * and what cut-off writes left. Files that are not ours by their name stay.
 */
export async function sweepPictures(
  db: Db,
  files: FileStore,
  { now, signal }: { now: Date; signal: AbortSignal },
): Promise<Swept> {
  const parts = await files.sweep()
  const removed = await removeUnused(files, {
    folder: PICTURE_FOLDER,
    before: new Date(now.getTime() - SWEPT_AFTER_MS),
    nameIn: sha256InKey,
    listUsed: (shas) => listUsedShas(db, shas),
    signal,
  })
  return { ...removed, parts }
}
