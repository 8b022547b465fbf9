import { buffer } from 'node:stream/consumers'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { GiveUp } from '#server/platform/jobs/job-definition.ts'
import { pictureKey, SWEPT_AFTER_MS, smallerWidths } from './picture-files.ts'
import { shrinkWebp } from './sharp-client.ts'

// A file of this age stays until whoever needs it has named it in a row; an older one the sweeper might take meanwhile.
const YOUNG_MS = SWEPT_AFTER_MS / 2

/**
 * Makes the files of a stored picture's smaller widths and answers which there are. Safe to run twice, also at the same
 * time: the same picture gives the same files. Those that are there stay as they are, unless they are old: they are made
 * young again, as `storePicture` does.
 */
export async function storeSmallerWidths(
  files: FileStore,
  picture: { sha256: string; width: number },
): Promise<number[]> {
  const widths = smallerWidths(picture.width)
  let original: Buffer | undefined
  for (const width of widths) {
    const key = pictureKey(picture.sha256, width)
    const there = await files.find(key)
    if (there && there.modifiedAt.getTime() > Date.now() - YOUNG_MS) continue
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
