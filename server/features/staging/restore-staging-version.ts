import { AppError } from '#server/platform/app-error.ts'
import type { Db } from '#server/platform/database.ts'
import type { AskedFile } from './find-typed-file.ts'
import { listSegments } from './queries.ts'
import { requireTypedFile } from './require-typed-file.ts'
import { requireVersion } from './require-version.ts'
import { sameSegments } from './segment.ts'
import { changedMeanwhile } from './stale-version.ts'
import { storeNextVersion } from './store-next-version.ts'

export type RestoreVersion = AskedFile & {
  readonly version: number
  /** The newest one that was seen. */
  readonly current: number
}

/**
 * Makes an earlier version the newest again, as a version of its own that shares its segments. Where the newest says the
 * same already it stays.
 * @throws AppError VALIDATION_FAILED, NOT_FOUND, STALE
 */
export async function restoreStagingVersion(
  db: Db,
  restore: RestoreVersion,
): Promise<{ path: string; version: number }> {
  const { file, shownPath: path } = await requireTypedFile(db, restore)
  if (restore.current !== file.version) {
    throw new AppError('STALE', changedMeanwhile({ newest: file.version, read: restore.current }))
  }
  const { columns } = await requireVersion(db, file, restore.version)
  const segments = await listSegments(db, file.id, restore.version)
  if (sameSegments(segments, await listSegments(db, file.id, file.version))) {
    return { path, version: file.version }
  }
  const message = `Restored version ${restore.version}`
  return {
    path,
    version: await storeNextVersion(db, { file, segments, columns, message, caller: restore }),
  }
}
