import type { StagingRoot } from '#contract/staging.ts'
import type { Db } from '#server/platform/database.ts'
import { insertStagingFile, insertVersion } from './queries.ts'
import type { Segment } from './segment.ts'
import { readStagingPath } from './staging-path.ts'

export type NewStagingFile = {
  readonly root: StagingRoot
  /** Ends in `.json`; made what `readStagingPath` makes of it, so that it is found by its name. */
  readonly path: string
  readonly sellerId: string
  readonly createdBy: string | undefined
  /** Headers of the file the rows came from; empty where they were made by hand. */
  readonly header: readonly string[]
  readonly segments: readonly Segment[]
  /** Names of all fields that the records may have. */
  readonly columns: readonly string[]
  readonly message: string
}

/**
 * Makes a file with its version 1 out of segments that are stored already. Where the path is taken it gets -2, -3 and so
 * on; that is the unique constraint's to say, so that of two at once each gets a path of its own.
 */
export async function createStagingFile(
  trx: Db,
  file: NewStagingFile,
): Promise<{ fileId: string; path: string }> {
  const wanted = readStagingPath(file.path)
  if (typeof wanted === 'string') throw new Error(`${file.path} is no path of a staged file: ${wanted}`)
  const stem = wanted.path.slice(0, -'.json'.length)
  for (let copy = 1; ; copy += 1) {
    const path = copy === 1 ? wanted.path : `${stem}-${copy}.json`
    const fileId = await insertStagingFile(trx, { ...file, path })
    if (fileId === undefined) continue
    await insertVersion(trx, {
      fileId,
      version: 1,
      authorUserId: file.createdBy,
      message: file.message,
      segments: file.segments,
      columns: file.columns,
    })
    return { fileId, path }
  }
}
