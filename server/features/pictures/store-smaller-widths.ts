import { buffer } from 'node:stream/consumers'
import type { FileStore } from '#server/platform/file-store/file-store.ts'
import { GiveUp } from '#server/platform/jobs/job-definition.ts'
import { pictureKey, smallerWidths } from './picture-files.ts'
import { shrinkWebp } from './sharp-client.ts'

/**
 * Makes the files of a stored picture's smaller widths and answers which there are. Safe to run twice, also at the same
 * time: the same picture gives the same files, and those that are there stay.
 */
export async function storeSmallerWidths(
  files: FileStore,
  picture: { sha256: string; width: number },
): Promise<number[]> {
  const widths = smallerWidths(picture.width)
  let original: Buffer | undefined
  for (const width of widths) {
    const key = pictureKey(picture.sha256, width)
    if (await files.exists(key)) continue
    original ??= await readOriginal(files, picture.sha256)
    await files.put(key, (await shrinkWebp(original, width)).webp)
  }
  return widths
}

async function readOriginal(files: FileStore, sha256: string): Promise<Buffer> {
  const stream = await files.get(pictureKey(sha256))
  if (!stream) throw new GiveUp(`The file of picture ${sha256} is missing`)
  return buffer(stream)
}
