import type { Db } from '#server/platform/database.ts'
import type { FileStore, StoredFile } from '#server/platform/file-store/file-store.ts'
import { PICTURE_FOLDER, sha256InKey } from './picture-files.ts'
import { listUsedShas } from './queries.ts'

// Between a picture's file and its row lie seconds; a day also covers a clock that is wrong.
const YOUNG_MS = 86_400_000
const BATCH = 500

export type Swept = { files: number; bytes: number; parts: number }

/**
 * Removes the files of pictures that no listing has (a picture replaced, or a process killed between file and row),
 * and what cut-off writes left. Files that are not ours by their name stay.
 */
export async function sweepPictures(
  db: Db,
  files: FileStore,
  { now, signal }: { now: Date; signal?: AbortSignal },
): Promise<Swept> {
  const before = new Date(now.getTime() - YOUNG_MS)
  const swept = { files: 0, bytes: 0, parts: await files.sweep() }
  for await (const batch of inBatches(files.list(PICTURE_FOLDER))) {
    signal?.throwIfAborted()
    const old = batch.filter(({ key, modifiedAt }) => modifiedAt < before && sha256InKey(key))
    const used = await listUsedShas(db, [...new Set(old.flatMap(({ key }) => sha256InKey(key) ?? []))])
    for (const file of old) {
      if (used.has(sha256InKey(file.key) ?? '') || !(await stillOld(files, file.key, before))) continue
      await files.delete(file.key)
      swept.files += 1
      swept.bytes += file.bytes
    }
  }
  return swept
}

/** Asked again at the last moment: the same picture may just have been sent anew, its row not yet committed. */
async function stillOld(files: FileStore, key: string, before: Date): Promise<boolean> {
  const file = await files.find(key)
  return file !== undefined && file.modifiedAt < before
}

async function* inBatches(files: AsyncIterable<StoredFile>): AsyncGenerator<StoredFile[]> {
  let batch: StoredFile[] = []
  for await (const file of files) {
    batch.push(file)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
