import { checkFileKey, isFileKey } from './file-key.ts'
import type { Drive, FileStore, StoredFile } from './file-store.ts'
import { isMissingFile, storageFailure } from './storage-failure.ts'

const CHECK_KEY = 'health/check'
// About one small picture: on a full disk an empty file can still be made.
const CHECK_BYTES = new Uint8Array(64 * 1024)
// /readyz is public: however often it is asked, the storage is written at most this often.
const CHECK_HOLDS_MS = 5_000

/** A file store over one kind of storage: keys are checked before it, failures put into words after it. */
export function guardDrive(drive: Drive): FileStore {
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
