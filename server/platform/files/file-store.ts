import type { Readable } from 'node:stream'
import { isUnreachable } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'

// No name begins with a dot, so no key can reach the parts of unfinished writes, a hidden file or the folder above;
// none ends with one, since some file systems drop it.
const KEY = /^[a-z0-9_-](?:[a-z0-9._-]*[a-z0-9_-])?(?:\/[a-z0-9_-](?:[a-z0-9._-]*[a-z0-9_-])?)*$/

// Below the 1,024 bytes of S3, and leaves room for the folder in a path of at most 4,096.
const LONGEST = 512

export function isFileKey(key: string): boolean {
  return key.length <= LONGEST && KEY.test(key) && !key.includes('..')
}

/**
 * Keys are made by us, from hashes and slugs: a wrong one is a bug, and must not become a path.
 * @throws RangeError
 */
export function checkFileKey(key: string): string {
  if (!isFileKey(key))
    throw new RangeError(`Not a key of the file store: ${JSON.stringify(key.slice(0, 100))}`)
  return key
}

// No room, no room for this owner, a file system that the kernel made read-only after a fault.
const FULL_CODES = new Set(['ENOSPC', 'EDQUOT', 'EROFS'])
// What servers that speak S3 say when they have no room (Amazon's never does).
const FULL_NAMES = /^(XMinioStorageFull|InsufficientStorage|InsufficientCapacity|QuotaExceeded)$/

const RETRY_SECONDS = 5

/** The S3 client adds `$metadata` with the HTTP status; Node adds `code`. */
type Failure = Error & { code?: unknown; $metadata?: { httpStatusCode?: number } }

/** What a failed read or write is told as; what was not foreseen (a bug, a refused key) stays as it is. */
export function storageFailure(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { code, name, $metadata }: Failure = error
  const status = $metadata?.httpStatusCode ?? 0
  if (FULL_CODES.has(String(code)) || FULL_NAMES.test(name) || status === 507) {
    return new AppError(
      'STORAGE_FULL',
      'The file store is full, so nothing was saved. Please try again later.',
      {
        cause: error,
      },
    )
  }
  if (isUnreachable(code) || name === 'TimeoutError' || status === 429 || status >= 500) {
    return new AppError('BUSY', 'The file store is out of reach for the moment. Please try again.', {
      retryAfterSeconds: RETRY_SECONDS,
      cause: error,
    })
  }
  return error
}

/** Whether a read failed because there is no such file. */
export function isMissingFile(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, name, $metadata }: Failure = error
  return code === 'ENOENT' || code === 'ENOTDIR' || name === 'NoSuchKey' || $metadata?.httpStatusCode === 404
}

export type StoredFile = { readonly key: string; readonly modifiedAt: Date; readonly bytes: number }

/**
 * Where the files of all processes are kept: a folder or an S3 bucket. A key is a path of lower-case names
 * (`images/3f/3fa1….webp`). A file is whole or absent: nobody ever reads a half-written one.
 */
export type FileStore = {
  /**
   * Writes a file, over an earlier one of the same key. When it returns, the file survives a power cut.
   * @throws AppError STORAGE_FULL where there is no room, BUSY where the store is out of reach
   */
  put(key: string, bytes: Uint8Array): Promise<void>
  /** The content, or undefined where there is no such file. A stream that is not read must be destroyed. */
  get(key: string): Promise<Readable | undefined>
  /** When it was last written and how long it is, or undefined where there is no such file. */
  find(key: string): Promise<StoredFile | undefined>
  exists(key: string): Promise<boolean>
  /** Removes a file; one that is absent already is no error. */
  delete(key: string): Promise<void>
  /** Every file in a folder (`images`) and the folders in it, in no particular order, a page at a time. */
  list(folder: string): AsyncIterable<StoredFile>
  /** Writes a little: returns if the store takes files, throws as `put` does if not. For `/readyz`. */
  check(): Promise<void>
  /** Removes what writes that were cut off (kill -9, power) left behind; answers how many pieces. */
  sweep(): Promise<number>
}

/**
 * What a kind of storage has to bring. Keys were checked; failures may be the storage's own, a missing file one of
 * those that `isMissingFile` knows.
 */
export type Drive = {
  write(key: string, bytes: Uint8Array): Promise<void>
  read(key: string): Promise<Readable>
  look(key: string): Promise<StoredFile>
  remove(key: string): Promise<void>
  list(folder: string): AsyncIterable<StoredFile>
  sweep(): Promise<number>
}

const AT_ONCE = 500

export type UnusedFiles = {
  readonly folder: string
  /** Younger files stay: what names them may not be committed yet. */
  readonly before: Date
  /** By which name a file is used (several may have one); undefined for a key that is none of ours: such a file stays. */
  readonly nameIn: (key: string) => string | undefined
  /** Those of the names that are still used. */
  readonly listUsed: (names: readonly string[]) => Promise<ReadonlySet<string>>
  readonly signal: AbortSignal
}

/**
 * Removes the files of a folder that nothing uses any more, a page at a time; safe to break off anywhere. Whoever means to
 * use a file that may be there already writes it anew, so that it is young until what names it is committed.
 */
export async function removeUnused(
  files: FileStore,
  { folder, before, nameIn, listUsed, signal }: UnusedFiles,
): Promise<{ files: number; bytes: number }> {
  const removed = { files: 0, bytes: 0 }
  for await (const page of inPages(files.list(folder))) {
    signal.throwIfAborted()
    const old = page.flatMap((file) => {
      const name = file.modifiedAt < before ? nameIn(file.key) : undefined
      return name === undefined ? [] : [{ ...file, name }]
    })
    const used = await listUsed([...new Set(old.map(({ name }) => name))])
    for (const { key, name, bytes } of old) {
      if (used.has(name) || !(await isStillOld(files, key, before))) continue
      await files.delete(key)
      removed.files += 1
      removed.bytes += bytes
    }
  }
  return removed
}

/** Asked again at the last moment: the same content may just have been stored anew, and is not yet named. */
async function isStillOld(files: FileStore, key: string, before: Date): Promise<boolean> {
  const file = await files.find(key)
  return file !== undefined && file.modifiedAt < before
}

async function* inPages(files: AsyncIterable<StoredFile>): AsyncGenerator<StoredFile[]> {
  let page: StoredFile[] = []
  for await (const file of files) {
    page.push(file)
    if (page.length < AT_ONCE) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}
