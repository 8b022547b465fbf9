import { AppError } from '#server/platform/app-error.ts'
import type { Db } from '#server/platform/database.ts'
import { type AskedFile, findTypedFile } from './find-typed-file.ts'
import type { StagingFile } from './queries.ts'
import { type StagingPath, viewPath } from './staging-path.ts'

export type RequiredFile = {
  readonly file: StagingFile
  readonly format: StagingPath['format']
  /** Under which the view that was asked for is named. */
  readonly shownPath: string
}

/**
 * The file that somebody means by a path they typed.
 * @throws AppError VALIDATION_FAILED with `fields.path`, NOT_FOUND
 */
export async function requireTypedFile(db: Db, asked: AskedFile): Promise<RequiredFile> {
  const { file, ...typed } = await findTypedFile(db, asked)
  if (!file) throw new AppError('NOT_FOUND', `There is no staged file ${typed.path} in ${asked.root}.`)
  return { file, format: typed.format, shownPath: viewPath(typed) }
}
