import type { BucketSettings } from './bucket.ts'
import {
  checkFileKey,
  type Drive,
  type FileStore,
  isFileKey,
  isMissingFile,
  type StoredFile,
  storageFailure,
} from './file-store.ts'
import { openFolder } from './folder.ts'

const CHECK_KEY = 'health/check'
// About one small picture: on a full disk an empty file can still be made.
const CHECK_BYTES = new Uint8Array(64 * 1024)
// /readyz is public: however often it is asked, the storage is written at most this often.
const CHECK_HOLDS_MS = 5_000

/** A file store over one kind of storage: keys are checked before it, failures put into words after it. */
function guardDrive(drive: Drive): FileStore {
  const put = async (key: string, bytes: Uint8Array) => told(drive.write(checkFileKey(key), bytes))
  const find = async (key: string) => unlessMissing(drive.look(checkFileKey(key)))
  return {
    put,
    find,
    get: async (key) => unlessMissing(drive.read(checkFileKey(key))),
    exists: async (key) => (await find(key)) !== undefined,
    delete: async (key) => {
      await unlessMissing(drive.remove(checkFileKey(key)))
    },
    list: (folder) => ours(drive.list(checkFileKey(folder))),
    check: rarely(() => put(CHECK_KEY, CHECK_BYTES)),
    sweep: () => told(drive.sweep()),
  }
}

async function told<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw storageFailure(error)
  }
}

async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (isMissingFile(error)) return undefined
    throw storageFailure(error)
  }
}

/** Without what others laid there by hand, which no call of ours could name. */
async function* ours(files: AsyncIterable<StoredFile>): AsyncGenerator<StoredFile> {
  try {
    for await (const file of files) if (isFileKey(file.key)) yield file
  } catch (error) {
    throw storageFailure(error)
  }
}

/** Answers with the last good result while it is fresh; a failure is asked again at once. */
function rarely(work: () => Promise<void>): () => Promise<void> {
  let last: { at: number; result: Promise<void> } | undefined
  return () => {
    if (last && Date.now() - last.at < CHECK_HOLDS_MS) return last.result
    const result = work().catch((error: unknown) => {
      last = undefined
      throw error
    })
    last = { at: Date.now(), result }
    return result
  }
}

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
