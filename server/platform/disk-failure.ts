import { DatabaseError } from 'pg'

/** Why a disk rejects writes of this process, the file store or PostgreSQL. */
export type DiskFailure = 'full' | 'read-only'

// Node's codes, PostgreSQL's states, and the file store's own errors.
const FAILURES: ReadonlyMap<unknown, DiskFailure> = new Map([
  ['ENOSPC', 'full'],
  ['EDQUOT', 'full'],
  ['53100', 'full'],
  ['STORAGE_FULL', 'full'],
  ['EROFS', 'read-only'],
  // A standby, or a server that an operator set to read-only.
  ['25006', 'read-only'],
])

// PostgreSQL reports a quota and a read-only file system under states that also mean other things.
const MESSAGES: readonly [RegExp, DiskFailure][] = [
  [/No space left on device|Disk quota exceeded/, 'full'],
  [/Read-only file system/, 'read-only'],
]

/** Returns the disk failure behind an error or its cause, if any. It passes when an operator makes room. */
export function diskFailure(error: unknown): DiskFailure | undefined {
  if (!(error instanceof Error)) return undefined
  const byCode = 'code' in error ? FAILURES.get(error.code) : undefined
  if (byCode) return byCode
  const { message } = error
  const byMessage =
    error instanceof DatabaseError ? MESSAGES.find(([words]) => words.test(message))?.[1] : undefined
  return byMessage ?? diskFailure(error.cause)
}

/** Long enough that retrying callers do not keep a full disk busy. */
export const DISK_RETRY_SECONDS = 30
