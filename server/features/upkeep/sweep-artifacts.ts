import type { Db } from '#server/platform/database/database.ts'
import { type FileStore, removeUnused } from '#server/platform/files/file-store.ts'
import { ARTIFACTS } from '#server/platform/jobs/job-events.ts'
import { listArtifactKeys } from './queries.ts'

// Between an artifact's file and its row lie seconds; a day also covers a clock that is wrong.
const YOUNG_MS = 86_400_000

/** Removes the files of artifacts that have no row: their job is gone, or was killed between file and row. */
export function sweepArtifacts(
  { db, files, now }: { db: Db; files: FileStore; now: Date },
  signal: AbortSignal,
): Promise<{ files: number; bytes: number }> {
  return removeUnused(files, {
    folder: ARTIFACTS,
    before: new Date(now.getTime() - YOUNG_MS),
    nameIn: (key) => key,
    listUsed: (keys) => listArtifactKeys(db, keys),
    signal,
  })
}
