import type { Log } from '#server/platform/log.ts'
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
import { openFolder, restrictToOwner } from './folder.ts'

const CHECK_KEY = 'health/check'
// The size of a small picture, because an empty file can be created even on a full disk.
const CHECK_BYTES = new Uint8Array(64 * 1024)
// /readyz is public: this limits how often it writes to the storage.
const CHECK_VALID_MS = 5_000
// The next probe of a load balancer, which come every few seconds, gets what the last one started.
const CHECK_KNOWN_MS = 20_000

/** Wraps a drive as a file store that checks keys and translates failures. */
function guardDrive(drive: Drive): FileStore {
  const put = async (key: string, bytes: Uint8Array) => translated(drive.write(checkFileKey(key), bytes))
  const find = async (key: string) => unlessMissing(drive.look(checkFileKey(key)))
  return {
    put,
    find,
    get: async (key) => unlessMissing(drive.read(checkFileKey(key))),
    exists: async (key) => (await find(key)) !== undefined,
    delete: async (key) => {
      await unlessMissing(drive.remove(checkFileKey(key)))
    },
    list: (folder) => withValidKeys(drive.list(checkFileKey(folder))),
    listAll: () => withValidKeys(drive.list('')),
    check: cached(() => put(CHECK_KEY, CHECK_BYTES)),
    sweep: () => translated(drive.sweep()),
  }
}

async function translated<T>(work: Promise<T>): Promise<T> {
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

/** Skips files that were put there by hand under names that are not valid keys. */
async function* withValidKeys(files: AsyncIterable<StoredFile>): AsyncGenerator<StoredFile> {
  try {
    for await (const file of files) if (isFileKey(file.key)) yield file
  } catch (error) {
    throw storageFailure(error)
  }
}

/**
 * Reuses a success for a while. Then, until it is too old, it is renewed beside the reply: a write waits for up to two seconds
 * while the disk is busy or many pages are compressed. After a failure the next call tries again, and waits.
 */
function cached(work: () => Promise<void>): () => Promise<void> {
  let rightAt: number | undefined
  let renewing: Promise<void> | undefined
  const renew = async () => {
    try {
      await work()
      rightAt = Date.now()
    } catch (error) {
      rightAt = undefined
      throw error
    } finally {
      renewing = undefined
    }
  }
  return async () => {
    const age = rightAt === undefined ? Number.POSITIVE_INFINITY : Date.now() - rightAt
    if (age < CHECK_VALID_MS) return
    renewing ??= renew()
    if (age >= CHECK_KNOWN_MS) return renewing
    renewing.catch(() => undefined)
  }
}

export type FileStoreSettings =
  | { readonly kind: 'fs'; readonly dir: string }
  | ({ readonly kind: 's3' } & BucketSettings)

/**
 * Opens the configured store. Does not connect yet; `check` finds out whether it works. A process that serves gives its log: then
 * the folder is closed to other users of the machine.
 */
export async function openFileStore(settings: FileStoreSettings, log?: Log): Promise<FileStore> {
  if (settings.kind === 'fs') {
    if (log) await restrictToOwner(settings.dir, log)
    return guardDrive(openFolder(settings.dir))
  }
  // Loading the S3 client takes 0.1 s and 25 MB per process, so only do it where it is used.
  const { openBucket } = await import('./bucket.ts')
  return guardDrive(openBucket(settings))
}
