import type { FileStore } from '#server/platform/files/file-store.ts'
import { pictureKey } from './picture-files.ts'
import { readPicture } from './read-picture.ts'

/** A picture whose file is in the store; a row may point at it from now on. */
export type StoredPicture = {
  sha256: string
  width: number
  height: number
  /** Smaller widths stored so far. */
  widths: number[]
}

/**
 * Reads a picture and stores its file. Comes before the transaction that writes the row: a row never lacks its file,
 * and a file without a row is swept after a day. It is written even where the store has it already, which makes it
 * young again and keeps the sweeper away.
 * @throws AppError as `readPicture` and `FileStore.put` do
 */
export async function storePicture(files: FileStore, bytes: Uint8Array): Promise<StoredPicture> {
  const { webp, sha256, width, height } = await readPicture(bytes)
  await files.put(pictureKey(sha256), webp)
  return { sha256, width, height, widths: [] }
}
