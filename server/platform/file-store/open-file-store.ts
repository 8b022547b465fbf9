import type { BucketSettings } from './bucket.ts'
import type { FileStore } from './file-store.ts'
import { openFolder } from './folder.ts'
import { guardDrive } from './guard-drive.ts'

export type FileStoreSettings =
  | { readonly kind: 'fs'; readonly dir: string }
  | ({ readonly kind: 's3' } & BucketSettings)

/** Opens the store that the settings name. Connects to nothing and makes nothing yet: `check` tells whether it works. */
export async function openFileStore(settings: FileStoreSettings): Promise<FileStore> {
  if (settings.kind === 'fs') return guardDrive(openFolder(settings.dir))
  // The S3 client takes 0.1 s and 25 MB to load, at every start of every process: only where it is used.
  const { openBucket } = await import('./bucket.ts')
  return guardDrive(openBucket(settings))
}
