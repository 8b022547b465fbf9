import type { StagingRoot } from '#contract/staging.ts'
import { AppError } from '#server/platform/app-error.ts'
import type { Db } from '#server/platform/database.ts'
import { findStagingFile, type StagingFile } from './queries.ts'
import { namesServerFolder, readStagingPath, type StagingPath } from './staging-path.ts'

export type TypedFile = StagingPath & { readonly file: StagingFile | undefined }

/**
 * The file that somebody means by a path they typed; without `file` where there is none.
 * @throws AppError VALIDATION_FAILED with `fields.path`
 */
export async function findTypedFile(
  db: Db,
  typed: { root: StagingRoot; path: string; folders: readonly string[] },
): Promise<TypedFile> {
  const read = readStagingPath(typed.path, typed.folders)
  if (typeof read === 'string') throw refusedPath(read)
  const file = await findStagingFile(db, typed.root, read.path)
  if (!file && namesServerFolder(read.path)) {
    throw refusedPath('This folder of the server is not open to staging. Enter a path inside the root.')
  }
  return { ...read, file }
}

const refusedPath = (sentence: string) =>
  new AppError('VALIDATION_FAILED', sentence, { fields: { path: sentence } })
