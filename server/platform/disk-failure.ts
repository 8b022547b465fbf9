import { DatabaseError } from 'pg'

/** What a disk refuses, whoever writes to it: this process, the file store or PostgreSQL. */
export type DiskFailure = 'full' | 'read-only'

// Node's codes, PostgreSQL's states, and what the file store makes of either.
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

/** Whether an error, or what caused it, is a disk that takes nothing more. It passes when an operator makes room. */
export function diskFailure(error: unknown): DiskFailure | undefined {
  if (!(error instanceof Error)) return undefined
  const byCode = 'code' in error ? FAILURES.get(error.code) : undefined
  if (byCode) return byCode
  const { message } = error
  const byMessage =
    error instanceof DatabaseError ? MESSAGES.find(([words]) => words.test(message))?.[1] : undefined
  return byMessage ?? diskFailure(error.cause)
}

/** Long enough that callers who repeat do not keep a full disk busy. */
export const DISK_RETRY_SECONDS = 30
