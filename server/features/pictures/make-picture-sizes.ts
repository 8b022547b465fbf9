import type { Db } from '#server/platform/database/database.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import type { JobRun } from '#server/platform/jobs/job-definition.ts'
import { findPictureWidth, setPictureWidths } from './queries.ts'
import { storeSmallerWidths } from './store-smaller-widths.ts'

/**
 * Makes the smaller widths of a picture, then tells every listing that has it. In this order, so that a page never names
 * a file that is not there yet.
 */
export async function makePictureSizes(
  { db, files }: { db: Db; files: FileStore },
  job: JobRun<{ sha256: string }>,
): Promise<{ widths: number[] }> {
  const { sha256 } = job.payload
  const width = await findPictureWidth(db, sha256)
  // The listing has another picture by now.
  if (width === undefined) return { widths: [] }
  const widths = await storeSmallerWidths(files, { sha256, width })
  await job.withFence((trx) => setPictureWidths(trx, sha256, widths))
  return { widths }
}
