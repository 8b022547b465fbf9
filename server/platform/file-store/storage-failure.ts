import { AppError } from '#server/platform/app-error.ts'
import { isUnreachable } from '#server/platform/unreachable.ts'

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
