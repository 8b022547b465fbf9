import type { FileStore } from '#server/platform/files/file-store.ts'
import { type StoredPicture, storePicture } from './store-picture.ts'
import { storeSmallerWidths } from './store-smaller-widths.ts'

/** Stores a picture and all its smaller widths at once: for loads of many listings, where no job shall follow. */
export async function storePictureWithSizes(files: FileStore, bytes: Uint8Array): Promise<StoredPicture> {
  const stored = await storePicture(files, bytes)
  return { ...stored, widths: await storeSmallerWidths(files, stored) }
}
