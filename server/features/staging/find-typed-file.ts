import type { StagingRoot } from '#contract/staging.ts'
import type { Db } from '#server/platform/database.ts'
import { findStagingFile, type StagingFile } from './queries.ts'
import { refusePath } from './refuse-path.ts'
import { namesServerFolder, readStagingPath, type StagingPath } from './staging-path.ts'
import type { Caller } from './write-refused-path.ts'

export type TypedFile = StagingPath & { readonly file: StagingFile | undefined }

export type AskedFile = Caller & {
  readonly root: StagingRoot
  /** As typed. */
  readonly path: string
  /** Folders that a typed absolute path may begin with. */
  readonly folders: readonly string[]
}

/**
 * The file that somebody means by a path they typed; without `file` where there is none.
 * @throws AppError VALIDATION_FAILED with `fields.path`, or what the caller named it
 */
export async function findTypedFile(
  db: Db,
  asked: AskedFile,
  field: 'path' | 'paths' = 'path',
): Promise<TypedFile> {
  const { root, path: typed, folders } = asked
  const refuse = (sentence: string) => refusePath(db, { root, typed, sentence, field, caller: asked })
  const read = readStagingPath(typed, folders)
  if (typeof read === 'string') return refuse(read)
  const file = await findStagingFile(db, root, read.path)
  if (!file && namesServerFolder(read.path)) {
    return refuse('This folder of the server is not open to staging. Enter a path inside the root.')
  }
  return { ...read, file }
}
