import { AppError } from '#server/platform/app-error.ts'
import type { Db } from '#server/platform/database.ts'
import type { StagingFile } from './queries.ts'
import { findVersion, type VersionRow } from './version-queries.ts'

/**
 * A version of a file by its number.
 * @throws AppError NOT_FOUND
 */
export async function requireVersion(db: Db, file: StagingFile, version: number): Promise<VersionRow> {
  const found = await findVersion(db, file.id, version)
  if (found) return found
  throw new AppError(
    'NOT_FOUND',
    `${file.path} has no version ${version}; its versions are 1 to ${file.version}.`,
  )
}
