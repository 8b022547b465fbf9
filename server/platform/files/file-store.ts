import type { Readable } from 'node:stream'
import { isUnreachable } from '#server/platform/database/database.ts'
import { DISK_RETRY_SECONDS, diskFailure } from '#server/platform/disk-failure.ts'
import { AppError } from '#server/platform/errors.ts'

// No name begins with a dot, so no key can reach the parts of unfinished writes, a hidden file or the folder above;
// none ends with one, since some file systems drop it.
const KEY = /^[a-z0-9_-](?:[a-z0-9._-]*[a-z0-9_-])?(?:\/[a-z0-9_-](?:[a-z0-9._-]*[a-z0-9_-])?)*$/

// Below the 1,024 bytes of S3, and leaves room for the folder in a path of at most 4,096.
const MAX_LENGTH = 512

export function isFileKey(key: string): boolean {
  return key.length <= MAX_LENGTH && KEY.test(key) && !key.includes('..')
}

/**
 * We build keys from hashes and slugs: an invalid one is a bug and must not become a path.
 * @throws RangeError
 */
export function checkFileKey(key: string): string {
  if (!isFileKey(key))
    throw new RangeError(`Not a key of the file store: ${JSON.stringify(key.slice(0, 100))}`)
  return key
}

// Errors of S3-compatible servers that are full (Amazon's never is).
const FULL_NAMES = /^(XMinioStorageFull|InsufficientStorage|InsufficientCapacity|QuotaExceeded)$/

const RETRY_SECONDS = 5

/** The S3 client adds `$metadata` with the HTTP status; Node adds `code`. */
type Failure = Error & { code?: unknown; $metadata?: { httpStatusCode?: number } }

/** Turns a failed read or write into an AppError. Unexpected errors (a bug, a rejected key) are returned unchanged. */
export function storageFailure(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { code, name, $metadata }: Failure = error
  const status = $metadata?.httpStatusCode ?? 0
  const disk = diskFailure(error)
  // Mounted read-only by an operator, or remounted by the kernel after a disk fault.
  if (disk === 'read-only') {
    return new AppError(
      'BUSY',
      'The file store is read-only at the moment, so nothing was saved. Please try again later.',
      { retryAfterSeconds: DISK_RETRY_SECONDS, cause: error },
    )
  }
  if (disk === 'full' || FULL_NAMES.test(name) || status === 507) {
    return new AppError(
      'STORAGE_FULL',
      'The file store is full, so nothing was saved. Please try again later.',
      { cause: error },
    )
  }
  if (isUnreachable(code) || name === 'TimeoutError' || status === 429 || status >= 500) {
    return new AppError('BUSY', 'The file store is not responding right now. Please try again.', {
      retryAfterSeconds: RETRY_SECONDS,
      cause: error,
    })
  }
  return error
}

/** Whether a read failed because the file does not exist. */
export function isMissingFile(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, name, $metadata }: Failure = error
  return code === 'ENOENT' || code === 'ENOTDIR' || name === 'NoSuchKey' || $metadata?.httpStatusCode === 404
}

/** For a read: another process may delete a file between listing and reading it. */
export function undefinedIfMissing(error: unknown): undefined {
  if (!isMissingFile(error)) throw error
}

export type StoredFile = { readonly key: string; readonly modifiedAt: Date; readonly bytes: number }

/**
 * Stores the files of all processes in a folder or an S3 bucket. A key is a path of lowercase names
 * (`images/3f/3fa1….webp`). Writes are atomic: a half-written file is never visible.
 */
export type FileStore = {
  /**
   * Writes or replaces a file. When it returns, the file survives a power cut.
   * @throws AppError STORAGE_FULL if there is no space, BUSY if the store is unreachable
   */
  put(key: string, bytes: Uint8Array): Promise<void>
  /** The content, or undefined if the file does not exist. A stream that is not read must be destroyed. */
  get(key: string): Promise<Readable | undefined>
  /** The file's date and size, or undefined if it does not exist. */
  find(key: string): Promise<StoredFile | undefined>
  exists(key: string): Promise<boolean>
  /** Deletes a file if it exists. */
  delete(key: string): Promise<void>
  /** Lists all files below a folder (`images`) in no particular order, a page at a time. */
  list(folder: string): AsyncIterable<StoredFile>
  listAll(): AsyncIterable<StoredFile>
  /** Writes a small file for `/readyz`; throws like `put` if the store does not accept files. */
  check(): Promise<void>
  /** Removes leftovers of interrupted writes (kill -9, power cut) and returns how many. */
  sweep(): Promise<number>
}

/**
 * What each kind of storage implements. Keys are already checked. Errors may be the storage's own; `isMissingFile` must
 * recognize that of a missing file.
 */
export type Drive = {
  write(key: string, bytes: Uint8Array): Promise<void>
  read(key: string): Promise<Readable>
  look(key: string): Promise<StoredFile>
  remove(key: string): Promise<void>
  /** Below a folder; '' is all. */
  list(folder: string): AsyncIterable<StoredFile>
  sweep(): Promise<number>
}

const PAGE_SIZE = 500

export type UnusedFiles = {
  readonly folder: string
  /** Newer files stay, because the row that refers to them may not be committed yet. */
  readonly before: Date
  /** The name by which rows refer to the file (several files may share one); undefined for keys that are not ours, which stay. */
  readonly nameIn: (key: string) => string | undefined
  /** Returns the names that are still in use. */
  readonly listUsed: (names: readonly string[]) => Promise<ReadonlySet<string>>
  /** Whether deletion must wait because a running backup may still copy the files. */
  readonly isHeld: () => Promise<boolean>
  readonly signal: AbortSignal
}

/**
 * Deletes unused files of a folder, a page at a time, and stops during a backup; safe to interrupt anywhere. Code that
 * reuses an existing file must rewrite it, so that its date protects it until the referring row is committed.
 */
export async function removeUnused(
  files: FileStore,
  { folder, before, nameIn, listUsed, isHeld, signal }: UnusedFiles,
): Promise<{ files: number; bytes: number }> {
  const removed = { files: 0, bytes: 0 }
  for await (const page of inPages(files.list(folder), PAGE_SIZE)) {
    signal.throwIfAborted()
    const old = page.flatMap((file) => {
      const name = file.modifiedAt < before ? nameIn(file.key) : undefined
      return name === undefined ? [] : [{ ...file, name }]
    })
    const used = await listUsed([...new Set(old.map(({ name }) => name))])
    // Checked after `listUsed`: a backup that begins later has no rows that refer to the unused files.
    if (await isHeld()) break
    for (const { key, name, bytes } of old) {
      if (used.has(name) || !(await isStillOld(files, key, before))) continue
      await files.delete(key)
      removed.files += 1
      removed.bytes += bytes
    }
  }
  return removed
}

/** Checked again right before deleting, because the same content may just have been stored again. */
async function isStillOld(files: FileStore, key: string, before: Date): Promise<boolean> {
  const file = await files.find(key)
  return file !== undefined && file.modifiedAt < before
}

export async function* inPages(files: AsyncIterable<StoredFile>, size: number): AsyncGenerator<StoredFile[]> {
  let page: StoredFile[] = []
  for await (const file of files) {
    page.push(file)
    if (page.length < size) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}
